"""The worker: leases hosts, interleaves their visits, commits what they bring. The one loop of every crawl.

It does not know on which backend it runs. One slow host stalls nobody, because every visit is a task of its own; one
commit serves all of them, because settling is cheap only in batches.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from kiebitz.crawl.commit import Committer
from kiebitz.crawl.kit import Kit, RunContext
from kiebitz.crawl.visit import HostVisit
from kiebitz.errors import KiebitzError
from kiebitz.model.request import State
from kiebitz.model.visit import Token
from kiebitz.ports.jobs import Jobs

POLL_SECONDS = 0.5
GRACE_SECONDS = 3.0


class Ending(StrEnum):
    FINISHED = "finished"  # nothing is left to do
    WAITING = "waiting"  # what is left is deferred for longer than the patience
    STOPPED = "stopped"  # somebody asked for it


@dataclass(slots=True)
class Pulse:
    """How the worker does right now."""

    hosts: int
    fetched: int


class Worker:
    def __init__(self, kit: Kit, jobs: Callable[[], Jobs], holder: str, contexts: dict[str, RunContext]) -> None:
        self._kit = kit
        self._frontier = kit.frontier
        self._holder = holder
        self._contexts = contexts
        self._committer = Committer(kit.archive, kit.documents, kit.sightings, jobs, kit.frontier)
        self._visits: dict[Token, HostVisit] = {}
        self._tasks: dict[Token, asyncio.Task[None]] = {}
        self._bell = asyncio.Event()
        self._committed_at = 0.0
        self._stopping = False
        self._contended = False  # what waits is in somebody else's hands, who may be done at any moment
        self.fetched = 0
        report = kit.progress

        def progress(url: str, state: State, reason: str) -> None:
            self.fetched += 1
            if self.fetched % kit.policy.commit_pages == 0:
                self._bell.set()
            report(url, state, reason)

        kit.progress = progress

    def stop(self) -> None:
        """Finish what is under way, commit it, and end."""
        self._stopping = True
        for visit in self._visits.values():
            visit.halted = True
        self._bell.set()

    @property
    def pulse(self) -> Pulse:
        return Pulse(sum(not visit.ended for visit in self._visits.values()), self.fetched)

    async def work(self) -> Ending:
        try:
            async with asyncio.TaskGroup() as group:
                renewal = group.create_task(self._renew())
                ending = await self._loop(group)
                renewal.cancel()
        except BaseExceptionGroup as failures:
            raise _first(failures) from failures
        await self._kit.archive.seal()
        await self._frontier.sync()
        return ending

    # ------------------------------------------------------------------ the loop

    async def _loop(self, group: asyncio.TaskGroup) -> Ending:
        wake_at: float | None = 0.0
        while True:
            if self._commit_is_due():
                wake_at = 0.0 if await self._commit() else wake_at
            if self._stopping:
                await self._drain()
                return Ending.STOPPED
            if wake_at is not None and wake_at <= self._kit.clock.now() and self._room():
                wake_at = await self._lease(group)
            if not self._visits:
                ending, wake_at = await self._idle(wake_at)
                if ending:
                    return ending
            await self._pause(self._kit.policy.commit_seconds)

    def _room(self) -> int:
        return self._kit.policy.hosts - len(self._visits)

    async def _lease(self, group: asyncio.TaskGroup) -> float | None:
        policy = self._kit.policy
        room = self._room()
        grant = await self._frontier.lease(
            list(self._contexts), self._holder, hosts=room, batch=policy.batch, seconds=policy.lease_seconds
        )
        for lease in grant.visits:
            visit = HostVisit(lease, self._contexts[lease.run], self._kit)
            visit.halted = self._stopping  # perhaps since we asked
            self._visits[lease.token] = visit
            self._tasks[lease.token] = group.create_task(self._travel(visit))
        self._contended = grant.contended
        return grant.wake_at

    async def _travel(self, visit: HostVisit) -> None:
        try:
            await visit.run()
        except KiebitzError:
            raise
        except Exception as error:  # noqa: BLE001 -- one page that breaks us must not stop the crawl
            visit.broke(error)
        finally:
            if not any(not other.ended for other in self._visits.values()):
                self._bell.set()

    async def _idle(self, wake_at: float | None) -> tuple[Ending | None, float | None]:
        """Nothing is under way: are we done, or is something due soon enough to wait for it?"""
        now = self._kit.clock.now()
        if wake_at is None:
            return Ending.FINISHED, None
        if wake_at <= now:
            return None, wake_at
        if self._contended:
            await self._pause(POLL_SECONDS)
            return None, 0.0
        if wake_at - now > self._kit.policy.patience:
            return Ending.WAITING, wake_at
        await self._pause(min(wake_at - now, POLL_SECONDS))
        return None, 0.0

    # ------------------------------------------------------------------ committing

    def _commit_is_due(self) -> bool:
        gathered = ended = 0
        for visit in self._visits.values():
            gathered += visit.gathered
            ended += visit.ended
        if not gathered and not ended:
            return False
        overdue = self._kit.clock.monotonic() - self._committed_at >= self._kit.policy.commit_seconds
        return overdue or gathered >= self._kit.policy.commit_pages or ended == len(self._visits)

    async def _commit(self) -> bool:
        """Commit what has gathered; True if a host may have become due."""
        self._committed_at = self._kit.clock.monotonic()
        ready = [visit for visit in self._visits.values() if visit.gathered or visit.ended]
        for visit in ready:
            if visit.ended:
                del self._visits[visit.lease.token]
                self._tasks.pop(visit.lease.token, None)
        sheets = [visit.take() for visit in ready]
        lost = await self._committer.commit(sheets)
        if lost:
            self._lose(lost)
        policy = self._kit.policy
        await self._kit.archive.roll(max_bytes=policy.bundle_bytes, max_seconds=policy.bundle_seconds)
        return any(not sheet.settlement.keep or sheet.settlement.found for sheet in sheets)

    def _lose(self, tokens: frozenset[Token]) -> None:
        for token in tokens & self._visits.keys():
            self._visits[token].halted = True
        for context in self._contexts.values():
            context.reader.forget()  # links of the lost visits were never recorded

    async def _drain(self) -> None:
        """Let visits end by themselves for a moment, then cut them off; what they had fetched is committed."""
        deadline = self._kit.clock.monotonic() + GRACE_SECONDS
        while any(not visit.ended for visit in self._visits.values()) and self._kit.clock.monotonic() < deadline:
            await self._pause(0.05)
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        if self._visits:
            await self._commit()

    async def _renew(self) -> None:
        seconds = self._kit.policy.lease_seconds
        while True:
            await self._kit.clock.sleep(seconds / 6)
            now = self._kit.clock.monotonic()
            short = [
                visit for visit in self._visits.values() if not visit.ended and visit.deadline < now + seconds * 0.9
            ]
            if not short:
                continue
            lost = {lease.token for lease in await self._frontier.renew([v.lease for v in short], seconds=seconds)}
            for visit in short:
                if visit.lease.token in lost:
                    visit.halted = True
                else:
                    visit.renewed(now + seconds)

    async def _pause(self, seconds: float) -> None:
        """Wait until somebody rings or the time is over."""
        self._bell.clear()
        either = [asyncio.ensure_future(wait) for wait in (self._bell.wait(), self._kit.clock.sleep(seconds))]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for waiting in either:
                waiting.cancel()


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error people should see: ours before anybody else's."""
    ours, _ = failures.split(KiebitzError)
    chosen: BaseException = ours or failures
    while isinstance(chosen, BaseExceptionGroup):
        chosen = chosen.exceptions[0]
    return chosen
