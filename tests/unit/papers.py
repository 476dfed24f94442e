"""Papers that appear by all kinds of calendars, and what becomes of them if looks follow the forecast."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from random import Random
from typing import NamedTuple

from kiebitz.watch.arrivals import Find, History
from kiebitz.watch.forecast import ZONE, Forecast, next_look

DAY = timedelta(days=1)
HOLIDAYS = {date(year, *day) for year in range(2024, 2028) for day in ((1, 1), (5, 1), (10, 3), (12, 25), (12, 26))}
NIGHT_LOOK = timedelta(seconds=40)  # a run takes a while


def workday(day: date) -> date:
    while day.weekday() >= 5 or day in HOLIDAYS:
        day += DAY
    return day


def days(first: date, until: date) -> Iterator[date]:
    return (first + number * DAY for number in range((until - first).days))


def by_weeks(rng: Random, first: date, until: date, weekday: int, weeks: int = 1) -> Iterator[date]:
    """Sometimes a day or two late, on holidays earlier or later, now and then not at all."""
    for day in days(first, until):
        if day.weekday() != weekday or day.toordinal() // 7 % weeks:
            continue
        if day in HOLIDAYS:
            yield day - DAY if rng.random() < 0.5 else workday(day)
        elif rng.random() < 0.98:
            yield day + rng.choice((1, 2)) * DAY if rng.random() < 0.03 else day


def weekly(rng: Random, first: date, until: date) -> Iterable[date]:
    return by_weeks(rng, first, until, rng.randrange(5))


def twice_a_week(rng: Random, first: date, until: date) -> Iterable[date]:
    return [*by_weeks(rng, first, until, 1), *by_weeks(rng, first, until, 4)]


def fortnightly(rng: Random, first: date, until: date) -> Iterable[date]:
    return by_weeks(rng, first, until, rng.randrange(5), weeks=2)


def first_friday(_rng: Random, first: date, until: date) -> Iterable[date]:
    return (workday(day) for day in days(first, until) if day.weekday() == 4 and day.day <= 7)


def mid_month(_rng: Random, first: date, until: date) -> Iterable[date]:
    return (workday(day) for day in days(first, until) if day.day == 15)


def irregular(rng: Random, first: date, until: date) -> Iterable[date]:
    while first < until:
        first = workday(first + rng.randrange(10, 40) * DAY)
        yield first


CALENDARS = {
    "weekly": weekly,
    "twice a week": twice_a_week,
    "fortnightly": fortnightly,
    "first Friday": first_friday,
    "mid-month": mid_month,
    "irregular": irregular,
}


class Outcome(NamedTuple):
    issues: int
    in_time: int
    looks: int
    days: int
    last: Forecast


class Paper(NamedTuple):
    """Issues as (printed day or None, moment of upload), from an archive that is there on the first day on."""

    issues: list[tuple[date | None, datetime]]


def paper(name: str, seed: int, first: date, until: date, late: int = 0) -> Paper:
    rng = Random(f"{name} {seed}")
    found = sorted(set(CALENDARS[name](rng, first, until)))
    return Paper([(day, datetime.combine(day + late * DAY, time(rng.randrange(7, 19)), ZONE)) for day in found])


def watched(given: Paper, start: date, learn: int, measure: int) -> Outcome:
    """Look whenever the forecast says so; what is found later than the day after its upload is late."""
    begin, end = start + learn * DAY, start + (learn + measure) * DAY
    now, unseen = datetime.combine(start, time(12), ZONE), list(given.issues)
    finds: list[Find] = []
    looks: list[datetime] = []
    issues = in_time = count = 0
    while now.astimezone(ZONE).date() < end:
        today = now.astimezone(ZONE).date()
        for issue in [each for each in unseen if each[1] <= now]:
            unseen.remove(issue)
            finds.append(Find(issue[0], now))
            if issue[1].date() >= begin:
                issues += 1
                in_time += today - issue[1].date() <= DAY
        looks = [*looks, now + NIGHT_LOOK][-60:]
        count += today >= begin
        forecast = next_look(History(tuple(finds[-80:]), tuple(looks)), looks[-1])
        assert looks[-1] < forecast.at <= looks[-1] + 8 * DAY
        now = forecast.at
    return Outcome(issues, in_time, count, measure, forecast)
