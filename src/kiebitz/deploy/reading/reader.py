"""The reader: takes extract jobs, reads documents and pages in the sandbox, and ends a job when its texts are durable.

Killed at any moment it loses nothing: leases lapse, the job comes back, and what was read already is not read again.
A document that cannot be read is no failure: its text has a state that says so. A job fails when its content cannot be
had; it is tried again later, and in the end becomes a dead letter that ``kiebitz index status`` shows.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from kiebitz.crawl.commit import EXTRACT
from kiebitz.deploy.backends import Backend
from kiebitz.deploy.reading.bundles import StoredPage, newest_of_each, offer_bundles, pages_of
from kiebitz.deploy.reading.ledger import Ledger
from kiebitz.deploy.reading.records import record_of_document, record_of_page
from kiebitz.errors import HomeCorrupt, HomeError, KiebitzError, NotFound, StaleLease
from kiebitz.extract.sandbox import Sandbox
from kiebitz.model.document import document_id, document_key
from kiebitz.model.job import LeasedJob
from kiebitz.model.request import RequestQuery
from kiebitz.model.response import Limits
from kiebitz.model.text import Text, TextState
from kiebitz.model.text_record import TextRecord
from kiebitz.standards.url import host_of

LEASE_SECONDS = 15.0
RETRY_SECONDS = 60.0
POLL_SECONDS = 0.5
LOOK_SECONDS = 15.0  # between two looks for sealed bundles
GRACE_SECONDS = 2.0  # for what is under way when it is interrupted
PAGES_AT_ONCE = 32
LAPSED = "lapsed"  # a dead letter of a reader that was killed says so
NOT_STARTED = "the reader could not be started"


@dataclass(slots=True)
class Figures:
    """What this reader has done so far."""

    texts: int = 0
    states: Counter[str] = field(default_factory=Counter)
    jobs: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Means:
    """What the reader works with: how many at once, and how much a stored page may unpack to."""

    workers: int
    limits: Limits
    most_bytes: int


class Reader:
    def __init__(self, backend: Backend, sandbox: Sandbox, means: Means, told: Callable[[], None]) -> None:
        self.figures = Figures()
        self._backend = backend
        self._jobs = backend.state.jobs
        self._texts = backend.state.texts
        self._sandbox = sandbox
        self._means = means
        self._told = told
        self._ledger = Ledger(self._texts, self._jobs, self._count)
        self._held: set[str] = set()  # tokens
        self._running: set[asyncio.Task[None]] = set()
        self._sources: dict[str, str] = {}  # by run
        self._stopping = asyncio.Event()
        self._since = ""
        self._looked_at = float("-inf")

    def stop(self) -> None:
        self._stopping.set()

    async def read(self, *, watch: bool = False) -> None:
        """Everything that waits; with ``watch`` also what comes, until it is stopped."""
        try:
            async with asyncio.TaskGroup() as group:
                keeping = [group.create_task(self._ledger.keep()), group.create_task(self._renewing())]
                await self._forgive()
                await self._serve(group, watch=watch)
                for task in (*keeping, *self._running):
                    task.cancel()
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from failures

    async def _serve(self, group: asyncio.TaskGroup, *, watch: bool) -> None:
        idle = False  # nobody had a job when we looked
        while not self._stopping.is_set():
            await self._look_for_bundles()
            if not await self._take(group) and not self._running and not watch:
                _, leased, _ = await self._jobs.depth(EXTRACT)  # by readers that live, or by one that was killed
                if idle and not leased:
                    return
                idle = not leased
                if idle:
                    continue  # once more: a lease may have lapsed since
            else:
                idle = False
            await self._pause()
        if self._running:
            await asyncio.wait(self._running, timeout=GRACE_SECONDS)

    async def _take(self, group: asyncio.TaskGroup) -> int:
        """Some jobs at a time, because each lease is a write."""
        room = 2 * self._means.workers - len(self._running)
        if room < self._means.workers:
            return 0
        taken = await self._jobs.lease(EXTRACT, limit=room, seconds=LEASE_SECONDS)
        for job in taken:
            self._held.add(job.token)
            task = group.create_task(self._work(job))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        return len(taken)

    async def _pause(self) -> None:
        """Until a job has ended, it is interrupted, or a moment has passed."""
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({stopping, *self._running}, timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()

    async def _look_for_bundles(self) -> None:
        now = self._backend.clock.monotonic()
        if now - self._looked_at >= LOOK_SECONDS:
            self._looked_at = now
            _, self._since = await offer_bundles(self._backend.blobs, self._jobs, since=self._since)

    async def _forgive(self) -> None:
        """Jobs that died with their readers get another chance: the sandbox keeps documents from being the cause."""
        dead = await self._jobs.dead(EXTRACT, limit=1000)
        await self._jobs.revive(EXTRACT, [each.job.key for each in dead if LAPSED in each.error])

    async def _renewing(self) -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            if self._held:
                await self._jobs.renew(EXTRACT, list(self._held), seconds=LEASE_SECONDS)

    async def _work(self, leased: LeasedJob) -> None:
        try:
            payload = json.loads(leased.job.payload)
            if "bundle" in payload:
                await self._bundle(str(payload["bundle"]), leased.token)
            else:
                await self._document(str(payload["document"]), str(payload["sha256"]), leased.token)
            self.figures.jobs += 1
        except KiebitzError as error:
            if isinstance(error, HomeError) and not isinstance(error, HomeCorrupt):
                raise  # no job can be done on a full or read-only disk
            lasting = isinstance(error, NotFound | HomeCorrupt)
            await self._fail(leased, f"{error.code}: {error}", lasting=lasting)
        except Exception as error:  # noqa: BLE001 -- the worker's loop: a defect costs one job, and is told
            await self._fail(leased, f"defect: {error!r}", lasting=False)
        finally:
            self._held.discard(leased.token)

    async def _fail(self, leased: LeasedJob, error: str, *, lasting: bool) -> None:
        self.figures.failed += 1
        retry_in = None if lasting else RETRY_SECONDS * 2 ** (leased.tries - 1)
        with suppress(StaleLease):
            await self._jobs.fail(EXTRACT, leased.token, error[:1000], retry_in=retry_in)

    async def _document(self, identity: str, sha256: str, token: str) -> None:
        document = await self._backend.state.documents.get(identity)
        version = document.versions[-1]
        known = (await self._texts.known([identity])).get(identity)
        done = known is not None and known.sha256 == sha256 and known.crawled_at >= version.downloaded_on
        if version.sha256 != sha256 or done:
            await self._ledger.add((), token)  # another job reads the newer content, or this one was killed too late
            return
        content = await self._backend.blobs.get(document_key(sha256))
        text = await self._text(content, version.content_type, document.url)
        record = await asyncio.to_thread(record_of_document, document, version, text)
        await self._ledger.add([record], token)

    async def _bundle(self, name: str, token: str) -> None:
        async for pages in pages_of(self._backend.blobs, name, self._means.limits, self._means.most_bytes):
            fresh = await self._fresh(newest_of_each(pages))
            for start in range(0, len(fresh), PAGES_AT_ONCE):
                batch = fresh[start : start + PAGES_AT_ONCE]
                await self._ledger.add(await asyncio.gather(*map(self._page, batch)))
        await self._ledger.add((), token)

    async def _fresh(self, pages: Sequence[StoredPage]) -> list[StoredPage]:
        """Without those of which this or a younger copy was read."""
        known = await self._texts.known([document_id(page.url) for page in pages])
        ids = ((page, known.get(document_id(page.url))) for page in pages)
        return [page for page, text in ids if text is None or text.crawled_at < page.at]

    async def _page(self, page: StoredPage) -> TextRecord:
        if page.fault:
            text = Text(TextState.DAMAGED, reason=page.fault)
        else:
            text = await self._text(page.content, page.content_type, page.url)
        source = await self._source(page.url)
        details = (page.url, source, page.content, page.content_type, page.at)
        return await asyncio.to_thread(record_of_page, *details, text)

    async def _text(self, content: bytes, content_type: str, url: str) -> Text:
        text = await self._sandbox.read(content, content_type, url)
        if text.state is TextState.CRASHED:  # perhaps of what the child had read before
            text = await self._sandbox.read(content, content_type, url)
        if text.state is TextState.CRASHED and text.reason == NOT_STARTED:
            raise KiebitzError("no child process can be started", hint="free some memory; kiebitz read tries again")
        return text

    async def _source(self, url: str) -> str:
        """The source whose run has the page; of a plain crawl, its host."""
        rows = await self._backend.state.frontier.read(RequestQuery(url=url, limit=1))
        run = rows[0][1].run if rows else ""
        if run and run not in self._sources:
            with suppress(NotFound):
                self._sources[run] = (await self._backend.state.runs.get(run)).source
        return self._sources.get(run) or host_of(url)

    def _count(self, records: Sequence[TextRecord]) -> None:
        self.figures.texts += len(records)
        self.figures.states.update(record.state.value for record in records)
        self._told()
