"""What the index holds and what a search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date, datetime


class PageText(NamedTuple):
    """A page of a PDF, or the whole of what has no pages (number 0)."""

    number: int
    text: str


class Paper(NamedTuple):
    """One page of the web or one document, as it is indexed. ``id`` is unique; the same id again replaces it."""

    id: str
    url: str
    title: str
    pages: tuple[PageText, ...]
    description: str = ""
    keywords: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    domain: str = ""
    source: str = ""
    kind: str = ""  # gazette, notice, page …
    language: str = ""
    type: str = ""  # pdf, html, docx …
    published: date | None = None
    crawled_at: datetime | None = None
    metadata: tuple[tuple[str, str], ...] = ()
    cluster: str = ""  # shared by near-duplicates: one of them is shown


class Passage(NamedTuple):
    """A piece of the text around what was found; ``marks`` are (start, end) within ``text``, in order, not overlapping."""

    page: int
    text: str
    marks: tuple[tuple[int, int], ...] = ()


class Hit(NamedTuple):
    id: str
    url: str
    title: str
    score: float
    passages: tuple[Passage, ...] = ()
    title_marks: tuple[tuple[int, int], ...] = ()
    domain: str = ""
    source: str = ""
    kind: str = ""
    language: str = ""
    type: str = ""
    published: date | None = None
    crawled_at: datetime | None = None
    similar: tuple[str, ...] = ()  # ids of near-duplicates that are not shown by themselves


class Results(NamedTuple):
    """``facets``: by name, (value, count), the most frequent first. ``correction``: what may have been meant."""

    hits: tuple[Hit, ...]
    total: int
    cursor: str = ""  # of the next page; "" if this is the last
    facets: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    correction: str = ""
