"""What every visit needs, passed to it: the outside world, the policy, and the run it works for."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiebitz.crawl.gate import Gates
from kiebitz.crawl.links import LinkReader
from kiebitz.crawl.policy import Policy
from kiebitz.crawl.scope import ScopeRules
from kiebitz.crawl.traps import TrapRules
from kiebitz.model.request import State
from kiebitz.model.run import Run
from kiebitz.ports.archive import Archive
from kiebitz.ports.blobs import Blobs
from kiebitz.ports.clock import Clock
from kiebitz.ports.documents import Documents
from kiebitz.ports.fetcher import Fetcher
from kiebitz.ports.frontier import Frontier
from kiebitz.ports.resolver import Resolver

if TYPE_CHECKING:  # a plain crawl collects every link and never needs them
    from kiebitz.crawl.collector import Collector
    from kiebitz.crawl.onlooker import Onlooker
    from kiebitz.ports.sightings import Sightings

Progress = Callable[[str, State, str], None]


class Addresses:
    """Visits under way per address, because many towns share one server."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._in_use: Counter[str] = Counter()

    @contextmanager
    def hold(self, address: str) -> Iterator[bool]:
        """True if there is room at the address, for as long as the block runs."""
        free = self._in_use[address] < self._limit
        self._in_use[address] += free
        try:
            yield free
        finally:
            self._in_use[address] -= free
            if not self._in_use[address]:
                del self._in_use[address]


@dataclass(slots=True)
class Kit:
    policy: Policy
    clock: Clock
    fetcher: Fetcher
    resolver: Resolver
    blobs: Blobs
    documents: Documents
    sightings: Callable[[], Sightings]
    archive: Archive
    frontier: Frontier
    gates: Gates
    addresses: Addresses
    rng: random.Random
    progress: Progress
    browser: Fetcher | None = None  # for pages that a script draws; begins nothing before it is asked

    async def close(self) -> None:
        """The ways out; what is stored belongs to the backend."""
        try:
            if self.browser is not None:
                await self.browser.close()
        finally:
            await self.fetcher.close()


class RunContext:
    """A run as its visits see it."""

    def __init__(self, run: Run, traps: TrapRules, collector: Collector | Onlooker | None = None) -> None:
        self.run = run
        self.collector = collector  # of a source's run: it decides which links are followed
        self.delay = run.plan.delay
        self.scope = ScopeRules(run.plan)
        self.reader = LinkReader(self.scope, traps)
