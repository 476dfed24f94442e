"""Events in memory."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from kiebitz.model.event import Event


class MemoryEvents:
    def __init__(self) -> None:
        self._events: list[Event] = []
        self._last = 0

    async def append(self, events: Sequence[Event]) -> int:
        new = [replace(event, id=self._last + position) for position, event in enumerate(events, 1)]
        self._events += new
        self._last += len(new)
        return self._last

    async def read(self, *, after: int = 0, limit: int = 1000, run: str = "") -> list[Event]:
        found = (event for event in self._events if event.id > after and (not run or event.run == run))
        return list(islice(found, limit))

    async def trim(self, keep: int) -> int:
        dropped = max(len(self._events) - max(keep, 0), 0)
        del self._events[:dropped]
        return dropped

    async def close(self) -> None:
        pass
