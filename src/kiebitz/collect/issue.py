"""Which issue a link leads to: its number, year, date and kind, from everything that is written around the link.

The texts come in the order in which they are trusted: link text, title, row, heading; the file name is last. What the
first one leaves open the next may fill in, but nothing contradicts what was read before it, and nothing is guessed: a
file that was uploaded in 2024 does not date an issue of 2019.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from kiebitz.collect.issue_number import GAZETTE, NOTICE, Numbering, numberings_in, struck, years_in
from kiebitz.model.issue import Issue, IssueKind, Precision
from kiebitz.standards.german_date import FoundDate, find_dates

LONGEST = 600  # characters of a text that are read
MOST = 12  # texts that are read
TITLE = 200  # characters of a title
MOST_DAYS = 2  # a text with more of them is a list
NEAR = 45  # days by which an issue may differ from the month in its title

_FILE = re.compile(r"\.(?:pdf|docx?|odt|rtf|html?|php|aspx?|epub|zip)\Z", re.IGNORECASE)
# What can be part of a date; where nothing of it stands, none of the many forms of dates is tried.
_MAYBE_DATE = re.compile(
    r"[0-9][./_-]\s?[0-9]|[0-9]{8}|kw|woche|j[aäu]|feb|m[aä]|mrz|apr|aug|sep|okt|oct|nov|dez|dec", re.IGNORECASE
)
_MAYBE_KIND = re.compile(
    r"korr|berichtig|errat|beil|beibl|einleg|supplem|anhang|anlage|sonder|extra|eilaus|notaus|außer"
)
_SAYS_NOTHING = re.compile(
    r"(?>download\w*|herunterladen|runterladen|hier|pdf|datei|dokument|öffnen|anzeigen|ansehen|lesen|mehr|weiter\w*"
    r"|diesen?|artikel|link|zum|als|klicken|öffnet|in|neuem|fenster|ca|[kmg]b|[\W\d_])*+\Z",
    re.IGNORECASE,
)
_KINDS = (
    (
        IssueKind.CORRECTION,
        re.compile(r"(?<![^\W\d_])(?:korr(?![^\W\d_])|korrektur|korrigiert|berichtig|errat)", re.IGNORECASE),
    ),
    (
        IssueKind.SUPPLEMENT,
        re.compile(
            r"(?<!mit )(?<!und )(?<!inkl\. )(?<!inklusive )(?<!einschl\. )(?<!einschließlich )(?<!nebst )(?<!samt )"
            r"(?<!ohne )(?<![^\W\d_])(?<![^\W\d_]-)(?:beilagen?|beiblatt|einleger|supplement|anhang"
            r"|(?<=\A)anlagen?|anlagen?(?=[\s_]?[0-9]|\szum\b|\Z)|(?<=_)anlagen?)(?![^\W\d_])",
            re.IGNORECASE,
        ),
    ),
    (
        IssueKind.SPECIAL,
        re.compile(
            r"(?<!und )(?<![^\W\d_])(?:sonder[\s_-]?(?:[^\W\d_]{0,25}(?:ausgabe|blatt|blätter|druck|nummer|heft|veröffentlichung"
            r"|edition|bekanntmachung|mitteilung)|(?![^\W\d_]))|extra[\s_-]?(?:blatt|ausgabe)|eilausgabe|notausgabe"
            r"|außerordentliche ausgabe)",
            re.IGNORECASE,
        ),
    ),
)
_PUBLISHED = re.compile(
    r"(?:erschein\w{0,20}|erschienen|herausg\w{0,15}|ausgabetag|ausgabe|ausgegeben|vö|veröffentlich\w{0,20}|datum"
    r"|bekanntmachung|blatt)[\s:.,(-]{0,3}(?:(?:am|vom|den|dem)[\s:]{1,2}){0,2}\Z",
    re.IGNORECASE,
)
# What a date may belong to instead: a law, a meeting, a period.
_OTHER_DAY = re.compile(
    r"(?:satzung|gesetz\w{0,4}|ordnung|beschlu\w{0,5}|beschlüsse\w?|fassung|sitzung|versammlung|wahl|schluss|stand|gültig"
    r"|frist|beirat\w{0,3}|\bbis|\bab|\bseit|\bzum)[\s:.,(-]{0,3}(?:(?:am|vom|zum|den|dem)\s){0,2}\Z",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"[0-9]")
_CALLED_NUMBER = re.compile(r"(?:nr|nummer|ausgabe)[.:]?\s{0,2}\Z", re.IGNORECASE)


class _Reading(NamedTuple):
    """What one text says."""

    text: str
    dates: list[FoundDate]
    years: set[int]
    bare: str  # struck, for the numbers

    @property
    def year(self) -> int | None:
        if len(self.years) == 1:
            return next(iter(self.years))
        return None if self.years or not self.dates else self.dates[0].date.year


def read_issue(*texts: str, file_name: str = "") -> Issue:
    """The issue that the texts describe, the most trusted first. What none of them states is None."""
    plain = [_plain(text) for text in texts[:MOST]]
    readings = [_read(text) for text in (*plain, _plain(_stem(file_name))) if text]
    hint = next((reading.year for reading in readings if reading.year), None)
    year, numbering, dating = None, Numbering(0), []
    for reading in readings:
        stated = numberings_in(reading.bare, hint)
        if len(stated) > 1:
            continue  # it lists several issues, and does not say which of them is meant
        dating.append(reading)
        if stated and not numbering.number and _agrees(year, stated[0].year):
            numbering = stated[0]
        year = year or (stated[0].year if stated else None) or reading.year
    dated = _date(dating, year)
    return Issue(
        number=numbering.number or None,
        last_number=numbering.last_number,
        year=year or (dated.date.year if dated else None),
        date=dated.date if dated else None,
        kind=_kind(readings),
        title=_title([*texts[:MOST], file_name]),
        letter=numbering.letter,
        precision=dated.precision if dated else Precision.DAY,
    )


def _plain(text: str) -> str:
    text = " ".join(unicodedata.normalize("NFC", text[: 4 * LONGEST]).split())[:LONGEST]
    return _stem(text) if _FILE.search(text) else text


def _stem(file_name: str) -> str:
    """A file name as text: without folder and extension, unescaped."""
    name = file_name[: 4 * LONGEST].partition("?")[0].rpartition("/")[2]
    try:
        name = unquote(name, errors="strict")
    except UnicodeDecodeError:
        name = unquote(name, encoding="cp1252", errors="replace")
    return _FILE.sub("", unicodedata.normalize("NFC", name))


@lru_cache(maxsize=2048)
def _read(text: str) -> _Reading:
    """Cached, because links share their headings, and pages are looked at again."""
    if not _DIGIT.search(text) or (text.isdecimal() and len(text) not in (4, 8)):
        return _Reading(text, [], set(), "")  # no year, and no number that anything stands around
    dates = _dates(text)
    days = [each for each in dates if each.precision is not Precision.MONTH and not _is_run(text, each)]
    bare = struck(text, [each.span for each in days])
    years = years_in(bare)
    if not dates and not years:
        return _Reading(text, [], years, bare)
    notice = not GAZETTE.search(text) and NOTICE.search(text)
    own = [each for each in dates if (each.precision is Precision.MONTH or each in days) and _is_own(text, each)]
    if notice:
        return _Reading(text, [each for each in own if _is_published(text, each)], set(), bare)
    ranked = sorted(own, key=lambda each: _rank(text, each))
    if len({each.date for each in own if each.precision is Precision.DAY}) > MOST_DAYS:
        ranked = [each for each in ranked[:1] if not _rank(text, each)[1]]
    return _Reading(text, ranked, years, bare)


@lru_cache(maxsize=64)
def _dates(text: str, year: int | None = None) -> list[FoundDate]:
    """Cached, because a text whose dates are not its own is read again."""
    return find_dates(text, year=year) if _MAYBE_DATE.search(text) else []


def _is_run(text: str, found: FoundDate) -> bool:
    """Whether it is "Nr. 03/04/2018": two numbers and a year."""
    start, end = found.span
    return "/" in text[start:end] and _CALLED_NUMBER.search(text[max(0, start - 20) : start]) is not None


def _is_own(text: str, found: FoundDate) -> bool:
    return not _OTHER_DAY.search(text[max(0, found.span[0] - 60) : found.span[0]])


def _is_published(text: str, found: FoundDate) -> bool:
    start, end = found.span
    before = text[max(0, start - 60) : start].rstrip()
    apart = not text[end:].strip(" )") and before.endswith(("-", "–", "|", "(", ":", ","))
    return not before or apart or _PUBLISHED.search(text[max(0, start - 60) : start]) is not None


def _rank(text: str, found: FoundDate) -> tuple[int, int]:
    """Days before weeks and months, the day of publication before others."""
    published = _PUBLISHED.search(text[max(0, found.span[0] - 60) : found.span[0]])
    return [Precision.DAY, Precision.WEEK, Precision.MONTH].index(found.precision), 0 if published else 1


def _agrees(year: int | None, other: int | None) -> bool:
    return year is None or other is None or year == other


def _date(readings: list[_Reading], year: int | None) -> FoundDate | None:
    """The first one that fits the year; a day is taken from a later text if it fits the month of an earlier one."""
    best: FoundDate | None = None
    for reading in readings:
        for found in reading.dates or _completed(reading, year):
            if year is not None and abs(found.date.year - year) > 1:
                continue
            if best is None or (_finer(found, best) and abs((found.date - best.date).days) <= NEAR):
                best = found
    return best


def _completed(reading: _Reading, year: int | None) -> list[FoundDate]:
    """Dates without a year, in a text that is about an issue."""
    if (
        year is None
        or not _MAYBE_DATE.search(reading.text)
        or (NOTICE.search(reading.text) and not GAZETTE.search(reading.text))
    ):
        return []
    written = _dates(reading.text)
    completed = [found for found in _dates(reading.text, year) if found not in written]
    return [found for found in completed if _is_own(reading.text, found)]


def _finer(found: FoundDate, than: FoundDate) -> bool:
    return found.precision is Precision.DAY and than.precision is not Precision.DAY


def _kind(readings: list[_Reading]) -> IssueKind:
    likely = [reading.text for reading in readings if _MAYBE_KIND.search(reading.text.lower())]
    for kind, words in _KINDS:
        if any(words.search(text) for text in likely):
            return kind
    return IssueKind.REGULAR


def _title(texts: list[str]) -> str:
    """The first text that says more than "Download"."""
    shown = [" ".join(text[: 4 * LONGEST].split())[:TITLE] for text in texts]
    return next((text for text in shown if not _SAYS_NOTHING.match(text)), "")
