"""An issue is one number of a gazette, as the page that lists it describes it.

Every field may be missing: what nobody stated is None, never a guess. A date says how precisely it was stated, because
"März 2026" is not the first of March.
"""

import datetime as dt
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple


class IssueKind(StrEnum):
    REGULAR = "regular"
    SPECIAL = "special"  # outside the rhythm: Sonderausgabe, Extrablatt
    SUPPLEMENT = "supplement"  # belongs to an issue: Beilage, Anlage
    CORRECTION = "correction"  # replaces an issue or a part of it


class Precision(StrEnum):
    DAY = "day"
    WEEK = "week"  # the date is its Monday
    MONTH = "month"  # the date is its first day


class Issue(NamedTuple):
    number: int | None = None
    last_number: int | None = None  # of a double issue: 4 in "Nr. 3/4"
    year: int | None = None
    date: dt.date | None = None
    kind: IssueKind = IssueKind.REGULAR
    title: str = ""
    letter: str = ""  # "a" in "Nr. 1a", which is another issue than Nr. 1
    precision: Precision = Precision.DAY  # of the date

    @property
    def when(self) -> str | None:
        """The date in ISO 8601, as precisely as it was stated: 2026-03-12, 2026-W11 or 2026-03."""
        if self.date is None:
            return None
        if self.precision is Precision.MONTH:
            return f"{self.date:%Y-%m}"
        if self.precision is Precision.WEEK:
            year, week, _ = self.date.isocalendar()
            return f"{year}-W{week:02}"
        return self.date.isoformat()

    @property
    def plain(self) -> list[str | int | None]:
        """Its fields as JSON knows them; ``issue_from`` reads them back."""
        return [*self[:3], self.date.isoformat() if self.date else None, *self[4:]]


def issue_from(plain: Sequence[Any] | None) -> Issue | None:
    if plain is None:
        return None
    issue = Issue(*plain)
    day = dt.date.fromisoformat(plain[3]) if plain[3] else None
    return issue._replace(date=day, kind=IssueKind(issue.kind), precision=Precision(issue.precision))
