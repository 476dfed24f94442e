"""A notifier that keeps what it is told: tests own its failures."""

import asyncio
from collections.abc import Sequence

from kiebitz.errors import KiebitzError
from kiebitz.model.announcement import Announcement


class MemoryNotifier:
    """Implements the Notifier port. ``failures`` are raised first, one for each message."""

    def __init__(self, failures: Sequence[KiebitzError] = ()) -> None:
        self.told: list[tuple[str, Announcement]] = []
        self.failures = list(failures)

    def check(self, channel: str) -> None:
        """Everything is taken."""

    async def send(self, channel: str, announcement: Announcement) -> None:
        await asyncio.sleep(0)  # as on the wire, others run meanwhile
        if self.failures:
            raise self.failures.pop(0)
        self.told.append((channel, announcement))

    async def close(self) -> None:
        pass
