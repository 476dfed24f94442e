"""A run: what was asked for, how far it is, what it brought."""

import json
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b


class Scope(StrEnum):
    HOST = "host"  # the seeds' hosts
    DOMAIN = "domain"  # the seeds' registrable domains, with all their hosts
    LIST = "list"  # exactly the seeds: links are not followed
    ANY = "any"  # everywhere


class RunState(StrEnum):
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"  # by an operator; the same crawl again goes on
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a crawl was asked to do. −1 and 0 mean no limit."""

    seeds: tuple[str, ...]
    scope: Scope = Scope.HOST
    depth: int = 3
    max_pages: int = 10_000
    max_per_host: int = 100
    delay: float = 1.0
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The same question asked again has the same key: that is how a crawl resumes."""
        text = json.dumps(asdict(self), sort_keys=True)
        return blake2b(text.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Counts:
    """Absolute figures of a run, kept by the frontier and only published elsewhere."""

    pending: int = 0
    leased: int = 0
    done: int = 0
    unchanged: int = 0
    deferred: int = 0
    failed: int = 0
    skipped: int = 0
    documents: int = 0
    bytes: int = 0

    @property
    def known(self) -> int:
        return self.open + self.done + self.unchanged + self.failed + self.skipped

    @property
    def open(self) -> int:
        return self.pending + self.leased + self.deferred


@dataclass(frozen=True, slots=True)
class Run:
    id: str
    plan: Plan
    state: RunState
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None = None
    counts: Counts = field(default_factory=Counts)
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    source: str = ""


_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # base 32 in ASCII order, without i, l, o, u
_ID_LENGTH = 12
NOISE_BITS = 25


def run_id(at: datetime, noise: int, newest: str = "") -> str:
    """Seven digits of seconds, five of noise; always above the ``newest`` id, so that ids sort by creation."""
    number = (max(int(at.timestamp()), 0) << NOISE_BITS) | noise
    if newest:
        number = max(number, _number(newest) + 1)
    return "".join(_DIGITS[(number >> shift) & 31] for shift in range(5 * (_ID_LENGTH - 1), -1, -5))


def _number(text: str) -> int:
    number = 0
    for digit in text:
        number = (number << 5) | _DIGITS.index(digit)
    return number
