"""What a run says of its source: what is new, gone or changed, and whether the watch still works.

A source that used to show documents and suddenly shows none is broken, never quietly empty. Its last good sight is kept then,
so that it stays broken until it is mended, and what has changed meanwhile is told at once.
"""

from datetime import datetime
from typing import NamedTuple

from kiebitz.deploy.backends import Backend
from kiebitz.deploy.exporting import each_document
from kiebitz.model.document import Document
from kiebitz.model.event import Event
from kiebitz.model.request import RequestQuery, RequestRecord, State
from kiebitz.model.run import Run
from kiebitz.model.sight import Change, Item, PageSight, Sight
from kiebitz.model.source import Source
from kiebitz.watch.alarm import alarm
from kiebitz.watch.fingerprint import difference, sight_of

PAGE = 200
ASKED = 20
GONE = ("http 404", "http 410")
UNREACHED = (State.FAILED, State.SKIPPED, State.DEFERRED)


class Conclusion(NamedTuple):
    """``error``: why the watch does not work, or ""; ``new``: contents that were downloaded for the first time."""

    error: str
    new: int
    change: Change | None
    documents: list[Document]

    @property
    def state(self) -> str:
        listed = f"the list has changed: {self.change.summary}" if self.change else "nothing new"
        return self.error or (f"{self.new} new" if self.new else listed)


async def conclude(backend: Backend, source: Source, run: Run) -> Conclusion:
    held = [document async for document in each_document(backend, source.id)]
    new = sum(version.downloaded_on >= run.created_at for document in held for version in document.versions)
    error, change = await _compared(backend, source, run, held)
    if error or change:
        await backend.state.events.append([_event(source, run, backend.clock.utc(), error, change)])
    return Conclusion(error, new, change, held)


async def _compared(backend: Backend, source: Source, run: Run, held: list[Document]) -> tuple[str, Change | None]:
    error = await _entry_error(backend, source, run)
    if error:
        return error, None
    sightings = backend.state.sightings
    before = await sightings.current(source.id)
    pages = await _pages(backend, source.id, run.id)
    if before and before.run != run.id:
        pages += await _carried(backend, source.id, run.id, before.run)
    now = sight_of(pages, run.id, backend.clock.utc(), before)
    error = alarm(before, now, pages) or await _nothing_had(backend, run, now, held)
    if error:
        return error, None
    change, now = difference(before, now)
    change = _with_replaced(change, before, now, [each for each in held if _is_replaced(each, run)])
    await sightings.conclude(source.id, now, change if before else None)
    return "", change if before else None


async def _entry_error(backend: Backend, source: Source, run: Run) -> str:
    """Why an entry page could not be had, in a few words."""
    for entry in source.entry_urls:
        url, passed = entry, set[str]()
        while (row := await _row(backend, run.id, url)) and row.reason.startswith("redirect http"):
            passed.add(url)
            url = row.reason.removeprefix("redirect ")
            if url in passed:
                return f"{entry}: redirect loop"
        if row is not None and row.state in UNREACHED:
            return f"{row.url}: {row.reason}"
    return ""


async def _nothing_had(backend: Backend, run: Run, now: Sight, held: list[Document]) -> str:
    """Documents are listed, and none of them could ever be had."""
    listed = [item for item in now.items if item.kind == "document"]
    if held or not listed:
        return ""
    rows = [row for item in listed[:ASKED] if (row := await _row(backend, run.id, item.url)) and row.state in UNREACHED]
    return f"{len(listed)} documents are listed, none could be had: {rows[0].url}: {rows[0].reason}" if rows else ""


async def _row(backend: Backend, run: str, url: str) -> RequestRecord | None:
    rows = await backend.state.frontier.read(RequestQuery(run=run, url=url))
    return rows[0][1] if rows else None


async def _pages(backend: Backend, source: str, run: str) -> list[PageSight]:
    found: list[PageSight] = []
    while True:
        page = await backend.state.sightings.pages(source, run=run, after=found[-1].page if found else "", limit=PAGE)
        found += page
        if len(page) < PAGE:
            return found


async def _carried(backend: Backend, source: str, run: str, before: str) -> list[PageSight]:
    """Pages that were there the last time and could not be reached now: what they showed is not gone."""
    missing = await _pages(backend, source, before)
    if not missing:
        return []
    trouble = await _had_trouble(backend, run)
    carried = [page for page in missing if _is_unreached(await _row(backend, run, page.url), trouble=trouble)]
    if carried:
        await backend.state.sightings.record(source, [page._replace(run=run) for page in carried])
    return carried


async def _had_trouble(backend: Backend, run: str) -> bool:
    """Was there something that the run could not reach, behind which more may lie?"""
    rows = await backend.state.frontier.read(RequestQuery(run=run, states=UNREACHED))
    return any(row.state is State.DEFERRED or row.reason == "limit" or _is_outage(row) for _, row in rows)


def _is_outage(row: RequestRecord) -> bool:
    return row.state is State.FAILED and not row.reason.startswith("http 4")


def _is_unreached(row: RequestRecord | None, *, trouble: bool) -> bool:
    if row is None:
        return trouble
    return row.state in UNREACHED and row.reason not in GONE


def _is_replaced(document: Document, run: Run) -> bool:
    return len(document.versions) > 1 and document.versions[-1].downloaded_on >= run.created_at


def _with_replaced(change: Change | None, before: Sight | None, now: Sight, replaced: list[Document]) -> Change | None:
    """Contents that changed under the same address and label are a change too."""
    told = {young.url for _, young in change.changed} if change else set()
    pairs = tuple(
        (_content_of(document, -2), _content_of(document, -1)) for document in replaced if document.url not in told
    )
    if not pairs:
        return change
    start = change or Change(
        now.run, now.at, before.at if before else None, before.fingerprint if before else "", now.fingerprint
    )
    return start._replace(changed=(*start.changed, *pairs))


def _content_of(document: Document, version: int) -> Item:
    content = document.versions[version]
    label = f"{document.link_text or document.url} (content {content.sha256[:8]}, {content.bytes:,} bytes)"
    return Item("document", document.id, document.url, label, content.sha256)


def _event(source: Source, run: Run, at: datetime, error: str, change: Change | None) -> Event:
    if error:
        return Event("source.broken", at, run.id, source.id, {"name": source.name, "error": error})
    assert change is not None
    counts = {"new": len(change.new), "gone": len(change.gone), "changed": len(change.changed)}
    return Event("source.changed", at, run.id, source.id, {"name": source.name, **counts})
