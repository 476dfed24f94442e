"""Words of a query against the words of a text: forms, rows side by side, and what each way of being found is worth.

A text is read into places by form: "=" and the word as written, the stem bare, "+" and the stem of a part of a compound. A leaf of the
query is a choice of rows; a row is found where its slots stand next to each other, in one compound, or anywhere in the field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from kiebitz.model.query import Fuzzy, Phrase, Prefix, Word
from kiebitz.search.analyse import LANGUAGES, folded, stem, tokens
from kiebitz.search.compounds import Splitter
from kiebitz.search.distance import within
from kiebitz.search.weights import Scale, weights

MOST_EXPANSIONS = 200

Slot = dict[str, float]  # form, and what it is worth


class FieldWords(NamedTuple):
    length: int
    places: dict[str, list[int]]


class SlotRow(NamedTuple):
    slots: tuple[Slot, ...]
    worth: float = 1.0
    together: str = "row"  # or "word": all in one compound; or "field": all somewhere in it

    def found_in(self, reading: FieldWords) -> float:
        places = [_places(slot, reading) for slot in self.slots]
        if not all(places):
            return 0.0
        if self.together == "field":
            return self.worth * min(sum(found.values()) for found in places)
        step = 1 if self.together == "row" else 0
        total = 0.0
        for start, value in places[0].items():
            values = [found.get(start + step * at) for at, found in enumerate(places)]
            if all(values):
                total += min(value, *(other for other in values if other))
        return self.worth * total


class Leaf(NamedTuple):
    rows: tuple[SlotRow, ...]

    def found_in(self, reading: FieldWords) -> float:
        return sum(row.found_in(reading) for row in self.rows)


class Leaves:
    """Makes leaves. Without ``analysis`` a word is found only as it is typed: plain BM25, to compare with."""

    def __init__(self, splitter: Splitter | None = None, scale: Scale | None = None, *, analysis: bool = True) -> None:
        self.splitter = splitter or Splitter.shipped()
        self.analysis = analysis
        self._worth = (scale or weights()).forms

    def leaf(self, node: Word | Phrase | Prefix | Fuzzy, vocabulary: Callable[[], Iterable[str]]) -> Leaf:
        words = tokens(node.text)
        if isinstance(node, Word) and len(words) == 1:
            return Leaf(self._word_rows(words[0]))
        slots = [self._slot(word) for word in words]
        if isinstance(node, Prefix) and slots:
            begin = folded(words[-1])
            self._expand(slots[-1], (word for word in vocabulary() if word.startswith(begin)), self._worth["prefix"])
        if isinstance(node, Fuzzy) and slots:
            like = folded(words[-1])
            near = (word for word in vocabulary() if within(like, word, node.distance) is not None)
            self._expand(slots[-1], near, self._worth["fuzzy"])
        worth = self._worth["phrase"] if len(words) > 1 else 1.0
        return Leaf((SlotRow(tuple(slots), worth),) if slots else ())

    def _word_rows(self, word: str) -> tuple[SlotRow, ...]:
        slot = self._slot(word)
        rows = [SlotRow((slot,))]
        if self.analysis:
            slot.setdefault(f"+{stem(word, 'de')}", self._worth["part"])
            rows += self._rows_of_parts(self.splitter.parts(word))
        return tuple(rows)

    def _rows_of_parts(self, parts: tuple[str, ...]) -> list[SlotRow]:
        """A compound is also found by all of its parts, never by some of them."""
        if len(parts) < 2:
            return []
        stems = [stem(part, "de") for part in parts]
        longer = tuple({f"+{found}": 1.0} for found in stems)
        loose = tuple({found: 1.0, f"+{found}": 1.0} for found in stems)
        worth = self._worth
        return [
            SlotRow(longer, worth["part"], "word"),
            SlotRow(loose, worth["apart"]),
            SlotRow(loose, worth["scattered"], "field"),
        ]

    def _slot(self, word: str) -> Slot:
        slot: Slot = {f"={folded(word)}": self._worth["stem"] + self._worth["exact"] if self.analysis else 1.0}
        if self.analysis:
            slot |= {stem(word, language): self._worth["stem"] for language in LANGUAGES}
        return slot

    def _expand(self, slot: Slot, words: Iterable[str], worth: float) -> None:
        for word in sorted(words, key=lambda word: (len(word), word))[:MOST_EXPANSIONS]:
            slot.setdefault(f"={word}", worth)


def read(text: str, language: str, leaves: Leaves) -> FieldWords:
    places: dict[str, list[int]] = {}
    words = tokens(text)
    languages = (language,) if language in LANGUAGES else LANGUAGES
    for at, word in enumerate(words):
        keys = {f"={folded(word)}"}
        if leaves.analysis:
            keys |= {stem(word, each) for each in languages}
            parts = leaves.splitter.parts(word) if "de" in languages else ()
            keys |= {f"+{stem(part, 'de')}" for part in parts if len(parts) > 1}
        for key in keys:
            places.setdefault(key, []).append(at)
    return FieldWords(len(words), places)


def _places(slot: Slot, reading: FieldWords) -> dict[int, float]:
    """Where any form of the slot stands, each place with the best that it is worth."""
    found: dict[int, float] = {}
    for key, worth in slot.items():
        for at in reading.places.get(key, ()):
            found[at] = max(found.get(at, 0.0), worth)
    return found
