"""From what a crawl stored to texts and papers, with the real stores and the real sandbox, without a web."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from kiebitz.adapters.local.clock import SystemClock
from kiebitz.adapters.memory.fetcher import answer
from kiebitz.adapters.memory.index import MemoryIndex
from kiebitz.crawl.commit import EXTRACT
from kiebitz.deploy import indexing
from kiebitz.deploy.backends import Backend, open_backend
from kiebitz.deploy.intake import Taken, Taking
from kiebitz.deploy.reading import reader
from kiebitz.errors import HomeCorrupt, NotFound
from kiebitz.model.document import Document, document_id, document_key
from kiebitz.model.issue import Issue
from kiebitz.model.job import Job
from kiebitz.model.query import Everything, Search
from kiebitz.model.text import TextState
from kiebitz.model.text_record import unpacked
from kiebitz.ports.archive import bundle_key
from kiebitz.ports.index import Index
from kiebitz.settings import Settings, load
from kiebitz.standards import warc
from tests import hostile_documents as hostile
from tests.contract.awaited import awaited
from tests.contract.samples import document
from tests.pdf_pages import document as pdf_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
SITE = "https://stadt.example"
SENTENCE = hostile.SENTENCE


class Home:
    """A backend, an index, and what a crawl would have put there."""

    def __init__(self, backend: Backend, settings: Settings) -> None:
        self.backend = backend
        self.settings = settings
        self.papers = MemoryIndex()

    async def store(self, name: str, content: bytes, *, day: float = 0, job: bool = True) -> Document:
        at = START + timedelta(days=day)
        made = replace(
            document(f"{SITE}/{name}", source="s1"),
            first_seen=at,
            visited_on=at,
            downloaded_on=at,
            sha256=sha256(content).hexdigest(),
            bytes=len(content),
            link_text=f"Titel von {name}",
            issue=Issue(1, None, 2026, at.date(), title=f"Amtsblatt {name}"),
        )
        await self.backend.blobs.put(document_key(made.sha256), content)
        await self.backend.state.documents.record([made])
        if job:
            payload = {"document": made.id, "sha256": made.sha256, "content_type": made.content_type}
            await self.backend.state.jobs.put([Job(EXTRACT, f"{made.id}:{made.sha256}", json.dumps(payload))])
        return made

    async def seal(self, name: str, pages: Sequence[tuple[str, str, float]]) -> str:
        """A bundle of pages: path, content, and how many seconds after the start."""
        parts = [warc.opening(name, START.timestamp(), "kiebitz")]
        for path, content, seconds in pages:
            found = answer(f"{SITE}/{path}", content.encode())
            digest = warc.payload_digest(found.raw)
            parts.append(warc.exchange(found.url, START.timestamp() + seconds, found, digest))
        await self.backend.blobs.put(bundle_key(name), b"".join(parts))
        return name

    async def take(self, watch: Callable[[Taken], None] = lambda _: None) -> Taken:
        return await self.taking(watch).take()

    def taking(self, watch: Callable[[Taken], None] = lambda _: None) -> Taking:
        def opened(_: object) -> Index:
            return self.papers

        return Taking(self.backend, self.settings, opened, watch)

    async def found(self) -> list[str]:
        """The URLs of all papers."""
        results = await self.papers.search(Search(Everything(), limit=1000))
        return sorted(hit.url.removeprefix(f"{SITE}/") for hit in results.hits)


@asynccontextmanager
async def home(folder: Path) -> AsyncIterator[Home]:
    settings = load({"home": folder / "home"}, {}, folder)
    backend = open_backend(settings, SystemClock())
    try:
        yield Home(backend, settings)
    finally:
        await backend.close()


async def happened(asked: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(30):
        while True:
            if await asked():
                return
            await asyncio.sleep(0.02)


def page(words: str, title: str = "Seite") -> str:
    return f"<html><head><title>{title}</title></head><body><main><p>{words}</p></main></body></html>"


@awaited
async def test_documents_and_pages_become_texts_and_papers_once(tmp_path: Path) -> None:
    async with home(tmp_path) as given:
        made = await given.store("a.pdf", pdf_of([hostile.simple()]))
        await given.seal("20260301T120000-0001-x.warc.gz", [("eins", page("Das Freibad öffnet."), 0)])
        first = await given.take()
        assert (first.texts, first.indexed, first.states, first.dead, first.later) == (2, 2, {"read": 2}, 0, 0)
        record = await given.backend.state.texts.get(made.id)
        assert (record.kind, record.title, record.pages) == ("gazette", "Amtsblatt a.pdf", 1)
        assert SENTENCE in unpacked(record.content).plain
        second = await given.backend.state.texts.get(document_id(f"{SITE}/eins"))
        assert (second.kind, second.source, second.crawled_at) == ("page", "stadt.example", START)
        assert await given.found() == ["a.pdf", "eins"]
        again = await given.take()
        assert (again.texts, again.indexed) == (0, 0)


@awaited
async def test_of_a_page_the_newest_capture_wins_in_whatever_order_bundles_are_read(tmp_path: Path) -> None:
    async with home(tmp_path) as given:
        young = [("x", page("mittel"), 5), ("x", page("neu"), 10), ("y", page("neu"), 10)]
        await given.seal("20260301T120000-0001-x.warc.gz", young)
        await given.take()
        await given.seal("20260301T110000-0001-y.warc.gz", [("x", page("alt"), 0), ("z", page("alt"), 0)])
        await given.take()
        texts = given.backend.state.texts
        plain = {each: unpacked((await texts.get(document_id(f"{SITE}/{each}"))).content).plain for each in "xyz"}
        assert plain == {"x": "neu", "y": "neu", "z": "alt"}
        assert await given.found() == ["x", "y", "z"]


@awaited
async def test_only_pages_with_status_200_are_taken_out_of_bundles(tmp_path: Path) -> None:
    async with home(tmp_path) as given:
        parts = [warc.opening("n", START.timestamp(), "kiebitz")]
        for path, content, status, kind in (
            ("gone", page("weg"), 404, "text/html"),
            ("moved", "", 301, "text/html"),
            ("feed", "<rss version='2.0'><channel/></rss>", 200, "application/rss+xml"),
            ("map", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>", 200, "text/xml"),
            ("good", page("da"), 200, "text/html"),
        ):
            found = answer(f"{SITE}/{path}", content.encode(), status=status, headers=(("Content-Type", kind),))
            parts.append(warc.exchange(found.url, START.timestamp(), found, warc.payload_digest(found.raw)))
        broken = answer(f"{SITE}/broken", b"no gzip at all", headers=(("Content-Encoding", "gzip"),))
        parts.append(warc.exchange(broken.url, START.timestamp(), broken, warc.payload_digest(broken.raw)))
        await given.backend.blobs.put(bundle_key("20260301T120000-0001-x.warc.gz"), b"".join(parts))
        intake = await given.take()
        assert intake.states == {"read": 1, "damaged": 1}
        assert await given.found() == ["broken", "good"]


@awaited
async def test_hostile_documents_end_in_clear_states_and_the_rest_is_found(tmp_path: Path) -> None:
    files = {
        "good.pdf": (pdf_of([hostile.simple()]), TextState.READ),
        "secret.pdf": (hostile.encrypted(b"geheim"), TextState.ENCRYPTED),
        "cut.pdf": (pdf_of([hostile.simple()])[:300], TextState.DAMAGED),
        "scan.pdf": (hostile.scan(), TextState.NEEDS_OCR),
        "bomb.docx": (hostile.zip_bomb(), TextState.TOO_LARGE),
        "cycle.pdf": (hostile.page_tree_cycle(), None),
        "none.pdf": (b"", None),
    }
    async with home(tmp_path) as given:
        for name, (content, _) in files.items():
            await given.store(name, content)
        os.environ["PATH"], before = "/nonexistent", os.environ["PATH"]  # no tesseract: scans stay pictures
        try:
            intake = await given.take()
        finally:
            os.environ["PATH"] = before
        assert (intake.texts, intake.failed, intake.dead) == (len(files), 0, 0)
        for name, (_, state) in files.items():
            record = await given.backend.state.texts.get(document_id(f"{SITE}/{name}"))
            assert record.state is state or state is None, name
            assert record.state is TextState.READ or record.reason or record.state is TextState.EMPTY, name
        assert await given.found() == sorted(files)


@awaited
async def test_a_document_whose_content_is_gone_becomes_a_dead_letter_and_stops_nobody(tmp_path: Path) -> None:
    async with home(tmp_path) as given:
        lost = await given.store("lost.pdf", b"x")
        await given.backend.blobs.delete(document_key(lost.sha256))
        await given.store("good.pdf", pdf_of([hostile.simple()]))
        intake = await given.take()
        assert (intake.dead, intake.later) == (1, 0)
        assert await given.found() == ["good.pdf"]
        (letter,) = await given.backend.state.jobs.dead(EXTRACT)
        assert letter.error.startswith("not-found: ")
        with pytest.raises(NotFound):
            await given.backend.state.texts.get(lost.id)


@awaited
async def test_of_a_damaged_bundle_everything_before_the_damage_is_read(tmp_path: Path) -> None:
    async with home(tmp_path) as given:
        name = await given.seal("20260301T120000-0001-x.warc.gz", [("a", page("da"), 0), ("b", page("weg"), 0)])
        data = await given.backend.blobs.get(bundle_key(name))
        await given.backend.blobs.put(bundle_key(name), data[:-700])
        intake = await given.take()
        assert (intake.dead, await given.found()) == (1, ["a"])
        (letter,) = await given.backend.state.jobs.dead(EXTRACT)
        assert "damaged" in letter.error


@awaited
async def test_a_document_that_returns_to_an_old_content_is_read_again(tmp_path: Path) -> None:
    one, other = pdf_of([hostile.simple("Die erste Fassung.")]), pdf_of([hostile.simple("Die zweite Fassung.")])
    async with home(tmp_path) as given:
        for day, content in enumerate((one, other, one)):
            made = await given.store("a.pdf", content, day=day)
            await given.take()
            record = await given.backend.state.texts.get(made.id)
            assert record.sha256 == sha256(content).hexdigest()
        assert await given.found() == ["a.pdf"]


@awaited
async def test_documents_that_no_job_speaks_of_are_read_all_the_same(tmp_path: Path) -> None:
    async with home(tmp_path) as given:
        await given.store("a.pdf", pdf_of([hostile.simple()]), job=False)
        assert (await given.take()).texts == 1


@awaited
async def test_near_duplicates_get_one_cluster(tmp_path: Path) -> None:
    words = [f"Wort{number}" for number in range(300)]
    async with home(tmp_path) as given:
        pages = [
            ("a", page(" ".join(words)), 0),
            ("b", page(" ".join([*words[:295], "anders", *words[296:]])), 0),
            ("c", page(" ".join(reversed(words))), 0),
        ]
        await given.seal("20260301T120000-0001-x.warc.gz", pages)
        await given.take()
        clusters = [
            (await given.backend.state.texts.get(document_id(f"{SITE}/{each}"))).cluster for each in ("a", "b", "c")
        ]
        assert clusters[0] == clusters[1] != clusters[2]
        assert all(clusters)


@awaited
async def test_what_a_killed_reader_held_comes_back_when_its_lease_lapses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "LEASE_SECONDS", 1.0)
    async with home(tmp_path) as given:
        await given.store("a.pdf", pdf_of([hostile.simple()]))
        jobs = given.backend.state.jobs
        for _ in range(given.settings.max_tries):  # every try was killed
            await happened(lambda: jobs.lease(EXTRACT, limit=1, seconds=0.05))
        await asyncio.sleep(0.1)
        assert await jobs.lease(EXTRACT, limit=1, seconds=1) == []
        assert (await jobs.depth(EXTRACT))[2] == 1
        intake = await given.take()
        assert (intake.texts, intake.dead) == (1, 0)


@awaited
async def test_an_index_that_is_ahead_of_the_texts_is_refused(tmp_path: Path) -> None:
    async with home(tmp_path) as given:
        await given.papers.commit(7)
        with pytest.raises(HomeCorrupt, match="not of one home"):
            await given.take()


@awaited
async def test_deleted_texts_leave_the_index(tmp_path: Path) -> None:
    async with home(tmp_path) as given:
        await given.seal("20260301T120000-0001-x.warc.gz", [("a", page("da"), 0), ("b", page("auch"), 0)])
        await given.take()
        await given.backend.state.texts.delete([document_id(f"{SITE}/a")])
        await given.take()
        assert await given.found() == ["b"]


@awaited
async def test_while_another_process_indexes_we_read_and_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "POLL_SECONDS", 0.05)
    async with home(tmp_path) as given:
        await given.seal("20260301T120000-0001-x.warc.gz", [("a", page("da"), 0)])
        lease = await given.backend.state.leases.take(indexing.LEASE, "another", seconds=600)
        async with asyncio.TaskGroup() as group:
            taking = group.create_task(given.take())
            await happened(given.backend.state.texts.last)
            await asyncio.sleep(0.3)
            assert not taking.done()
            assert await given.found() == []
            await given.backend.state.leases.release(lease)
        assert (await given.found(), taking.result().indexed) == (["a"], 1)


@awaited
async def test_a_watching_reader_takes_what_comes_and_ends_when_it_is_interrupted(tmp_path: Path) -> None:
    async with home(tmp_path) as given:
        taking = given.taking()
        async with asyncio.TaskGroup() as group:
            running = group.create_task(taking.take(follow=True))
            await asyncio.sleep(0.5)
            await given.store("late.pdf", pdf_of([hostile.simple()]))
            await happened(given.found)
            assert await given.found() == ["late.pdf"]
            taking.interrupt()
        assert running.result().interrupted


@awaited
async def test_when_no_child_can_be_started_the_job_waits_for_its_next_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with home(tmp_path) as given:
        made = await given.store("a.pdf", pdf_of([hostile.simple()]))
        monkeypatch.setattr("sys.executable", "/nonexistent/python")
        intake = await given.taking().take(search_missing=False)
        assert (intake.texts, intake.failed, intake.later, intake.dead) == (0, 1, 1, 0)
        with pytest.raises(NotFound):
            await given.backend.state.texts.get(made.id)
