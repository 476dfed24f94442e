"""A desk to try a frontier at: its clock, its calls as plain functions, and the small words the tests are written in."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from kiebitz.adapters.memory.clock import ManualClock
from kiebitz.adapters.memory.frontier import MemoryFrontier
from kiebitz.adapters.sqlite.frontier import SqliteFrontier
from kiebitz.model.request import Due, Link, Outcome, RequestQuery, RequestRecord, State, request_key
from kiebitz.model.run import Counts
from kiebitz.model.visit import Activate, BundleMark, Control, Grant, Settlement, Visit
from kiebitz.ports.frontier import Frontier

T = TypeVar("T")
Opener = Callable[[Path, ManualClock, int], Frontier]

PER_ADDRESS = 2


def memory(_folder: Path, clock: ManualClock, per_address: int = PER_ADDRESS) -> Frontier:
    return MemoryFrontier(clock, per_address)


def sqlite(folder: Path, clock: ManualClock, per_address: int = PER_ADDRESS) -> Frontier:
    return SqliteFrontier(folder / "frontier.db", clock, per_address)


ADAPTERS: tuple[Opener, ...] = (memory, sqlite)


class Desk:
    def __init__(self, frontier: Frontier, clock: ManualClock, runner: asyncio.Runner) -> None:
        self.frontier = frontier
        self.clock = clock
        self._runner = runner

    def do(self, call: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(call)

    @property
    def now(self) -> float:
        return self.clock.now()

    def add(self, run: str, *links: str | Link, depth: int = 0, parent: str = "") -> int:
        given = [link(each) if isinstance(each, str) else each for each in links]
        return self.do(self.frontier.add(run, given, depth=depth, parent=parent))

    def start(self, run: str, *links: str | Link, max_pages: int = 0, max_per_host: int = 0) -> int:
        self.control(run, Activate(max_pages, max_per_host))
        return self.add(run, *links)

    def control(self, run: str, command: Control) -> int:
        return self.do(self.frontier.control(run, command))

    def lease(
        self, *runs: str, holder: str = "worker", hosts: int = 10, batch: int = 10, seconds: float = 60.0
    ) -> Grant:
        return self.do(self.frontier.lease(runs, holder, hosts=hosts, batch=batch, seconds=seconds))

    def visit(self, *runs: str, holder: str = "worker", batch: int = 10, seconds: float = 60.0) -> Visit:
        (visit,) = self.lease(*runs, holder=holder, hosts=1, batch=batch, seconds=seconds).visits
        return visit

    def hosts(self, *runs: str, holder: str = "another worker", hosts: int = 10) -> list[str]:
        """Lease what can be leased, and say which hosts that were."""
        return [visit.host for visit in self.lease(*runs, holder=holder, hosts=hosts).visits]

    def renew(self, *visits: Visit, seconds: float = 60.0) -> list[Visit]:
        return self.do(self.frontier.renew(visits, seconds=seconds))

    def settle(self, *settlements: Settlement, mark: BundleMark | None = None) -> None:
        self.do(self.frontier.settle(settlements, mark))

    def finish(self, visit: Visit, state: State = State.DONE, **fields: Any) -> None:
        """Settle a visit, with the same outcome for each of its requests."""
        self.settle(settled(visit, *[outcome(due, state, self.now) for due in visit.requests], **fields))

    def abandon(self, holder: str) -> int:
        return self.do(self.frontier.abandon(holder))

    def counts(self, run: str) -> Counts:
        return self.do(self.frontier.counts(run))

    def read(self, **query: Any) -> list[tuple[tuple[str, int], RequestRecord]]:
        return self.do(self.frontier.read(RequestQuery(**query)))

    def row(self, url: str, body: bytes | None = None) -> RequestRecord:
        key = request_key(url, body)
        (row,) = [record for (host, each), record in self.read() if (host, each) == (host_of(url), key)]
        return row

    def states(self, **query: Any) -> dict[str, State]:
        return {record.url: record.state for _, record in self.read(**query)}

    def everything(self, *runs: str) -> tuple[object, ...]:
        """All that can be read: what must not change when a call is refused, nor be lost when a file is reopened."""
        rows = self.read()
        captures = [self.do(self.frontier.captures(host, key)) for (host, key), _ in rows]
        return rows, captures, [self.counts(run) for run in runs], self.do(self.frontier.marks())


@contextmanager
def desk_for(opener: Opener, folder: Path, per_address: int = PER_ADDRESS) -> Iterator[Desk]:
    clock = ManualClock()
    with asyncio.Runner() as runner:
        desk = Desk(opener(folder, clock, per_address), clock, runner)
        try:
            yield desk
        finally:
            desk.do(desk.frontier.close())


def host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


def link(url: str, text: str = "", body: bytes | None = None, reason: str = "") -> Link:
    return (host_of(url), url, text, body, reason)


def outcome(due: Due, state: State, at: float, **fields: Any) -> Outcome:
    return Outcome(due.key, state, at, **{"tries": due.tries + 1, **fields})


def settled(visit: Visit, *outcomes: Outcome, **fields: Any) -> Settlement:
    return Settlement(visit.host, visit.run, visit.token, list(outcomes), **fields)


def urls(visit: Visit) -> list[str]:
    return [due.url for due in visit.requests]
