"""Which words of a PDF page can be seen.

Text that is drawn invisibly over a picture is the text layer of a scan, and wanted. White or invisible text over nothing
is written for search engines or is a leftover, and is not read.
"""

import ctypes
from collections.abc import Sequence
from typing import Any

import pypdfium2.raw as pdfium

from kiebitz.extract.glyphs import Corners, GlyphRun, PageFrame

MOST_OBJECTS = 4_000
MOST_GROUNDS = 300
_INVISIBLE = {pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP}
_WHITE = 250
_GROUNDS = {pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING, pdfium.FPDF_PAGEOBJ_FORM}


def visible(page: Any, text_page: Any, words: Sequence[GlyphRun], frame: PageFrame) -> list[GlyphRun]:
    """One word of each run is looked at: within a run nobody changes colours to hide a word."""
    hidden = False
    grounds: list[Corners] | None = None
    seen = []
    for word in words:
        if not word.spaced:
            hidden = _is_hidden(text_page, word.at)
        if hidden:
            if grounds is None:
                grounds = _grounds(page, frame)
            if not any(_over(word, ground) for ground in grounds):
                continue
        seen.append(word)
    return seen


def picture_share(page: Any, frame: PageFrame) -> float:
    """How much of the page its pictures cover, at most 1."""
    width, height = frame.size
    covered = 0.0
    for kind, _, box in _objects(page, frame):
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            left, top, right, bottom = max(0.0, box[0]), max(0.0, box[1]), min(width, box[2]), min(height, box[3])
            covered += max(0.0, right - left) * max(0.0, bottom - top)
    return min(1.0, covered / (width * height)) if width * height > 0 else 0.0


def _is_hidden(text_page: Any, at: int) -> bool:
    drawn = pdfium.FPDFText_GetTextObject(text_page, at)
    if not drawn:
        return False
    return pdfium.FPDFTextObj_GetTextRenderMode(drawn) in _INVISIBLE or _is_white(drawn)


def _is_white(drawn: Any) -> bool:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(drawn, red, green, blue, alpha):
        return False
    return alpha.value == 0 or min(red.value, green.value, blue.value) >= _WHITE


def _grounds(page: Any, frame: PageFrame) -> list[Corners]:
    """What text may stand on: pictures, and areas that are filled with a colour."""
    grounds = [
        box
        for kind, drawn, box in _objects(page, frame)
        if kind in _GROUNDS or (kind == pdfium.FPDF_PAGEOBJ_PATH and not _is_white(drawn))
    ]
    return sorted(grounds, key=lambda box: (box[2] - box[0]) * (box[3] - box[1]), reverse=True)[:MOST_GROUNDS]


def _objects(page: Any, frame: PageFrame) -> list[tuple[int, Any, Corners]]:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    found = []
    for number in range(min(pdfium.FPDFPage_CountObjects(page), MOST_OBJECTS)):
        drawn = pdfium.FPDFPage_GetObject(page, number)
        kind = pdfium.FPDFPageObj_GetType(drawn)
        if kind != pdfium.FPDF_PAGEOBJ_TEXT and pdfium.FPDFPageObj_GetBounds(drawn, left, bottom, right, top):
            found.append((kind, drawn, frame.seen(left.value, bottom.value, right.value, top.value)))
    return found


def _over(word: GlyphRun, ground: Corners) -> bool:
    across, down = (word.left + word.right) / 2, (word.top + word.bottom) / 2
    return ground[0] <= across <= ground[2] and ground[1] <= down <= ground[3]
