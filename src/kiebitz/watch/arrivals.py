"""The days on which issues appeared, from what is printed on them and from what looks have seen.

The printed date may differ from the upload by days, so what was observed goes first: an issue that one look found and the
look before did not came between the two. The usual difference is learned from those and applied to the others.
"""

from bisect import bisect_left
from collections.abc import Iterable
from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

EVENING = 20  # o'clock: what offices upload on a day is there
NIGHT = timedelta(hours=4)  # a look after midnight belongs to the day before
NEARLY = timedelta(hours=2)  # before its hour, a look counts as that day's
NEAR = 45  # days; a printed date farther from the observation belongs to an archive, or is wrong
OFFSETS = range(-14, 22)  # days from the printed date to the upload
WIDEST = 31  # days between two looks, beyond which an undated document says nothing
TELLING = 30  # newest observations that an offset or an hour is learned from
PROMPT = timedelta(hours=8)  # two looks as near as this tell the hour of an upload
ENOUGH_HOURS = 5
OLDEST = 30 * 365  # days
ROUNDS = 6
SURE = 0.8  # share of a weekday among those possible


class Find(NamedTuple):
    """A document that was found: the day printed on it, if one is, and when it was first seen."""

    printed: date | None
    seen: datetime


class History(NamedTuple):
    """What is known of a source. ``looks``: those that worked, in any order, as far back as they are kept."""

    finds: tuple[Find, ...] = ()
    looks: tuple[datetime, ...] = ()


class Arrival(NamedTuple):
    """An issue came on one of these days (ordinals), both included."""

    first: int
    last: int


class _Observed(NamedTuple):
    printed: int | None
    first: int
    last: int
    seen: datetime
    before: datetime | None  # the look before, which did not find it


def first_open_day(moment: datetime, zone: tzinfo, hour: int) -> int:
    """The first day whose look is still to come after a look at this moment."""
    local = moment.astimezone(zone)
    day = (local - NIGHT).toordinal()
    evening = datetime.combine(date.fromordinal(day), datetime.min.time()) + timedelta(hours=hour)
    return day + 1 if local.replace(tzinfo=None) >= evening - NEARLY else day


def hour_of(history: History, zone: tzinfo) -> int:
    """The hour at which to look: the evening, unless looks in quick succession have shown when uploads happen."""
    looks = sorted(history.looks)
    hours = []
    for find in sorted(history.finds, key=lambda each: each.seen)[-TELLING:]:
        place = bisect_left(looks, find.seen)
        if place and find.seen - looks[place - 1] <= PROMPT:
            hours.append(find.seen.astimezone(zone).hour)
    if len(hours) < ENOUGH_HOURS:
        return EVENING
    latest = sorted(hours)[len(hours) * 9 // 10]
    return min(max(latest + 1, NIGHT.seconds // 3600 + 2), 23)


def arrivals_of(history: History, zone: tzinfo, hour: int) -> list[Arrival]:
    """In order of time, each day once."""
    looks = sorted(history.looks)
    observed = [_observed(find, looks, zone, hour) for find in history.finds]
    offset = _offset(observed)
    days: set[int] = set()
    spans: set[Arrival] = set()
    for each in observed:
        arrival = _arrival(each, offset)
        if arrival is None:
            continue
        if arrival.first == arrival.last:
            days.add(arrival.first)
        else:
            spans.add(arrival)
    free = [span for span in spans if not any(day in days for day in range(span.first, span.last + 1))]
    return sorted({*(Arrival(day, day) for day in days), *_narrowed(free, days)})


def _narrowed(spans: list[Arrival], days: set[int]) -> list[Arrival]:
    """Where the other arrivals leave little doubt of the weekday, that day of the span (by expectation maximisation)."""
    shares = [1.0] * 7
    for _ in range(ROUNDS):
        counted = [0.1] * 7
        for day in days:
            counted[day % 7] += 1.0
        for span in spans:
            whole = [shares[day % 7] for day in range(span.first, span.last + 1)]
            for day, share in zip(range(span.first, span.last + 1), whole, strict=True):
                counted[day % 7] += share / sum(whole)
        shares = counted
    return [_narrow(span, shares) for span in spans]


def _narrow(span: Arrival, shares: list[float]) -> Arrival:
    possible = range(span.first, span.last + 1)
    best = max(possible, key=lambda day: shares[day % 7])
    doubtless = len(possible) <= 7 and shares[best % 7] >= SURE * sum(shares[day % 7] for day in possible)
    return Arrival(best, best) if doubtless else span


def _observed(find: Find, looks: list[datetime], zone: tzinfo, hour: int) -> _Observed:
    place = bisect_left(looks, find.seen)
    before = looks[place - 1] if place else None
    last = (find.seen.astimezone(zone) - NIGHT).toordinal()
    first = min(first_open_day(before, zone, hour), last) if before else last
    return _Observed(find.printed.toordinal() if find.printed else None, first, last, find.seen, before)


def _offset(observed: Iterable[_Observed]) -> int:
    """The difference that explains most of what was observed; narrow observations say more."""
    telling = [each for each in observed if each.before and each.printed and _is_near(each.printed, each)]
    newest = sorted(telling, key=lambda each: each.seen)[-TELLING:]

    def explained(offset: int) -> float:
        return sum(
            1 / (each.last - each.first + 1)
            for each in newest
            if each.printed and each.first <= each.printed + offset <= each.last
        )

    return max(OFFSETS, key=lambda offset: (explained(offset), -abs(offset))) if newest else 0


def _arrival(each: _Observed, offset: int) -> Arrival | None:
    if each.printed and each.last - OLDEST <= each.printed <= each.last + NEAR:
        day = each.printed + offset
        if each.before and _is_near(day, each):
            day = min(max(day, each.first), each.last)
        return Arrival(min(day, each.last), min(day, each.last))
    if each.before and each.last - each.first <= WIDEST:
        return Arrival(each.first, each.last)
    return None


def _is_near(day: int, each: _Observed) -> bool:
    return each.first - NEAR <= day <= each.last + NEAR
