"""The machine's clock."""

import asyncio
import time
from datetime import UTC, datetime


class SystemClock:
    def now(self) -> float:
        return time.time()

    def utc(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
