"""The index on blobs: followed, taken over, restored, and written by one only."""

import asyncio
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kiebitz.adapters.local.blobs import FolderBlobs
from kiebitz.adapters.local.clock import SystemClock
from kiebitz.adapters.memory.blobs import MemoryBlobs
from kiebitz.adapters.memory.clock import ManualClock
from kiebitz.adapters.memory.leases import MemoryLeases
from kiebitz.adapters.tantivy.index import TantivyIndex, manifest
from kiebitz.adapters.tantivy.index.mirror import Mirror, Retention, Tenure
from kiebitz.adapters.tantivy.index.writer import PartLimits
from kiebitz.errors import Locked, NotFound, StaleLease
from kiebitz.ports.blobs import Blobs
from tests.contract.awaited import awaited
from tests.contract.index_papers import PAPERS, found, paper

TWO = PartLimits(papers=2)
EACH = Retention(seconds=0, versions=3)


class Desk:
    def __init__(self, folder: Path, blobs: Blobs) -> None:
        self.folder = folder
        self.blobs = blobs
        self.clock = ManualClock()
        self.leases = MemoryLeases(self.clock)

    def mirror(self, holder: str = "") -> Mirror:
        tenure = Tenure(self.leases, holder) if holder else None
        return Mirror(self.blobs, self.clock, tenure=tenure, retention=EACH)

    def writer(self, holder: str) -> TantivyIndex:
        return TantivyIndex(self.folder / holder, limits=TWO, mirror=self.mirror(holder))

    async def keys(self) -> list[str]:
        return [info.key async for info in self.blobs.list("index/")]


