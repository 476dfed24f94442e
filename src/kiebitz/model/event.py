"""Something that happened, in order: per visit, run or operator's action, never per URL."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Event:
    kind: str  # "run.started", "visit.settled", ...
    at: datetime
    run: str = ""
    subject: str = ""  # the host, source or document it is about
    data: dict[str, str | int | float | bool] | None = None
    id: int = 0  # given by the store; grows
