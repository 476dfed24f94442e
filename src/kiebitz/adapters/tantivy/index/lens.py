"""Where in a long text to look: the places that have what was searched for, found without reading every word.

The highlighter looks at each word in all its forms. That is exact and slow, so it gets only the windows of a text in which
something will be found. What stands between two spaces is looked up whole, as when the text was indexed.
"""

from typing import NamedTuple

from kiebitz.adapters.tantivy.index.pages import leaves
from kiebitz.adapters.tantivy.index.streams import Streams
from kiebitz.model.query import Fuzzy, Node, Phrase, Prefix, Word
from kiebitz.search import schema
from kiebitz.search.analyse import folded, tokens
from kiebitz.search.distance import within
from kiebitz.search.highlight import PASSAGE

MOST_PLACES = 300
_BEFORE = PASSAGE // 4


class _Place(NamedTuple):
    at: int
    piece: str


class WordSieve:
    """For one question; remembers each distinct piece of text it has seen."""

    def __init__(self, node: Node, streams: Streams) -> None:
        self.streams = streams
        self.splitter = streams.splitter
        self._forms: set[str] = set()
        self._prefixes: tuple[str, ...] = ()
        self._fuzzy: list[tuple[str, int]] = []
        self._seen: dict[str, bool] = {}
        for leaf in leaves(node):
            self._want(leaf)

    def has(self, text: str) -> bool:
        return any(map(self._meets, text.split()))

    def window(self, text: str) -> str:
        """The best piece of the text, a little longer than a passage; "" if nothing is found."""
        places = self._places(text)
        if not places:
            return ""
        at = max(places, key=lambda place: (_worth(places, place.at), -place.at)).at
        begin = text.rfind(" ", 0, at - _BEFORE) + 1 if at > _BEFORE else 0
        space = text.find(" ", at + PASSAGE)
        return text[begin : space if space > 0 else len(text)]

    def _want(self, leaf: Node) -> None:
        match leaf:
            case Prefix(text):
                self._prefixes += tuple(folded(word) for word in tokens(text)[-1:])
            case Fuzzy(text, distance):
                self._fuzzy += [(folded(word), distance) for word in tokens(text)]
        if not isinstance(leaf, Word | Phrase | Prefix | Fuzzy):
            return
        for word in tokens(leaf.text):
            parts = self.streams.parts(word)
            self._forms |= {schema.EXACT_MARK + folded(word), *self.streams.stems(word), *parts}
            self._forms |= {schema.PART_MARK + part for part in (*parts, self.streams.stem(word, "de"))}

    def _places(self, text: str) -> list[_Place]:
        found: list[_Place] = []
        for piece in filter(self._meets, set(text.split())):
            at = text.find(piece)
            while at >= 0 and len(found) < MOST_PLACES:
                found.append(_Place(at, piece))
                at = text.find(piece, at + len(piece))
        return sorted(found)

    def _meets(self, piece: str) -> bool:
        known = self._seen.get(piece)
        if known is None:
            known = self._seen[piece] = self._has(piece)
        return known

    def _has(self, piece: str) -> bool:
        if not self._forms.isdisjoint(self.streams.forms(piece)):
            return True
        if not self._prefixes and not self._fuzzy:
            return False
        words = self.streams.exact(piece).split()
        if any(word.startswith(self._prefixes) for word in words):
            return True
        return any(within(wanted, word, most) is not None for word in words for wanted, most in self._fuzzy)


def _worth(places: list[_Place], at: int) -> int:
    """How many different pieces stand in a passage that begins here, and how many in all."""
    inside = [place.piece for place in places if at <= place.at < at + PASSAGE]
    return 1_000 * len(set(inside)) + len(inside)
