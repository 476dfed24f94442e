"""The commit of a batch: page bytes durable, then document rows, sights and jobs, then the settle.

In this order a crash at any point loses nothing: bytes that no settle refers to are cut off, rows and jobs are
idempotent by content, and what was not settled is fetched again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from kiebitz.crawl.visit import Sheet
from kiebitz.errors import StaleLease
from kiebitz.model.document import Document
from kiebitz.model.job import Job
from kiebitz.model.request import Capture
from kiebitz.model.visit import BundleMark, Token
from kiebitz.ports.archive import Archive
from kiebitz.ports.documents import Documents
from kiebitz.ports.frontier import Frontier
from kiebitz.ports.jobs import Jobs

if TYPE_CHECKING:  # of sources only
    from kiebitz.ports.sightings import Sightings

EXTRACT = "extract"


class Committer:
    """``jobs`` and ``sightings`` open their stores: a crawl without documents, or without a source, never needs them."""

    def __init__(
        self,
        archive: Archive,
        documents: Documents,
        sightings: Callable[[], Sightings],
        jobs: Callable[[], Jobs],
        frontier: Frontier,
    ) -> None:
        self._archive = archive
        self._documents = documents
        self._sightings = sightings
        self._jobs = jobs
        self._frontier = frontier

    async def commit(self, sheets: list[Sheet]) -> frozenset[Token]:
        """Make the sheets durable; returns the tokens whose lease was lost, of which nothing was recorded."""
        lost: set[Token] = set()
        while sheets:
            mark = await self._store(sheets)
            await self._record([document for sheet in sheets for document in sheet.documents])
            for sheet in sheets:
                if sheet.sights:
                    await self._sightings().record(sheet.source, sheet.sights)
            try:
                await self._frontier.settle([sheet.settlement for sheet in sheets], mark)
            except StaleLease as error:
                stale = {sheet.settlement.token for sheet in sheets} & error.tokens
                lost |= stale
                sheets = [sheet for sheet in sheets if sheet.settlement.token not in stale]
                continue
            if mark:
                self._archive.settled(mark)
            break
        return frozenset(lost)

    async def _store(self, sheets: list[Sheet]) -> BundleMark | None:
        records = [record for sheet in sheets for record in sheet.records]
        if not records:
            return None
        mark, places = await self._archive.append([data for _, data in records])
        for (outcome, _), place in zip(records, places, strict=True):
            outcome.capture = Capture(outcome.at, *place)
        return mark

    async def _record(self, documents: list[Document]) -> None:
        if not documents:
            return
        await self._documents.record(documents)
        await self._jobs().put([_extract(document) for document in documents])


def _extract(document: Document) -> Job:
    payload = {"document": document.id, "sha256": document.sha256, "content_type": document.content_type}
    return Job(EXTRACT, f"{document.id}:{document.sha256}", json.dumps(payload))
