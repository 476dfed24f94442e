"""What is stored of a text: title, kind and date are taken from whoever knows best."""

import re
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from urllib.parse import unquote, urlsplit

from kiebitz.collect.issue import read_issue
from kiebitz.extract.duplicates import signature
from kiebitz.model.document import Document, Version, document_id
from kiebitz.model.text import Text
from kiebitz.model.text_record import TextRecord, packed

LONGEST_TITLE = 300
EARLIEST = date(1800, 1, 1)
AHEAD = timedelta(days=366)  # a date further in the future than this is a mistake, or wants to be first
# What a link or a PDF calls itself when nobody gave it a name.
_NAMELESS = re.compile(
    r"(?:microsoft (?:word|powerpoint|excel) ?-?.*|unbenannt|untitled|unknown|document ?\d*|dokument ?\d*|(?:zum )?download"
    r"|herunterladen|hier|here|link|pdf|datei|file|mehr|ansehen|öffnen|anzeigen|[\W\d_]*)(?: ?[\[(].*[\])])?",
    re.IGNORECASE,
)


def record_of_document(document: Document, version: Version, text: Text) -> TextRecord:
    issue = document.issue or read_issue(document.link_text)  # of a plain crawl nobody has read it yet
    told = [document.issue.title if document.issue else "", document.link_text]
    record = _record(document.url, version.content_type, version.downloaded_on, text)
    return record._replace(
        id=document.id,
        source=document.source,
        kind=_kind(document),
        sha256=version.sha256,
        title=title_of([*told, text.title], document.url),
        published=issue.date or record.published,
    )


def record_of_page(url: str, source: str, content: bytes, content_type: str, at: datetime, text: Text) -> TextRecord:
    return _record(url, content_type, at, text)._replace(
        source=source,
        kind="page",
        sha256=sha256(content).hexdigest(),
        title=title_of([text.title, *text.headings[:1]], url),
    )


def _record(url: str, content_type: str, at: datetime, text: Text) -> TextRecord:
    return TextRecord(
        id=document_id(url),
        url=url,
        source="",
        kind="",
        state=text.state,
        content_type=content_type,
        sha256="",
        crawled_at=at,
        content=packed(text),
        reason=text.reason,
        language=text.language,
        pages=text.pages,
        scanned=len(text.scanned),
        published=day_of(text.published, at),
        signature=signature(text.plain),
    )


def _kind(document: Document) -> str:
    """A numbered issue is a gazette; what a source lists beside them is a notice; a plain crawl knows neither."""
    if document.issue is None:
        return "document"
    return "notice" if document.issue.number is None else "gazette"


def title_of(told: list[str], url: str) -> str:
    """The first that is a name; else the name of the file."""
    cleaned = [" ".join(_printable(title).split())[:LONGEST_TITLE] for title in told]
    named = [title for title in cleaned if title and not _NAMELESS.fullmatch(title)]
    return (named or [_file_name(url)])[0]


def _file_name(url: str) -> str:
    parts = urlsplit(url)
    last = unquote(parts.path.rstrip("/").rpartition("/")[2])
    return _printable(last)[:LONGEST_TITLE] or parts.netloc


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def day_of(published: str, crawled_at: datetime) -> date | None:
    """The day of an ISO date or instant; None for what no honest page says."""
    try:
        day = date.fromisoformat(published[:10])
    except ValueError:
        return None
    return day if EARLIEST <= day <= crawled_at.astimezone(UTC).date() + AHEAD else None
