"""A web of a few pages, and a worker's kit in memory: the test owns the answers, the names and the time."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from itertools import pairwise
from typing import Any, TypeVar

from kiebitz.adapters.memory.archive import MemoryArchive
from kiebitz.adapters.memory.blobs import MemoryBlobs
from kiebitz.adapters.memory.clock import ManualClock
from kiebitz.adapters.memory.documents import MemoryDocuments
from kiebitz.adapters.memory.fetcher import TableFetcher, answer
from kiebitz.adapters.memory.frontier import MemoryFrontier
from kiebitz.adapters.memory.jobs import MemoryJobs
from kiebitz.adapters.memory.resolver import TableResolver
from kiebitz.adapters.memory.sightings import MemorySightings
from kiebitz.crawl.commit import Committer
from kiebitz.crawl.gate import Gates
from kiebitz.crawl.kit import Addresses, Kit, RunContext
from kiebitz.crawl.policy import Policy
from kiebitz.crawl.traps import TrapRules
from kiebitz.crawl.visit import HostVisit
from kiebitz.crawl.worker import Worker
from kiebitz.model.request import Capture, RequestQuery, RequestRecord, request_key
from kiebitz.model.response import Call, Response
from kiebitz.model.run import Plan, Run, RunState, Scope
from kiebitz.model.visit import Activate
from kiebitz.standards.url import canonical, host_of, origin_of

T = TypeVar("T")
Reply = Callable[[Call], Response | Exception]

HOME = "https://stadt.example/"
HOLDER = "anna"
TURNS = 12  # of the event loop, after which nobody can go on without time


def reply(content: str | bytes = b"", status: int = 200, **fields: str) -> Reply:
    """An answer with these header fields: ``retry_after="120"``."""
    body = content.encode() if isinstance(content, str) else content
    headers = tuple((name.replace("_", "-").title(), value) for name, value in fields.items())
    return lambda call: answer(call.url, body, status=status, headers=headers)


def redirect(target: str, status: int = 301) -> Reply:
    return reply(status=status, location=target)


def links(*hrefs: str) -> str:
    """A page of links."""
    return "<!doctype html>" + "".join(f'<p><a href="{href}">To {href}</a>' for href in hrefs)


class Wire(TableFetcher):
    """Notes when each exchange began, and how many were under way at once; each takes ``seconds``, some take longer."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self.clock = clock
        self.seconds = 0.0
        self.longer: dict[str, float] = {}
        self.begun: list[tuple[str, float]] = []
        self.under_way = 0
        self.most = 0

    async def fetch(self, call: Call) -> Response:
        self.begun.append((call.url, self.clock.now()))
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await self.clock.sleep(self.longer.get(call.url, self.seconds))
            return await super().fetch(call)
        finally:
            self.under_way -= 1


