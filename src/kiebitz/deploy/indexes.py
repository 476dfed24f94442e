"""The index of a home: where it lies, how it is opened, and what is done to it as a whole."""

import asyncio
import shutil
from pathlib import Path
from typing import NamedTuple

from kiebitz.adapters.local.disk import translated
from kiebitz.deploy.backends import Backend, state_folder
from kiebitz.deploy.indexing import LEASE_SECONDS, Indexer, Opener, writing
from kiebitz.errors import NotFound
from kiebitz.model.job import DeadJob
from kiebitz.ports.index import Index, IndexStatus
from kiebitz.ports.leases import Lease
from kiebitz.settings import Settings

PATIENCE = LEASE_SECONDS + 2.0  # a writer that was killed holds its lease for so long
DEAD_SHOWN = 20


class IndexReport(NamedTuple):
    status: IndexStatus
    behind: int  # changes of texts that are not in the index yet, at most
    states: dict[str, int]
    waiting: int
    leased: int
    dead: int
    letters: list[DeadJob]


def index_folder(settings: Settings) -> Path:
    return state_folder(settings) / "index"


def check_index(settings: Settings) -> None:
    """Raises NotFound, with the next step, before anything is opened or made."""
    if not index_folder(settings).is_dir():
        raise NotFound(
            f"nothing in {settings.home} has been indexed yet", hint="kiebitz read (after kiebitz crawl or kiebitz run)"
        )


def opener_of(folder: Path) -> Opener:
    """The lease keeps writers apart; beneath it the folder has a lock of its own, which dies with its process."""

    def opened(_: Lease | None) -> Index:
        from kiebitz.adapters.tantivy.index import TantivyIndex

        return TantivyIndex(folder)

    return opened


async def report(backend: Backend, settings: Settings) -> IndexReport:
    from kiebitz.crawl.commit import EXTRACT  # a search need not know the crawl

    status = IndexStatus(papers=0, parts=0, bytes=0, position=0, schema=0)
    if index_folder(settings).is_dir():
        index = opener_of(index_folder(settings))(None)
        try:
            status = await index.status()
        finally:
            await index.close()
    state = backend.state
    waiting, leased, dead = await state.jobs.depth(EXTRACT)
    behind = max(0, await state.texts.last() - status.position)
    letters = await state.jobs.dead(EXTRACT, limit=DEAD_SHOWN)
    return IndexReport(status, behind, await state.texts.counts(), waiting, leased, dead, letters)


async def faults(backend: Backend, settings: Settings) -> list[str]:
    """What is wrong with the files, and what is stored and cannot be found."""
    from kiebitz.deploy.reading.missing import unread_documents

    index = opener_of(index_folder(settings))(None)
    try:
        found = await index.verify()
        behind = await backend.state.texts.last() - await index.position()
        papers = (await index.status()).papers
    finally:
        await index.close()
    if behind > 0:
        found.append(f"up to {behind} texts are not indexed: kiebitz read")
    elif behind < 0:
        found.append("the index knows texts that this home does not have: kiebitz index rebuild")
    elif papers != sum((await backend.state.texts.counts()).values()):
        texts = sum((await backend.state.texts.counts()).values())
        found.append(f"{texts} texts are stored and {papers} are in the index: kiebitz index rebuild")
    unread = await unread_documents(backend, offer=False)
    if unread:
        found.append(f"{unread} documents are stored and were not read: kiebitz read, or kiebitz index status says why")
    return found


async def rebuild(backend: Backend, settings: Settings) -> int:
    """Build the index anew from the texts, beside the old one, which serves until then; returns the number of papers."""
    folder = index_folder(settings)
    draft, old = folder.with_name("index.new"), folder.with_name("index.old")
    finished = asyncio.Event()
    finished.set()
    async with writing(backend, patience=PATIENCE) as lease:
        with translated(folder):
            await asyncio.to_thread(_removed, draft, old)
        indexer = Indexer(backend, opener_of(draft), finished, asyncio.Event())
        await indexer.write(opener_of(draft)(lease))
        with translated(folder):
            await asyncio.to_thread(_replaced, folder, draft, old)
    return indexer.papers


def _removed(*folders: Path) -> None:
    for folder in folders:
        if folder.exists():
            shutil.rmtree(folder)


def _replaced(folder: Path, draft: Path, old: Path) -> None:
    draft.mkdir(exist_ok=True)  # of a home without texts
    if folder.exists():
        folder.rename(old)
    draft.rename(folder)
    _removed(old)


async def compact(backend: Backend, settings: Settings) -> tuple[IndexStatus, IndexStatus]:
    """What the index was, and what it has become."""
    async with writing(backend, patience=PATIENCE) as lease:
        index = opener_of(index_folder(settings))(lease)
        try:
            before = await index.status()
            await index.compact()
            return before, await index.status()
        finally:
            await index.close()
