"""The clock: what time it is, and waiting."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Wall-clock seconds since 1970; may jump."""
        ...

    def utc(self) -> datetime:
        """The same moment as an aware datetime."""
        ...

    def monotonic(self) -> float:
        """Seconds that never jump, for measuring and for deadlines."""
        ...

    async def sleep(self, seconds: float) -> None: ...
