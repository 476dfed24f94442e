"""The contract of Events."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kiebitz.adapters.memory.events import MemoryEvents
from kiebitz.adapters.sqlite.events import SqliteEvents
from kiebitz.model.event import Event
from kiebitz.ports.events import Events
from tests.contract.awaited import awaited
from tests.contract.rivals import Race
from tests.contract.samples import DAY
from tests.contract.stores import opened


@pytest.fixture(params=["memory", "sqlite"])
def events(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Events]:
    if request.param == "memory":
        yield MemoryEvents()
        return
    with opened(tmp_path, "records") as database:
        yield SqliteEvents(database)


def tick(subject: str, run: str = "") -> Event:
    return Event("tick", DAY, run=run, subject=subject)


async def subjects(events: Events, *, after: int = 0, limit: int = 1000, run: str = "") -> list[str]:
    return [event.subject for event in await events.read(after=after, limit=limit, run=run)]


@awaited
async def test_an_event_comes_back_as_it_was_appended_with_an_id(events: Events) -> None:
    event = Event("visit.settled", DAY, "r1", "ä.example", {"pages": 3, "seconds": 0.5, "ok": True, "why": "ü"})
    last = await events.append([event, tick("bare")])
    read = await events.read()
    assert [replace(each, id=0) for each in read] == [event, tick("bare")]
    assert [each.id for each in read] == sorted(each.id for each in read)
    assert read[-1].id == last


@awaited
async def test_a_reader_that_goes_on_after_its_last_id_sees_each_event_once(events: Events) -> None:
    await events.append([tick(name) for name in "abcde"])
    seen: list[str] = []
    after = 0
    while page := await events.read(after=after, limit=2):
        seen += [event.subject for event in page]
        after = page[-1].id
    await events.append([tick("f")])
    assert [*seen, *await subjects(events, after=after)] == list("abcdef")


@awaited
async def test_reading_can_be_narrowed_to_a_run(events: Events) -> None:
    await events.append([tick("a", "r1"), tick("b", "r2"), tick("c", "r1"), tick("d")])
    assert await subjects(events, run="r1") == ["a", "c"]
    assert await subjects(events, run="r1", limit=1) == ["a"]
    first = (await events.read(run="r1"))[0].id
    assert await subjects(events, run="r1", after=first) == ["c"]
    assert await subjects(events, run="r3") == []


@awaited
async def test_appending_nothing_gives_the_last_id(events: Events) -> None:
    assert await events.append([]) == 0
    last = await events.append([tick("a"), tick("b")])
    assert await events.append([]) == last


@awaited
async def test_a_batch_is_appended_whole_or_not_at_all(events: Events) -> None:
    await events.append([tick("a")])
    with pytest.raises((AttributeError, TypeError)):
        await events.append([tick("b"), None])  # type: ignore[list-item]
    assert await subjects(events) == ["a"]


@awaited
async def test_trimming_keeps_the_newest(events: Events) -> None:
    await events.append([tick(name) for name in "abcde"])
    assert await events.trim(9) == 0
    assert await events.trim(2) == 3
    assert await subjects(events) == ["d", "e"]


@awaited
async def test_an_id_is_never_used_again(events: Events) -> None:
    last = await events.append([tick("a"), tick("b")])
    assert await events.trim(0) == 2
    assert await events.append([]) == last
    assert await events.append([tick("c")]) > last
    assert await subjects(events, after=last) == ["c"]


def test_a_reader_misses_nothing_and_sees_nothing_twice_while_two_processes_append(tmp_path: Path) -> None:
    batches = 40
    with opened(tmp_path, "records") as database, Race("append_events", 2, folder=tmp_path, batches=batches) as race:
        events = SqliteEvents(database)

        async def follow() -> list[Event]:
            seen: list[Event] = []
            finished = False
            while not finished:
                finished = not race.running  # asked before the read: what came before the end is then read
                while page := await events.read(after=seen[-1].id if seen else 0, limit=7):
                    seen += page
            return seen

        seen = asyncio.run(follow())
        race.results()
    ids = [event.id for event in seen]
    assert ids == sorted(set(ids))
    for writer in ("0", "1"):
        numbers = [(event.data or {})["n"] for event in seen if event.subject == writer]
        assert numbers == list(range(2 * batches))
