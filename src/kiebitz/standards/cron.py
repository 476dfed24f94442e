"""Five fields of time with a zone, as in crontab(5): ``0 13 * * 0 Europe/Berlin``.

The rules are those of POSIX and of Vixie's cron:

1. minute, hour, day of the month, month, day of the week; 0 and 7 are Sunday; English names of three letters.
2. ``*``, ``5``, ``1-5``, ``*/15``, ``1-31/2``, ``5/15`` (from 5 on), and lists of them with commas.
3. If neither day field begins with ``*``, a day needs to fit only one of them; else both.
4. ``@hourly @daily @weekly @monthly @yearly``, as everywhere.

The fields speak of the clock on the wall. A time which that clock skips happens when it has skipped; one that it shows
twice happens once, the first time.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from kiebitz.errors import InputError

HOME_ZONE = "Europe/Berlin"
NICKNAMES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
}
HINT = "minute hour day month weekday [zone], as in '0 13 * * 0 Europe/Berlin' (Sundays at 13:00)"
LONGEST = 500
_PART = re.compile(r"(?:(\*)|(\w+)(?:-(\w+))?)(?:/([0-9]+))?", re.ASCII)
_MINUTE, _SECOND, _DAY = timedelta(minutes=1), timedelta(seconds=1), timedelta(days=1)
_YEARS = 41  # 29 February on a given weekday may be 40 years away


class _Field(NamedTuple):
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("weekday", 0, 7, _WEEKDAYS),
)


@dataclass(frozen=True, slots=True)
class Cron:
    text: str  # with its zone
    zone: ZoneInfo
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]  # 0 is Sunday, never 7
    either_day: bool  # day or weekday; else day and weekday

    def __str__(self) -> str:
        return self.text

    def next_after(self, moment: datetime) -> datetime:
        """The first time that is strictly later, in UTC: instants of one zone compare by the clock on its wall."""
        if moment.tzinfo is None:
            raise ValueError("a moment needs its zone")
        now = moment.astimezone(UTC)
        wall = now.astimezone(self.zone).replace(tzinfo=None, fold=0, second=0, microsecond=0)
        for shown in self._walls(wall + _MINUTE):
            at = _instant(shown, self.zone)
            if at > now:  # in a repeated hour the first ones are over
                return at
        raise InputError(f"bad schedule {self.text!r}: it has no time after {moment}", hint=HINT)

    def fits(self, wall: datetime) -> bool:
        """Does the clock show a time of ours?"""
        return wall.minute in self.minutes and wall.hour in self.hours and self._has(wall.date())

    def _has(self, day: date) -> bool:
        if day.month not in self.months:
            return False
        of_month, of_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return of_month or of_week if self.either_day else of_month and of_week

    def _walls(self, start: datetime) -> Iterator[datetime]:
        """What the clock shows at our times, from ``start`` on."""
        day = start.date()
        last = date(min(day.year + _YEARS, date.max.year), 12, 30)
        while day <= last:
            if self._has(day):
                times = (datetime(day.year, day.month, day.day, h, m) for h in self.hours for m in self.minutes)  # noqa: DTZ001 -- a wall has no zone
                yield from (wall for wall in times if wall >= start)
            skip = monthrange(day.year, day.month)[1] - day.day if day.month not in self.months else 0
            day += _DAY * (skip + 1)


def cron(text: str) -> Cron:
    """Raises InputError, with the field that is wrong."""
    words = text.split()
    if len(text) > LONGEST:
        raise _bad(text[:40] + "…", f"longer than {LONGEST} characters")
    if words and words[0].lower() in NICKNAMES:
        words = [*NICKNAMES[words[0].lower()].split(), *words[1:]]
    if len(words) not in {5, 6}:
        raise _bad(text, f"five fields and a zone are needed, not {len(words)} words")
    fields, zone = words[:5], words[5] if len(words) == 6 else HOME_ZONE
    minutes, hours, days, months, weekdays = (
        _values(text, given, field) for given, field in zip(fields, _FIELDS, strict=True)
    )
    either = not fields[2].startswith("*") and not fields[4].startswith("*")
    if not either and not any(_exists(month, day) for month in months for day in days):
        raise _bad(text, "there is no such day")
    normal = " ".join((*(word.lower() for word in fields), zone))
    of_week = frozenset(day % 7 for day in weekdays)
    return Cron(normal, _zone(text, zone), tuple(sorted(minutes)), tuple(sorted(hours)), days, months, of_week, either)


def _values(text: str, given: str, field: _Field) -> frozenset[int]:
    found: set[int] = set()
    for part in given.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise _bad(text, f"{part!r} is no {field.name}")
        star, first, last, step = match.groups()
        if star:
            low, high = field.low, field.high
        else:
            low = _number(text, first, field)
            high = _number(text, last, field) if last else field.high if step else low
            if field.names == _WEEKDAYS and high == 0 < low:
                high = 7  # fri-sun
        if low > high or (step and int(step) == 0):
            raise _bad(text, f"{part!r} is an empty range of {field.name}s")
        found.update(range(low, high + 1, int(step or 1)))
    return frozenset(found)


def _number(text: str, word: str, field: _Field) -> int:
    if word.lower() in field.names:
        return field.names.index(word.lower()) + field.low
    if not word.isdigit() or not field.low <= int(word) <= field.high:
        raise _bad(text, f"{field.name} {word!r} is not between {field.low} and {field.high}")
    return int(word)


def _exists(month: int, day: int) -> bool:
    return day <= monthrange(2000, month)[1]  # a leap year


def _zone(text: str, name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        raise InputError(f"bad schedule {text!r}: unknown time zone {name!r}", hint=_zone_hint(name)) from None


def _zone_hint(name: str) -> str:
    from difflib import get_close_matches
    from zoneinfo import available_timezones

    known = available_timezones()
    if HOME_ZONE not in known:
        return "this system has no time zones: install the package tzdata"
    near = get_close_matches(name, known, 3, 0.7)
    return f"did you mean {' or '.join(near)}?" if near else f"use a name as in {HOME_ZONE}"


def _instant(wall: datetime, zone: ZoneInfo) -> datetime:
    """When the clock shows this: the first time of two; when it is skipped, the end of the gap."""
    at = wall.replace(tzinfo=zone).astimezone(UTC)
    if at.astimezone(zone).replace(tzinfo=None, fold=0) == wall:
        return at
    before, after = wall.replace(tzinfo=zone, fold=1).astimezone(UTC), at
    offset = before.astimezone(zone).utcoffset()
    while after - before > _SECOND:
        middle = before + (after - before) // 2
        middle = middle.replace(microsecond=0)
        before, after = (middle, after) if middle.astimezone(zone).utcoffset() == offset else (before, middle)
    return after


def _bad(text: str, why: str) -> InputError:
    return InputError(f"bad schedule {text!r}: {why}", hint=HINT)
