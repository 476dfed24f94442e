"""A run: what was asked for, how far it is, what it brought."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple


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
    source: str = ""  # of a source's run: it collects, so a plain crawl of the same seeds is another question

    @property
    def key(self) -> str:
        """The same question asked again has the same key: that is how a crawl resumes."""
        asked = {name: value for name, value in asdict(self).items() if name != "source" or value}
        text = json.dumps(asked, sort_keys=True)
        return blake2b(text.encode(), digest_size=8).hexdigest()


GONE = (404, 410)  # the answers that say a page is no longer there


@dataclass(frozen=True, slots=True)
class Counts:
    """Absolute figures of a run, kept by the frontier and only published elsewhere.

    ``documents`` are documents whose content is new at their URL, or has changed since: an unchanged one is counted
    in ``unchanged`` only. ``gone`` are requests that had a content when they were last fetched and now answer 404 or
    410: they are counted in ``failed`` as well. ``hosts`` are those at which requests are leased, by whatever process.
    """

    pending: int = 0
    leased: int = 0
    done: int = 0
    unchanged: int = 0
    deferred: int = 0
    failed: int = 0
    skipped: int = 0
    documents: int = 0
    bytes: int = 0
    gone: int = 0
    hosts: int = 0

    @property
    def fetched(self) -> int:
        return self.done + self.unchanged

    @property
    def known(self) -> int:
        return self.open + self.done + self.unchanged + self.failed + self.skipped

    @property
    def open(self) -> int:
        return self.pending + self.leased + self.deferred


class Sample(NamedTuple):
    """How a run stood at a moment: one point of its time series."""

    seconds: float  # of work on the run, by all processes one after another
    fetched: int  # so far
    hosts: int  # in flight
    queue: int  # open requests


FINEST_STEP = 0.25  # seconds
MOST_SAMPLES = 500
PACE_SECONDS = 1.0


def step_of(seconds: float) -> float:
    """How far apart the samples of a run are that takes so long: it doubles whenever there would be too many."""
    step = FINEST_STEP
    while seconds >= step * MOST_SAMPLES:
        step *= 2
    return step


def thinned(samples: Iterable[Sample]) -> list[Sample]:
    """In order of time, the last of each step; of two that fall into one, the one given later."""
    given = list(samples)
    step = step_of(max((sample.seconds for sample in given), default=0.0))
    steps = {int(sample.seconds // step): sample for sample in given}
    return [steps[number] for number in sorted(steps)]


def pace(series: Sequence[Sample]) -> list[float]:
    """URLs per second at each sample, over a second at least: pages are counted in batches.

    What a retry took back is not a pace below zero.
    """
    points = [Sample(0.0, 0, 0, 0), *series]
    start = 0
    rates = []
    for sample in series:
        while points[start + 1].seconds <= sample.seconds - PACE_SECONDS:
            start += 1
        seconds = sample.seconds - points[start].seconds
        rates.append(max(sample.fetched - points[start].fetched, 0) / seconds if seconds > 0 else 0.0)
    return rates


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
