"""Dates as Germans write them, and as their file names do: 12. März 2026, 12.3.26, 2026_03_12, März 2026, KW 12/2026.

There is no standard that says which of them a municipality uses (DIN 5008 and ISO 8601 are two of many), so all are
read, English ones too. What is no day of the calendar is no date, and is not tried in another way: "31. Februar 2026" is
not February. Every pattern is bounded, so the time is linear in the text.
"""

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from kiebitz.model.issue import Precision

FIRST_YEAR, LAST_YEAR = 1900, 2099
CENTURY_TURNS = 50  # 49 is 2049, 50 is 1950

_MONTHS = (
    ("januar", "january", "jänner", "jaenner", "jan"),
    ("februar", "february", "feber", "febr", "feb"),
    ("märz", "ma\u0308rz", "maerz", "march", "marz", "mrz", "mär", "mar"),
    ("april", "apr"),
    ("mai", "may"),
    ("juni", "june", "juno", "jun"),
    ("juli", "july", "jul"),
    ("august", "aug"),
    ("september", "sept", "sep"),
    ("oktober", "october", "okt", "oct"),
    ("november", "nov"),
    ("dezember", "december", "dez", "dec"),
)
_NUMBER_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_NAMES = "|".join(sorted(_NUMBER_OF, key=len, reverse=True))
_MONTH = rf"(?<![^\W\d_])(?P<month>{_NAMES})(?![^\W\d_\u0308])"
_SECOND_MONTH = rf"(?:\s?(?:/|-|–|&|\+|und|bis)\s?(?:{_NAMES}))?"
_YEAR = r"(?P<year>(?:19|20)[0-9]{2})(?![0-9])"
_ANY_YEAR = r"(?P<year>(?:19|20)[0-9]{2}|(?<![0-9])'?[0-9]{2})(?![0-9]|\.[0-9])"
_DAY = r"(?<![0-9])(?<![0-9][.,])(?P<day>[0-9]{1,2})"
_GAP = r"[\s._,-]{0,3}"
_NOT_DIGIT = r"(?<![0-9])"
_WEEK = r"(?<![^\W\d_])(?:kw|kalenderwoche|woche)[\s._-]{0,2}(?P<week>[0-9]{1,2})(?![0-9])"

MONTH_NAME = re.compile(_MONTH, re.IGNORECASE)


class FoundDate(NamedTuple):
    span: tuple[int, int]
    date: date
    precision: Precision


