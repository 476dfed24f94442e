"""How often a source publishes, learned from the dates of its issues."""

from collections.abc import Iterable
from datetime import date, timedelta
from itertools import pairwise
from statistics import median
from typing import NamedTuple

ENOUGH = 4  # dates, before anybody speaks of a rhythm
RECENT = 30  # only the newest count: papers change their rhythm
LATE, SILENT = 1.5, 4.0  # rhythms without an issue
GRACE = timedelta(days=2)


class Rhythm(NamedTuple):
    """An issue every so many days, as a rule, and the longest pause there was among the dates looked at."""

    days: float
    longest: int


def rhythm_of(dates: Iterable[date]) -> Rhythm | None:
    """None as long as there are too few dates."""
    known = sorted(set(dates))[-RECENT:]
    if len(known) < ENOUGH:
        return None
    pauses = [(later - earlier).days for earlier, later in pairwise(known)]
    return Rhythm(float(median(pauses)), max(pauses))


def is_overdue(rhythm: Rhythm, newest: date, today: date, factor: float) -> bool:
    """Longer ago than so many rhythms, and longer than it ever took."""
    wait = timedelta(days=max(rhythm.days * factor, float(rhythm.longest))) + GRACE
    return today - newest > wait
