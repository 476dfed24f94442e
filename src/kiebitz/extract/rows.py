"""Words that stand on one level make a row; words of a row that stand close together make a segment of it."""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from statistics import median
from typing import NamedTuple

from kiebitz.extract.glyphs import GlyphRun

# Two pieces of text that stand closer than this, in line heights, are one word unless the file has a space there.
_TOUCHING = 0.08
# A break wider than this, in line heights, may be the gutter between two columns. Word spaces are 0.2 to 0.5.
GUTTER = 0.62
NARROWEST = 5.0  # points


class Segment(NamedTuple):
    left: float
    right: float
    words: list[GlyphRun]


class TextRow(NamedTuple):
    top: float
    bottom: float
    segments: list[Segment]

    @property
    def left(self) -> float:
        return self.segments[0].left

    @property
    def right(self) -> float:
        return self.segments[-1].right

    @property
    def words(self) -> list[GlyphRun]:
        return [word for segment in self.segments for word in segment.words]


def height_of(words: Sequence[GlyphRun]) -> float:
    """The usual height of a line: the median over the words."""
    return median(word.bottom - word.top for word in words) if words else 0.0


def rows_of(words: Iterable[GlyphRun], gutter: float) -> list[TextRow]:
    """From top to bottom, each from left to right; a break of ``gutter`` points divides a row into segments."""
    levels: list[list[GlyphRun]] = []
    floor = ceiling = 0.0
    for word in sorted(words, key=_level):
        middle = (word.top + word.bottom) / 2
        if levels and ceiling <= middle <= floor:
            levels[-1].append(word)
            continue
        levels.append([word])
        slack = 0.45 * (word.bottom - word.top)
        ceiling, floor = middle - slack, middle + slack
    return [_row(level, gutter) for level in levels]


def _level(word: GlyphRun) -> float:
    return word.top + word.bottom


def _row(words: list[GlyphRun], gutter: float) -> TextRow:
    words.sort(key=_LEFT)
    segments: list[Segment] = []
    current: list[GlyphRun] = []
    right = 0.0
    for word in words:
        if current and word.left - right > gutter:
            segments.append(Segment(current[0].left, right, current))
            current, right = [], 0.0
        current.append(word)
        right = max(right, word.right) if len(current) > 1 else word.right
    segments.append(Segment(current[0].left, right, current))
    return TextRow(min(map(_TOP, words)), max(map(_BOTTOM, words)), segments)


_LEFT, _TOP, _BOTTOM = itemgetter(0), itemgetter(1), itemgetter(3)


def text_of(words: Sequence[GlyphRun]) -> str:
    """The words of one line, put together again where a word was drawn in pieces."""
    parts: list[str] = []
    previous: GlyphRun | None = None
    for word in words:
        if previous is not None:
            follows = word.spaced and word.at > previous.at
            touching = -1 < (word.left - previous.right) / (word.bottom - word.top or 1) < _TOUCHING
            if not touching or (follows and word.at - previous.at <= len(previous.text) + 1):
                parts.append(" ")
        parts.append(word.text)
        previous = word
    return "".join(parts)
