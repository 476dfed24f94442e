"""The frontier's contract for adapters that keep something: what survives, and what two processes see of each other."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.errors import StaleLease
from kiebitz.model.request import Capture, State
from kiebitz.model.run import Counts
from kiebitz.model.visit import BundleMark, Found, Robots
from tests.contract.frontier_desk import PER_ADDRESS, Desk, desk_for, link, outcome, settled, sqlite, urls

A = "https://a.example/"
B = "https://b.example/"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with desk_for(sqlite, tmp_path) as desk:
        yield desk


@pytest.fixture
def second(desk: Desk, tmp_path: Path) -> Iterator[Desk]:
    """Another connection to the same file."""
    other = Desk(sqlite(tmp_path, desk.clock, PER_ADDRESS), desk.clock, desk._runner)
    yield other
    desk.do(other.frontier.close())


def _work(desk: Desk) -> None:
    desk.start("r1", A, A + "2", B)
    visit = desk.visit("r1")
    first = visit.requests[0]
    page = outcome(first, State.DONE, desk.now, etag='"1"', size=9, capture=Capture(desk.now, "b", 0, 9))
    found = [Found(first.url, 1, [link("https://c.example/"), link("https://d.example/", reason="scope")])]
    robots = [Robots("https://a.example", desk.now, 200, "User-agent: *\n")]
    desk.settle(
        settled(visit, page, found=found, robots=robots, failures=2, address="192.0.2.1", keep=True),
        mark=BundleMark("b", 9),
    )
    desk.add("r2", "https://c.example/")


def test_closing_and_opening_again_shows_all(desk: Desk, tmp_path: Path) -> None:
    _work(desk)
    before = desk.everything("r1", "r2")
    desk.do(desk.frontier.close())
    desk.frontier = sqlite(tmp_path, desk.clock)
    assert desk.everything("r1", "r2") == before


def test_closing_twice_is_harmless(desk: Desk) -> None:
    desk.do(desk.frontier.close())


def test_what_a_call_did_survives_the_death_of_the_process(desk: Desk, tmp_path: Path) -> None:
    _work(desk)
    remains = tmp_path / "remains"
    remains.mkdir()
    for file in tmp_path.glob("frontier.db*"):
        if not file.name.endswith("-shm"):
            shutil.copy(file, remains / file.name)
    heir = Desk(sqlite(remains, desk.clock), desk.clock, desk._runner)
    try:
        assert heir.everything("r1", "r2") == desk.everything("r1", "r2")
    finally:
        desk.do(heir.frontier.close())


def test_a_lease_outlives_its_process_and_can_be_settled_after_opening_again(desk: Desk, tmp_path: Path) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    desk.do(desk.frontier.close())
    desk.frontier = sqlite(tmp_path, desk.clock)
    assert desk.hosts("r1") == []
    desk.finish(visit)
    assert desk.counts("r1") == Counts(done=1, documents=1)


def test_two_connections_see_each_others_work(desk: Desk, second: Desk) -> None:
    _work(desk)
    assert second.everything("r1", "r2") == desk.everything("r1", "r2")
    second.add("r3", B + "new")
    assert desk.counts("r3") == Counts(pending=1)


def test_two_connections_never_lease_the_same_host(desk: Desk, second: Desk) -> None:
    desk.start("r1", A, B, "https://c.example/")
    mine = desk.lease("r1", hosts=1).visits
    theirs = second.lease("r1", hosts=1).visits
    rest = desk.lease("r1").visits
    assert sorted(visit.host for visit in mine + theirs + rest) == ["a.example", "b.example", "c.example"]
    assert second.lease("r1").visits == []


def test_a_lease_is_settled_through_another_connection_once(desk: Desk, second: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    second.finish(visit)
    with pytest.raises(StaleLease):
        desk.finish(visit)


def test_what_one_connection_knows_does_not_hide_what_another_took_over(desk: Desk, second: Desk) -> None:
    desk.start("r1", A)
    second.start("r2", A)
    assert desk.row(A).run == "r2"
    second.finish(second.visit("r2"))
    desk.start("r3", A)
    assert second.add("r3", A) == 0
    assert urls(second.visit("r3")) == [A]
