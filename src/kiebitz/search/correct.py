"""What may have been meant, when nothing was found: each word that the index does not know, replaced by its likeliest neighbour.

The index lends two functions: how often a word occurs, and which words begin with some letters. Most typing errors leave the
first letters right; the others are looked for by what remains when one of the first letters is left out, or two are swapped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from kiebitz.search.analyse import Token, folded, is_stop, located
from kiebitz.search.distance import within
from kiebitz.search.scan import MOST_CHARACTERS, MOST_TERMS

_SHORTEST = 4
_NEIGHBOURS = 3_000  # looked at for each beginning
_LONG = 7  # from this length on two letters may be wrong
_UNLIKELY = 40.0  # one more wrong letter must be made up for by so many times the count

Count = Callable[[str], int]
Beginning = Callable[[str], Iterable[tuple[str, int]]]


def correction(text: str, count: Count, beginning: Beginning) -> str:
    """The text with likelier words, or "" if there are none. ``count`` and ``beginning`` take and give folded words."""
    text = text[:MOST_CHARACTERS]
    changed, last = [], 0
    for token in islice(located(text), MOST_TERMS):
        if not _may_be_wrong(text, token, count):
            continue
        better = _likeliest(folded(token.word), beginning)
        if better:
            changed += [text[last : token.start], _cased(better, text[token.start : token.end])]
            last = token.end
    return "".join([*changed, text[last:]]) if changed else ""


def _may_be_wrong(text: str, token: Token, count: Count) -> bool:
    if len(token.word) < _SHORTEST or not token.word.isalpha() or is_stop(token.word):
        return False
    if text[token.end : token.end + 1] in (":", "*"):  # the name of a field, the beginning of a word
        return False
    return not count(folded(token.word))


def _likeliest(word: str, beginning: Beginning) -> str:
    most = 2 if len(word) >= _LONG else 1
    best, best_worth = "", 0.0
    for letters in _beginnings(word):
        for other, count in islice(beginning(letters), _NEIGHBOURS):
            distance = within(word, other, most)
            if distance and count > 0:
                worth = count / _UNLIKELY**distance
                if worth > best_worth or (worth == best_worth and other < best):
                    best, best_worth = other, worth
    return best


def _beginnings(word: str) -> list[str]:
    swapped = word[1] + word[0] + word[2]
    return list(dict.fromkeys([word[:3], word[:2], swapped, word[1:4], word[0] + word[2:4]]))


def _cased(word: str, like: str) -> str:
    if like.isupper():
        return word.upper()
    return word if like.islower() else word.capitalize()
