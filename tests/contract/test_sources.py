"""The contract of Sources."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import NAMESPACE_URL, uuid3

import pytest

from kiebitz.adapters.memory.sources import MemorySources
from kiebitz.adapters.sqlite.database import Database, migrations
from kiebitz.adapters.sqlite.sources import SqliteSources
from kiebitz.errors import Conflict, NotFound
from kiebitz.model.source import (
    LOOKS_KEPT,
    Focus,
    Look,
    Politeness,
    RuleAction,
    RuleKind,
    Source,
    SourceRule,
    source_id,
)
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
    schedule="every 6 hours",
    politeness=Politeness(delay=2.5, max_per_run=40),
    budget=500,
    rules=(
        SourceRule(RuleAction.TAKE, RuleKind.LINK, "https://koeln.example/ä.pdf"),
        SourceRule(RuleAction.LEAVE, RuleKind.PATTERN, "/formulare/"),
    ),
    enabled=False,
    created_at=day(0),
    last_crawled=day(1),
    last_change=day(2),
    last_error="timeout",
    last_error_at=day(3),
    next_look=day(6),
    next_why="Fridays; Fri 2026-03-06 is 97% likely",
    looks=(day(0), day(1)),
    retry_at=day(7),
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
async def test_a_look_is_noted_and_touches_nothing_else(sources: Sources) -> None:
    await sources.put(AACHEN)
    seen = await sources.note(AACHEN.id, Look(day(1), changed=True))
    assert seen == replace(AACHEN, last_crawled=day(1), last_change=day(1), looks=(day(1),))
    seen = await sources.note(AACHEN.id, Look(day(2), error="dns"))
    failed = replace(AACHEN, last_crawled=day(2), last_change=day(1), last_error="dns", last_error_at=day(2))
    assert seen == replace(failed, looks=(day(1),))
    assert await sources.get(AACHEN.id) == seen
    with pytest.raises(NotFound):
        await sources.note("s9", Look(day(1)))


@awaited
async def test_looks_may_be_noted_twice_and_in_any_order(sources: Sources) -> None:
    looks = [
        Look(day(1), changed=True, next_look=day(2), next_why="overdue"),
        Look(day(2), error="dns"),
        Look(day(3), next_look=day(10), next_why="Fridays"),
        Look(day(4), error="timeout", next_look=day(5), next_why="the last look did not work", retry_at=day(4.5)),
    ]
    await sources.put(AACHEN)
    await sources.put(replace(AACHEN, id="s3", name="Aachen II"))
    for look in looks:
        forward = await sources.note(AACHEN.id, look)
    for look in [*reversed(looks), *looks]:
        backward = await sources.note("s3", look)
    assert forward == replace(backward, id=AACHEN.id, name=AACHEN.name)
    assert (forward.last_crawled, forward.last_change) == (day(4), day(1))
    assert (forward.last_error, forward.last_error_at) == ("timeout", day(4))
    assert (forward.next_look, forward.next_why) == (day(5), "the last look did not work")
    assert forward.looks == (day(1), day(3))


@awaited
async def test_a_look_without_a_forecast_takes_the_older_one_away(sources: Sources) -> None:
    await sources.put(AACHEN)
    await sources.note(AACHEN.id, Look(day(1), next_look=day(8), next_why="Fridays"))
    seen = await sources.note(AACHEN.id, Look(day(2)))
    assert (seen.next_look, seen.next_why) == (None, "")


@awaited
async def test_of_the_looks_that_worked_the_newest_are_kept(sources: Sources) -> None:
    await sources.put(AACHEN)
    moments = [day(0) + timedelta(hours=hours) for hours in range(LOOKS_KEPT + 5)]
    for moment in reversed(moments):
        await sources.note(AACHEN.id, Look(moment))
    assert (await sources.get(AACHEN.id)).looks == tuple(moments[5:])


@awaited
async def test_an_edit_does_not_undo_a_look_that_came_meanwhile(sources: Sources) -> None:
    await sources.put(KOELN)
    failed = Look(day(5), changed=True, error="half of it failed", next_look=day(7), next_why="overdue")
    await sources.note(KOELN.id, failed)
    await sources.put(replace(KOELN, enabled=True))
    source = await sources.get(KOELN.id)
    assert source.enabled
    assert (source.last_crawled, source.last_change) == (day(5), day(5))
    assert (source.last_error, source.last_error_at) == ("half of it failed", day(5))
    assert (source.next_look, source.next_why, source.looks) == (day(7), "overdue", KOELN.looks)


def test_the_id_is_made_of_the_first_entry_url_as_that_of_a_document() -> None:
    assert source_id("https://www.example.org/") == str(uuid3(NAMESPACE_URL, "https://www.example.org/"))


@awaited
async def test_a_file_of_the_first_version_keeps_its_sources(tmp_path: Path) -> None:
    old = Database(tmp_path / "records.db", migrations("records")[:1])
    insert = """insert into source values ('s1', 'Aachen', '["https://aachen.example/amtsblatt"]', '{"state":"NW"}',
        'documents', 'auto', 1, '2026-03-01T12:30:15.123456+00:00', null, null, 'dns', '2026-03-02T12:30:15.123456+00:00')"""
    await old.write(lambda sql: sql.execute(insert).rowcount)
    await old.close()
    new = Database(tmp_path / "records.db", migrations("records"))
    sources = SqliteSources(new)
    expected = replace(AACHEN, labels={"state": "NW"}, schedule="auto", created_at=day(0), last_error="dns")
    assert await sources.list() == [replace(expected, last_error_at=day(1))]
    await sources.put(replace(KOELN, id="s1"))
    assert (await sources.get("s1")).rules == KOELN.rules
    await new.close()


@awaited
async def test_closing_a_store_leaves_the_file_to_the_others(sources: Sources) -> None:
    await sources.close()
    await sources.close()
    await sources.put(AACHEN)
