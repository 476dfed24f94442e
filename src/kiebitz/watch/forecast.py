"""When to look at a source next: on the days on which an issue is likely enough, and as rarely as that allows.

An issue is found in time if somebody looks on its day or on the day after. A look may therefore wait as long as the issues
that it would find later than that are few enough; where one day stands out, the look is on that day. An issue that is
overdue is looked for daily at first, then more and more rarely. Nobody waits longer than a week.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo

from kiebitz.model.document import Document
from kiebitz.model.issue import IssueKind, Precision
from kiebitz.watch.arrivals import Find, History, arrivals_of, first_open_day, hour_of
from kiebitz.watch.coverage import issue_of
from kiebitz.watch.dated import newest_dated
from kiebitz.watch.hazard import Hazard
from kiebitz.watch.templates import WEEKDAYS

ZONE = ZoneInfo("Europe/Berlin")
LATE = 0.03  # issues that a look at a weekly paper may find later than a day after they came; of a rarer one, fewer
RARE = 0.5  # but not fewer than this share of it, or a paper that hardly ever appears would be looked at most
SHARP = 3.0  # times as likely as the day after: worth a look on that very day
EXPECTED = 0.5  # a day as likely as this, and no issue: it is overdue
LIKELY = 0.3  # a day as likely as this is looked at also while an issue is overdue
PATIENT = 4  # days overdue, after each of which a look waits a day longer
LONGEST = 7  # days


class Forecast(NamedTuple):
    at: datetime
    why: str


def next_look(history: History, last_look: datetime, zone: tzinfo = ZONE) -> Forecast:
    """Always later than ``last_look``, and at most eight days. A last look that is not in the history did not work."""
    hour = hour_of(history, zone)
    today = first_open_day(last_look, zone, hour)
    worked = [look for look in history.looks if look <= last_look]
    opened = first_open_day(max(worked), zone, hour) if worked else today
    since = first_open_day(min(worked), zone, hour) if worked else today
    arrivals = arrivals_of(history, zone, hour)
    over = [each.last + 1 for each in arrivals if each.last <= today]  # a day that had its issue is over
    opened = max([opened, *over])
    hazard = Hazard(arrivals, since, opened - 1)
    day, why = _chosen(hazard, opened)
    if opened < today:  # what could not be looked at is tried again, more and more rarely
        day, why = today + min((today - opened) // PATIENT, LONGEST - 1), "the last look did not work"
    at = datetime.combine(date.fromordinal(max(day, today)), time(hour), zone).astimezone(UTC)
    return Forecast(at, why)


def _chosen(hazard: Hazard, opened: int) -> tuple[int, str]:
    """The day of the next look among those from ``opened`` on, and why that one."""
    day, late, bearable = opened, 0.0, LATE * min(max(7 * hazard.average, RARE), 1.0)
    while day < opened + LONGEST - 1:
        late += hazard.at(day - 1) if day > opened else 0.0
        if late > bearable:
            break
        day += 1
    if day > opened and hazard.at(day - 1) > max(SHARP * hazard.at(day), LATE):
        day -= 1
    overdue = _overdue(hazard, opened)
    if overdue is None:
        return day, _reason(hazard, day)
    patient = opened + min((opened - 1 - overdue) // PATIENT, LONGEST - 1)
    likely = next((day for day in range(opened, patient) if hazard.at(day) >= LIKELY), patient)
    return likely, f"{hazard.name}; overdue since {_spoken(overdue)}"


def _overdue(hazard: Hazard, opened: int) -> int | None:
    """The first day on which an issue was expected and did not come."""
    return next((day for day in range(hazard.newest + 1, opened) if hazard.at(day) >= EXPECTED), None)


def _reason(hazard: Hazard, day: int) -> str:
    if hazard.count < 2:
        return "no rhythm is known yet"
    likely = hazard.at(day) + hazard.at(day - 1)
    if likely < LATE:
        return f"{hazard.name}; none is expected before, but at least weekly"
    if hazard.name == "irregular":
        return f"irregular, about every {1 / hazard.average:.0f} days"
    return f"{hazard.name}; {_spoken(day)} is {min(likely, 0.99):.0%} likely"


def _spoken(day: int) -> str:
    return f"{WEEKDAYS[(day - 1) % 7][:3]} {date.fromordinal(day).isoformat()}"


def forecast_of(
    documents: Sequence[Document], looks: Iterable[datetime], last_look: datetime, zone: tzinfo = ZONE
) -> Forecast:
    """``documents``: all that the source has. ``looks``: the moments of those that worked, the last one included if it did."""
    finds = []
    for document in newest_dated(documents):
        issue = issue_of(document)
        if issue.kind in (IssueKind.SUPPLEMENT, IssueKind.CORRECTION):
            continue  # they belong to an issue
        printed = issue.date if issue.precision is Precision.DAY else None
        finds.append(Find(printed, document.first_seen))
    return next_look(History(tuple(finds), tuple(looks)), last_look, zone)
