"""Events: what happened, in order."""

from collections.abc import Sequence
from typing import Protocol

from kiebitz.model.event import Event


class Events(Protocol):
    """An append-only log with growing ids. A reader that asks ``after`` its last id misses nothing and sees nothing
    twice, also while others append from other processes.
    """

    async def append(self, events: Sequence[Event]) -> int:
        """Store events in order, all or nothing; returns the last id."""
        ...

    async def read(self, *, after: int = 0, limit: int = 1000, run: str = "") -> list[Event]:
        """Events with an id above ``after``, in order; ``run`` narrows."""
        ...

    async def trim(self, keep: int) -> int:
        """Drop all but the newest ``keep``; ids are never used again. Returns how many were dropped."""
        ...

    async def close(self) -> None: ...
