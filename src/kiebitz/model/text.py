"""What was read out of a document: its lines in reading order, where they stand, and what the document says of itself.

It crosses a pipe and is stored as a blob, so it has a compact JSON form with a version. Readers accept the versions they
know and refuse others, so that an old program does not misread what a newer one wrote.
"""

import json
from enum import StrEnum
from typing import Any, NamedTuple

VERSION = 1


class TextState(StrEnum):
    READ = "read"
    EMPTY = "empty"  # sound, and without any text
    NEEDS_OCR = "needs-ocr"  # some or all pages are pictures and were not read; the rest is there
    ENCRYPTED = "encrypted"
    DAMAGED = "damaged"
    TOO_LARGE = "too-large"
    UNSUPPORTED = "unsupported"
    TIMED_OUT = "timed-out"
    CRASHED = "crashed"


class Box(NamedTuple):
    """In points (1/72 inch), from the top left corner of the page as one sees it."""

    left: float
    top: float
    right: float
    bottom: float


class Line(NamedTuple):
    text: str
    page: int = 0  # from 1; 0 if the format has no pages
    box: Box | None = None


class Text(NamedTuple):
    state: TextState
    lines: tuple[Line, ...] = ()
    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    language: str = ""  # ISO 639-1, "" when unsure
    canonical_url: str = ""
    published: str = ""  # ISO 8601, a day or an instant; "" when unknown
    modified: str = ""
    pages: int = 0  # of the document, also those that were not read
    scanned: tuple[int, ...] = ()  # pages without a usable text layer that were not read
    metadata: tuple[tuple[str, str], ...] = ()
    reason: str = ""  # why it is not simply read; also what was left out of a text that is

    @property
    def plain(self) -> str:
        return "\n".join(line.text for line in self.lines)


def to_json(text: Text) -> bytes:
    """Compact: a line is ``[text, page, left, top, right, bottom]`` without what it lacks; empty fields are left out."""
    fields: dict[str, Any] = {
        "version": VERSION,
        "state": text.state.value,
        "lines": [_row(line) for line in text.lines],
    }
    for name in _PLAIN:
        value = getattr(text, name)
        if value:
            fields[name] = value
    # A lone surrogate is not UTF-8; a reader that lets one through must not break the pipe.
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def from_json(data: bytes) -> Text:
    """Raises ValueError for what is not a text of a version we know."""
    fields = json.loads(data)
    if not isinstance(fields, dict) or fields.get("version") != VERSION:
        raise ValueError("not a text of a known version")
    try:
        return Text(
            state=TextState(fields["state"]),
            lines=tuple(_line(row) for row in fields["lines"]),
            title=str(fields.get("title", "")),
            description=str(fields.get("description", "")),
            keywords=tuple(map(str, fields.get("keywords", ()))),
            headings=tuple(map(str, fields.get("headings", ()))),
            language=str(fields.get("language", "")),
            canonical_url=str(fields.get("canonical_url", "")),
            published=str(fields.get("published", "")),
            modified=str(fields.get("modified", "")),
            pages=int(fields.get("pages", 0)),
            scanned=tuple(map(int, fields.get("scanned", ()))),
            metadata=tuple((str(name), str(value)) for name, value in fields.get("metadata", ())),
            reason=str(fields.get("reason", "")),
        )
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"not a text: {error!r}") from None


_PLAIN = tuple(name for name in Text._fields if name not in ("state", "lines"))


def _row(line: Line) -> list[Any]:
    if line.box:
        return [line.text, line.page, *(round(value, 1) for value in line.box)]
    return [line.text, line.page] if line.page else [line.text]


def _line(row: list[Any]) -> Line:
    page = int(row[1]) if len(row) > 1 else 0
    box = Box(*(float(value) for value in row[2:6])) if len(row) >= 6 else None
    return Line(str(row[0]), page, box)
