"""What a PDF says of itself: title, author, dates, producer; and what its first page shows if it says nothing."""

import ctypes
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from statistics import median
from typing import Any

import pypdfium2.raw as pdfium

from kiebitz.extract.characters import plain
from kiebitz.model.text import Line

NAMES = ("Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate")
LONGEST = 2_000
MOST_HEADINGS = 500
_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?([Zz]|[+-]\d{2}'?(?:\d{2})?)?")
# Titles that programs write when nobody did.
_NO_TITLE = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel) - .*|untitled.*|unbenannt.*|dokument\d*|document\d*|.*\.(?:docx?|indd|qxp|xlsx?|pdf|tif|odt)|\W*)$",
    re.IGNORECASE,
)
_LARGER = 1.15


def facts_of(document: Any) -> dict[str, str]:
    facts = {name: plain(_fact(document, name)).strip()[:LONGEST] for name in NAMES}
    return {name: value for name, value in facts.items() if value}


def _fact(document: Any, name: str) -> str:
    key = name.encode()
    length = pdfium.FPDF_GetMetaText(document, key, None, 0)
    if not 2 < length <= 4 * LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDF_GetMetaText(document, key, buffer, length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")


def instant(written: str) -> str:
    """A date of a PDF in ISO 8601; "" if it is none."""
    match = _DATE.match(written.strip())
    if not match:
        return ""
    year, month, day, hour, minute, second, zone = match.groups()
    if not ("1900" <= year <= "2099" and "01" <= (month or "01") <= "12" and "01" <= (day or "01") <= "31"):
        return ""
    if not day or not hour:
        return f"{year}-{month or '01'}-{day or '01'}"
    digits = re.sub(r"\D", "", zone or "")
    offset = "" if not zone else "Z" if not digits else f"{zone[0]}{digits[:2]}:{digits[2:4] or '00'}"
    return f"{year}-{month}-{day}T{hour}:{minute or '00'}:{second or '00'}{offset}"


def title_of(facts: dict[str, str], lines: Sequence[Line]) -> str:
    """What the file says, unless a program said it; else the largest lines of the first page."""
    given = facts.get("Title", "")
    if given and not _NO_TITLE.match(given):
        return given
    first = [line for line in lines if line.box and line.page == lines[0].page]
    if not first:
        return ""
    largest = max(_height(line) for line in first)
    shown = [line.text for line in first if _height(line) > 0.95 * largest]
    return " ".join(shown[:3])[:300] if len(shown) < 0.5 * len(first) or len(first) < 4 else first[0].text[:300]


def headings_of(lines: Sequence[Line]) -> tuple[str, ...]:
    """Lines that are set clearly larger than the text of their page; neighbours of the same size are one heading."""
    found: list[list[Line]] = []
    for page in _pages(lines):
        usual = median(_height(line) for line in page)
        previous = -2
        for number, line in enumerate(page):
            if _height(line) < _LARGER * usual or len(line.text) > 200 or not any(map(str.isalpha, line.text)):
                continue
            if number == previous + 1 and abs(_height(found[-1][-1]) - _height(line)) < 1 and len(found[-1]) < 4:
                found[-1].append(line)
            else:
                found.append([line])
            previous = number
    return tuple(" ".join(line.text for line in heading) for heading in found[:MOST_HEADINGS])


def _pages(lines: Sequence[Line]) -> Iterator[list[Line]]:
    for _, page in groupby(lines, key=attrgetter("page")):
        boxed = [line for line in page if line.box and _height(line) < line.box.right - line.box.left + 20]
        if len(boxed) >= 4:
            yield boxed


def _height(line: Line) -> float:
    return line.box.bottom - line.box.top if line.box else 0.0
