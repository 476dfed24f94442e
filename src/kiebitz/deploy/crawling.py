"""Crawl: find or begin the run, work on it, publish how it goes, and say how it ended."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from kiebitz.adapters.local.disk import translated
from kiebitz.adapters.local.presence import Presence
from kiebitz.crawl.kit import RunContext
from kiebitz.crawl.traps import TrapRules
from kiebitz.crawl.worker import Ending, Pulse, Worker
from kiebitz.deploy.backends import Backend
from kiebitz.deploy.outfit import outfit
from kiebitz.deploy.report import write_report
from kiebitz.errors import Locked
from kiebitz.model.event import Event
from kiebitz.model.request import Link, RequestQuery
from kiebitz.model.run import Counts, Plan, Run, RunState
from kiebitz.model.visit import Activate, Finish, Halt
from kiebitz.settings import Settings
from kiebitz.standards.url import host_of

if TYPE_CHECKING:
    from kiebitz.crawl.collector import Collector

PUBLISH_SECONDS = 1.0
WORKERS = "workers"
BEGIN_SECONDS = 10.0
HALTED = (RunState.STOPPED, RunState.PAUSED)
OPEN = (RunState.RUNNING, *HALTED)

Watch = Callable[[Run, Counts, Pulse], None]


class Result(NamedTuple):
    run: Run
    ending: Ending
    counts: Counts
    seconds: float
    cpu_seconds: float
    interrupted: bool = False  # by a signal to this process


async def run_of(backend: Backend, plan: Plan, *, again: bool, source: str = "") -> tuple[Run, bool]:
    """The run of this plan, and whether it is new: the unfinished one, else the finished one or, ``again``, a new one.

    Who asks at the same time gets the same run.
    """
    runs = backend.state.runs
    async with _alone(backend, f"plan:{plan.key}"):
        run = await runs.latest(plan_key=plan.key, states=OPEN) or await runs.latest(plan_key=plan.key)
        if run is not None and (run.state in OPEN or not again):
            return run, False
        run = await runs.create(plan, at=backend.clock.utc(), source=source)
    await _tell(backend, run, "run.created")
    return run, True


async def halt_run(backend: Backend, run: Run) -> Run:
    """Stop it: marked first, because to its workers a halted run that is not marked looks finished."""
    run = await backend.state.runs.mark(run.id, RunState.STOPPED, at=backend.clock.utc())
    await backend.state.frontier.control(run.id, Halt())
    return run


class Errand:
    """A run that this process works on."""

    def __init__(self, run: Run, collector: Collector | None = None) -> None:
        self.run = run
        self.context = RunContext(run, TrapRules(), collector)
        self.before = (run.seconds, run.cpu_seconds)  # what earlier processes spent on it


class Crawling:
    """One process's work on one run, or on several at once."""

    def __init__(self, backend: Backend, settings: Settings, errands: Sequence[Errand], watch: Watch) -> None:
        self._backend = backend
        self._settings = settings
        self._errands = errands
        self._watch = watch
        self._worker: Worker | None = None
        self._interrupted = False
        self._started = time.monotonic()

    def interrupt(self) -> None:
        self._interrupted = True
        if self._worker:
            self._worker.stop()

    async def crawl(self) -> list[Result]:
        runs = [errand.run.id for errand in self._errands]
        async with _present(self._backend, runs) as presence:
            kit = outfit(self._backend, self._settings, presence.holder)
            try:
                await self._recover(presence, kit.archive.recover)
                for errand in self._errands:
                    await self._open(errand)
                contexts = {errand.run.id: errand.context for errand in self._errands}
                self._worker = Worker(kit, lambda: self._backend.state.jobs, presence.holder, contexts)
                if self._interrupted:
                    self._worker.stop()
                async with asyncio.TaskGroup() as group:
                    publishing = group.create_task(self._publishing(self._worker))
                    ending = await self._worker.work()
                    publishing.cancel()
            except BaseExceptionGroup as failures:
                raise failures.exceptions[0] from failures
            finally:
                await kit.close()
        return [await self._close(errand, ending) for errand in self._errands]

    async def _recover(self, presence: Presence, recover: Callable[[str], Awaitable[None]]) -> None:
        for holder in presence.dead():
            await recover(holder)
            await self._backend.state.frontier.abandon(holder)

    async def _open(self, errand: Errand) -> None:
        """Also after a crash: seeds that the run owns are ignored, limits are set again."""
        run, state = errand.run, self._backend.state
        links: list[Link] = [(host_of(url), url, "", None, "") for url in run.plan.seeds]
        await state.frontier.control(run.id, Activate(run.plan.max_pages, run.plan.max_per_host))
        await state.frontier.add(run.id, links)
        if run.state is not RunState.RUNNING:
            errand.run = await state.runs.mark(run.id, RunState.RUNNING, at=self._backend.clock.utc())
        await self._widen(errand)
        await _tell(self._backend, run, "run.started")

    async def _widen(self, errand: Errand) -> None:
        """Seeds that were redirected before have widened the scope: follow them again."""
        for seed in errand.run.plan.seeds:
            url, hops = seed, 0
            while hops <= self._settings.max_redirects:
                rows = await self._backend.state.frontier.read(RequestQuery(url=url))
                if not rows or not rows[0][1].reason.startswith("redirect http"):
                    break
                url, hops = rows[0][1].reason.removeprefix("redirect "), hops + 1
                errand.context.scope.widen(host_of(url), url)

    async def _publishing(self, worker: Worker) -> None:
        while True:
            halted = 0
            for errand in self._errands:
                await self._publish(errand, worker.pulse)
                halted += (await self._backend.state.runs.get(errand.run.id)).state in HALTED
            if halted == len(self._errands):
                worker.stop()
            await asyncio.sleep(PUBLISH_SECONDS)

    async def _publish(self, errand: Errand, pulse: Pulse) -> Counts:
        counts = await self._backend.state.frontier.counts(errand.run.id)
        seconds, cpu = self._spent(errand)
        await self._backend.state.runs.publish(
            errand.run.id, counts, seconds=seconds, cpu_seconds=cpu, at=self._backend.clock.utc()
        )
        self._watch(errand.run, counts, pulse)
        return counts

    def _spent(self, errand: Errand) -> tuple[float, float]:
        """The process's start-up is part of the price, so its CPU counts from zero; several runs share it evenly."""
        seconds, cpu = errand.before
        share = time.process_time() / len(self._errands)
        return round(seconds + time.monotonic() - self._started, 3), round(cpu + share, 3)

    async def _close(self, errand: Errand, ending: Ending) -> Result:
        state, run = self._backend.state, errand.run
        now = await state.runs.get(run.id)
        if ending is Ending.WAITING and not (await state.frontier.counts(run.id)).open:
            ending = Ending.FINISHED  # others wait, this one does not
        if now.state in HALTED:
            ending = Ending.STOPPED  # by an operator, who had the frontier halt
        elif ending is Ending.FINISHED:
            await state.frontier.control(run.id, Finish("limit"))
            await write_report(self._backend, run.id)
            await state.runs.mark(run.id, RunState.FINISHED, at=self._backend.clock.utc())
        elif ending is Ending.STOPPED and run.id not in Presence.working(self._backend.folder / WORKERS):
            await state.runs.mark(run.id, RunState.STOPPED, at=self._backend.clock.utc())
        counts = await self._publish(errand, Pulse(0, 0))
        await _tell(self._backend, run, f"run.{ending}", asdict(counts))
        seconds, cpu = self._spent(errand)
        return Result(await state.runs.get(run.id), ending, counts, seconds, cpu, interrupted=self._interrupted)


@asynccontextmanager
async def _present(backend: Backend, runs: list[str]) -> AsyncIterator[Presence]:
    folder = backend.folder / WORKERS
    with translated(folder):
        presence = Presence(folder, runs)
    clean = False
    try:
        yield presence
        clean = True
    finally:
        presence.close(clean=clean)


@asynccontextmanager
async def _alone(backend: Backend, name: str) -> AsyncIterator[None]:
    """One at a time, across processes; the others wait."""
    holder = secrets.token_hex(6)
    while True:
        try:
            lease = await backend.state.leases.take(name, holder, seconds=BEGIN_SECONDS)
            break
        except Locked:
            await backend.clock.sleep(0.02)
    try:
        yield
    finally:
        await backend.state.leases.release(lease)


async def _tell(backend: Backend, run: Run, kind: str, data: dict[str, str | int | float | bool] | None = None) -> None:
    await backend.state.events.append([Event(kind, backend.clock.utc(), run.id, "", data)])
