"""A text as the words that are indexed, joined by spaces.

What a word becomes is decided in ``search``; here it is only remembered. What stands between two spaces is looked up whole,
with its commas and brackets, because a corpus has few distinct pieces: a look-up costs a hundredth of an analysis.
"""

from collections.abc import Callable
from functools import partial
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


class _Words(dict[str, str]):
    """What a piece of text becomes: none, one or several words."""

    def __init__(self, form: Callable[[str], str]) -> None:
        super().__init__()
        self._form = form

    def __missing__(self, piece: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self[piece] = " ".join(map(self._form, tokens(piece)))
        return found


class _Parts(dict[str, tuple[str, ...]]):
    """The stems of the parts of the compounds in a piece of text."""

    def __init__(self, parts: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._parts = parts

    def __missing__(self, piece: str) -> tuple[str, ...]:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self[piece] = tuple(part for word in tokens(piece) for part in self._parts(word))
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
        self._exact = _Words(folded)
        self._stems = {code: _Words(partial(stem, language=code)) for code in LANGUAGES}
        self._parts = _Parts(self.parts)
        self._forms = _Forms(self)

    def of(self, text: str, language: str) -> Stream:
        pieces = text.split()
        if not pieces:
            return NOTHING
        german = language != "en"
        parts: set[str] = set()
        if german:
            for found in filter(None, map(self._parts.__getitem__, set(pieces))):
                parts.update(found)
        stems = self._stems["de" if german else "en"]
        return Stream(
            " ".join(map(self._exact.__getitem__, pieces)),
            " ".join(map(stems.__getitem__, pieces)),
            frozenset(parts),
        )

    def exact(self, text: str) -> str:
        return " ".join(map(self._exact.__getitem__, text.split()))

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
