"""Pictures of text, read by the tesseract program if it is installed: its words with their places.

A program of its own rather than a library: it has its own memory, obeys the limits of the process that starts it, and a
page on which it hangs is ended by the clock.
"""

import os
import shutil
import subprocess
import time
from functools import cache
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from kiebitz.extract.leash import die_with_parent
from kiebitz.model.text import Box, Line

DPI = 200
MOST_PIXELS = 20_000_000  # A3 at 200 dpi has 7.7 million
LANGUAGES = ("deu", "eng")
_POINTS = 72
_LEAST_SURE = 25.0  # per cent; below it tesseract sees letters in stains


class Picture(NamedTuple):
    """A page in grey: a portable graymap, and how many of its pixels make a point."""

    content: bytes
    scale: float


class Budget:
    """The time that is left for the pictures of one document."""

    def __init__(self, seconds: float, page_seconds: float) -> None:
        self._page_seconds = page_seconds
        self._end = time.monotonic() + seconds

    def of_page(self) -> float:
        return min(self._page_seconds, self._end - time.monotonic())


@cache
def installed_languages() -> str:
    """Those of ours that tesseract has, as it wants them; "" if it is not installed."""
    program = shutil.which("tesseract")
    if program is None:
        return ""
    try:
        listed = subprocess.run([program, "--list-langs"], capture_output=True, timeout=10, check=False, text=True)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "+".join(name for name in LANGUAGES if name in listed.stdout.split())


def draw(page: Any, width: float, height: float) -> Picture | None:
    """None if the page is too small or the memory too short to draw it."""
    scale = min(DPI / _POINTS, (MOST_PIXELS / max(1.0, width * height)) ** 0.5)
    across, down = int(width * scale), int(height * scale)
    if across < 8 or down < 8:
        return None
    bitmap = pdfium.FPDFBitmap_CreateEx(across, down, pdfium.FPDFBitmap_Gray, None, 0)
    if not bitmap:
        return None
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, across, down, 0xFFFFFFFF)
        flags = pdfium.FPDF_GRAYSCALE | pdfium.FPDF_ANNOT
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, across, down, 0, flags)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        raw = bytes(_memory(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * down))
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    pixels = raw if stride == across else b"".join(raw[at : at + across] for at in range(0, stride * down, stride))
    return Picture(b"P5\n%d %d\n255\n" % (across, down) + pixels, scale)


def _memory(pointer: Any, length: int) -> Any:
    import ctypes

    return (ctypes.c_ubyte * length).from_address(ctypes.cast(pointer, ctypes.c_void_p).value or 0)


def read_picture(picture: Picture, number: int, seconds: float) -> list[Line] | None:
    """The lines of the page, or None if it could not be read in time."""
    languages = installed_languages()
    if not languages or seconds <= 0:
        return None
    command = ["tesseract", "stdin", "stdout", "-l", languages, "--dpi", str(round(picture.scale * _POINTS)), "tsv"]
    try:
        done = subprocess.run(  # noqa: S603 -- a fixed program, the picture comes through the pipe
            command,
            input=picture.content,
            capture_output=True,
            timeout=seconds,
            check=False,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            preexec_fn=die_with_parent,  # safe: the child has no other thread on Linux
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode:
        return None
    return _lines(done.stdout.decode("utf-8", "replace"), picture.scale, number)


def _lines(table: str, scale: float, number: int) -> list[Line]:
    """The TSV of tesseract: level, page, block, paragraph, line, word, left, top, width, height, confidence, text."""
    words: dict[tuple[str, ...], list[tuple[Box, str]]] = {}
    for row in table.splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) < 12 or not cells[11].strip() or float(cells[10]) < _LEAST_SURE:
            continue
        left, top, width, height = (float(cell) / scale for cell in cells[6:10])
        words.setdefault(tuple(cells[1:5]), []).append((Box(left, top, left + width, top + height), cells[11].strip()))
    return [_line(line, number) for line in words.values()]


def _line(words: list[tuple[Box, str]], number: int) -> Line:
    boxes = [box for box, _ in words]
    around = Box(min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    return Line(" ".join(text for _, text in words), number, around)
