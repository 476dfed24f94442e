"""A clock one can move: tests own the time."""

import asyncio
import heapq
from datetime import UTC, datetime


class ManualClock:
    def __init__(self, start: float = 1_800_000_000.0) -> None:
        self._now = start
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = 0

    def now(self) -> float:
        return self._now

    def utc(self) -> datetime:
        return datetime.fromtimestamp(self._now, UTC)

    def monotonic(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        self._order += 1
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, self._order, woken))
        await woken

    def advance(self, seconds: float) -> None:
        """Move the time; whoever slept until then wakes at the next turn of the loop."""
        self._now += seconds
        while self._sleepers and self._sleepers[0][0] <= self._now:
            _, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():
                woken.set_result(None)