class SmallWeb:
    def __init__(self, policy: Policy | None = None, per_address: int = 8) -> None:
        self.policy = policy or Policy()
        self.clock = ManualClock()
        self.wire = Wire(self.clock)
        self.names = TableResolver()
        self.blobs = MemoryBlobs()
        self.documents = MemoryDocuments()
        self.sightings = MemorySightings()
        self.jobs = MemoryJobs(self.clock)
        self.frontier = MemoryFrontier(self.clock, per_address)
        self.archive = MemoryArchive(HOLDER, self.blobs, self.frontier, self.clock)
        self.contexts: dict[str, RunContext] = {}
        self.kit = Kit(
            policy=self.policy,
            clock=self.clock,
            fetcher=self.wire,
            resolver=self.names,
            blobs=self.blobs,
            documents=self.documents,
            sightings=lambda: self.sightings,
            archive=self.archive,
            frontier=self.frontier,
            gates=Gates(self.wire, self.clock, self.policy.agent, self.policy.limits),
            addresses=Addresses(per_address),
            rng=random.Random(4711),
            progress=lambda _url, _state, _reason: None,
        )

    # ------------------------------------------------------------------ the web

    def serve(self, url: str, *answers: str | Reply | Exception, address: str = "") -> None:
        """Answer with these in turn, of which the last one stays; a text is a page. Without more, robots.txt is missing."""
        waiting = [reply(each) if isinstance(each, str) else each for each in answers]

        def in_turn(call: Call) -> Response | Exception:
            current = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            return current if isinstance(current, Exception) else current(call)

        self.wire.table[url] = in_turn
        self.wire.table.setdefault(origin_of(url) + "/robots.txt", reply(status=404))
        if host_of(url) not in self.names._table or address:
            self.names.set(host_of(url), address or f"192.0.2.{len(self.names._table) + 1}")

    def asked(self, *, robots: bool = False) -> list[str]:
        """What was fetched, in order."""
        return [url for url, _ in self.wire.begun if robots == url.endswith("/robots.txt")]

    def gaps(self) -> list[float]:
        """Seconds between one request and the next."""
        times = [at for _, at in self.wire.begun]
        return [later - earlier for earlier, later in pairwise(times)]

    # ------------------------------------------------------------------ the crawl

    async def begin(
        self, *seeds: str, run: str = "run", scope: Scope = Scope.HOST, depth: int = 3, delay: float = 1.0
    ) -> RunContext:
        plan = Plan(tuple(canonical(seed) for seed in seeds), scope, depth, max_pages=0, max_per_host=0, delay=delay)
        now = self.clock.utc()
        self.contexts[run] = RunContext(Run(run, plan, RunState.RUNNING, now, now), TrapRules())
        await self.frontier.control(run, Activate(plan.max_pages, plan.max_per_host))
        await self.frontier.add(run, [(host_of(url), url, "", None, "") for url in plan.seeds])
        return self.contexts[run]

    async def lease(self) -> HostVisit:
        """The next host that is due; time passes until there is one."""
        while True:
            grant = await self.frontier.lease(
                list(self.contexts), HOLDER, hosts=1, batch=self.policy.batch, seconds=self.policy.lease_seconds
            )
            if grant.visits:
                return HostVisit(grant.visits[0], self.contexts[grant.visits[0].run], self.kit)
            assert grant.wake_at is not None, "nothing waits"
            self.clock.advance(max(grant.wake_at - self.clock.now(), 1e-3))

    async def visit(self) -> HostVisit:
        """One visit, committed."""
        visit = await self.lease()
        await self.passing(visit.run())
        await self.commit(visit)
        return visit

    async def commit(self, visit: HostVisit) -> None:
        committer = Committer(self.archive, self.documents, lambda: self.sightings, lambda: self.jobs, self.frontier)
        await committer.commit([visit.take()])

    def worker(self) -> Worker:
        return Worker(self.kit, lambda: self.jobs, HOLDER, self.contexts)

    async def passing(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work; whenever nobody can go on, time passes until somebody wakes."""
        task = asyncio.ensure_future(work)
        try:
            while not task.done():
                for _ in range(TURNS):
                    await asyncio.sleep(0)
                sleepers = [at for at, _, sleeper in self.clock._sleepers if not sleeper.done()]
                if sleepers:
                    self.clock.advance(max(min(sleepers) - self.clock.now(), 1e-6))
                elif not task.done():
                    await asyncio.sleep(0.001)  # a thread is at work
            return task.result()
        finally:
            task.cancel()

    # ------------------------------------------------------------------ what became of it

    async def rows(self) -> dict[str, RequestRecord]:
        return {row.url: row for _, row in await self.frontier.read(RequestQuery())}

    async def states(self) -> dict[str, str]:
        """State and reason by URL: ``{"https://stadt.example/": "failed http 404"}``."""
        return {url: f"{row.state.label} {row.reason}".strip() for url, row in (await self.rows()).items()}

    async def captures(self, url: str) -> list[Capture]:
        return await self.frontier.captures(host_of(url), request_key(url))


def pages(number: int, home: str = HOME) -> list[str]:
    return [f"{home}{each}" for each in range(number)]


async def web_of(*urls: str, policy: Policy | None = None, delay: float = 1.0, per_address: int = 8) -> SmallWeb:
    """A web whose seeds are these pages."""
    web = SmallWeb(policy, per_address)
    for url in urls:
        web.serve(url, f"page {url}")
    await web.begin(*urls, delay=delay)
    return web


def rested(web: SmallWeb, visit: HostVisit) -> float:
    """How long the host is left alone after the visit."""
    return visit.ready_at - web.clock.now()
