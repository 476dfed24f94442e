"""Jobs in memory."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from kiebitz.errors import StaleLease
from kiebitz.model.job import MAX_TRIES, DeadJob, Job, LeasedJob
from kiebitz.ports.clock import Clock


class _State(Enum):
    WAITING = auto()
    LEASED = auto()
    DONE = auto()
    DEAD = auto()


@dataclass(slots=True)
class _Entry:
    """``due_at``: from then on an open job may be taken; for a leased one that is when its lease lapses."""

    job: Job
    arrival: int
    due_at: float
    state: _State = _State.WAITING
    tries: int = 0
    token: str = ""
    error: str = ""
    ended_at: float = 0.0

    def bury(self, now: float, error: str) -> None:
        self.state, self.error, self.ended_at = _State.DEAD, error, now


class MemoryJobs:
    def __init__(self, clock: Clock, *, max_tries: int = MAX_TRIES) -> None:
        self._clock = clock
        self._max_tries = max_tries
        self._queues: dict[str, dict[str, _Entry]] = {}

    async def put(self, jobs: Sequence[Job]) -> int:
        now = self._clock.now()
        new = 0
        for job in jobs:
            entries = self._queues.setdefault(job.queue, {})
            if job.key not in entries:
                entries[job.key] = _Entry(job, len(entries), max(job.not_before, now))
                new += 1
        return new

    async def lease(self, queue: str, *, limit: int, seconds: float) -> list[LeasedJob]:
        now = self._clock.now()
        due = [entry for entry in self._open(queue) if entry.due_at <= now]
        leased: list[LeasedJob] = []
        for entry in sorted(due, key=lambda entry: (entry.due_at, entry.arrival)):
            if len(leased) >= limit:
                break
            if entry.tries >= self._max_tries:
                entry.bury(now, "the lease of its last try lapsed")
                continue
            entry.state, entry.due_at, entry.token = _State.LEASED, now + seconds, secrets.token_hex(12)
            entry.tries += 1
            leased.append(LeasedJob(entry.job, entry.token, entry.tries))
        return leased

    async def renew(self, queue: str, tokens: Sequence[str], *, seconds: float) -> list[str]:
        now = self._clock.now()
        lost = []
        for token in tokens:
            entry = self._held(queue, token)
            if entry is None or entry.due_at <= now:
                lost.append(token)
            else:
                entry.due_at = now + seconds
        return lost

    async def finish(self, queue: str, tokens: Sequence[str]) -> list[str]:
        lost = []
        for token in tokens:
            entry = self._held(queue, token)
            if entry is None:
                lost.append(token)
            else:
                entry.state = _State.DONE
        return lost

    async def fail(self, queue: str, token: str, error: str, *, retry_in: float | None) -> None:
        now = self._clock.now()
        entry = self._held(queue, token)
        if entry is None or entry.due_at <= now:
            raise StaleLease([token])
        if retry_in is None or entry.tries >= self._max_tries:
            entry.bury(now, error)
        else:
            entry.state, entry.due_at, entry.error = _State.WAITING, now + retry_in, error

    async def dead(self, queue: str, *, limit: int = 100) -> list[DeadJob]:
        dead = [entry for entry in self._entries(queue) if entry.state is _State.DEAD]
        dead.sort(key=lambda entry: (entry.ended_at, entry.arrival), reverse=True)
        return [DeadJob(entry.job, entry.tries, entry.error, entry.ended_at) for entry in dead[:limit]]

    async def revive(self, queue: str, keys: Sequence[str]) -> int:
        entries = self._queues.get(queue, {})
        revived = 0
        for key in keys:
            entry = entries.get(key)
            if entry is not None and entry.state is _State.DEAD:
                entries[key] = _Entry(entry.job, entry.arrival, self._clock.now())
                revived += 1
        return revived

    async def depth(self, queue: str) -> tuple[int, int, int]:
        now = self._clock.now()
        entries = self._open(queue)
        leased = sum(entry.state is _State.LEASED and entry.due_at > now for entry in entries)
        dead = sum(entry.state is _State.DEAD for entry in self._entries(queue))
        return len(entries) - leased, leased, dead

    async def close(self) -> None:
        pass

    def _entries(self, queue: str) -> list[_Entry]:
        return list(self._queues.get(queue, {}).values())

    def _open(self, queue: str) -> list[_Entry]:
        return [entry for entry in self._entries(queue) if entry.state in {_State.WAITING, _State.LEASED}]

    def _held(self, queue: str, token: str) -> _Entry | None:
        leased = (entry for entry in self._entries(queue) if entry.state is _State.LEASED)
        return next((entry for entry in leased if entry.token == token), None)
