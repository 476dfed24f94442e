"""The contract of Archive, and what the folder promises beyond it."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from kiebitz.adapters.local import archive as folder_archive
from kiebitz.adapters.local.archive import FolderArchive
from kiebitz.adapters.local.blobs import FolderBlobs
from kiebitz.adapters.memory.archive import MemoryArchive, Spool
from kiebitz.adapters.memory.blobs import MemoryBlobs
from kiebitz.adapters.memory.clock import ManualClock
from kiebitz.adapters.memory.fetcher import answer
from kiebitz.adapters.memory.frontier import MemoryFrontier
from kiebitz.errors import HomeCorrupt, HomeError, HomeUnwritable, NotFound
from kiebitz.model.request import Capture
from kiebitz.model.visit import BundleMark
from kiebitz.ports.archive import Archive, bundle_key
from kiebitz.ports.blobs import Blobs
from kiebitz.standards import warc
from tests.contract.awaited import awaited

Place = tuple[str, int, int]


class FrailFrontier(MemoryFrontier):
    """Notes the order of calls; the process may die instead of sealing."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.dies = False
        self.calls: list[str] = []

    async def sync(self) -> None:
        self.calls.append("sync")

    async def seal(self, bundle: str) -> None:
        self.calls.append("seal")
        if self.dies:
            raise HomeError("killed")
        await super().seal(bundle)


@dataclass
class Desk:
    """A machine on which writers come and go."""

    clock: ManualClock
    frontier: FrailFrontier
    blobs: Blobs
    make: Callable[[str], Archive]
    writers: dict[str, Archive] = field(default_factory=dict)

    def writer(self, holder: str = "anna") -> Archive:
        if holder not in self.writers:
            self.writers[holder] = self.make(holder)
        return self.writers[holder]

    async def keep(self, *pages: str, holder: str = "anna") -> list[Place]:
        """Append, settle, and say so: the three steps of a commit."""
        writer = self.writer(holder)
        mark, places = await writer.append([record(page) for page in pages])
        await self.frontier.settle([], mark)
        writer.settled(mark)
        return places

    async def sealed(self) -> list[str]:
        return [info.key async for info in self.blobs.list("bundles/")]

    async def pages(self, name: str) -> list[str]:
        """What an archivist's tool finds in a sealed bundle."""
        data = await self.blobs.get(bundle_key(name))
        records = ArchiveIterator(BytesIO(data), check_digests="raise")
        return [each.content_stream().read().decode() for each in records if each.rec_type == "response"]


@pytest.fixture(params=["memory", "folder"])
def desk(request: pytest.FixtureRequest) -> Desk:
    if request.param == "folder":
        folder: Desk = request.getfixturevalue("machine")
        return folder
    clock, blobs = ManualClock(), MemoryBlobs()
    frontier, spool = FrailFrontier(clock), Spool()
    return Desk(clock, frontier, blobs, lambda holder: MemoryArchive(holder, blobs, frontier, clock, spool))


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Desk]:
    """With a folder as its archive."""
    clock, blobs = ManualClock(), FolderBlobs(tmp_path / "blobs")
    frontier, spool = FrailFrontier(clock), tmp_path / "spool"
    desk = Desk(clock, frontier, blobs, lambda holder: FolderArchive(spool, holder, blobs, frontier, clock))
    yield desk
    for writer in desk.writers.values():  # as the kernel does with the files of the dead
        assert isinstance(writer, FolderArchive)
        if writer._file is not None:
            writer._file.close()


def record(page: str) -> bytes:
    url = "https://stadt.example/"
    return warc.exchange(url, 1_800_000_000.0, answer(url, page.encode()), warc.payload_digest(page.encode()))


def capture(place: Place) -> Capture:
    return Capture(1_800_000_000.0, *place)


# ---------------------------------------------------------------------- writing and reading


@awaited
async def test_a_page_is_read_back_from_the_open_bundle(desk: Desk) -> None:
    places = await desk.keep("one", "two")
    head, body = await desk.writer().read(capture(places[1]))
    assert head.startswith(b"HTTP/1.1 200 Test\r\nContent-Type: text/html")
    assert body == b"two"


