"""The indexer: follows the feed of texts, and makes what it says searchable. One at a time, by the lease ``index``.

What is committed carries the position in the feed, so that after a crash the next one goes on from there; adding a paper
again replaces it. Jobs are not needed: what is pending is read from the texts by sequence.
"""

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

from kiebitz.deploy.backends import Backend
from kiebitz.errors import HomeCorrupt, Locked, NotFound, StaleLease
from kiebitz.model.hit import PageText, Paper
from kiebitz.model.text import Text, TextState
from kiebitz.model.text_record import TextEntry, TextRecord, unpacked
from kiebitz.ports.index import Index
from kiebitz.ports.leases import Lease
from kiebitz.standards.media_type import essence, extension
from kiebitz.standards.url import host_of

LEASE = "index"
LEASE_SECONDS = 15.0
POLL_SECONDS = 0.5
COMMIT_SECONDS = 0.5  # a text is found within a second
COMMIT_PAPERS = 2_000
COMMIT_CHARACTERS = 64_000_000
BATCH = 64
MOST_METADATA = 30
LONGEST_VALUE = 300

Opener = Callable[[Lease | None], Index]  # without a lease, only to read
Seen = Callable[[Sequence[Paper], int], Awaitable[object]]  # papers, and the position that is reached with them


@asynccontextmanager
async def writing(backend: Backend, *, patience: float = 0.0) -> AsyncIterator[Lease]:
    """The lease of the one writer. Raises Locked if another process keeps it for longer than the patience lasts."""
    holder = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
    lease = await _taken(backend, holder, backend.clock.monotonic() + patience)
    try:
        async with asyncio.TaskGroup() as group:
            renewing = group.create_task(_renewing(backend, lease))
            yield lease
            renewing.cancel()
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from failures
    finally:
        await backend.state.leases.release(lease)


async def _taken(backend: Backend, holder: str, until: float) -> Lease:
    while True:
        try:
            return await backend.state.leases.take(LEASE, holder, seconds=LEASE_SECONDS)
        except Locked as error:
            if backend.clock.monotonic() >= until:
                raise Locked(str(error), hint="another process indexes: wait for it, or stop it") from None
        await backend.clock.sleep(POLL_SECONDS)


async def _renewing(backend: Backend, lease: Lease) -> None:
    """A lease that is lost ends the work: somebody else writes now."""
    while True:
        await asyncio.sleep(LEASE_SECONDS / 3)
        await backend.state.leases.renew(lease, seconds=LEASE_SECONDS)


class Pending(NamedTuple):
    """What was given to the index and is not committed."""

    papers: int = 0
    characters: int = 0
    since: float = 0.0

    def is_due(self, now: float) -> bool:
        full = self.papers >= COMMIT_PAPERS or self.characters >= COMMIT_CHARACTERS
        return bool(self.papers) and (full or now - self.since >= COMMIT_SECONDS)


