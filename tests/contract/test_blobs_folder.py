"""What the folder promises beyond the contract of Blobs: several processes, crashes, a full disk, files taken over."""

import asyncio
import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.adapters.local.blobs import FolderBlobs
from kiebitz.errors import DiskFull, HomeUnwritable
from kiebitz.ports.blobs import Blobs
from tests.contract.awaited import awaited
from tests.contract.rivals import Race


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "home" / "blobs"


async def keys(blobs: Blobs) -> list[str]:
    return [info.key async for info in blobs.list()]


def test_of_several_processes_exactly_one_puts_an_absent_key(root: Path) -> None:
    names = [f"a/{number}" for number in range(20)]
    with Race("put_if_absent", 4, folder=root, keys=names) as race:
        won = [name for names in race.results() for name in names]
    assert sorted(won) == sorted(names)


def test_several_processes_that_put_if_match_lose_no_update(root: Path) -> None:
    blobs = FolderBlobs(root)
    asyncio.run(blobs.put("counter", b"0"))
    with Race("count_up", 3, folder=root, key="counter", times=15) as race:
        race.results()
    assert asyncio.run(blobs.get("counter")) == b"45"


def test_a_killed_writer_leaves_no_partial_object(root: Path) -> None:
    size = 2 << 20

    async def check(blobs: Blobs) -> None:
        async for info in blobs.list():
            content = await blobs.get(info.key)
            assert content == content[:2] * (size // 2)

    with Race("write_forever", 2, folder=root, size=size) as race:
        time.sleep(0.5)
        race.kill()
    blobs = FolderBlobs(root)
    assert len(asyncio.run(keys(blobs))) > 0
    asyncio.run(check(blobs))


def test_drafts_of_the_dead_are_swept_after_a_day_and_not_before(root: Path) -> None:
    FolderBlobs(root)
    old, young = root / "~drafts" / "old", root / "~drafts" / "young"
    for draft, hours in ((old, 25), (young, 23)):
        draft.write_bytes(b"half")
        moment = time.time() - hours * 3600
        os.utime(draft, (moment, moment))
    blobs = FolderBlobs(root)
    assert asyncio.run(keys(blobs)) == []
    assert not old.exists()
    assert young.exists()


@awaited
async def test_every_write_gets_a_later_time_and_so_an_etag_also_when_the_clock_stands_still(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now)
    blobs = FolderBlobs(root)
    times, etags = [], set()
    for number in range(5):
        etags.add((await blobs.put("a", b"%d" % number)).etag)
        times.append((root / "a").stat().st_mtime_ns)
    assert times == [now + number for number in range(5)]
    assert len(etags) == 5


@awaited
async def test_a_file_on_the_same_disk_is_renamed_not_copied(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "spool.warc"
    file.write_bytes(b"bundle")
    inode = file.stat().st_ino
    await FolderBlobs(root).put("bundles/1", file)
    assert not file.exists()
    assert (root / "bundles" / "1").stat().st_ino == inode


@pytest.fixture(params=["symlink", "hardlink", "other disk"])
def original_and_given(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """Two paths to one file, which may be one and the same path."""
    folder = Path("/dev/shm") if request.param == "other disk" else tmp_path
    if not folder.is_dir():
        pytest.skip("this machine has no second disk")
    original, given_path = folder / f"kiebitz-{os.getpid()}", tmp_path / "given"
    original.write_bytes(b"bundle")
    if request.param == "symlink":
        given_path.symlink_to(original)
    elif request.param == "hardlink":
        given_path.hardlink_to(original)
    else:
        given_path = original
    yield original, given_path
    original.unlink()


@awaited
async def test_a_file_that_is_not_ours_alone_is_copied(root: Path, original_and_given: tuple[Path, Path]) -> None:
    original, given_path = original_and_given
    blobs = FolderBlobs(root)
    await blobs.put("a", given_path)
    original.write_bytes(b"changed")
    assert await blobs.get("a") == b"bundle"
    assert list((root / "~drafts").iterdir()) == []


@awaited
async def test_a_full_disk_is_said_and_leaves_neither_object_nor_draft(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blobs = FolderBlobs(root)
    await blobs.put("a", b"first")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(DiskFull, match="blobs"):
            await blobs.put("a", b"second")
    assert await blobs.get("a") == b"first"
    assert list((root / "~drafts").iterdir()) == []


@pytest.mark.parametrize("where", ["file/blobs", "/proc/blobs"])
def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(HomeUnwritable, match="blobs"):
        FolderBlobs(tmp_path / where)


@awaited
async def test_foreign_files_in_the_folder_are_not_objects(root: Path) -> None:
    blobs = FolderBlobs(root)
    await blobs.put("a", b"")
    (root / "not a key").write_bytes(b"")
    (root / "link").symlink_to(root / "a")
    assert await keys(blobs) == ["a"]
    assert await blobs.info("link") is None
