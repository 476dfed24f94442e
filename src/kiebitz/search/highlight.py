"""Where in a text a query was found, and the pieces of the text that show it best.

Offsets are those of the text as it is, whatever folding and stemming do to its words. Each distinct word is looked at once, so
the time is linear in the text, which is bounded.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from kiebitz.model.hit import Passage
from kiebitz.model.query import Node
from kiebitz.search.analyse import Token, located
from kiebitz.search.compounds import Splitter
from kiebitz.search.targets import Seen, Sought, seen, targets

MOST_CHARACTERS = 1_000_000
MOST_MARKS = 5_000
PASSAGE = 240
_SPACE = re.compile(r"\s")


class _Match(NamedTuple):
    start: int
    end: int
    target: int


def marks(text: str, node: Node, *, field: str = "content", splitter: Splitter | None = None) -> list[tuple[int, int]]:
    """(start, end) of what was found, in order, not overlapping. ``field`` is the one the text is of."""
    return _merged(_matches(text, node, field, splitter or Splitter.shipped()))


def passages(
    text: str, node: Node, *, page: int = 0, field: str = "content", limit: int = 1, splitter: Splitter | None = None
) -> tuple[Passage, ...]:
    """The best pieces of about 240 characters, in the order of the text; its beginning if nothing was found in it."""
    text = text[:MOST_CHARACTERS]
    found = _matches(text, node, field, splitter or Splitter.shipped())
    if not found:
        return (_cut(text, 0, [], page),) if text.strip() else ()
    begins = sorted(begin for begin, _ in _best(found, limit))
    spans = _merged(found)
    return tuple(_cut(text, begin, spans, page) for begin in begins)


def _matches(text: str, node: Node, field: str, splitter: Splitter) -> list[_Match]:
    wanted = targets(node, field, splitter)
    if not wanted:
        return []
    words = list(located(text[:MOST_CHARACTERS]))
    forms: dict[str, Seen] = {}
    met: dict[str, tuple[int, ...]] = {}  # which targets may begin with a word
    found: list[_Match] = []
    for at, token in enumerate(words):
        if token.word not in met:
            known = forms.setdefault(token.word, seen(token.word, splitter))
            met[token.word] = tuple(number for number, target in enumerate(wanted) if target.meets(known, 0))
        for number in met[token.word]:
            length = len(wanted[number].words)
            if length == 1 or _goes_on(words, at, wanted[number], forms, splitter):
                found.append(_Match(token.start, words[at + length - 1].end, number))
        if len(found) >= MOST_MARKS:
            break
    return found


def _goes_on(words: list[Token], at: int, target: Sought, forms: dict[str, Seen], splitter: Splitter) -> bool:
    if at + len(target.words) > len(words):
        return False
    for place in range(1, len(target.words)):
        word = words[at + place].word
        if word not in forms:
            forms[word] = seen(word, splitter)
        if not target.meets(forms[word], place):
            return False
    return True


def _merged(found: list[_Match]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end, _ in sorted(found):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _best(found: list[_Match], limit: int) -> list[tuple[int, int]]:
    """(begin, end) of windows with the most different targets, then the most of them; apart from each other."""
    found = sorted(found)
    windows: list[tuple[int, int, int]] = []  # worth, begin, end
    counts: dict[int, int] = {}
    last = 0
    for first, match in enumerate(found):
        begin = max(0, match.start - PASSAGE // 4)
        while last < len(found) and found[last].end <= begin + PASSAGE:
            counts[found[last].target] = counts.get(found[last].target, 0) + 1
            last += 1
        worth = 1_000 * sum(count > 0 for count in counts.values()) + min(sum(counts.values()), 999)
        windows.append((worth, begin, begin + PASSAGE))
        if last > first:
            counts[match.target] -= 1
        else:
            last = first + 1  # longer than a passage by itself
    chosen: list[tuple[int, int]] = []
    for _, begin, end in sorted(windows, key=lambda window: (-window[0], window[1])):
        if len(chosen) == limit:
            break
        if all(end <= other or begin >= until for other, until in chosen):
            chosen.append((begin, end))
    return chosen


def _cut(text: str, begin: int, spans: list[tuple[int, int]], page: int) -> Passage:
    """At white space near the edges, if there is any; never inside a mark unless it is longer than all."""
    end = min(len(text), begin + PASSAGE)
    if begin:
        space = _SPACE.search(text, begin, begin + PASSAGE // 4)
        begin = space.end() if space else begin
    if end < len(text) and not text[end].isspace():
        back = max((text.rfind(mark, begin + PASSAGE // 2, end) for mark in " \n\t\u00a0"), default=-1)
        end = back if back > 0 else end
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    inside = tuple((max(a, begin) - begin, min(b, end) - begin) for a, b in spans if a < end and b > begin)
    return Passage(page, _SPACE.sub(" ", text[begin:end]), inside)
