"""Running heads and feet: what stands at the same place of several pages and differs in numbers only.

They would cut every sentence that crosses a page. A line is only taken away if it repeats, never for its place alone.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from kiebitz.extract.glyphs import GlyphRun, SeenPage
from kiebitz.extract.rows import rows_of, text_of

ZONE = 0.13  # of the height of a page, at its top and at its bottom
REPEATED = 3
_LEVEL = 5.0  # points between two pages' places of the same line
_NUMBER = re.compile(r"[0-9]+")
_LONGEST = 200
_SHORT = 6  # pages
_MOSTLY = 0.6


class Mark(NamedTuple):
    """What a running line is known by."""

    text: str
    level: int


Found = tuple[Mark, list[GlyphRun]]


class Running(NamedTuple):
    sheets: list[SeenPage]  # without the running lines
    lines: list[str]  # each once, as it first stood


def without_running_lines(sheets: Sequence[SeenPage]) -> Running:
    zones = [_zone_segments(sheet) for sheet in sheets]
    pages_of: dict[Mark, set[int]] = {}
    for number, segments in enumerate(zones):
        for mark, _ in segments:
            for level in (mark.level - 1, mark.level, mark.level + 1):
                pages_of.setdefault(Mark(mark.text, level), set()).add(number)
    levels = _running_levels(zones, pages_of, len(sheets))
    cleaned: list[SeenPage] = []
    lines: dict[str, str] = {}
    for sheet, segments in zip(sheets, zones, strict=True):
        removed: set[int] = set()
        for mark, words in segments:
            if mark.level in levels and _is_repeated(mark, pages_of, len(sheets)):
                removed |= {word.at for word in words}
                lines.setdefault(mark.text, text_of(words))
        cleaned.append(_without(sheet, removed) if removed else sheet)
    return Running(cleaned, list(lines.values()))


def _running_levels(zones: list[list[Found]], pages_of: dict[Mark, set[int]], count: int) -> set[int]:
    """Levels at which most of what stands there repeats. A heading that opens several pages stands where others have text."""
    all_of: Counter[int] = Counter()
    repeated_at: Counter[int] = Counter()
    for segments in zones:
        for mark, _ in segments:
            for level in (mark.level - 1, mark.level, mark.level + 1):
                all_of[level] += 1
                repeated_at[level] += _is_repeated(mark, pages_of, count)
    return {level for level, count in all_of.items() if repeated_at[level] >= _MOSTLY * count}


def _is_repeated(mark: Mark, pages_of: dict[Mark, set[int]], count: int) -> bool:
    """In a short document two are enough for a line with a number in it: left and right pages may differ."""
    needed = 2 if count == 2 or (count <= _SHORT and "0" in mark.text) else REPEATED
    return len(pages_of[mark]) >= needed


def _without(sheet: SeenPage, removed: set[int]) -> SeenPage:
    return sheet._replace(words=[word for word in sheet.words if word.at not in removed])


def _zone_segments(sheet: SeenPage) -> list[Found]:
    upper, lower = ZONE * sheet.height, (1 - ZONE) * sheet.height
    outer = [word for word in sheet.words if word.bottom < upper or word.top > lower]
    found = []
    for row in rows_of(outer, 18.0):
        for segment in row.segments:
            text = _NUMBER.sub("0", text_of(segment.words)).casefold()
            if len(text) <= _LONGEST:
                found.append((Mark(text, round(row.top / _LEVEL)), segment.words))
    return found
