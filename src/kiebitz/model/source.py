"""A source is a website that is watched again and again.

What the operator says (name, entry URLs, schedule, rules …) and what runs have found (``last_*``, ``next_*``, ``looks``)
stand in one record, but they are written by different hands at the same time: ``with_look`` and ``with_newer_looks`` never
lose the latter.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from uuid import NAMESPACE_URL, uuid3

DEFAULT_SCHEDULE = "0 13 * * 0 Europe/Berlin"  # the thesis': weekly, on Sunday
DEFAULT_BUDGET = 10_000
LOOKS_KEPT = 60  # a source's rhythm is learned from them


def source_id(url: str) -> str:
    """From the first entry URL, as the ids of documents are; it stays when the URL is changed later."""
    return str(uuid3(NAMESPACE_URL, url))


class Focus(StrEnum):
    DOCUMENTS = "documents"
    PAGES = "pages"


class RuleAction(StrEnum):
    TAKE = "take"
    LEAVE = "leave"


class RuleKind(StrEnum):
    LINK = "link"  # one URL
    GROUP = "group"  # links of one shape
    PATTERN = "pattern"  # a regular expression, searched for in the URL


@dataclass(frozen=True, slots=True)
class SourceRule:
    """A correction by the operator, which goes before every score. Its text form is ``take link https://…``."""

    action: RuleAction
    kind: RuleKind
    value: str

    def __str__(self) -> str:
        return f"{self.action} {self.kind} {self.value}"


@dataclass(frozen=True, slots=True)
class Politeness:
    """``delay`` None: the setting's; ``max_per_run`` 0: no limit of requests to one host in a run."""

    delay: float | None = None
    max_per_run: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    id: str
    name: str
    entry_urls: tuple[str, ...]
    labels: dict[str, str] = field(default_factory=dict)  # municipality, ags, state, and what else one likes
    focus: Focus = Focus.DOCUMENTS
    schedule: str = DEFAULT_SCHEDULE
    politeness: Politeness = Politeness()
    budget: int = DEFAULT_BUDGET  # pages of one run, of all hosts; 0: no limit
    rules: tuple[SourceRule, ...] = ()  # the first that fits decides
    enabled: bool = True
    created_at: datetime | None = None
    last_crawled: datetime | None = None
    last_change: datetime | None = None
    last_error: str = ""
    last_error_at: datetime | None = None
    next_look: datetime | None = None  # as the last run forecast it; only the schedule ``auto`` asks
    next_why: str = ""
    looks: tuple[datetime, ...] = ()  # the newest that worked, in order of time
    retry_at: datetime | None = None  # when the last run, which could not end, tries again


@dataclass(frozen=True, slots=True)
class Look:
    """What a run says of a source once it has looked, whether or not that worked: also when to look next, and why then."""

    at: datetime
    changed: bool = False
    error: str = ""
    next_look: datetime | None = None
    next_why: str = ""
    retry_at: datetime | None = None


def with_look(source: Source, look: Look) -> Source:
    """A look that is older than what is known changes nothing: runs may end in another order than they began."""
    seen = replace(source, last_crawled=_later(source.last_crawled, look.at))
    if look.changed:
        seen = replace(seen, last_change=_later(source.last_change, look.at))
    if seen.last_crawled == look.at:
        seen = replace(seen, next_look=look.next_look, next_why=look.next_why, retry_at=look.retry_at)
    if not look.error:
        return replace(seen, looks=_newest(source.looks, (look.at,)))
    if _later(source.last_error_at, look.at) == look.at:
        seen = replace(seen, last_error=look.error, last_error_at=look.at)
    return seen


def with_newer_looks(given: Source, known: Source) -> Source:
    """``given`` as an operator wrote it, with what runs have found in ``known`` meanwhile."""
    kept = replace(
        given,
        last_crawled=_later(given.last_crawled, known.last_crawled),
        last_change=_later(given.last_change, known.last_change),
        looks=_newest(given.looks, known.looks),
    )
    if kept.last_crawled == known.last_crawled:
        kept = replace(kept, next_look=known.next_look, next_why=known.next_why, retry_at=known.retry_at)
    if known.last_error_at and _later(given.last_error_at, known.last_error_at) == known.last_error_at:
        kept = replace(kept, last_error=known.last_error, last_error_at=known.last_error_at)
    return kept


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max(one, other) if one and other else one or other


def _newest(looks: tuple[datetime, ...], others: tuple[datetime, ...]) -> tuple[datetime, ...]:
    """Both, each once, as far as they are kept: the same in whatever order they are put together."""
    return tuple(sorted({*looks, *others})[-LOOKS_KEPT:])