@pytest.fixture(params=["memory", "folder"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    return Desk(tmp_path, MemoryBlobs() if request.param == "memory" else FolderBlobs(tmp_path / "blobs"))


@awaited
async def test_a_reader_follows_the_mirror_and_fetches_only_what_is_new(desk: Desk) -> None:
    writer, mirror, copy = desk.writer("a"), desk.mirror(), desk.folder / "copy"
    assert not await mirror.pull(copy)
    await writer.add(PAPERS)
    await writer.commit(1)
    assert await mirror.pull(copy)
    assert not await mirror.pull(copy)
    reader = TantivyIndex(copy)
    assert await found(reader, "feuerwehr") == ["fire"]
    before = {path.name: path.stat().st_ino for path in copy.glob("parts/*/*.store")}
    await writer.delete(["fire"])
    await writer.add([paper("late", "Ein Nachtrag.")])
    await writer.commit(2)
    assert await mirror.pull(copy)
    after = {path.name: path.stat().st_ino for path in copy.glob("parts/*/*.store")}
    assert all(after[name] == inode for name, inode in before.items() if name in after)
    assert await found(reader, "feuerwehr") == []
    assert await found(reader, "nachtrag") == ["late"]
    assert await reader.verify() == []
    assert await reader.position() == 2
    await writer.close()


@awaited
async def test_a_writer_whose_disk_is_gone_is_replaced_by_one_that_fetches_the_open_part(desk: Desk) -> None:
    first = desk.writer("a")
    await first.add(PAPERS)
    await first.commit(1)
    await first.close()
    shutil.rmtree(desk.folder / "a")
    second = desk.writer("b")
    await second.add([paper("late", "Ein Nachtrag."), paper("plan", "Ersetzt.")])
    assert await second.position() == 1
    fetched = {path.name.partition(".")[2] or path.name for path in (desk.folder / "b").glob("parts/*/*")}
    sealed = [part for part in manifest.read(desk.folder / "b").parts if part.sealed]
    assert sealed
    for part in sealed:
        assert {path.name for path in (desk.folder / "b" / "parts" / part.folder).iterdir()} == {
            "keys.bin",
            "meta.json",
        }
    assert "store" in fetched
    await second.commit(2)
    await second.close()
    copy = desk.folder / "copy"
    await desk.mirror().pull(copy)
    reader = TantivyIndex(copy)
    assert (await reader.status()).papers == len(PAPERS) + 1
    assert await found(reader, "nachtrag") == ["late"]
    assert await found(reader, "beschlossen") == []
    assert await found(reader, "feuerwehr") == ["fire"]
    assert await reader.verify() == []


@awaited
async def test_a_second_writer_is_refused_while_the_first_has_its_lease(desk: Desk) -> None:
    first, second = desk.writer("a"), desk.writer("b")
    await first.add(PAPERS)
    with pytest.raises(Locked, match="held by a"):
        await second.add(PAPERS)
    await first.commit(1)
    await first.close()
    await second.add(PAPERS)
    await second.commit(2)
    await second.close()


@awaited
async def test_a_writer_that_was_replaced_is_refused_and_changes_nothing(desk: Desk) -> None:
    first, second = desk.writer("a"), desk.writer("b")
    await first.add(PAPERS[:2])
    await first.commit(1)
    await first.add(PAPERS[2:4])
    desk.clock.advance(61)
    await second.add(PAPERS[4:5])
    await second.commit(2)
    head = await desk.blobs.get("index/manifest.json")
    with pytest.raises(StaleLease):
        await first.commit(2)
    with pytest.raises(StaleLease):
        await first.add(PAPERS)
    assert await desk.blobs.get("index/manifest.json") == head
    await second.close()
    await first.close()


@awaited
async def test_the_manifest_refuses_a_stale_writer_even_without_leases(desk: Desk) -> None:
    first = TantivyIndex(desk.folder / "a", mirror=desk.mirror())
    second = TantivyIndex(desk.folder / "b", mirror=desk.mirror())
    await first.add(PAPERS[:1])
    await second.add(PAPERS[1:2])
    await first.commit(1)
    with pytest.raises(StaleLease):
        await second.commit(1)
    await first.commit(2)
    await first.close()
    await second.close()


@awaited
async def test_a_writer_whose_lease_lapsed_goes_on_if_nobody_took_it(desk: Desk) -> None:
    writer = desk.writer("a")
    await writer.add(PAPERS[:1])
    await writer.commit(1)
    desk.clock.advance(1_000)
    await writer.add(PAPERS[1:2])
    await writer.commit(2)
    assert await writer.position() == 2
    await writer.close()


@awaited
async def test_a_crash_between_mirror_and_folder_leaves_the_mirror_right(desk: Desk) -> None:
    writer = desk.writer("a")
    await writer.add(PAPERS[:3])
    await writer.commit(1)
    await writer.add(PAPERS[3:5])
    opened = await writer._opened()
    assert writer._mirror
    await writer._mirror.publish(desk.folder / "a", await asyncio.to_thread(opened.prepare, 2))
    await writer._abandon()  # it died before its own manifest was written
    again = desk.writer("a")
    await again.add(PAPERS[5:6])
    assert await again.position() == 2
    await again.commit(3)
    assert (await again.status()).papers == 6
    assert await again.verify() == []
    await again.close()


@awaited
async def test_versions_are_kept_and_restored(desk: Desk) -> None:
    writer = desk.writer("a")
    for number, each in enumerate(PAPERS[:5], 1):
        await writer.add([each])
        await writer.commit(number)
        desk.clock.advance(3_600)
    await writer.close()
    mirror = desk.mirror("operator")
    versions = await mirror.versions()
    assert [version.generation for version in versions] == [3, 4, 5]
    with pytest.raises(NotFound):
        await mirror.restore(datetime(2020, 1, 1, tzinfo=UTC))
    restored = await mirror.restore(versions[1].at)
    assert restored == versions[1]
    await mirror.release()
    copy = desk.folder / "copy"
    await desk.mirror().pull(copy)
    reader = TantivyIndex(copy)
    assert (await reader.status()).papers == 4
    assert await reader.position() == 4
    assert await reader.verify() == []
    again = desk.writer("a")  # its own folder is ahead of the restored mirror, and yields
    await again.add(PAPERS[5:6])
    await again.commit(6)
    assert (await again.status()).papers == 5
    await again.close()


@awaited
async def test_files_that_no_version_names_are_removed(desk: Desk) -> None:
    writer = desk.writer("a")
    for number in range(1, 16):
        await writer.add([paper("same", f"Fassung {number}")])
        await writer.commit(number)
    await writer.close()
    next_writer = desk.writer("b")
    await next_writer.add([])
    named = {
        f"index/files/{part.name}/{file.digest}-{file.name}"
        for key in await desk.keys()
        if key.endswith(".json")
        for part in manifest.loads(await desk.blobs.get(key)).parts
        for file in part.files
    }
    assert {key for key in await desk.keys() if "/files/" in key} == named
    await next_writer.close()


@awaited
async def test_a_follower_sees_a_commit_within_seconds(tmp_path: Path) -> None:
    blobs, clock = FolderBlobs(tmp_path / "blobs"), SystemClock()
    writer = TantivyIndex(tmp_path / "a", mirror=Mirror(blobs, clock))
    reader = TantivyIndex(tmp_path / "b")
    follower = asyncio.create_task(Mirror(blobs, clock).follow(tmp_path / "b", every=0.2))
    try:
        await writer.add(PAPERS)
        await writer.commit(1)
        committed = time.monotonic()
        while not await found(reader, "feuerwehr"):
            assert time.monotonic() - committed < 5
            await asyncio.sleep(0.05)
    finally:
        follower.cancel()
        await asyncio.gather(follower, return_exceptions=True)
        await writer.close()
