"""The contract of Sightings."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from kiebitz.adapters.memory.sightings import MemorySightings
from kiebitz.adapters.sqlite.sightings import SqliteSightings
from kiebitz.model.candidate import Candidate, Evidence, Verdict
from kiebitz.model.issue import Issue, IssueKind, Precision
from kiebitz.model.sight import Change, Item, PageSight, Sight
from kiebitz.ports.sightings import Sightings
from tests.contract.awaited import awaited
from tests.contract.samples import day
from tests.contract.stores import opened

URL = "https://stadt.example/amtsblatt"
LINK = Candidate("https://stadt.example/a.pdf#x", 3, "POST", b"id=1&k=\xff", "Nr. 1 für März", row_before="Ausgabe")
ISSUE = Issue(1, None, 2026, date(2026, 3, 1), IssueKind.SUPPLEMENT, "Nr. 1", "a", Precision.MONTH)
VERDICT = Verdict(LINK, 2.5, (Evidence(1.5, "number and year"), Evidence(1.0, "„Amtsblatt“")), "ul/li", True, ISSUE)
PAGE = PageSight(URL, URL, "r1", day(1), "documents", "1 documents", "Amtsblatt", (VERDICT,), ("Willkommen",))
ITEM = Item("document", "k", URL, "Nr. 1", "nr. 1", "2026/1 regular")


@pytest.fixture(params=["memory", "sqlite"])
def sightings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sightings]:
    if request.param == "memory":
        yield MemorySightings()
        return
    with opened(tmp_path, "records") as database:
        yield SqliteSightings(database)


def sight(run: str, number: int, *items: Item) -> Sight:
    return Sight(run, day(number), f"print of {run}", items, {"t": 1})


def change(run: str, number: int) -> Change:
    return Change(run, day(number), None, "before", "after", new=(ITEM,), changed=((ITEM, ITEM._replace(mark="x")),))


@awaited
async def test_a_page_comes_back_with_every_verdict_and_reason(sightings: Sightings) -> None:
    await sightings.record("s1", [PAGE])
    assert await sightings.pages("s1") == [PAGE]
    assert await sightings.pages("s2") == []


@awaited
async def test_of_a_page_the_newest_sight_is_kept(sightings: Sightings) -> None:
    newer = PAGE._replace(run="r2", at=day(2), verdicts=())
    await sightings.record("s1", [newer])
    await sightings.record("s1", [PAGE])
    assert await sightings.pages("s1") == [newer]
    again = newer._replace(run="r3")
    await sightings.record("s1", [again])
    await sightings.record("s1", [again])
    assert await sightings.pages("s1") == [again]


@awaited
async def test_pages_are_listed_in_order_by_run_and_in_parts(sightings: Sightings) -> None:
    pages = [
        PAGE._replace(page=f"{URL}?{letter}", run=run)
        for letter, run in zip("abcd", ("r1", "r2", "r1", "r1"), strict=True)
    ]
    await sightings.record("s1", pages[::-1])
    assert await sightings.pages("s1") == pages
    assert await sightings.pages("s1", limit=2) == pages[:2]
    assert await sightings.pages("s1", after=pages[1].page) == pages[2:]
    assert await sightings.pages("s1", run="r1", after=pages[0].page) == pages[2:]


@awaited
async def test_a_conclusion_replaces_the_sight_and_appends_the_change(sightings: Sightings) -> None:
    assert await sightings.current("s1") is None
    first, second = sight("r1", 1), sight("r2", 2, ITEM)
    await sightings.conclude("s1", first, None)
    await sightings.conclude("s1", second, change("r2", 2))
    assert await sightings.current("s1") == second
    assert await sightings.changes("s1") == [change("r2", 2)]


@awaited
async def test_a_run_concludes_once_and_an_older_one_changes_nothing(sightings: Sightings) -> None:
    await sightings.conclude("s1", sight("r2", 2), change("r2", 2))
    await sightings.conclude("s1", sight("r2", 3), change("r2", 3))
    await sightings.conclude("s1", sight("r1", 1), change("r1", 1))
    assert await sightings.current("s1") == sight("r2", 2)
    assert await sightings.changes("s1") == [change("r2", 2)]


@awaited
async def test_changes_are_read_newest_first_and_in_parts(sightings: Sightings) -> None:
    for number in range(1, 5):
        await sightings.conclude("s1", sight(f"r{number}", number), change(f"r{number}", number))
    assert [each.run for each in await sightings.changes("s1", limit=2)] == ["r4", "r3"]
    assert [each.run for each in await sightings.changes("s1", before="r3")] == ["r2", "r1"]


@awaited
async def test_what_is_forgotten_is_gone_and_nothing_else(sightings: Sightings) -> None:
    for source in ("s1", "s2"):
        await sightings.record(source, [PAGE])
        await sightings.conclude(source, sight("r1", 1), change("r1", 1))
    await sightings.forget("s1")
    await sightings.forget("s1")
    assert (await sightings.pages("s1"), await sightings.current("s1"), await sightings.changes("s1")) == ([], None, [])
    assert await sightings.pages("s2") == [PAGE]
    assert len(await sightings.changes("s2")) == 1
