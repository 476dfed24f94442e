"""Run sources: look at each, take the documents that are new, and note how it went."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from kiebitz.crawl.collector import MAX_DEPTH, Collector, Holdings
from kiebitz.crawl.onlooker import Onlooker
from kiebitz.crawl.worker import Ending
from kiebitz.deploy.backends import Backend
from kiebitz.deploy.conclusion import Conclusion, conclude
from kiebitz.deploy.crawling import Crawling, Errand, Result, Watch, run_of
from kiebitz.deploy.exporting import each_document
from kiebitz.model.document import Document, document_id
from kiebitz.model.request import RequestQuery, RequestRecord, State
from kiebitz.model.run import Plan, Run, Scope
from kiebitz.model.sight import Change
from kiebitz.model.source import Focus, Look, Source
from kiebitz.settings import Settings
from kiebitz.watch.coverage import newest
from kiebitz.watch.dated import newest_dated
from kiebitz.watch.forecast import forecast_of

DEPTH_OF_PAGES = 3
PAGES = 10_000
LOOKED_AT_AGAIN = 3


class Watched(NamedTuple):
    """``state``: what is new, or why nothing could be taken. ``new``: documents that are new or changed."""

    source: Source
    result: Result
    new: int
    state: str
    error: str = ""
    change: Change | None = None


def plan_of(source: Source, settings: Settings) -> Plan:
    delay = settings.delay if source.politeness.delay is None else source.politeness.delay
    pages = source.focus is Focus.PAGES
    return Plan(
        seeds=source.entry_urls,
        scope=Scope.HOST if pages else Scope.ANY,  # documents often lie elsewhere; the collector keeps pages at home
        depth=DEPTH_OF_PAGES if pages else MAX_DEPTH + 1,
        max_pages=source.budget,
        max_per_host=source.politeness.max_per_run,
        delay=delay,
        source=source.id,
    )


class Watching:
    """Several sources at once: their hosts are visited side by side."""

    def __init__(self, backend: Backend, settings: Settings, sources: Sequence[Source]) -> None:
        self._backend = backend
        self._settings = settings
        self._sources = sources

    async def run(self, watch: Watch, started: Callable[[Crawling], None]) -> list[Watched]:
        errands = [await self._errand(source) for source in self._sources]
        crawling = Crawling(self._backend, self._settings, errands, watch)
        started(crawling)
        results = await crawling.crawl()
        return [await self._note(*each) for each in zip(self._sources, results, strict=True)]

    async def _errand(self, source: Source) -> Errand:
        plan = plan_of(source, self._settings)
        run, is_new = await run_of(self._backend, plan, again=True, source=source.id)
        errand = Errand(run)
        if source.focus is Focus.PAGES:
            errand.context.collector = Onlooker(errand.context.reader)
        else:
            errand.context.collector = await self._collector(source, run, resumed=not is_new)
        return errand

    async def _collector(self, source: Source, run: Run, *, resumed: bool) -> Collector:
        sightings = self._backend.state.sightings
        held = [document async for document in each_document(self._backend, source.id)]
        before = await sightings.current(source.id)
        labels = {item.key: item.mark for item in before.items if item.kind == "document"} if before else {}
        collector = Collector(
            source,
            Holdings(frozenset(each.id for each in held), await self._checked(held), labels),
            lambda: self._backend.clock.utc().date(),
        )
        if resumed:
            collector.remember(await sightings.pages(source.id, run=run.id, limit=PAGES))
        return collector

    async def _checked(self, held: Sequence[Document]) -> frozenset[str]:
        """The newest ones whose server can say, without sending them again, whether they are as they were."""
        checked = []
        for document in newest(newest_dated(held), LOOKED_AT_AGAIN):
            rows = await self._backend.state.frontier.read(RequestQuery(url=document.url))
            if any(_tells(row) and document_id(row.url) == document.id for _, row in rows):
                checked.append(document.id)
        return frozenset(checked)

    async def _note(self, source: Source, result: Result) -> Watched:
        if result.ending is Ending.STOPPED:
            return Watched(source, result, result.counts.documents, "stopped")
        found = await conclude(self._backend, source, result.run)
        retry_at = await self._retry_at(result) if result.ending is Ending.WAITING else None
        source = await self._backend.state.sources.note(source.id, self._look(source, found, retry_at))
        return Watched(source, result, found.new, found.state, found.error, found.change)

    async def _retry_at(self, result: Result) -> datetime | None:
        query = RequestQuery(run=result.run.id, states=(State.DEFERRED,))
        rows = await self._backend.state.frontier.read(query)
        return datetime.fromtimestamp(min(row.next_at for _, row in rows), UTC) if rows else None

    def _look(self, source: Source, found: Conclusion, retry_at: datetime | None) -> Look:
        """Also says when to look next, which the schedule ``auto`` asks for."""
        now = self._backend.clock.utc()
        forecast = forecast_of(found.documents, source.looks if found.error else (*source.looks, now), now)
        return Look(now, bool(found.new or found.change), found.error, forecast.at, forecast.why, retry_at)


def _tells(row: RequestRecord) -> bool:
    """A server that sent the same again although it was told what we have does not honour its own validators."""
    return bool(row.etag or row.modified) and not (row.state is State.UNCHANGED and row.status == 200)
