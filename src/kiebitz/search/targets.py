"""What a query looks for in a text, flattened: each word or phrase with the test that a word of the text passes or not.

The index answers which papers are found; this answers where in a paper, and by the same rules: a word is found as it was typed,
by its stem in any language, as a part of a compound, and a compound also by its parts side by side.
"""

from __future__ import annotations

from typing import NamedTuple

from kiebitz.model.query import Either, Every, Fuzzy, Node, Phrase, Prefix, Within, Word
from kiebitz.search.analyse import LANGUAGES, folded, is_stop, stem, tokens
from kiebitz.search.compounds import Splitter
from kiebitz.search.distance import within


class Seen(NamedTuple):
    """A word of the text in all its forms."""

    exact: str
    stems: frozenset[str]
    parts: frozenset[str]


class Sought(NamedTuple):
    """``words``: forms side by side, each any of a set. ``prefix`` and ``fuzzy`` look at the last of them only."""

    words: tuple[frozenset[str], ...]
    parts: frozenset[str] = frozenset()  # found in one compound that has all of these
    prefix: str = ""
    fuzzy: str = ""
    distance: int = 0
    stop: bool = False

    def meets(self, seen: Seen, place: int) -> bool:
        if place == len(self.words) - 1:
            if self.prefix and seen.exact.startswith(self.prefix):
                return True
            if self.fuzzy and within(self.fuzzy, seen.exact, self.distance) is not None:
                return True
            if len(self.words) == 1 and self.parts and self.parts <= seen.parts:
                return True
        wanted = self.words[place]
        return seen.exact in wanted or not wanted.isdisjoint(seen.stems)


def seen(word: str, splitter: Splitter) -> Seen:
    parts = splitter.parts(word)
    stems = frozenset(stem(word, language) for language in LANGUAGES)
    return Seen(folded(word), stems, frozenset(stem(part, "de") for part in parts) if len(parts) > 1 else frozenset())


def targets(node: Node, field: str, splitter: Splitter) -> list[Sought]:
    """Of one field. What is excluded, and spans of time, stand nowhere."""
    found: list[Sought] = []
    _collect(node, field, splitter, found)
    alone = [target for target in found if not target.stop]
    return alone or found


def _collect(node: Node, field: str, splitter: Splitter, found: list[Sought]) -> None:
    if isinstance(node, Every | Either):
        for inner in node.nodes:
            _collect(inner, field, splitter, found)
    elif isinstance(node, Within):
        if node.field == field:
            _collect(node.node, field, splitter, found)
    elif isinstance(node, Word):
        found += _word(node.text, splitter)
    elif isinstance(node, Phrase):
        found += _row(tokens(node.text))
    elif isinstance(node, Prefix):
        words = tokens(node.text)
        found += [target._replace(prefix=folded(words[-1])) for target in _row(words)]
    elif isinstance(node, Fuzzy):
        words = tokens(node.text)
        found += [target._replace(fuzzy=folded(words[-1]), distance=node.distance) for target in _row(words)]


def _word(text: str, splitter: Splitter) -> list[Sought]:
    words = tokens(text)
    if len(words) != 1:
        return _row(words)
    parts = splitter.parts(words[0])
    if len(parts) == 1:
        return [Sought((_forms(words[0]),), frozenset([stem(words[0], "de")]), stop=is_stop(words[0]))]
    stems = tuple(stem(part, "de") for part in parts)
    compound = Sought((_forms(words[0]),), frozenset(stems))
    return [compound, Sought(tuple(frozenset([found]) for found in stems))]


def _row(words: list[str]) -> list[Sought]:
    return [Sought(tuple(map(_forms, words)))] if words else []


def _forms(word: str) -> frozenset[str]:
    return frozenset([folded(word), *(stem(word, language) for language in LANGUAGES)])
