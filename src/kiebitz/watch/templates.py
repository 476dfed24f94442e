"""Calendars that papers keep: every second Friday, the first Friday of a month, the fifteenth or the working day after it."""

from collections.abc import Callable, Iterator
from datetime import date
from typing import NamedTuple

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PLACES = ("first", "second", "third", "fourth", "last")
CYCLES = ((14, "every second"), (21, "every third"), (28, "every fourth"))
SATURDAY = 5


class Template(NamedTuple):
    """``days``: ordinals."""

    name: str
    days: frozenset[int]


def cycles(first: int, until: int) -> list[Template]:
    """Every so many weeks, whatever comes between."""
    found = []
    for length, words in CYCLES:
        for start in range(first, first + length):
            name = f"{words} {WEEKDAYS[(start - 1) % 7]}"
            found.append(Template(name, frozenset(range(start, until + 1, length))))
    return found


def weekdays_of_months(first: int, until: int) -> list[Template]:
    """The first Friday of a month, the last Wednesday …"""
    days: dict[tuple[int, int], set[int]] = {(place, weekday): set() for place in range(5) for weekday in range(7)}
    for start, length in _months(first, until):
        for weekday in range(7):
            earliest = start + (weekday - (start - 1)) % 7
            for place in range(4):
                days[place, weekday].add(earliest + 7 * place)
            days[4, weekday].add(earliest + 7 * ((start + length - 1 - earliest) // 7))
    return [
        Template(f"the {PLACES[place]} {WEEKDAYS[weekday]} of a month", frozenset(found))
        for (place, weekday), found in days.items()
    ]


def days_of_months(first: int, until: int) -> list[Template]:
    """The fifteenth; on a weekend that day, the Friday before or the Monday after. In short months, the last day."""
    months = list(_months(first, until))
    found = []
    for number in range(1, 32):
        days = [start + min(number, length) - 1 for start, length in months]
        name = f"around the {number}. of a month" if number < 31 else "the end of a month"
        found += [
            Template(name, frozenset(days)),
            Template(name, frozenset(_before_weekend(day) for day in days)),
            Template(name, frozenset(_after_weekend(day) for day in days)),
        ]
    return found


def _before_weekend(day: int) -> int:
    return day - max((day - 1) % 7 - SATURDAY + 1, 0)


def _after_weekend(day: int) -> int:
    weekday = (day - 1) % 7
    return day + 7 - weekday if weekday >= SATURDAY else day


def _months(first: int, until: int) -> Iterator[tuple[int, int]]:
    """First day and length of every month that has days in the span, and of one on either side."""
    earliest, latest = date.fromordinal(first), date.fromordinal(until)
    for month in range(earliest.year * 12 + earliest.month - 2, latest.year * 12 + latest.month + 1):
        start = date(month // 12, month % 12 + 1, 1).toordinal()
        yield start, date((month + 1) // 12, (month + 1) % 12 + 1, 1).toordinal() - start


FAMILIES: tuple[Callable[[int, int], list[Template]], ...] = (cycles, weekdays_of_months, days_of_months)
