"""Tell the owners of saved searches: make deliveries of what waits, send them, and try again what was not taken.

A delivery is claimed, sent, settled. Each lane holds one at a time, so a process that is killed repeats at most what its
lanes had sent and not settled, under the same ids.
"""

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from kiebitz.errors import DeliveryFailed, KiebitzError, StaleLease
from kiebitz.model.alert import AT_ONCE, ClaimedDelivery, SavedSearch
from kiebitz.model.announcement import Announcement
from kiebitz.ports.alerts import Alerts
from kiebitz.ports.clock import Clock
from kiebitz.ports.notifier import Notifier
from kiebitz.standards.cron import cron

POLL_SECONDS = 1.0
LONGEST_ERROR = 300


class SendingPace(NamedTuple):
    """``claim_seconds`` must be more than ``send_seconds``: nobody repeats what is being sent."""

    lanes: int = 4
    send_seconds: float = 60.0
    claim_seconds: float = 120.0
    retry_seconds: float = 10.0  # before the second try; twice as long before each later one
    longest_seconds: float = 6 * 3600.0
    max_tries: int = 16  # about two days


@dataclass(slots=True)
class Tally:
    sent: int = 0
    deferred: int = 0
    failed: int = 0


def due_at(search: SavedSearch, oldest: datetime) -> datetime:
    """When what waits is told: at once, or with the first digest after the oldest of it."""
    return oldest if search.schedule == AT_ONCE else cron(search.schedule).next_after(oldest)


class Sender:
    def __init__(self, alerts: Alerts, notifier: Notifier, clock: Clock, pace: SendingPace = SendingPace()) -> None:  # noqa: B008 -- immutable
        assert pace.claim_seconds > pace.send_seconds
        self._alerts = alerts
        self._notifier = notifier
        self._clock = clock
        self._pace = pace
        self._rng = random.Random()  # noqa: S311 -- jitter is no secret

    async def send_due(self) -> Tally:
        """Everything whose time has come, once."""
        tally = Tally()
        await self._alerts.bundle(self._clock.utc(), due_at)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._pace.lanes):
                    group.create_task(self._lane(tally))
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from failures
        return tally

    async def watch(self, stop: asyncio.Event) -> Tally:
        """Until it is stopped."""
        total = Tally()
        while not stop.is_set():
            done = await self.send_due()
            total = Tally(total.sent + done.sent, total.deferred + done.deferred, total.failed + done.failed)
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await stop.wait()
        return total

    async def _lane(self, tally: Tally) -> None:
        while True:
            now = self._clock.utc()
            errands = await self._alerts.claim(now, limit=1, until=now + timedelta(seconds=self._pace.claim_seconds))
            if not errands:
                return
            with suppress(StaleLease):  # we took too long, and somebody else has it now; or its search is gone
                await self._carry_out(errands[0], tally)

    async def _carry_out(self, errand: ClaimedDelivery, tally: Tally) -> None:
        delivery = errand.delivery
        if delivery.tries > self._pace.max_tries:  # it has ended a process each time
            await self._alerts.settle(errand.token, error=delivery.error or "tried too often")
            tally.failed += 1
            return
        announcement = Announcement(delivery.id, errand.search, errand.matches, delivery.created_at)
        try:
            async with asyncio.timeout(self._pace.send_seconds):
                await self._notifier.send(delivery.channel, announcement)
        except (KiebitzError, TimeoutError) as error:
            await self._settle_failure(errand, error, tally)
        else:
            await self._alerts.settle(errand.token)
            tally.sent += 1

    async def _settle_failure(self, errand: ClaimedDelivery, error: Exception, tally: Tally) -> None:
        tries = errand.delivery.tries
        retryable = error.retryable if isinstance(error, KiebitzError) else True
        words = f"{error}"[:LONGEST_ERROR] or "no answer in time"
        if not retryable or tries >= self._pace.max_tries:
            await self._alerts.settle(errand.token, error=words)
            tally.failed += 1
            return
        asked = error.wait if isinstance(error, DeliveryFailed) else 0.0
        backoff = min(self._pace.retry_seconds * 2 ** (tries - 1), self._pace.longest_seconds)
        seconds = max(asked, backoff * self._rng.uniform(0.8, 1.2))
        await self._alerts.settle(errand.token, error=words, next_at=self._clock.utc() + timedelta(seconds=seconds))
        tally.deferred += 1
