"""The newest of many documents, found quickly: reading what each of ten thousand says of its issue would take seconds."""

import re
from collections.abc import Sequence
from heapq import nlargest

from kiebitz.model.document import Document

MOST_SEEN = 24  # documents that were seen last
MOST_DATED = 56  # documents, one a day, with the youngest dates
_MONTHS = ("jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez")
_DATE = re.compile(
    r"([0-9]{1,2})\.\s?(?:([0-9]{1,2})\.|(Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)[a-z]*)\s?(20[0-9]{2}|[0-9]{2})(?![0-9])"
    r"|(20[0-9]{2})[-_.]?(?:(1[0-2]|0[1-9])[-_.]?([0-3][0-9])(?![0-9]))?",
)


def newest_dated(documents: Sequence[Document]) -> list[Document]:
    """Those that were seen last, and one for each of the youngest dates that stand in a link or a file name."""
    if len(documents) <= MOST_SEEN + MOST_DATED:
        return list(documents)
    newest = nlargest(MOST_SEEN, documents, key=lambda document: document.first_seen)
    by_day: dict[tuple[int, int, int, str], Document] = {}
    for document in documents:
        year, month, day = _roughly(document)
        by_day[year, month, day, "" if day else document.id] = document
    chosen = [by_day[key] for key in nlargest(MOST_DATED, by_day)]
    return list({document.id: document for document in (*newest, *chosen)}.values())


def _roughly(document: Document) -> tuple[int, int, int]:
    """Year, month and day as far as a glance tells; what it misses is zero."""
    if document.issue:
        when = document.issue.date
        return (when.year, when.month, when.day) if when else (document.issue.year or 0, 0, 0)
    for text in (document.link_text, document.url[-80:]):
        found = _DATE.search(text)
        if found is None:
            continue
        day, numeral, name, short, year, month, last = found.groups()
        if short:
            return int(short) % 100 + 2000, int(numeral) if numeral else _MONTHS.index(name.lower()) + 1, int(day)
        return int(year), int(month or 0), int(last or 0)
    return 0, 0, 0
