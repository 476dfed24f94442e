"""When a source is looked at: five cron fields with a zone, an interval, or ``auto``."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from kiebitz.errors import InputError
from kiebitz.model.source import DEFAULT_SCHEDULE
from kiebitz.standards.cron import Cron, cron

HINT = (
    "use five cron fields and a zone ('0 13 * * 0 Europe/Berlin'), an interval ('every 6h', 'every 2 days'), or 'auto'"
)
_UNITS = {"minute": 1, "hour": 60, "day": 1440, "week": 10080}
_SPELLINGS = {
    **{spelling: unit for unit in _UNITS for spelling in (unit[0], unit, f"{unit}s")},
    **dict.fromkeys(("min", "mins"), "minute"),
    **dict.fromkeys(("hr", "hrs"), "hour"),
}
_EVERY = re.compile(r"every\s+(?:([0-9]{1,6})\s*)?([a-z]+)", re.ASCII | re.IGNORECASE)
LONGEST = timedelta(days=3660)


@dataclass(frozen=True, slots=True)
class Interval:
    """So long after the look before, by a clock that knows no summer time."""

    span: timedelta
    text: str

    def __str__(self) -> str:
        return self.text

    def next_after(self, moment: datetime) -> datetime:
        return moment.astimezone(UTC) + self.span


@dataclass(frozen=True, slots=True)
class Auto:
    """By what the last run forecast of the source (``agenda``); before the first forecast, by the default."""

    fallback: Cron

    def __str__(self) -> str:
        return "auto"

    def next_after(self, moment: datetime) -> datetime:
        return self.fallback.next_after(moment)


Schedule = Cron | Interval | Auto


def schedule_of(text: str) -> Schedule:
    """``str`` of it is its normal form, with the zone. Raises InputError."""
    words = text.split()
    first = words[0].lower() if words else ""
    if first == "auto" and len(words) == 1:
        return Auto(cron(DEFAULT_SCHEDULE))
    if first == "every":
        return _interval(" ".join(words))
    if len(words) < 5 and not first.startswith("@"):
        raise InputError(f"bad schedule {text!r}", hint=HINT)
    return cron(text)


def _interval(text: str) -> Interval:
    match = _EVERY.fullmatch(text)
    unit = _SPELLINGS.get(match[2].lower()) if match else None
    if match is None or unit is None:
        raise InputError(f"bad schedule {text!r}: no interval", hint=HINT)
    count = int(match[1] or 1)
    span = timedelta(minutes=count * _UNITS[unit])
    if not timedelta() < span <= LONGEST:
        raise InputError(f"bad schedule {text!r}: not between a minute and ten years", hint=HINT)
    return Interval(span, f"every {count} {unit}{'s' if count > 1 else ''}")
