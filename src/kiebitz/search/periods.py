"""Spans of time as people type them among their words: ``2024..2026``, ``seit März 2026``, ``vor 2020``, ``im Mai 2026``.

Only what is a date for certain is one; "ab 12 Jahren" and "in Berlin" are words. So is "am 12. März 2026": that is asked of the
text, not of the day it was published.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple

from kiebitz.model.issue import Precision
from kiebitz.model.query import Between
from kiebitz.standards.german_date import FIRST_YEAR, LAST_YEAR, MONTH_NAME, find_dates

_LONGEST_DATE = 24
_YEAR = re.compile(r"((?:19|20)[0-9]{2})(?![\w-]|[.,/][0-9])")
_ISO_MONTH = re.compile(r"((?:19|20)[0-9]{2})-([0-9]{1,2})(?![\w-])")
_NUMBERED_MONTH = re.compile(r"([0-9]{1,2})[./]((?:19|20)[0-9]{2})(?!\w)")
_NEAR = {"heute": 0, "today": 0, "gestern": 1, "yesterday": 1, "vorgestern": 2}
_NEAR_DAY = re.compile(rf"({'|'.join(_NEAR)})(?!\w)", re.IGNORECASE)
_DOTS = re.compile(r"\s?(?:\.{2,3}|…)\s?")
_KEYWORD = re.compile(
    r"(?P<since>seit|ab|since|from)|(?P<before>vor|before)|(?P<after>nach|after)|(?P<until>bis|until)|"
    r"(?P<within>im|in)|(?P<span>von|zwischen|between)",
    re.IGNORECASE,
)
_FILLING = re.compile(r"\s+(?:(?:dem|den|zum|jahr|jahre|year|ende|anfang|mitte)\s+){0,2}", re.IGNORECASE)
_AND = re.compile(r"\s+(?:bis|und|and|until|to)(?:\s+zum)?\s+", re.IGNORECASE)


class _Span(NamedTuple):
    first: date
    last: date
    end: int


class Period(NamedTuple):
    between: Between
    end: int  # where the text goes on


def period_at(text: str, start: int, today: date) -> Period | None:
    """The span of time that begins here, if one does."""
    return _with_dots(text, start, today) or _with_keyword(text, start, today)


def whole_period(text: str, today: date) -> Between | None:
    """The text as a span of time and nothing else: ``2024..2026``, but also ``2026`` and ``März 2026``."""
    found = period_at(text, 0, today)
    if found and found.end == len(text):
        return found.between
    span = _date_at(text, 0, today)
    return Between(span.first, span.last) if span and span.end == len(text) else None


def _with_dots(text: str, start: int, today: date) -> Period | None:
    if not (text[start].isdigit() or text[start] in ".…"):
        return None
    first = _date_at(text, start, today)
    dots = _DOTS.match(text, first.end if first else start)
    if not dots:
        return None
    last = _date_at(text, dots.end(), today)
    if not first and not last:
        return None
    end = last.end if last else dots.start() + len(dots[0].rstrip())
    return _ordered(first, last, end)


def _with_keyword(text: str, start: int, today: date) -> Period | None:
    keyword = _KEYWORD.match(text, start)
    filling = _FILLING.match(text, keyword.end()) if keyword else None
    if not keyword or not filling:
        return None
    kind = str(keyword.lastgroup)
    when = _date_at(text, filling.end(), today)
    if not when:
        return None
    if kind == "span":
        link = _AND.match(text, when.end)
        last = _date_at(text, link.end(), today) if link else None
        return _ordered(when, last, last.end) if last else None
    return Period(_bounds(kind, when), when.end)


def _bounds(kind: str, when: _Span) -> Between:
    if kind == "since":
        return Between(when.first, None)
    if kind == "before":
        return Between(None, _day_before(when.first))
    if kind == "after":
        return Between(_day_after(when.last), None)
    if kind == "until":
        return Between(None, when.last)
    return Between(when.first, when.last)


def _ordered(first: _Span | None, last: _Span | None, end: int) -> Period:
    if first and last and last.last < first.first:
        first, last = last, first
    return Period(Between(first.first if first else None, last.last if last else None), end)


def _date_at(text: str, start: int, today: date) -> _Span | None:
    near = _NEAR_DAY.match(text, start)
    if near:
        day = today - timedelta(days=min(_NEAR[near[1].lower()], today.toordinal() - 1))
        return _Span(day, day, near.end())
    return _numbers_at(text, start) or _written_at(text, start, today)


def _numbers_at(text: str, start: int) -> _Span | None:
    # In "2024..2026" the dots are no part of a number.
    year = _YEAR.match(text, start)
    if year and not MONTH_NAME.match(text[year.end() + 1 : year.end() + 12]):
        return _year(int(year[1]), year.end())
    iso = _ISO_MONTH.match(text, start)
    if iso:
        return _month(int(iso[1]), int(iso[2]), iso.end())
    numbered = _NUMBERED_MONTH.match(text, start)
    if numbered:
        return _month(int(numbered[2]), int(numbered[1]), numbered.end())
    return None


def _written_at(text: str, start: int, today: date) -> _Span | None:
    piece = _DOTS.split(text[start : start + _LONGEST_DATE], maxsplit=1)[0]
    for year in (None, today.year):
        for found in find_dates(piece, year=year):
            if found.span[0] != 0:
                continue
            when = found.date
            if year is not None and when > today and when.year > FIRST_YEAR:
                when = _year_before(when)  # "seit Dezember", asked in March
            return _span(when, found.precision, start + found.span[1])
    return None


def _span(when: date, precision: Precision, end: int) -> _Span:
    if precision is Precision.MONTH:
        return _Span(when, when.replace(day=monthrange(when.year, when.month)[1]), end)
    if precision is Precision.WEEK:
        return _Span(when, when + timedelta(days=6), end)
    return _Span(when, when, end)


def _year(year: int, end: int) -> _Span | None:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    return _Span(date(year, 1, 1), date(year, 12, 31), end)


def _month(year: int, month: int, end: int) -> _Span | None:
    if not 1 <= month <= 12:
        return None
    return _Span(date(year, month, 1), date(year, month, monthrange(year, month)[1]), end)


def _year_before(when: date) -> date:
    return when.replace(year=when.year - 1, day=min(when.day, monthrange(when.year - 1, when.month)[1]))


def _day_before(when: date) -> date:
    return when - timedelta(days=1) if when > date.min else when


def _day_after(when: date) -> date:
    return when + timedelta(days=1) if when < date.max else when
