"""The agenda: which source is looked at next, when, and why then."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from kiebitz.errors import InputError
from kiebitz.model.source import Source
from kiebitz.sources.schedule import Auto, Interval, schedule_of


class Reason(StrEnum):
    NEVER_CRAWLED = "never crawled"
    CRON = "cron"
    INTERVAL = "interval"
    AUTO = "auto"
    DISABLED = "disabled"
    BROKEN = "bad schedule"
    DEFERRED = "deferred"


@dataclass(frozen=True, slots=True)
class Turn:
    """``at`` None: never. A turn in the past was missed, and is due."""

    source: Source
    at: datetime | None
    reason: Reason
    why: str

    def is_due(self, now: datetime) -> bool:
        return self.at is not None and self.at <= now


def turn_of(source: Source, now: datetime) -> Turn:
    """By its schedule, or sooner if its last run could not end and tries again."""
    turn = _scheduled(source, now)
    if source.retry_at is None or turn.reason is Reason.DISABLED or (turn.at and turn.at <= source.retry_at):
        return turn
    return Turn(source, source.retry_at, Reason.DEFERRED, f"tries again: {source.last_error}")


def _scheduled(source: Source, now: datetime) -> Turn:
    if not source.enabled:
        return Turn(source, None, Reason.DISABLED, "disabled")
    try:
        schedule = schedule_of(source.schedule)
    except InputError as error:  # put there by another program or an older version: one source must not stop the others
        return Turn(source, None, Reason.BROKEN, str(error))
    if source.last_crawled is None:
        return Turn(source, source.created_at or now, Reason.NEVER_CRAWLED, "never crawled")
    if isinstance(schedule, Auto) and source.next_look and source.next_look > source.last_crawled:
        return Turn(source, source.next_look, Reason.AUTO, f"auto: {source.next_why}")
    at = schedule.next_after(source.last_crawled)
    if isinstance(schedule, Auto):
        return Turn(source, at, Reason.AUTO, f"auto: no rhythm is known yet, so weekly ({schedule.fallback})")
    return Turn(source, at, Reason.INTERVAL if isinstance(schedule, Interval) else Reason.CRON, str(schedule))


def agenda(sources: Iterable[Source], now: datetime) -> list[Turn]:
    """By time; those that never come are last."""
    turns = [turn_of(source, now) for source in sources]
    return sorted(turns, key=lambda turn: (turn.at is None, turn.at or now, turn.source.name))
