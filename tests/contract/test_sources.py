"""The contract of Sources."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kiebitz.adapters.memory.sources import MemorySources
from kiebitz.adapters.sqlite.sources import SqliteSources
from kiebitz.errors import Conflict, NotFound
from kiebitz.model.source import Focus, Source
from kiebitz.ports.sources import Sources
from tests.contract.awaited import awaited
from tests.contract.samples import day
from tests.contract.stores import opened

AACHEN = Source("s1", "Aachen", ("https://aachen.example/amtsblatt",))
KOELN = Source(
    "s2",
    "Köln",
    ("https://koeln.example/a", "https://koeln.example/ä"),
    labels={"land": "nw", "ags": "05315000"},
    focus=Focus.PAGES,
    schedule="@daily",
    enabled=False,
    created_at=day(0),
    last_crawled=day(1),
    last_change=day(2),
    last_error="timeout",
    last_error_at=day(3),
)


@pytest.fixture(params=["memory", "sqlite"])
def sources(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sources]:
    if request.param == "memory":
        yield MemorySources()
        return
    with opened(tmp_path, "records") as database:
        yield SqliteSources(database)


@awaited
async def test_a_source_comes_back_as_it_was_put_by_id_and_by_name(sources: Sources) -> None:
    for source in (AACHEN, KOELN):
        await sources.put(source)
        assert await sources.get(source.id) == source
        assert await sources.get(source.name) == source


@awaited
async def test_an_unknown_source_is_not_found(sources: Sources) -> None:
    with pytest.raises(NotFound, match="Bonn"):
        await sources.get("Bonn")


@awaited
async def test_putting_an_id_again_replaces_the_source(sources: Sources) -> None:
    await sources.put(AACHEN)
    changed = replace(AACHEN, name="Aachen (Stadt)", enabled=False)
    await sources.put(changed)
    await sources.put(changed)
    assert await sources.list() == [changed]
    with pytest.raises(NotFound):
        await sources.get("Aachen")


@awaited
async def test_a_name_belongs_to_one_source(sources: Sources) -> None:
    await sources.put(AACHEN)
    await sources.put(KOELN)
    with pytest.raises(Conflict, match="Aachen"):
        await sources.put(replace(KOELN, name="Aachen"))
    with pytest.raises(Conflict):
        await sources.put(replace(AACHEN, id="s3"))
    assert await sources.list() == [AACHEN, KOELN]


@awaited
async def test_an_id_goes_before_a_name_that_looks_like_it(sources: Sources) -> None:
    await sources.put(replace(AACHEN, id="s9", name="s2"))
    await sources.put(KOELN)
    assert await sources.get("s2") == KOELN


@awaited
async def test_sources_are_listed_by_name_in_pages(sources: Sources) -> None:
    for number, name in enumerate(["b", "ä", "a", "B", "c"]):
        await sources.put(replace(AACHEN, id=str(number), name=name))
    first = await sources.list(limit=2)
    second = await sources.list(after=first[-1].name, limit=2)
    third = await sources.list(after=second[-1].name, limit=2)
    assert [[source.name for source in page] for page in (first, second, third)] == [["B", "a"], ["b", "c"], ["ä"]]


@awaited
async def test_removing_is_idempotent_and_frees_the_name(sources: Sources) -> None:
    await sources.put(AACHEN)
    await sources.remove(AACHEN.id)
    await sources.remove(AACHEN.id)
    assert await sources.list() == []
    await sources.put(replace(KOELN, name=AACHEN.name))


@awaited
async def test_closing_a_store_leaves_the_file_to_the_others(sources: Sources) -> None:
    await sources.close()
    await sources.close()
    await sources.put(AACHEN)
