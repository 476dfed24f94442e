"""A text as the words that are indexed, joined by spaces.

What a word becomes is decided in ``search``; here it is only remembered. What stands between two spaces is looked up whole,
with its commas and brackets, because a corpus has few distinct pieces: a look-up costs a hundredth of an analysis.
"""

from collections.abc import Callable
from typing import NamedTuple

from kiebitz.search import schema
from kiebitz.search.analyse import LANGUAGES, folded, is_stop, stem, tokens
from kiebitz.search.compounds import Splitter

_REMEMBERED = 300_000


class Stream(NamedTuple):
    exact: str
    stems: str
    parts: frozenset[str]

    @property
    def with_parts(self) -> str:
        """For short fields, where a part is worth more than anywhere in the text; behind the rest, so that phrases hold."""
        return " ".join([self.stems, *(f"{schema.PART_MARK}{part}" for part in self.parts)])

    @property
    def marked(self) -> str:
        """All three for a field that keeps them apart by a mark only."""
        exact = [f"{schema.EXACT_MARK}{word}" for word in set(self.exact.split())]
        return " ".join([self.stems, *exact, *(f"{schema.PART_MARK}{part}" for part in self.parts)])


NOTHING = Stream("", "", frozenset())


class Piece(NamedTuple):
    """What stands between two spaces: none, one or several words."""

    stems: str
    exact: str
    parts: tuple[str, ...]  # stems of the parts of its compounds


class _Pieces(dict[str, Piece]):
    """Of one language. Bounded by forgetting everything."""

    def __init__(self, language: str, parts: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._language = language
        self._parts = parts

    def __missing__(self, text: str) -> Piece:
        if len(self) >= _REMEMBERED:
            self.clear()
        words = tokens(text)
        if len(words) == 1:
            word = words[0]
            found = Piece(stem(word, self._language), folded(word), self._parts(word))
        else:
            found = Piece(
                " ".join(stem(word, self._language) for word in words),
                " ".join(map(folded, words)),
                tuple(part for word in words for part in self._parts(word)),
            )
        self[text] = found
        return found


class _Forms(dict[str, frozenset[str]]):
    """All forms of a piece of text in all languages, the exact ones and the parts with their marks."""

    def __init__(self, streams: "Streams") -> None:
        super().__init__()
        self._streams = streams

    def __missing__(self, piece: str) -> frozenset[str]:
        if len(self) >= _REMEMBERED:
            self.clear()
        forms: set[str] = set()
        for word in tokens(piece):
            forms |= {schema.EXACT_MARK + folded(word), *self._streams.stems(word)}
            forms |= {schema.PART_MARK + part for part in self._streams.parts(word)}
        found = self[piece] = frozenset(forms)
        return found


class Streams:
    """Shared by a writer and its readers; the splitter must be the one that the index was built with."""

    def __init__(self, splitter: Splitter | None = None) -> None:
        self.splitter = splitter or Splitter.shipped()
        self._german = _Pieces("de", self.parts)
        self._english = _Pieces("en", lambda _: ())
        self._forms = _Forms(self)

    def of(self, text: str, language: str) -> Stream:
        """Stems in the order of the text; exact words and parts in any, because nobody asks for theirs."""
        pieces = text.split()
        if not pieces:
            return NOTHING
        known = self._english if language == "en" else self._german
        stems = " ".join([known[piece].stems for piece in pieces])
        distinct = set(map(known.__getitem__, pieces))
        parts = [found.parts for found in distinct if found.parts]
        return Stream(" ".join([found.exact for found in distinct]), stems, frozenset().union(*parts))

    def exact(self, text: str) -> str:
        return " ".join(map(folded, tokens(text)))

    def forms(self, piece: str) -> frozenset[str]:
        return self._forms[piece]

    def exact_word(self, word: str) -> str:
        return folded(word)

    def stems(self, word: str) -> tuple[str, ...]:
        """In every language, each once: a query does not say its own."""
        return tuple(dict.fromkeys(stem(word, language) for language in LANGUAGES))

    def stem(self, word: str, language: str) -> str:
        return stem(word, language)

    def parts(self, word: str) -> tuple[str, ...]:
        """Stems of the parts of a compound; empty if it is none."""
        found = self.splitter.parts(word)
        return tuple(stem(part, "de") for part in found) if len(found) > 1 else ()

    def is_stop(self, word: str) -> bool:
        return is_stop(word)
