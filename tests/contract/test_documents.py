"""The contract of Documents."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiebitz.adapters.memory.documents import MemoryDocuments
from kiebitz.adapters.sqlite.documents import SqliteDocuments
from kiebitz.errors import NotFound
from kiebitz.model.document import Document, Version
from kiebitz.model.issue import Issue, Precision
from kiebitz.ports.documents import Documents
from tests.contract.awaited import awaited
from tests.contract.rivals import Race
from tests.contract.samples import day, document
from tests.contract.stores import opened

A = "https://a.example/1.pdf"
B = "https://b.example/2.pdf"


@pytest.fixture(params=["memory", "sqlite"])
def documents(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Documents]:
    if request.param == "memory":
        yield MemoryDocuments()
        return
    with opened(tmp_path, "records") as database:
        yield SqliteDocuments(database)


def version(seen: Document) -> Version:
    return Version(seen.sha256, seen.bytes, seen.content_type, seen.downloaded_on)


@awaited
async def test_a_new_document_is_stored_with_one_version(documents: Documents) -> None:
    seen = document(A)
    assert await documents.record([seen]) == 1
    assert await documents.get(seen.id) == replace(seen, versions=(version(seen),))


@awaited
async def test_an_unknown_document_is_not_found(documents: Documents) -> None:
    with pytest.raises(NotFound):
        await documents.get("unknown")


@awaited
async def test_the_same_content_updates_only_what_the_visit_found(documents: Documents) -> None:
    first = document(A)
    again = document(A, day=1, tries=3, source="other")
    again = replace(again, status=203, valid=False, link_text="other", content_type="text/plain")
    await documents.record([first])
    assert await documents.record([again]) == 0
    known = replace(first, versions=(version(first),))
    assert await documents.get(first.id) == replace(known, visited_on=day(1), tries=3, status=203, valid=False)


@awaited
async def test_what_the_page_says_of_a_document_is_kept_and_follows_the_page(documents: Documents) -> None:
    first = replace(document(A), issue=Issue(5, None, 2026, date(2026, 3, 1), precision=Precision.MONTH, title="Nr. 5"))
    await documents.record([first])
    assert (await documents.get(first.id)).issue == first.issue
    unlisted = document(A, day=1)
    await documents.record([unlisted])
    assert (await documents.get(first.id)).issue == first.issue
    renamed = replace(document(A, day=2), issue=Issue(6, None, 2026), link_text="Nr. 6")
    await documents.record([renamed])
    known = await documents.get(first.id)
    assert (known.issue, known.link_text) == (renamed.issue, "Nr. 6")


@awaited
async def test_another_content_becomes_the_record_and_its_version_is_appended(documents: Documents) -> None:
    first, second = document(A), document(A, content="second", day=1, source="other")
    await documents.record([first])
    assert await documents.record([second]) == 1
    versions = (version(first), version(second))
    assert await documents.get(first.id) == replace(second, first_seen=first.first_seen, versions=versions)


@awaited
async def test_a_content_that_comes_back_is_a_version_again(documents: Documents) -> None:
    history = [document(A, content=content, day=number) for number, content in enumerate(["x", "y", "x"])]
    for seen in history:
        assert await documents.record([seen]) == 1
    assert (await documents.get(history[0].id)).versions == tuple(version(seen) for seen in history)


@awaited
async def test_first_seen_never_changes(documents: Documents) -> None:
    for number, content in enumerate(["x", "x", "y", "x"]):
        await documents.record([document(A, content=content, day=number)])
    assert (await documents.get(document(A).id)).first_seen == day(0)


@awaited
async def test_a_settle_repeated_late_changes_nothing(documents: Documents) -> None:
    history = [document(A, content=content, day=number) for number, content in enumerate(["x", "x", "y"])]
    await documents.record(history)
    known = await documents.get(history[0].id)
    for repeated in history:
        assert await documents.record([repeated]) == 0
        assert await documents.get(history[0].id) == known


@awaited
async def test_a_new_content_is_kept_although_the_clock_of_its_worker_was_late(documents: Documents) -> None:
    await documents.record([document(A, content="x", day=5)])
    assert await documents.record([document(A, content="y", day=4)]) == 1
    known = await documents.get(document(A).id)
    assert known.visited_on == day(5)
    assert [each.downloaded_on for each in known.versions] == [day(5), day(4)]


@awaited
async def test_a_batch_may_hold_a_url_twice(documents: Documents) -> None:
    batch = [document(A), document(B), document(A, content="second", day=1), document(B, day=1)]
    assert await documents.record(batch) == 3
    assert await documents.record([]) == 0
    assert len((await documents.get(document(A).id)).versions) == 2


@awaited
async def test_a_batch_is_recorded_whole_or_not_at_all(documents: Documents) -> None:
    await documents.record([document(A)])
    known = await documents.get(document(A).id)
    with pytest.raises(AttributeError):
        await documents.record([document(A, content="second", day=1), document(B), None])  # type: ignore[list-item]
    assert await documents.get(document(A).id) == known
    assert await documents.count() == 1


@awaited
async def test_documents_are_listed_by_id_in_pages_and_by_source(documents: Documents) -> None:
    sources = ["aachen", "bonn", "aachen", "bonn", "aachen"]
    seen = [document(f"https://a.example/{n}.pdf", source=source) for n, source in enumerate(sources)]
    await documents.record(seen)
    ids = sorted(each.id for each in seen)
    first = await documents.list(limit=3)
    assert [each.id for each in first] == ids[:3]
    assert [each.id for each in await documents.list(after=first[-1].id, limit=3)] == ids[3:]
    bonn = sorted(each.id for each in seen if each.source == "bonn")
    assert [each.id for each in await documents.list(source="bonn")] == bonn
    assert [each.id for each in await documents.list(source="bonn", after=bonn[0])] == bonn[1:]
    assert await documents.list(source="bonn", limit=1) == [await documents.get(bonn[0])]


@awaited
async def test_documents_are_counted_by_source(documents: Documents) -> None:
    assert await documents.count() == 0
    await documents.record([document(A), document(B, source="bonn")])
    assert await documents.count() == 2
    assert await documents.count(source="bonn") == 1
    await documents.record([document(B, source="aachen", content="second", day=1)])
    assert await documents.count(source="aachen") == 2
    assert await documents.count(source="bonn") == 0


@awaited
async def test_documents_are_found_by_their_current_content(documents: Documents) -> None:
    await documents.record([document(A), document(B)])
    both = sorted([document(A).id, document(B).id])
    assert [each.id for each in await documents.by_content(document(A).sha256)] == both
    await documents.record([document(A, content="second", day=1)])
    assert [each.id for each in await documents.by_content(document(A).sha256)] == [document(B).id]
    assert await documents.by_content("unknown") == []


def test_several_processes_add_their_versions_to_the_same_documents(tmp_path: Path) -> None:
    urls = [f"https://a.example/{number}.pdf" for number in range(10)]
    with Race("record_documents", 3, folder=tmp_path, urls=urls) as race:
        assert sum(race.results()) == 30
    with opened(tmp_path, "records") as database:
        found = asyncio.run(SqliteDocuments(database).list())
    assert len(found) == 10
    assert all(len({each.sha256 for each in known.versions}) == len(known.versions) == 3 for known in found)


sightings = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.integers(0, 4)), max_size=8)
fresh = count()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=sightings, cut=st.integers(0, 8))
def test_any_history_recorded_twice_in_any_batches_is_the_history_recorded_once(
    documents: Documents, history: list[tuple[str, str, int]], cut: int
) -> None:
    base = f"https://{next(fresh)}.example/"
    seen = [document(base + url, content=content, day=on) for url, content, on in history]
    ids = {each.id for each in seen}

    async def recorded(*batches: list[Document]) -> tuple[int, list[Document]]:
        new = 0
        for batch in batches:
            new += await documents.record(batch)
        return new, [await documents.get(identity) for identity in sorted(ids)]

    async def scenario() -> None:
        new, known = await recorded(seen[:cut], seen[cut:])
        assert new == sum(len(each.versions) for each in known)
        assert await recorded(seen) == (0, known)
        assert await recorded(seen[cut:], seen[:cut]) == (0, known)
        assert await recorded(*([each] for each in seen)) == (0, known)
        for each in known:
            assert each.sha256 == each.versions[-1].sha256

    asyncio.run(scenario())
