"""Run sources: look at each, take the documents that are new, and note how it went."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kiebitz.crawl.collector import MAX_DEPTH, Collector
from kiebitz.crawl.worker import Ending
from kiebitz.deploy.backends import Backend
from kiebitz.deploy.crawling import Crawling, Errand, Result, Watch, run_of
from kiebitz.deploy.exporting import each_document
from kiebitz.model.request import RequestQuery, State
from kiebitz.model.run import Plan, Scope
from kiebitz.model.source import Focus, Look, Source
from kiebitz.settings import Settings

DEPTH_OF_PAGES = 3


class Watched(NamedTuple):
    """``state``: documents, nothing new, or why nothing could be taken. ``new``: documents that are new or changed."""

    source: Source
    result: Result
    new: int
    state: str


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
        watched = []
        for source, errand, result in zip(self._sources, errands, results, strict=True):
            watched.append(await self._note(source, errand, result))
        return watched

    async def _errand(self, source: Source) -> Errand:
        plan = plan_of(source, self._settings)
        run, _ = await run_of(self._backend, plan, again=True, source=source.id)
        if source.focus is Focus.PAGES:
            return Errand(run)
        held = frozenset([document.id async for document in each_document(self._backend, source.id)])
        return Errand(run, Collector(source, held, lambda: self._backend.clock.utc().date()))

    async def _note(self, source: Source, errand: Errand, result: Result) -> Watched:
        new = result.counts.documents
        error = await self._error(source, errand, result)
        looked = result.ending is not Ending.STOPPED
        if looked:
            look = Look(self._backend.clock.utc(), changed=bool(new), error=error)
            source = await self._backend.state.sources.note(source.id, look)
        state = error or (f"{new} new" if new else "nothing new") if looked else "stopped"
        return Watched(source, result, new, state)

    async def _error(self, source: Source, errand: Errand, result: Result) -> str:
        """Why the source yields nothing, in a few words; "" if all is well."""
        for url in source.entry_urls:
            rows = await self._backend.state.frontier.read(RequestQuery(run=result.run.id, url=url))
            if rows and rows[0][1].state in (State.FAILED, State.SKIPPED, State.DEFERRED):
                return f"{url}: {rows[0][1].reason}"
        collector = errand.context.collector
        if collector is None or not collector.findings:
            return ""
        if any(found.documents for found in collector.findings.values()):
            return ""
        first = next(iter(collector.findings.values()))
        return f"{first.state}: {first.reason}"
