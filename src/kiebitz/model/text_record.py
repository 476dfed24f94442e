"""What was read of one document or page, as it is stored: the facts one asks for, and the text itself, packed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from isal import isal_zlib

from kiebitz.model.text import Text, TextState, from_json, to_json

if TYPE_CHECKING:
    from datetime import date, datetime


class TextRecord(NamedTuple):
    """``id`` is ``document_id`` of the URL, for pages too: a URL has one text, whatever it serves now."""

    id: str
    url: str
    source: str  # the id of a source; of a plain crawl, the host
    kind: str  # gazette, notice, document, page
    state: TextState
    content_type: str
    sha256: str  # of the content that was read
    crawled_at: datetime
    content: bytes  # the packed text
    reason: str = ""
    title: str = ""
    language: str = ""
    pages: int = 0
    scanned: int = 0  # pages that are pictures and were not read
    published: date | None = None
    signature: bytes = b""  # of extract.duplicates; b"" if the text is too short to be compared
    cluster: str = ""  # the same for texts that are nearly the same; "" without a signature


class TextEntry(NamedTuple):
    """One step of the feed: what became of an id. Without a record, it was deleted."""

    sequence: int
    id: str
    record: TextRecord | None


class KnownText(NamedTuple):
    sha256: str
    crawled_at: datetime


def packed(text: Text) -> bytes:
    return bytes(isal_zlib.compress(to_json(text), 1))


def unpacked(content: bytes) -> Text:
    """Raises ValueError for what is not a text of a version we know."""
    try:
        return from_json(isal_zlib.decompress(content))
    except isal_zlib.IsalError as error:  # type: ignore[misc]
        raise ValueError(f"not a packed text: {error}") from None


def supersedes(given: TextRecord, known: KnownText | None, *, deleted: bool = False) -> bool:
    """May ``given`` take the place of what is known? A deleted text comes back only by a younger one."""
    if known is None:
        return True
    return given.crawled_at > known.crawled_at if deleted else given.crawled_at >= known.crawled_at
