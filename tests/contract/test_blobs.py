"""The contract of Blobs."""

import asyncio
import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.awaited import awaited
from tests.contract.rivals import Race

from kiebitz.adapters.local.blobs import FolderBlobs
from kiebitz.adapters.memory.blobs import MemoryBlobs
from kiebitz.errors import Conflict, DiskFull, HomeUnwritable, InputError, NotFound
from kiebitz.ports.blobs import Blobs, check_key

WRONG_KEYS = [
    "",
    "/",
    "/a",
    "a/",
    "a//b",
    ".",
    "..",
    "../a",
    "a/../../b",
    "a/.",
    "~drafts/a",
    "a b",
    "ä",
    "a\n",
    "a\0b",
    "a\\b",
    "x" * 201,
    "/".join(["x" * 100] * 9),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "home" / "blobs"


@pytest.fixture(params=["memory", "folder"])
def blobs(request: pytest.FixtureRequest, root: Path) -> Blobs:
    return MemoryBlobs() if request.param == "memory" else FolderBlobs(root)


async def keys(blobs: Blobs, prefix: str = "") -> list[str]:
    return [info.key async for info in blobs.list(prefix)]


@awaited
async def test_an_object_comes_back_as_it_was_put(blobs: Blobs) -> None:
    info = await blobs.put("documents/ab/abcdef", b"content\0")
    assert (info.key, info.size) == ("documents/ab/abcdef", 8)
    assert await blobs.get("documents/ab/abcdef") == b"content\0"
    assert await blobs.info("documents/ab/abcdef") == info
    assert [each async for each in blobs.list()] == [info]


@awaited
async def test_an_empty_object_is_an_object(blobs: Blobs) -> None:
    await blobs.put("a", b"")
    assert await blobs.get("a") == b""
    assert await keys(blobs) == ["a"]


@awaited
async def test_what_was_not_put_is_not_there(blobs: Blobs) -> None:
    await blobs.put("folder/a", b"")
    for key in ("a", "folder", "folder/b", "folder/a/b"):
        assert await blobs.info(key) is None
        with pytest.raises(NotFound, match=key):
            await blobs.get(key)
        await blobs.delete(key)
    assert await keys(blobs) == ["folder/a"]


@pytest.mark.parametrize("key", WRONG_KEYS)
@awaited
async def test_a_key_outside_the_alphabet_is_refused_everywhere(blobs: Blobs, key: str) -> None:
    with pytest.raises(InputError):
        await blobs.put(key, b"")
    with pytest.raises(InputError):
        await blobs.get(key)
    with pytest.raises(InputError):
        await blobs.info(key)
    with pytest.raises(InputError):
        await blobs.delete(key)


@awaited
async def test_names_with_dots_are_names(blobs: Blobs) -> None:
    good = ["...", ".a", "a..", "a/..b/c", "+-._"]
    for key in good:
        await blobs.put(key, key.encode())
    assert await keys(blobs) == sorted(good)


@awaited
async def test_a_part_is_what_exists_of_it(blobs: Blobs) -> None:
    await blobs.put("a", b"0123456789")
    assert await blobs.get("a", start=3) == b"3456789"
    assert await blobs.get("a", start=3, length=4) == b"3456"
    assert await blobs.get("a", start=8, length=4) == b"89"
    assert await blobs.get("a", start=10, length=4) == b""
    assert await blobs.get("a", start=99) == b""
    assert await blobs.get("a", length=0) == b""
    for start, length in ((-1, 1), (0, -1)):
        with pytest.raises(InputError):
            await blobs.get("a", start=start, length=length)


@awaited
async def test_a_put_replaces_and_changes_the_etag(blobs: Blobs) -> None:
    contents = [b"%03d" % number for number in range(20)]
    etags = [(await blobs.put("a", content)).etag for content in contents]
    assert len(set(etags)) == 20
    assert await blobs.get("a") == contents[-1]


@awaited
async def test_a_file_is_taken_over(blobs: Blobs, tmp_path: Path) -> None:
    file = tmp_path / "spool.warc"
    file.write_bytes(b"bundle")
    assert (await blobs.put("bundles/1", file)).size == 6
    file.unlink(missing_ok=True)
    assert await blobs.get("bundles/1") == b"bundle"


@awaited
async def test_a_file_that_conflicts_stays_where_it_is(blobs: Blobs, tmp_path: Path) -> None:
    await blobs.put("a", b"first")
    file = tmp_path / "spool.warc"
    file.write_bytes(b"second")
    with pytest.raises(Conflict):
        await blobs.put("a", file, if_absent=True)
    assert file.read_bytes() == b"second"
    assert await blobs.get("a") == b"first"


@awaited
async def test_a_file_that_is_not_there_is_an_input_error(blobs: Blobs, tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(InputError):
            await blobs.put("a", path)
    assert await keys(blobs) == []


@awaited
async def test_put_if_absent_is_refused_once_the_key_exists(blobs: Blobs) -> None:
    await blobs.put("a", b"first", if_absent=True)
    with pytest.raises(Conflict):
        await blobs.put("a", b"second", if_absent=True)
    assert await blobs.get("a") == b"first"
    await blobs.delete("a")
    await blobs.put("a", b"third", if_absent=True)


@awaited
async def test_put_if_match_needs_the_etag_that_is_there(blobs: Blobs) -> None:
    with pytest.raises(Conflict):
        await blobs.put("a", b"", if_match="any")
    first = await blobs.put("a", b"first")
    second = await blobs.put("a", b"second", if_match=first.etag)
    with pytest.raises(Conflict):
        await blobs.put("a", b"third", if_match=first.etag)
    assert await blobs.get("a") == b"second"
    assert await blobs.info("a") == second


@awaited
async def test_of_concurrent_conditional_puts_one_succeeds(blobs: Blobs) -> None:
    puts = [blobs.put("a", b"%d" % number, if_absent=True) for number in range(8)]
    results = await asyncio.gather(*puts, return_exceptions=True)
    assert sum(isinstance(result, Conflict) for result in results) == 7


@awaited
async def test_objects_are_listed_by_prefix_in_key_order(blobs: Blobs) -> None:
    names = ["a/b", "a.b", "a-b", "a+c", "a0", "ab/c/d", "ab/c0", "b", "A"]
    for name in names:
        await blobs.put(name, name.encode())
    assert await keys(blobs) == sorted(names)
    for prefix in ("a", "a/", "ab/", "ab/c", "ab/c/", "b", "c", "c/d", "ab/c/d", "~", "a/~"):
        assert await keys(blobs, prefix) == sorted(name for name in names if name.startswith(prefix)), prefix


@pytest.mark.parametrize("prefix", ["../", "/", "/a", "a//b", "a/../b", "~drafts/"])
@awaited
async def test_a_prefix_in_no_folder_of_keys_is_refused(blobs: Blobs, prefix: str) -> None:
    with pytest.raises(InputError):
        await keys(blobs, prefix)


@awaited
async def test_deleting_is_idempotent(blobs: Blobs) -> None:
    await blobs.put("a/b", b"")
    await blobs.delete("a/b")
    await blobs.delete("a/b")
    assert await keys(blobs) == []


@pytest.mark.parametrize(("first", "second"), [("a", "a/b"), ("a", "a/b/c"), ("a/b", "a")])
@awaited
async def test_a_key_that_would_be_object_and_folder_may_be_refused_but_harms_nothing(
    blobs: Blobs, first: str, second: str
) -> None:
    await blobs.put(first, b"first")
    try:
        await blobs.put(second, b"second")
    except InputError:
        assert await keys(blobs) == [first]
    else:
        assert await keys(blobs) == sorted([first, second])
    assert await blobs.get(first) == b"first"


key_text = st.text(alphabet="ab./-+", min_size=1, max_size=6)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(key_text, max_size=6), prefix=st.text(alphabet="ab.", max_size=3))
def test_any_keys_are_listed_as_a_sorted_set(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], prefix: str
) -> None:
    async def scenario() -> None:
        blobs = FolderBlobs(tmp_path_factory.mktemp("any"))
        stored = set()
        for name in names:
            try:
                await blobs.put(name, b"")
                stored.add(name)
            except InputError:
                continue
        assert await keys(blobs, prefix) == sorted(name for name in stored if name.startswith(prefix))

    asyncio.run(scenario())


@given(st.text())
def test_an_accepted_key_never_leads_out_of_the_store(key: str) -> None:
    try:
        check_key(key)
    except InputError:
        return
    assert Path(os.path.normpath(f"/store/{key}")) == Path(f"/store/{key}")


# What is true of the folder alone


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
async def test_etags_differ_also_when_the_disk_is_faster_than_its_clock(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)
    blobs = FolderBlobs(root)
    etags = [(await blobs.put("a", b"%03d" % number)).etag for number in range(200)]
    assert len(set(etags)) == 200


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
