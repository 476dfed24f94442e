"""Intake: what a crawl has stored is read and indexed, side by side, by one process."""

import asyncio
import os
from collections.abc import Callable
from typing import NamedTuple

from kiebitz.crawl.commit import EXTRACT
from kiebitz.deploy.backends import Backend
from kiebitz.deploy.indexing import Indexer, Opener, Seen
from kiebitz.deploy.outfit import policy_of
from kiebitz.deploy.reading.missing import unread_documents
from kiebitz.deploy.reading.reader import Means, Reader
from kiebitz.extract.sandbox import Sandbox
from kiebitz.settings import Settings

PUBLISH_SECONDS = 0.5
MOST_WORKERS = 16
RECORD_OVERHEAD = 1 << 20  # heads of a stored record


class Taken(NamedTuple):
    """How it goes, and in the end how it went. ``later``: jobs that wait, for a worker or for their next try."""

    jobs: int
    texts: int
    indexed: int
    states: dict[str, int]
    failed: int
    later: int
    dead: int
    interrupted: bool = False


Watch = Callable[[Taken], None]


class Taking:
    """One process's reading and indexing."""

    def __init__(
        self, backend: Backend, settings: Settings, opener: Opener, watch: Watch, *, seen: Seen | None = None
    ) -> None:
        policy = policy_of(settings)
        workers = min(MOST_WORKERS, _processors())
        self._backend = backend
        self._watch = watch
        self._sandbox = Sandbox(workers)
        self._finished = asyncio.Event()
        self._wake = asyncio.Event()
        means = Means(workers, policy.limits, policy.limits.max_bytes + RECORD_OVERHEAD)
        self._reader = Reader(backend, self._sandbox, means, self._wake.set)
        self._indexer = Indexer(backend, opener, self._finished, self._wake, seen=seen)
        self._interrupted = False

    def interrupt(self) -> None:
        self._interrupted = True
        self._reader.stop()

    async def take(self, *, follow: bool = False, search_missing: bool = True) -> Taken:
        """Everything that waits; with ``follow`` also what comes, until it is interrupted.

        ``search_missing``: look through all documents for those that no job speaks of.
        """
        try:
            async with self._sandbox, asyncio.TaskGroup() as group:
                publishing = group.create_task(self._publishing())
                indexing = group.create_task(self._indexer.index())
                await self._read(follow=follow, search_missing=search_missing)
                self._finished.set()
                self._wake.set()
                await indexing
                publishing.cancel()
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from failures
        return await self._taken()

    async def _read(self, *, follow: bool, search_missing: bool) -> None:
        await self._reader.read()
        if search_missing and not self._interrupted and await unread_documents(self._backend, offer=True):
            await self._reader.read()
        if follow and not self._interrupted:
            await self._reader.read(watch=True)

    async def _publishing(self) -> None:
        while True:
            self._watch(await self._taken())
            await asyncio.sleep(PUBLISH_SECONDS)

    async def _taken(self) -> Taken:
        waiting, leased, dead = await self._backend.state.jobs.depth(EXTRACT)
        figures = self._reader.figures
        return Taken(
            figures.jobs,
            figures.texts,
            self._indexer.papers,
            dict(figures.states),
            figures.failed,
            waiting + leased,
            dead,
            self._interrupted,
        )


def _processors() -> int:
    """Those this process may use, where the system says."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