@awaited
async def test_a_page_is_read_back_from_the_sealed_bundle(desk: Desk) -> None:
    places = await desk.keep("one", "two")
    await desk.writer().seal()
    assert [(await desk.writer().read(capture(place)))[1] for place in places] == [b"one", b"two"]
    assert (await desk.writer("bert").read(capture(places[0])))[1] == b"one"


@awaited
async def test_an_open_bundle_is_read_by_the_other_writers_of_the_machine(desk: Desk) -> None:
    (place,) = await desk.keep("one")
    assert (await desk.writer("bert").read(capture(place)))[1] == b"one"


@awaited
async def test_records_lie_one_behind_the_other_up_to_the_mark(desk: Desk) -> None:
    mark, places = await desk.writer().append([record("one"), record("two")])
    (_, first, length), (_, second, rest) = places
    assert first > 0, "a bundle begins with a record about itself"
    assert (second, mark.length) == (first + length, second + rest)
    assert {name for name, _, _ in places} == {mark.name}


@awaited
async def test_what_is_not_there_is_not_found(desk: Desk) -> None:
    with pytest.raises(NotFound):
        await desk.writer().read(capture(("20270115T080000-0001-nobody.warc.gz", 0, 10)))


@awaited
async def test_a_damaged_copy_is_corrupt(desk: Desk) -> None:
    ((name, offset, length),) = await desk.keep("one")
    await desk.writer().seal()
    for wrong in [(name, offset + 1, length), (name, offset, 40), (name, offset + 10_000, length)]:
        with pytest.raises(HomeCorrupt):
            await desk.writer().read(capture(wrong))


# ---------------------------------------------------------------------- settling


@awaited
async def test_a_refused_settle_leaves_no_stray_record(desk: Desk) -> None:
    await desk.keep("one")
    await desk.writer().append([record("refused, and longer than what takes its place")])
    (place,) = await desk.keep("two")
    await desk.writer().append([record("refused at the end")])
    await desk.writer().seal()
    assert await desk.pages(place[0]) == ["one", "two"]


@awaited
async def test_a_refused_first_settle_leaves_a_bundle_that_begins_properly(desk: Desk) -> None:
    await desk.writer().append([record("refused")])
    (place,) = await desk.keep("one")
    await desk.writer().seal()
    assert await desk.pages(place[0]) == ["one"]


@awaited
async def test_a_bundle_of_which_nothing_was_settled_vanishes(desk: Desk) -> None:
    await desk.writer().append([record("refused")])
    await desk.writer().seal()
    assert await desk.sealed() == []
    assert await desk.frontier.marks() == {}


# ---------------------------------------------------------------------- sealing


@awaited
async def test_sealing_brings_the_bundle_into_the_blobs_and_its_mark_is_forgotten(desk: Desk) -> None:
    ((name, _, _),) = await desk.keep("one")
    assert await desk.sealed() == []
    assert list(await desk.frontier.marks()) == [name]
    await desk.writer().seal()
    assert await desk.sealed() == [f"bundles/{name[:8]}/{name}"]
    assert await desk.frontier.marks() == {}


@awaited
async def test_after_sealing_another_bundle_begins(desk: Desk) -> None:
    ((first, _, _),) = await desk.keep("one")
    await desk.writer().seal()
    await desk.writer().seal()
    ((second, _, _),) = await desk.keep("two")
    await desk.writer().seal()
    assert second > first
    assert [await desk.pages(first), await desk.pages(second)] == [["one"], ["two"]]


@awaited
async def test_sealing_when_nothing_is_open_does_nothing(desk: Desk) -> None:
    await desk.writer().seal()
    await desk.writer().roll(max_bytes=0, max_seconds=0.0)
    assert await desk.sealed() == []


@awaited
async def test_a_bundle_is_rolled_when_it_is_large_or_old_and_not_before(desk: Desk) -> None:
    places = await desk.keep("one")
    length = places[0][1] + places[0][2]
    desk.clock.advance(99.0)
    await desk.writer().roll(max_bytes=length + 1, max_seconds=100.0)
    assert await desk.sealed() == []
    await desk.writer().roll(max_bytes=length, max_seconds=100.0)
    assert len(await desk.sealed()) == 1
    await desk.keep("two")
    desk.clock.advance(100.0)
    await desk.writer().roll(max_bytes=1 << 20, max_seconds=100.0)
    assert len(await desk.sealed()) == 2


