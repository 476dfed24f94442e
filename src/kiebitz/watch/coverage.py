"""Which issues of a gazette are held, and which are missing in its numbering.

Issues are numbered within a year, so a gap can be seen: "2026: 1–31, missing 12 and 19". The first year may begin anywhere,
because archives do. Special issues and supplements often have numbers of their own and are only counted; where one bears a
number of the series, that number is not missing.
"""

from collections.abc import Iterable
from datetime import date, datetime
from enum import StrEnum
from heapq import nlargest
from typing import NamedTuple

from kiebitz.collect.issue import read_issue
from kiebitz.model.document import Document
from kiebitz.model.issue import Issue, IssueKind, Precision
from kiebitz.model.source import Source
from kiebitz.watch.rhythm import LATE, SILENT, Rhythm, is_overdue, rhythm_of

MOST_NUMBERS = 400  # of a year; beyond that it is not the number of an issue
YEARS = range(1900, 2200)


class Health(StrEnum):
    NEW = "new"  # never looked at
    HEALTHY = "healthy"
    LATE = "late"  # an issue should have come
    SILENT = "silent"  # nothing for a long time
    BROKEN = "broken"  # the last look did not work, or found nothing where there used to be something


class Year(NamedTuple):
    year: int
    numbers: tuple[int, ...]
    missing: tuple[int, ...]
    others: int  # special issues, supplements, corrections


class Coverage(NamedTuple):
    documents: int
    years: tuple[Year, ...]
    unnumbered: int
    newest: date | None
    rhythm: Rhythm | None

    @property
    def missing(self) -> int:
        return sum(len(year.missing) for year in self.years)


def issue_of(document: Document) -> Issue:
    """What its page said of the document; else what the link and the file name say."""
    return document.issue or read_issue(document.link_text, file_name=document.url.partition("?")[0].rpartition("/")[2])


def newest(documents: Iterable[Document], count: int) -> list[Document]:
    """By the date and the number that are stated, then by when they were found."""

    def age(document: Document) -> tuple[date, int, int, datetime]:
        issue = issue_of(document)
        day = issue.date or date(issue.year or 1, 1, 1)
        return day, issue.year or 0, issue.number or 0, document.first_seen

    return nlargest(count, documents, key=age)


def coverage_of(documents: Iterable[Document]) -> Coverage:
    numbers: dict[int, set[int]] = {}
    others: dict[int, list[int]] = {}
    days: set[date] = set()
    count = unnumbered = 0
    for document in documents:
        issue = issue_of(document)
        count += 1
        if issue.date and issue.precision is Precision.DAY:
            days.add(issue.date)
        year = issue.year or (issue.date.year if issue.date else 0)
        if issue.number is None or year not in YEARS or issue.number > MOST_NUMBERS:
            unnumbered += 1
        elif issue.kind is IssueKind.REGULAR:
            last = issue.last_number or issue.number
            numbers.setdefault(year, set()).update(range(issue.number, min(last, MOST_NUMBERS) + 1))
        else:
            # a supplement does not stand for the issue that it belongs to
            others.setdefault(year, []).append(0 if issue.kind is IssueKind.SUPPLEMENT else issue.number)
    known = sorted(numbers.keys() | others.keys())
    years = tuple(_year(year, numbers.get(year, set()), others.get(year, []), year == known[0]) for year in known)
    return Coverage(count, years, unnumbered, max(days, default=None), rhythm_of(days))


def _year(year: int, numbers: set[int], others: list[int], first: bool) -> Year:
    start = min(numbers, default=1) if first else 1
    missing = sorted(set(range(start, max(numbers, default=0) + 1)) - numbers - set(others))
    return Year(year, tuple(sorted(numbers)), tuple(missing), len(others))


def health_of(source: Source, coverage: Coverage, today: date) -> tuple[Health, str]:
    """How the source is doing, and why one says so."""
    if source.last_crawled is None:
        return Health.NEW, "never looked at"
    if source.last_error_at and source.last_error_at >= source.last_crawled:
        return Health.BROKEN, source.last_error
    if coverage.newest is None or coverage.rhythm is None:
        return Health.HEALTHY, "no rhythm is known yet"
    every = f"an issue every {coverage.rhythm.days:g} days"
    since = f"the newest is of {coverage.newest.isoformat()}, {every}"
    if is_overdue(coverage.rhythm, coverage.newest, today, SILENT):
        return Health.SILENT, since
    if is_overdue(coverage.rhythm, coverage.newest, today, LATE):
        return Health.LATE, since
    return Health.HEALTHY, every
