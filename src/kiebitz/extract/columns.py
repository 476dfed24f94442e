"""The reading order of a page, from where its words stand.

A page is cut where a gutter (a vertical strip without words) runs through at least a few rows. What is above the strip is
read first, then the columns on both sides of it, each in the same way, then what is below. So a heading across all
columns ends them, and columns below it begin anew. A strip through a table is no gutter: its left side is not prose, and
a table is read row by row, a cell of several lines as a whole.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from kiebitz.extract.glyphs import GlyphRun
from kiebitz.extract.rows import GUTTER, NARROWEST, TextRow, height_of, rows_of
from kiebitz.extract.tables import table_lines

FEWEST_ROWS = 3  # a gap in fewer rows is an accident of spacing
DEEPEST = 12  # columns within columns
_CANDIDATES = 40
_FULL, _MOSTLY = 0.7, 0.5  # prose: half of the lines are at least that full
_WORDS = 2.3  # in a line of prose, on average; labels have fewer
_NARROW = 5.5  # line heights: what is narrower holds numbers or labels
_LARGER = 1.2  # line heights: a heading
_APART = 2.5  # line heights between columns and what follows them
_DENSE, _LEVEL = 1.5, 0.12  # line heights
_RUNNING_ON = 0.25  # of the lines
_SAME_PLACE = 6.0  # points: a gutter that was found before


class Strip(NamedTuple):
    """A vertical strip without words through the rows ``first`` to ``last`` (excluded)."""

    middle: float
    first: int
    last: int
    shared: int  # rows with text on both sides


class Gutters:
    """Of one document: those that were found, and those that were taken for the gap of a table although they may be one."""

    def __init__(self) -> None:
        self.known: list[float] = []
        self.doubtful: list[float] = []

    def has(self, middle: float) -> bool:
        return any(abs(known - middle) < _SAME_PLACE for known in self.known)


def reading_orders(pages: Sequence[Sequence[GlyphRun]]) -> list[list[list[GlyphRun]]]:
    """The lines of every page. A page that was read as a table is looked at again if later ones show its gutter."""
    gutters = Gutters()
    orders, doubts = [], []
    for words in pages:
        gutters.doubtful = []
        orders.append(reading_order(words, gutters))
        doubts.append(gutters.doubtful)
    for number, doubtful in enumerate(doubts):
        if any(gutters.has(middle) for middle in doubtful):
            orders[number] = reading_order(pages[number], gutters)
    return orders


def reading_order(words: Sequence[GlyphRun], gutters: Gutters) -> list[list[GlyphRun]]:
    """The lines of a page. ``gutters`` is what other pages of the document had; it is added to."""
    if not words:
        return []
    upright = [word for word in words if word.upright]
    height = height_of(upright)
    gutter = max(NARROWEST, GUTTER * height)
    lines = _ordered(rows_of(upright, gutter), _Setting(height, gutter, gutters), 0)
    return lines if len(upright) == len(words) else lines + _on_end([word for word in words if not word.upright])


def _on_end(words: list[GlyphRun]) -> list[list[GlyphRun]]:
    """Turned words beside the text, in the order of drawing: those that share a line of their own direction together."""
    lines: list[list[GlyphRun]] = []
    for word in words:
        if lines and lines[-1][-1].left < word.right and word.left < lines[-1][-1].right:
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


class _Setting(NamedTuple):
    height: float
    gutter: float
    gutters: Gutters


def _ordered(rows: list[TextRow], setting: _Setting, depth: int) -> list[list[GlyphRun]]:
    strip = _best_strip(rows, setting) if depth < DEEPEST else None
    if strip is None:
        return [row.words for row in rows]
    lines = _ordered(rows[: strip.first], setting, depth + 1)
    inside = rows[strip.first : strip.last]
    left = [word for row in inside for word in row.words if word.left < strip.middle]
    right = [word for row in inside for word in row.words if word.left >= strip.middle]
    if _are_columns(left, right, strip, setting):
        setting.gutters.known.append(strip.middle)
        lines += _ordered(rows_of(left, setting.gutter), setting, depth + 1)
        lines += _ordered(rows_of(right, setting.gutter), setting, depth + 1)
    else:
        lines += table_lines(inside)
    return lines + _ordered(rows[strip.last :], setting, depth + 1)


# ---------------------------------------------------------------------- where to cut


def _best_strip(rows: list[TextRow], setting: _Setting) -> Strip | None:
    best: Strip | None = None
    banners = None
    for middle in _candidates(rows, setting.gutter):
        if banners is None:
            banners = _banners(rows, setting.height)
        for strip in _strips(rows, middle, setting.gutter, banners):
            if best is None or strip.last - strip.first > best.last - best.first:
                best = strip
        if best and best.last - best.first > 0.9 * len(rows):
            break  # no other can be much longer
    return best


def _banners(rows: list[TextRow], height: float) -> set[int]:
    """Headings of the whole width, however short: set larger, at the left edge or centred, and nothing beside them."""
    left, right = min(row.left for row in rows), max(row.right for row in rows)
    banners = set()
    for number, row in enumerate(rows):
        if len(row.segments) > 1 or row.bottom - row.top < _LARGER * height:
            continue
        above = number == 0 or row.top - rows[number - 1].bottom > 0.1 * height
        below = number == len(rows) - 1 or rows[number + 1].top - row.bottom > 0.1 * height
        placed = row.left - left < height or abs((row.left + row.right) - (left + right)) < 2 * height
        if above and below and placed:
            banners.add(number)
    return banners


def _candidates(rows: list[TextRow], gutter: float) -> list[float]:
    """The middles of gaps, the most frequent first; columns whose lines are not level show between rows only."""
    votes: dict[int, list[float]] = {}
    before: TextRow | None = None
    for row in rows:
        gaps = [(a.right, b.left) for a, b in pairwise(row.segments)]
        if before is not None:
            gaps += [(before.right, row.left)] if row.left - before.right > gutter else []
            gaps += [(row.right, before.left)] if before.left - row.right > gutter else []
        for _, left in gaps:
            # The gutter ends where the next column begins: ragged lines end earlier, so the right edge is the sharp one.
            votes.setdefault(round(left / 4), []).append(left)
        before = row
    frequent = sorted((lefts for lefts in votes.values() if len(lefts) > 1), key=len, reverse=True)[:_CANDIDATES]
    return [min(lefts) - gutter / 2 for lefts in frequent]


def _strips(rows: list[TextRow], middle: float, gutter: float, banners: set[int]) -> list[Strip]:
    """The longest runs of rows that leave the place free, with enough text on both sides."""
    strips = []
    first = 0
    near, far = middle - gutter / 2 + 0.5, middle + gutter / 2 - 0.5
    for number in [*sorted(banners | _crossing(rows, near, far)), len(rows)]:
        if number - first >= FEWEST_ROWS:
            strip = _trimmed(rows, middle, first, number)
            if strip:
                strips.append(strip)
        first = number + 1
    return strips


def _crossing(rows: list[TextRow], near: float, far: float) -> set[int]:
    """The numbers of the rows with text between ``near`` and ``far``."""
    crossing = set()
    for number, row in enumerate(rows):
        for segment in row.segments:
            if segment.left < far and segment.right > near:
                crossing.add(number)
                break
    return crossing


def _trimmed(rows: list[TextRow], middle: float, first: int, last: int) -> Strip | None:
    """Without what stands above the right column, or clearly below both."""
    lefts = [number for number in range(first, last) if rows[number].left < middle]
    rights = [number for number in range(first, last) if rows[number].right > middle]
    if len(lefts) < FEWEST_ROWS or len(rights) < FEWEST_ROWS:
        return None
    begin = max(first, rights[0]) if lefts[0] < rights[0] else first
    end = rights[-1] + 1
    for number in range(end, last):
        if rows[number].top - rows[number - 1].bottom > _APART * (rows[number].bottom - rows[number].top):
            last = number  # a line of its own under the columns
            break
    kept = [number for number in lefts if begin <= number < last]
    if len(kept) < FEWEST_ROWS:
        return None
    return Strip(middle, begin, last, len(set(kept) & set(rights)))


# ---------------------------------------------------------------------- columns or table


def _are_columns(left: list[GlyphRun], right: list[GlyphRun], strip: Strip, setting: _Setting) -> bool:
    prose_left, prose_right = _is_prose(left, setting), _is_prose(right, setting)
    if prose_left and (prose_right or _width(right) > _NARROW * setting.height):
        return True
    is_dense = _are_dense_and_wide(left, right, setting)
    if is_dense and (not _are_level(left, right, setting) or (_flows(left, setting) and _flows(right, setting))):
        return True
    if not prose_left and not prose_right and not is_dense:
        return False
    setting.gutters.doubtful.append(strip.middle)
    return setting.gutters.has(strip.middle)


def _are_dense_and_wide(left: list[GlyphRun], right: list[GlyphRun], setting: _Setting) -> bool:
    """Do lines follow each other closely on both sides? The cells of a table stand apart on one of them at least."""
    for words in (left, right):
        rows = rows_of(words, setting.gutter)
        if _width(words) < _NARROW * setting.height or len(rows) <= FEWEST_ROWS:
            return False
        if median(after.bottom - before.bottom for before, after in pairwise(rows)) > _DENSE * setting.height:
            return False
    return True


def _flows(words: list[GlyphRun], setting: _Setting) -> bool:
    """Do sentences run on from line to line? Cells of a table seldom begin with a small letter."""
    rows = rows_of(words, setting.gutter)
    return sum(row.segments[0].words[0].text[0].islower() for row in rows) >= _RUNNING_ON * len(rows)


def _are_level(left: list[GlyphRun], right: list[GlyphRun], setting: _Setting) -> bool:
    """Do most lines of the side with fewer of them stand level with one of the other? The rows of a table do."""
    fewer, more = sorted(([row.bottom for row in rows_of(side, setting.gutter)] for side in (left, right)), key=len)
    slack = _LEVEL * setting.height
    level = sum(any(abs(bottom - other) < slack for other in more) for bottom in fewer)
    return level > _MOSTLY * len(fewer)


def _is_prose(words: list[GlyphRun], setting: _Setting, depth: int = 0) -> bool:
    """Do its lines fill their width? If they do not, it may be several columns whose lines are not level."""
    width = _width(words)
    if width < _NARROW * setting.height:
        return False
    rows = rows_of(words, setting.gutter)
    if len(rows) < FEWEST_ROWS or len(words) < _WORDS * len(rows):
        return False
    full = sum(row.right - row.left >= _FULL * width for row in rows)
    labels = sum(row.segments[-1].words[-1].text.endswith(":") for row in rows)
    if full >= _MOSTLY * len(rows):
        return labels < _MOSTLY * len(rows)
    strip = _best_strip(rows, setting) if depth < 2 else None
    if strip is None or strip.last - strip.first < _MOSTLY * len(rows):
        return False
    inside = [word for row in rows[strip.first : strip.last] for word in row.words]
    sides = [[w for w in inside if w.left < strip.middle], [w for w in inside if w.left >= strip.middle]]
    return all(_is_prose(side, setting, depth + 1) for side in sides)


def _width(words: list[GlyphRun]) -> float:
    return max(word.right for word in words) - min(word.left for word in words)
