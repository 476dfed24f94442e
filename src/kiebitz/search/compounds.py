"""German compounds taken apart: Bebauungsplanänderung is about a plan, a Bebauung and an Änderung.

A word is read from left to right as the cheapest row of known forms (see german_forms.py). Each part costs the same, so few
parts are better than many; a rare linking element costs a little, a prefix too; what is unknown costs by its length, so that
it stays together unless a long known word can be told from it. The time grows with the square of the length of the word,
which is bounded; each word is taken apart once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from kiebitz.search.german_forms import PART, WordForm, add_noun, shipped

LONGEST_WORD = 64
SHORTEST_COMPOUND = 6
CACHED_WORDS = 500_000
LEARNED_LENGTH, LEARNED_COUNT, LEARNED_COST = 5, 5, 150

_UNKNOWN, _UNKNOWN_LETTER, _UNKNOWN_LENGTH = 1000, 240, 4
_BESIDE_KNOWN = 300  # an unknown piece beside known ones is less likely than an unknown word
_DERIVED = 200
_PREFIX, _WEAK_PREFIX = 40, 250  # er- and ge- are more often the end of the part before
_LONGEST_PART = 28
_FIRM_ENDS = ("ungs", "heits", "keits", "schafts", "tions", "sions", "täts", "lings")
_ONSET = (
    r"(?:bl?|br|ch|dr?|fl?|fr|gl?|gn|gr|h|j|kl?|kn|kr|l|m|n|pf?|pfl|pfr|pl|pr|qu|r|sch?|schl|schm|schn|schr|schw|s|sp|spl|spr|st|"
    r"str|tr?|v|w|z|zw)"
)
# Words in -ung, -keit, -heit of a stem of one syllable need not be listed.
_DERIVATION = re.compile(
    rf"{_ONSET}?(?:aa|ee|oo|au|äu|ei|eu|ie|[aeiouäöüy])[^aeiouäöüy]{{1,5}}"
    r"(?:(?:ig|er|el|en|lich|bar|sam|haft|los|ier|isier|l|n)(?:ig)?)?(?P<end>ung|keit|heit)(?P<link>s|en|)"
)
_SUFFIXES = ("lich", "schaft", "barkeit", "igkeit", "samkeit", "haftig", "keit", "heit", "losig", "ung")
_BEGINNING = re.compile(rf"{_ONSET}?[aeiouäöüy]")
_ADJECTIVAL = re.compile(r".{0,5}(?:isch|lich|bar|sam|ig|iert|end|tig)(?:e[nrsm]?)?\Z")
_WORD = re.compile(r"[a-zäöüßéèáàôçñ]+\Z")


class _Reading(NamedTuple):
    cost: int
    parts: tuple[str, ...]
    unknown: bool


class Splitter:
    """``vocabulary``: words of the corpus with their counts; what cannot be taken apart and is frequent becomes a part."""

    def __init__(self, vocabulary: Mapping[str, int] | None = None) -> None:
        known = shipped()
        self._words = known
        self._cache: dict[str, tuple[str, ...]] = {}
        if vocabulary:
            self._words = known._replace(left=dict(known.left), right=dict(known.right))
            self.learn(vocabulary)

    @classmethod
    def shipped(cls) -> Splitter:
        """With the words that ship, and no others."""
        return _shipped_splitter()

    def learn(self, vocabulary: Mapping[str, int]) -> None:
        """Add the words of a corpus. The short ones first, so that longer ones are not learned as one part."""
        if self._words is shipped():
            raise ValueError("the shipped splitter is shared; make one with a vocabulary")
        frequent = (word.lower() for word, count in vocabulary.items() if count >= LEARNED_COUNT)
        for word in sorted({word for word in frequent if self._is_new(word)}, key=lambda word: (len(word), word)):
            if len(self._split(word)) == 1:
                add_noun(self._words, word, LEARNED_COST)
        self._cache.clear()

    def parts(self, word: str) -> tuple[str, ...]:
        """In lower case and without linking elements; the word alone if it is no compound."""
        found = self._cache.get(word)
        if found is None:
            found = self._parts(word.lower())
            if len(self._cache) >= CACHED_WORDS:
                self._cache.clear()
            self._cache[word] = found
        return found

    def _is_new(self, word: str) -> bool:
        return (
            LEARNED_LENGTH <= len(word) <= LONGEST_WORD
            and word not in self._words.right
            and word not in self._words.left
            and _WORD.match(word) is not None
        )

    def _parts(self, word: str) -> tuple[str, ...]:
        if "-" in word:
            pieces = [piece for piece in word[: LONGEST_WORD * 2].split("-") if piece]
            return tuple(part for piece in pieces for part in self._split(piece)) or (word,)
        return self._split(word)

    def _split(self, word: str) -> tuple[str, ...]:
        if not SHORTEST_COMPOUND <= len(word) <= LONGEST_WORD or word in self._words.whole or not _WORD.match(word):
            return (word,)
        best = self._read(word)
        if best.unknown:
            for other in _other_spellings(word):
                reading = self._read(other)
                if not reading.unknown:
                    best = reading
        return best.parts if len(best.parts) > 1 else (word,)

    def _read(self, word: str) -> _Reading:
        """The cheapest reading of each beginning of the word, from left to right."""
        length = len(word)
        best: list[_Reading | None] = [None] * (length + 1)
        best[0] = _Reading(0, (), unknown=False)
        for start in range(length):
            so_far = best[start]
            if so_far is None:
                continue
            for end, form in self._forms_at(word, start):
                _keep(best, start, end, WordForm(form.cost + PART, form.parts))
            if not so_far.unknown:  # once in a word
                _read_unknown(word, start, best, self._words.streets)
        return best[length] or _Reading(0, (word,), unknown=True)

    def _forms_at(self, word: str, start: int) -> list[tuple[int, WordForm]]:
        words, length = self._words, len(word)
        last = min(length, start + _LONGEST_PART)
        found = []
        for end in range(start + 2, last + 1):
            form = (words.right if end == length else words.left).get(word[start:end])
            if form:
                found.append((end, form))
        found += _derivations(word, start, start)
        for behind in _behind_prefixes(word, start, words.prefixes):
            prefix = word[start:behind]
            found += _derivations(word, start, behind)
            for end in range(behind + 2, last + 1):
                piece = word[behind:end]
                free, bound = (words.right, words.bound_right) if end == length else (words.left, words.bound_left)
                form = free.get(piece)
                other = bound.get(piece)
                if other and (form is None or other.cost < form.cost):
                    form = other
                if form and len(form.parts) == 1:
                    found.append((end, WordForm(form.cost + _cost_of(prefix), (prefix + form.parts[0],))))
        return found


@cache
def _shipped_splitter() -> Splitter:
    return Splitter()


def _behind_prefixes(word: str, start: int, prefixes: tuple[str, ...]) -> list[int]:
    """Where the word goes on behind one prefix or two ("wieder|her|stellung")."""
    found = [start + len(prefix) for prefix in prefixes if word.startswith(prefix, start)]
    for first in tuple(found):
        found += [first + len(prefix) for prefix in prefixes if word.startswith(prefix, first)]
    return found


def _cost_of(prefix: str) -> int:
    return _WEAK_PREFIX if prefix in ("er", "ge", "un", "ur", "um") else _PREFIX


def _derivations(word: str, start: int, behind: int) -> list[tuple[int, WordForm]]:
    match = _DERIVATION.match(word, behind)
    if not match or (behind == start > 0 and (word[start] in "aeiouäöüy" or word.startswith(_SUFFIXES, start))):
        return []
    end, stem_end = match.end(), match.end("end")
    cost = _DERIVED + (_cost_of(word[start:behind]) if behind > start else 0)
    if end == len(word) or match["link"]:
        return [(end, WordForm(cost, (word[start:stem_end],)))]
    return []


def _other_spellings(word: str) -> list[str]:
    """As it is written without umlauts, or was before 1996 or in Switzerland."""
    umlauts = word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü")
    spellings = (umlauts, word.replace("ß", "ss"), umlauts.replace("ss", "ß"))
    return [spelling for spelling in dict.fromkeys(spellings) if spelling != word]


def _read_unknown(word: str, start: int, best: list[_Reading | None], streets: frozenset[str]) -> None:
    """Something unknown from here to any place where the word may go on."""
    length = len(word)
    if start and (not _BEGINNING.match(word, start) or word.startswith(_SUFFIXES, start)):
        return
    for end in range(start + _UNKNOWN_LENGTH, length + 1):
        piece = word[start:end]
        cost = _UNKNOWN + _UNKNOWN_LETTER * len(piece)
        if len(piece) < length:
            cost += _BESIDE_KNOWN + (300 if len(piece) < 6 else 0)
        if end < length and piece.endswith(_FIRM_ENDS) and len(piece) > 6:
            _keep(best, start, end, WordForm(cost - 600, (piece[:-1],)), unknown=True)
        elif end < length and start == 0 and word[end:] in streets:
            _keep(best, start, end, WordForm(cost - 900, (piece,)), unknown=True)
        elif end < length or start == 0 or (len(piece) > 5 and not _ADJECTIVAL.match(piece)):
            _keep(best, start, end, WordForm(cost, (piece,)), unknown=True)


def _keep(best: list[_Reading | None], start: int, end: int, form: WordForm, *, unknown: bool = False) -> None:
    before, known = best[start], best[end]
    if before is None:
        return
    total = before.cost + form.cost
    if known is None or total < known.cost:
        best[end] = _Reading(total, before.parts + form.parts, unknown or before.unknown)
