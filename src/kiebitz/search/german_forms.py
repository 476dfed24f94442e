"""The forms in which German words stand inside a compound: with linking elements, endings, umlauts, and derived from verbs.

The list of words ships beside this file and is our own. Costs are in hundredths of what one more part costs, so that a form
that is rarer is taken only where nothing better fits.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

PART = 1000  # what each part costs; see compounds.py
_UNG = ("ung", "heit", "keit", "schaft", "tät", "ion", "tum", "ling")  # always followed by s
_UMLAUT = {"a": "ä", "o": "ö", "u": "ü"}
_VOWELS = "aeiouäöüy"
# An ending inside a compound, and what it costs.
_LINKS = (("", 0), ("s", 20), ("es", 40), ("en", 80), ("e", 120), ("er", 140), ("n", 160), ("ens", 160))
_ENDINGS = ("s", "es", "e", "en", "er", "n", "ern", "em")
_FROM_VERBS = ("ung", "er", "erin")


class WordForm(NamedTuple):
    """What stands in the word costs so much as a part, and is called so (several where the list says so)."""

    cost: int
    parts: tuple[str, ...]


class Lexicon(NamedTuple):
    """``left``: what may stand before another part; ``right``: what may end the word; ``bound``: only behind a prefix."""

    left: dict[str, WordForm]
    right: dict[str, WordForm]
    bound_left: dict[str, WordForm]
    bound_right: dict[str, WordForm]
    whole: frozenset[str]
    prefixes: tuple[str, ...]
    streets: frozenset[str]


@cache
def shipped() -> Lexicon:
    sections = _sections()
    # Of separable verbs (feststellen, offenlegen): one word each.
    separable = [first + last for first in sections["particles"] for last in sections["actions"]]
    whole = frozenset(sections["wholes"]) | _names() | frozenset(separable)
    words = Lexicon({}, {}, {}, {}, whole, tuple(sections["prefixes"]), frozenset(sections["streets"]))
    for word in (*sections["nouns"], *sections["wholes"], *separable):
        add_noun(words, word)
    for word in sections["adjectives"]:
        _add(words.left, word, WordForm(_short(word, 60), (word,)))
        for ending in ("", "e", "en", "er", "es", "em"):
            _add(words.right, word + ending, WordForm(_short(word, 150), (word,)))
    for stem in sections["stems"]:
        _add_verb(words, stem)
    for noun in sections["bound"]:
        _add_forms(words.bound_left, words.bound_right, noun, 0)
    for line in sections["expansions"]:
        word, _, parts = line.partition("=")
        _add_expansion(words, word, tuple(parts.split("+")))
    return words


def add_noun(words: Lexicon, noun: str, cost: int = 0) -> None:
    _add_forms(words.left, words.right, noun, cost)
    if not noun.endswith(_UNG):
        company = WordForm(cost + 100, (noun + "schaft",))
        _add(words.left, noun + "schafts", company)
        for ending in ("", "en"):
            _add(words.right, noun + "schaft" + ending, company)


def _add_forms(left: dict[str, WordForm], right: dict[str, WordForm], noun: str, cost: int) -> None:
    for surface, called, extra in _inside(noun):
        _add(left, surface, WordForm(_short(called, cost + extra), (called,)))
    plain = WordForm(_short(noun, cost), (noun,))
    inflected = WordForm(plain.cost + 40, (noun,))
    for surface in _at_the_end(noun):
        _add(right, surface, plain if surface == noun else inflected)


def _inside(noun: str) -> Iterator[tuple[str, str, int]]:
    if noun.endswith(_UNG):
        yield noun + "s", noun, 0
        yield noun + "en", noun, 80
        yield noun, noun, 300
        return
    if noun.endswith("e"):
        yield noun + "n", noun, 0
        yield noun, noun, 40
        yield noun + "s", noun, 200
        if len(noun) > 4:
            yield noun[:-1], noun[:-1], 60
            yield noun[:-1] + "s", noun, 120
        return
    for link, cost in _LINKS:
        yield noun + link, noun, cost
    umlauted = _umlauted(noun)
    if umlauted:
        for link, cost in (("er", 60), ("e", 80), ("", 200)):
            yield umlauted + link, noun, cost
    if noun.endswith("nis"):
        yield noun + "se", noun, 40


def _at_the_end(noun: str) -> Iterator[str]:
    yield noun
    if noun.endswith("e"):
        yield from (noun + "n", noun + "s")
        return
    for ending in _ENDINGS:
        yield noun + ending
    umlauted = _umlauted(noun)
    if umlauted:
        for ending in ("", "e", "en", "n", "er", "ern"):
            yield umlauted + ending
    if noun.endswith("nis"):
        yield from (noun + "se", noun + "sen", noun + "ses")
    if noun.endswith("in"):
        yield noun + "nen"


def _add_verb(words: Lexicon, stem: str) -> None:
    _add(words.left, stem, WordForm(_short(stem, 120), (stem,)))
    if len(stem) > 2:
        _add(words.left, stem + "e", WordForm(160, (stem + "e",)))
    for suffix in _FROM_VERBS:
        free = stem + suffix not in _sections()["clinging"]
        left, right = (words.left, words.right) if free else (words.bound_left, words.bound_right)
        _add_forms(left, right, stem + suffix, 60 if suffix == "ung" else 140)
    _add_forms(words.bound_left, words.bound_right, stem, 200)


def _add_expansion(words: Lexicon, word: str, parts: tuple[str, ...]) -> None:
    """What the list takes apart is not tried in another way."""
    for link, cost in (("", 0), ("s", 20), ("es", 40), ("en", 80), ("n", 60), ("e", 80)):
        words.left[word + link] = WordForm(cost - 100, parts)
        words.right[word + link] = WordForm(cost - 100, parts)


def _umlauted(noun: str) -> str:
    """The last a, o, u becomes ä, ö, ü (au becomes äu), as in Land, Länder."""
    for at in range(len(noun) - 1, -1, -1):
        letter = noun[at]
        if letter in "ei" and noun[at - 1 : at] not in _VOWELS:
            return ""
        if letter == "u" and noun[at - 1 : at] == "a":
            return noun[: at - 1] + "äu" + noun[at + 1 :]
        if letter in _UMLAUT:
            return noun[:at] + _UMLAUT[letter] + noun[at + 1 :]
    return ""


def _short(word: str, cost: int) -> int:
    if len(word) > 3 or word in _short_parts():
        return cost
    return cost + (250 if len(word) == 3 else 900)


@cache
def _short_parts() -> frozenset[str]:
    return frozenset(_sections()["short"])


def _add(forms: dict[str, WordForm], surface: str, form: WordForm) -> None:
    known = forms.get(surface)
    if known is None or form.cost < known.cost:
        forms[surface] = form


@cache
def _sections() -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for line in _lines("german_words.txt"):
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), [])
        else:
            current.extend(line.split())
    return sections


def _names() -> frozenset[str]:
    return frozenset(word for line in _lines("german_names.txt") for word in line.split())


def _lines(name: str) -> list[str]:
    text = (files("kiebitz.search") / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
