"""The words of a PDF page and where they stand.

pdfium hands out characters in the order they were drawn. Asking it for the box of every character costs more than
everything else together, so only the first and the last character of a word are asked; a word whose box cannot be true
(it was put together from two places) is taken apart character by character.
"""

import ctypes
import math
import re
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

PAGE_CHARACTERS = 400_000  # a page of a book has 3,000
HYPHEN = "\ufffe"  # pdfium's mark for a hyphen at the end of a line
_WORD = re.compile(r"[^\s\0\x02\ufffe]+[\x02\ufffe]?")
_WIDEST = 1.6  # a character is seldom wider than this many line heights
_TALL = 1.1  # times as high as wide: a word of narrow letters, or one that is turned
_FLAT = 4  # rotation is given in quarter turns
_LOOKED_AT, _SAMPLES = 20_000, 12


class GlyphRun(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float
    text: str
    at: int  # of its first character in the order of drawing
    spaced: bool = True  # does the file say that a space precedes it?
    upright: bool = True  # or written upwards, beside the text


class SeenPage(NamedTuple):
    """A page as one sees it: cropped and turned."""

    words: list[GlyphRun]
    width: float
    height: float
    unmapped: int = 0  # characters without a meaning
    characters: int = 0


class PageFrame(NamedTuple):
    """From the coordinates of the file to those of the page as one sees it."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    def seen(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        if self.turns == 0:
            return left - self.left, self.top - top, right - self.left, self.top - bottom
        if self.turns == 1:
            return bottom - self.bottom, left - self.left, top - self.bottom, right - self.left
        if self.turns == 2:
            return self.right - right, bottom - self.bottom, self.right - left, top - self.bottom
        return self.top - top, self.right - right, self.top - bottom, self.right - left

    def filed(self, left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
        """The way back: left, bottom, right, top in the coordinates of the file."""
        if self.turns == 0:
            return left + self.left, self.top - bottom, right + self.left, self.top - top
        if self.turns == 1:
            return top + self.left, left + self.bottom, bottom + self.left, right + self.bottom
        if self.turns == 2:
            return self.right - right, top + self.bottom, self.right - left, bottom + self.bottom
        return self.right - bottom, self.top - right, self.right - top, self.top - left

    @property
    def size(self) -> tuple[float, float]:
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.turns % 2 else (width, height)


def frame_of(page: Any) -> PageFrame:
    bounds = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, bounds)
    turns = max(0, pdfium.FPDFPage_GetRotation(page)) % _FLAT
    return PageFrame(bounds.left, bounds.bottom, bounds.right, bounds.top, turns)


def characters_of(text_page: Any) -> str:
    """One character per index of pdfium, so that the two can be used side by side."""
    count = min(pdfium.FPDFText_CountChars(text_page), PAGE_CHARACTERS)
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (count + 1))()
    written = pdfium.FPDFText_GetText(text_page, 0, count, buffer)
    text = bytes(memoryview(buffer).cast("B")[: 2 * max(0, written - 1)]).decode("utf-16-le", "replace")
    if len(text) == count:
        return text
    # Characters without a meaning are left out there, and those beyond the basic plane count twice.
    codes = (pdfium.FPDFText_GetUnicode(text_page, at) for at in range(count))
    return "".join(chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd" for code in codes)


def turns_of(text_page: Any, text: str) -> int:
    """By how many quarters, clockwise, the page must be turned for most of its text to stand upright."""
    counts = [0] * _FLAT
    starts = [match.start() for match in _WORD.finditer(text[:_LOOKED_AT])]
    for at in starts[:: max(1, len(starts) // _SAMPLES)]:
        counts[_quarters(text_page, at)] += 1
    return max(range(_FLAT), key=counts.__getitem__)


def _quarters(text_page: Any, at: int) -> int:
    angle = pdfium.FPDFText_GetCharAngle(text_page, at)  # clockwise, in radians; -1 if it has none
    return -round(angle / (math.pi / 2)) % _FLAT if angle >= 0 else 0


def words_of(text_page: Any, text: str, frame: PageFrame) -> list[GlyphRun]:
    """The words that stand on the page, in the order of drawing."""
    rect = pdfium.FS_RECTF()
    reference = ctypes.byref(rect)
    box_of = pdfium.FPDFText_GetLooseCharBox
    seen = frame.seen
    width, height = frame.size
    words = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        if not box_of(text_page, start, reference):
            continue
        first = (rect.left, rect.bottom, rect.right, rect.top)
        last_at = end - 1
        if text[last_at] in "\x02\ufffe" and end - start > 1:
            last_at -= 1  # the mark stands where the next line begins
        if last_at == start:
            last = first
        elif box_of(text_page, last_at, reference):
            last = (rect.left, rect.bottom, rect.right, rect.top)
        else:
            last = first
        if not _is_one(first, last, last_at - start + 1):
            words += _taken_apart(text_page, text, start, last_at + 1, frame)
            continue
        left, top, right, bottom = seen(
            min(first[0], last[0]), min(first[1], last[1]), max(first[2], last[2]), max(first[3], last[3])
        )
        if right < 0 or bottom < 0 or left > width or top > height:
            continue  # outside the page: nobody sees it
        spaced = start > 0 and text[start - 1] in " \xa0\t"
        is_tall = end - start > 1 and bottom - top > _TALL * (right - left)
        upright = not is_tall or _quarters(text_page, start) == frame.turns
        words.append(GlyphRun(left, top, right, bottom, match[0], start, spaced, upright))
    return words


Corners = tuple[float, float, float, float]  # left, bottom, right, top in the coordinates of the file


def _is_one(first: Corners, last: Corners, length: int) -> bool:
    """Do the first and the last character belong to one word, upright or turned?"""
    size = max(first[3] - first[1], last[3] - last[1], 1.0)
    reach = max(abs(last[2] - first[0]), abs(last[3] - first[1]))
    if reach > _WIDEST * size * length:
        return False
    backwards = last[0] < first[0] - 0.5 * size and abs(last[1] - first[1]) < 0.5 * size
    return not backwards


def _taken_apart(text_page: Any, text: str, start: int, end: int, frame: PageFrame) -> list[GlyphRun]:
    rect = pdfium.FS_RECTF()
    runs: list[list[tuple[int, Corners]]] = []
    for at in range(start, end):
        if not pdfium.FPDFText_GetLooseCharBox(text_page, at, rect):
            continue
        box = (rect.left, rect.bottom, rect.right, rect.top)
        if runs and _touches(runs[-1][-1][1], box):
            runs[-1].append((at, box))
        else:
            runs.append([(at, box)])
    width, height = frame.size
    words = []
    for run in runs:
        boxes = [box for _, box in run]
        left, top, right, bottom = frame.seen(
            min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)
        )
        if right >= 0 and bottom >= 0 and left <= width and top <= height:
            part = "".join(text[at] for at, _ in run)
            words.append(GlyphRun(left, top, right, bottom, part, run[0][0], run[0][0] == start))
    return words


def _touches(before: Corners, after: Corners) -> bool:
    size = max(before[3] - before[1], after[3] - after[1], 1.0)
    level = abs(before[1] - after[1]) < 0.5 * size
    near = -0.5 * size < after[0] - before[2] < 0.4 * size
    stacked = abs(before[0] - after[0]) < 0.5 * size and abs(before[1] - after[1]) < _WIDEST * size
    return (level and near) or stacked