class Indexer:
    """``finished``: nothing more comes, so it ends when everything is committed. ``wake``: look at once.

    ``seen`` is told every batch before it is committed; after a crash, perhaps again.
    """

    def __init__(
        self,
        backend: Backend,
        opener: Opener,
        finished: asyncio.Event,
        wake: asyncio.Event,
        *,
        seen: Seen | None = None,
    ) -> None:
        self.papers = 0  # committed
        self._backend = backend
        self._texts = backend.state.texts
        self._opener = opener
        self._finished = finished
        self._wake = wake
        self._seen = seen
        self._names: dict[str, str] = {}
        self._pending = Pending()

    async def index(self) -> None:
        """Until everything is indexed, by us or by another process that holds the lease."""
        while not await self._tried():
            await self._backend.clock.sleep(POLL_SECONDS)

    async def _tried(self) -> bool:
        """False if it is another process's turn, or has become so: then we look again in a moment."""
        try:
            async with writing(self._backend) as lease:
                await self.write(self._opener(lease))
        except Locked:
            return self._finished.is_set() and await self._is_indexed()
        except StaleLease:
            return False
        return True

    async def _is_indexed(self) -> bool:
        index = self._opener(None)
        try:
            return await index.position() >= await self._texts.last()
        finally:
            await index.close()

    async def write(self, index: Index) -> None:
        """The feed, from where the index stands. Closes it."""
        self._pending = Pending()
        try:
            await self._follow(index, await self._begin(index))
        finally:
            await index.close()

    async def _begin(self, index: Index) -> int:
        position, last = await index.position(), await self._texts.last()
        if position > last:
            raise HomeCorrupt(
                f"the index has read {position} texts, and there are {last}: they are not of one home",
                hint="run kiebitz index rebuild",
            )
        return position

    async def _follow(self, index: Index, position: int) -> None:
        while True:
            ending = self._finished.is_set()  # asked before the feed, so that nothing slips in between
            self._wake.clear()
            entries = await self._texts.after(position, limit=BATCH)
            if entries:
                await self._give(index, entries)
                position = entries[-1].sequence
            if self._pending.is_due(self._now()) or (self._pending.papers and not entries and ending):
                await index.commit(position)
                self.papers += self._pending.papers
                self._pending = Pending()
            if not entries:
                if ending and not self._pending.papers:
                    return
                await self._rest()

    async def _give(self, index: Index, entries: Sequence[TextEntry]) -> None:
        names = {entry.record.source: await self._name(entry.record.source) for entry in entries if entry.record}
        papers = await asyncio.to_thread(_papers, entries, names)
        gone = [entry.id for entry in entries if entry.record is None]
        if papers:
            await index.add(papers)
        if gone:
            await index.delete(gone)
        if self._seen:
            await self._seen(papers, entries[-1].sequence)
        characters = sum(len(page.text) for paper in papers for page in paper.pages)
        before = self._pending
        self._pending = Pending(
            before.papers + len(entries), before.characters + characters, before.since or self._now()
        )

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(COMMIT_SECONDS / 5 if self._pending.papers else POLL_SECONDS):
                await self._wake.wait()

    async def _name(self, source: str) -> str:
        """What people call a source; of a plain crawl, its host."""
        if source not in self._names:
            try:
                self._names[source] = (await self._backend.state.sources.get(source)).name
            except NotFound:
                self._names[source] = source
        return self._names[source]

    def _now(self) -> float:
        return self._backend.clock.monotonic()


def _papers(entries: Sequence[TextEntry], names: dict[str, str]) -> list[Paper]:
    return [paper_of(entry.record, names[entry.record.source]) for entry in entries if entry.record]


def paper_of(record: TextRecord, source: str) -> Paper:
    """What could not be read is found by its title and address all the same, and says what it is."""
    text = _text(record)
    facts = (("state", record.state.value), ("pages", str(record.pages or "")), ("scanned", str(record.scanned or "")))
    told = [(name, value[:LONGEST_VALUE]) for name, value in text.metadata[:MOST_METADATA]]
    return Paper(
        id=record.id,
        url=record.url,
        title=record.title,
        pages=pages_of(text),
        description=text.description,
        keywords=text.keywords,
        headings=text.headings,
        domain=host_of(record.url).removeprefix("www."),
        source=source,
        kind=record.kind,
        language=record.language,
        type=extension(essence(record.content_type)).removeprefix("."),
        published=record.published,
        crawled_at=record.crawled_at,
        metadata=(*(fact for fact in facts if fact[1]), *told),
        cluster=record.cluster,
    )


def pages_of(text: Text) -> tuple[PageText, ...]:
    pages: dict[int, list[str]] = {}
    for line in text.lines:
        pages.setdefault(line.page, []).append(line.text)
    return tuple(PageText(number, "\n".join(lines)) for number, lines in sorted(pages.items()))


def _text(record: TextRecord) -> Text:
    try:
        return unpacked(record.content)
    except ValueError:  # one damaged text must not stop the feed
        return Text(TextState.DAMAGED)