def _forms(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


# In the order they are tried; what one has read is not looked at by the next.
_WRITTEN = _forms(
    # Without its point a number before a month is as often the number of the issue ("03_März_2026").
    rf"{_DAY}\.[\s_-]{{0,2}}{_MONTH}{_GAP}{_ANY_YEAR}",
    rf"(?<![^\W\d_])(?:vom|am|den|dem|on)[\s_]{_DAY}(?:st|nd|rd|th)?[\s_]{_MONTH}{_GAP}{_ANY_YEAR}",
    rf"{_DAY}(?:st|nd|rd|th)\s(?:of\s)?{_MONTH}{_GAP}{_ANY_YEAR}",
    rf"{_DAY}\s(?P<month>january|february|march|may|june|july|october|december)\s{_YEAR}",
    rf"{_MONTH}\.?\s(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s{_YEAR}",
    rf"{_NOT_DIGIT}(?<![0-9]\.)(?P<day>[0-9]{{1,2}})\.\s?(?P<numeral>[0-9]{{1,2}})\.\s?{_ANY_YEAR}",
    rf"{_NOT_DIGIT}(?P<day>[0-9]{{1,2}})(?P<mark>[/_-])(?P<numeral>[0-9]{{1,2}})(?P=mark){_YEAR}",
    rf"{_NOT_DIGIT}(?P<year>(?:19|20)[0-9]{{2}})(?P<mark>[-_./])(?P<numeral>[0-9]{{1,2}})(?P=mark)(?P<day>[0-9]{{1,2}})(?![0-9])",
    rf"{_NOT_DIGIT}(?P<compact>[0-9]{{8}})(?![0-9])",
    rf"{_WEEK}(?:\s?[/+-]\s?[0-9]{{1,2}}(?![0-9]))?[\s/._-]{{0,3}}{_YEAR}",
    rf"{_NOT_DIGIT}(?P<week>[0-9]{{1,2}})\.?\s?(?:kw|kalenderwoche)[\s/._-]{{0,3}}{_YEAR}",
    rf"{_WEEK}\s?[/_-]\s?(?P<short>[0-9]{{2}})(?![0-9])",
    rf"(?<![0-9])(?P<year>(?:19|20)[0-9]{{2}})[\s/._-]{{0,3}}{_WEEK}",
    rf"{_MONTH}{_SECOND_MONTH}{_GAP}{_ANY_YEAR}",
    rf"(?<![0-9])(?P<year>(?:19|20)[0-9]{{2}}){_GAP}{_MONTH}",
)
# Read only where the year is known from elsewhere.
_YEARLESS = _forms(
    rf"{_DAY}\.[\s_-]{{0,2}}{_MONTH}",
    rf"{_NOT_DIGIT}(?<![0-9]\.)(?P<day>[0-9]{{1,2}})\.\s?(?P<numeral>[0-9]{{1,2}})\.(?![0-9])",
    _WEEK,
    rf"{_NOT_DIGIT}(?P<week>[0-9]{{1,2}})\.?\s?(?:kw|kalenderwoche)(?![^\W\d_])",
    _MONTH,
)


def find_dates(text: str, *, year: int | None = None) -> list[FoundDate]:
    """The dates in the order of the text. ``year`` completes those written without one ("5. Juni", "Mai", "KW 23")."""
    found: list[FoundDate] = []
    for form in _WRITTEN:
        text = form.sub(_reader(found, None), text)
    if year is not None:
        for form in _YEARLESS:
            text = form.sub(_reader(found, year), text)
    return sorted(found)


def full_year(digits: str) -> int:
    """Of two digits or four."""
    number = int(digits)
    if len(digits) > 2:
        return number
    return number + (2000 if number < CENTURY_TURNS else 1900)


def _reader(found: list[FoundDate], year: int | None) -> Callable[[re.Match[str]], str]:
    def read(match: re.Match[str]) -> str:
        parts = match.groupdict()
        if year is not None:
            parts["year"] = str(year)
        dated = _dated(parts)
        if dated:
            found.append(FoundDate(match.span(), *dated))
        return "\0" * len(match[0])

    return read


def _dated(parts: dict[str, str | None]) -> tuple[date, Precision] | None:
    if parts.get("compact"):
        digits = parts["compact"] or ""
        when = _day(digits[:4], digits[4:6], digits[6:]) or _day(digits[4:], digits[2:4], digits[:2])
        return (when, Precision.DAY) if when else None
    year = (parts.get("year") or "").lstrip("'")
    if parts.get("week"):
        return _week(parts["week"] or "", year or parts.get("short") or "")
    month = parts.get("numeral") or str(_NUMBER_OF[(parts["month"] or "").lower()])
    when = _day(year, month, parts.get("day") or "1")
    return (when, Precision.DAY if parts.get("day") else Precision.MONTH) if when else None


def _day(year: str, month: str, day: str) -> date | None:
    number = full_year(year)
    if not FIRST_YEAR <= number <= LAST_YEAR:
        return None
    try:
        return date(number, int(month), int(day))
    except ValueError:
        return None


def _week(week: str, year: str) -> tuple[date, Precision] | None:
    if len(year) == 2 and int(year) == int(week) + 1:
        return None  # "KW 12/13" are two weeks of an unnamed year, or one of 2013
    number = full_year(year)
    if not FIRST_YEAR <= number <= LAST_YEAR:
        return None
    try:
        return date.fromisocalendar(number, int(week), 1), Precision.WEEK
    except ValueError:
        return None
