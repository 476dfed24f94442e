"""Lists of sources as files: CSV, JSON and OPML. What one writes it also reads, and what others write as far as it goes.

The format follows from the name of a file, or else from how it begins. A list that cannot be read at all is refused as a
whole, with the line; a row that cannot be used is the reader's ``SourceRow`` with its problem.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import PurePath

from kiebitz.errors import InputError
from kiebitz.model.source import Source
from kiebitz.sources.formats import objects, outline, table
from kiebitz.sources.registry import SourceRow

MAX_BYTES = 50_000_000


class Format(StrEnum):
    CSV = "csv"
    JSON = "json"
    OPML = "opml"


READERS: dict[Format, Callable[[bytes], Iterator[SourceRow]]] = {
    Format.CSV: table.read,
    Format.JSON: objects.read,
    Format.OPML: outline.read,
}
WRITERS: dict[Format, Callable[[Iterable[Source]], str]] = {
    Format.CSV: table.write,
    Format.JSON: objects.write,
    Format.OPML: outline.write,
}
_ENDINGS = {
    ".csv": Format.CSV,
    ".tsv": Format.CSV,
    ".json": Format.JSON,
    ".jsonl": Format.JSON,
    ".ndjson": Format.JSON,
    ".opml": Format.OPML,
    ".xml": Format.OPML,
}


def format_of(name: str) -> Format | None:
    return _ENDINGS.get(PurePath(name).suffix.lower())


def read(content: bytes, name: str = "") -> list[SourceRow]:
    """All rows, before any of them is used. Raises InputError if this is no list."""
    if len(content) > MAX_BYTES:
        raise InputError(f"{name or 'the list'} has {len(content)} bytes", hint=f"at most {MAX_BYTES}; split it")
    return list(READERS[format_of(name) or _sniffed(content)](content))


def write(sources: Iterable[Source], kind: Format) -> str:
    return WRITERS[kind](sources)


def _sniffed(content: bytes) -> Format:
    start = content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return {b"<": Format.OPML, b"[": Format.JSON, b"{": Format.JSON}.get(start, Format.CSV)
