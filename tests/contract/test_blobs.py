"""The contract of Blobs."""

import asyncio
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiebitz.adapters.local.blobs import FolderBlobs
from kiebitz.adapters.memory.blobs import MemoryBlobs
from kiebitz.errors import Conflict, InputError, NotFound
from kiebitz.ports.blobs import Blobs, check_key
from tests.contract.awaited import awaited

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