@awaited
async def test_a_bundle_enters_the_blobs_only_when_the_frontier_cannot_forget_it(desk: Desk) -> None:
    await desk.keep("one")
    await desk.writer().seal()
    assert desk.frontier.calls == ["sync", "seal"]


# ---------------------------------------------------------------------- the dead


@awaited
async def test_what_a_dead_writer_left_is_cut_to_its_mark_and_sealed(desk: Desk) -> None:
    places = await desk.keep("one", "two")
    await desk.writer().append([record("never settled")])
    await desk.writer("bert").recover("anna")
    assert await desk.pages(places[0][0]) == ["one", "two"]
    assert (await desk.writer("bert").read(capture(places[1])))[1] == b"two"
    assert await desk.frontier.marks() == {}


@awaited
async def test_recovering_is_idempotent(desk: Desk) -> None:
    ((name, _, _),) = await desk.keep("one")
    for _ in range(3):
        await desk.writer("bert").recover("anna")
    assert await desk.pages(name) == ["one"]
    assert len(await desk.sealed()) == 1


@awaited
async def test_a_dead_writer_that_settled_nothing_leaves_nothing(desk: Desk) -> None:
    await desk.writer().append([record("never settled")])
    await desk.writer("bert").recover("anna")
    assert await desk.sealed() == []
    with pytest.raises(NotFound):
        await desk.writer("bert").read(capture(("20270115T080000-0001-anna.warc.gz", 0, 10)))


@awaited
async def test_recovering_leaves_the_living_alone(desk: Desk) -> None:
    await desk.keep("one")
    (place,) = await desk.keep("two", holder="joanna")
    await desk.writer("bert").recover("anna")
    assert list(await desk.frontier.marks()) == [place[0]]
    (later,) = await desk.keep("three", holder="joanna")
    assert later[0] == place[0]


@awaited
async def test_a_writer_may_die_between_delivering_a_bundle_and_saying_so(desk: Desk) -> None:
    (place,) = await desk.keep("one")
    desk.frontier.dies = True
    with pytest.raises(HomeError, match="killed"):
        await desk.writer().seal()
    desk.frontier.dies = False
    await desk.writer("bert").recover("anna")
    assert await desk.frontier.marks() == {}
    assert await desk.pages(place[0]) == ["one"]


# ---------------------------------------------------------------------- the folder


def spool_of(desk: Desk) -> Path:
    writer = desk.writer()
    assert isinstance(writer, FolderArchive)
    return writer._folder


@awaited
async def test_the_spool_is_empty_after_sealing_and_recovering(machine: Desk) -> None:
    await machine.keep("one")
    await machine.keep("two", holder="bert")
    await machine.writer().seal()
    await machine.writer().recover("bert")
    assert list(spool_of(machine).iterdir()) == []


@awaited
async def test_records_and_the_name_of_their_bundle_are_on_the_disk_when_append_returns(
    machine: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[str] = []
    monkeypatch.setattr(folder_archive, "flush", lambda _: flushed.append("file"))
    monkeypatch.setattr(folder_archive, "flush_folder", lambda folder: flushed.append(folder.name))
    await machine.keep("one")
    await machine.keep("two")
    assert sorted(flushed) == ["file", "file", "spool"]


@awaited
async def test_a_spool_that_lost_bytes_is_not_filled_up_with_zeros(machine: Desk) -> None:
    places = await machine.keep("one", "two")
    path = spool_of(machine) / places[0][0]
    await asyncio.to_thread(path.write_bytes, path.read_bytes()[: places[1][1]])
    await machine.writer("bert").recover("anna")
    assert await machine.pages(path.name) == ["one"]
    with pytest.raises(HomeCorrupt):
        await machine.writer("bert").read(capture(places[1]))


@awaited
async def test_a_folder_that_cannot_be_used_is_an_error_of_ours(machine: Desk) -> None:
    await asyncio.to_thread(spool_of(machine).write_text, "a file where the folder should be")
    with pytest.raises(HomeUnwritable):
        await machine.writer().append([record("one")])
    with pytest.raises(HomeUnwritable):
        await machine.writer().read(capture(("20270115T080000-0001-anna.warc.gz", 0, 10)))


def test_the_adapters_are_archives() -> None:
    """Checked by the type checker."""
    archives: list[type[Archive]] = [MemoryArchive, FolderArchive]
    assert archives
    assert BundleMark("x", 1).length == 1
