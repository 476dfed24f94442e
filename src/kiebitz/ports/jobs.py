"""Jobs: work on what is already stored."""

from collections.abc import Sequence
from typing import Protocol

from kiebitz.model.job import DeadJob, Job, LeasedJob


class Jobs(Protocol):
    """Queues with leases, retries and dead letters. Delivery is at least once; order is oldest due first.

    When a call returns, its effect survives the death of the machine.
    """

    async def put(self, jobs: Sequence[Job]) -> int:
        """Add jobs; a (queue, key) the queue has seen, ended ones included, is ignored. Returns how many were new."""
        ...

    async def lease(self, queue: str, *, limit: int, seconds: float) -> list[LeasedJob]:
        """Take due jobs; each is invisible until finished, failed, or its lease lapses. Counts a try."""
        ...

    async def renew(self, queue: str, tokens: Sequence[str], *, seconds: float) -> list[str]:
        """Extend leases; returns the tokens that are lost."""
        ...

    async def finish(self, queue: str, tokens: Sequence[str]) -> list[str]:
        """End jobs well; returns the tokens that were lost (their jobs belong to somebody else now)."""
        ...

    async def fail(self, queue: str, token: str, error: str, *, retry_in: float | None) -> None:
        """Give a job back for a later try, or with None (or at the last permitted try) to the dead letters.

        Raises StaleLease if the token is lost.
        """
        ...

    async def dead(self, queue: str, *, limit: int = 100) -> list[DeadJob]:
        """Dead letters, newest first."""
        ...

    async def revive(self, queue: str, keys: Sequence[str]) -> int:
        """Send dead letters back, tries forgotten; returns how many."""
        ...

    async def depth(self, queue: str) -> tuple[int, int, int]:
        """(waiting, leased, dead). A lapsed lease counts as waiting."""
        ...

    async def close(self) -> None: ...
