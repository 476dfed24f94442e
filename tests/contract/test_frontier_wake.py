"""The frontier's contract: when to come back for more, and how a lease is renewed."""

import pytest

from kiebitz.errors import StaleLease
from kiebitz.model.request import State
from kiebitz.model.visit import Found, Halt
from tests.contract.frontier_desk import Desk, link, outcome, settled, urls

A = "https://a.example/"
B = "https://b.example/"
C = "https://c.example/"


def _defer(desk: Desk, seconds: float, url: str = A) -> None:
    desk.start("r1", url)
    visit = desk.visit("r1")
    later = outcome(visit.requests[0], State.DEFERRED, desk.now, next_at=desk.now + seconds, reason="timeout")
    desk.settle(settled(visit, later))


# Deferred requests


def test_a_deferred_request_is_due_at_its_time_and_reads_as_deferred_until_leased(desk: Desk) -> None:
    _defer(desk, 30)
    desk.clock.advance(29.5)
    assert desk.hosts("r1") == []
    desk.clock.advance(0.5)
    assert desk.row(A).state is State.DEFERRED
    assert desk.counts("r1").deferred == 1
    (due,) = desk.visit("r1").requests
    assert (due.url, due.tries) == (A, 1)
    assert desk.row(A).state is State.LEASED
    assert (desk.counts("r1").deferred, desk.counts("r1").leased) == (0, 1)


def test_a_deferred_request_that_comes_back_without_outcome_is_pending(desk: Desk) -> None:
    _defer(desk, 30)
    desk.clock.advance(30)
    desk.settle(settled(desk.visit("r1")))
    assert (desk.row(A).state, desk.row(A).tries) == (State.PENDING, 1)
    assert (desk.counts("r1").pending, desk.counts("r1").deferred) == (1, 0)
    assert urls(desk.visit("r1")) == [A]


def test_a_deferred_request_does_not_hold_up_the_others_of_its_host(desk: Desk) -> None:
    _defer(desk, 3600)
    desk.add("r1", A + "new")
    assert urls(desk.visit("r1")) == [A + "new"]


def test_a_link_found_elsewhere_is_due_at_once_at_a_host_with_deferred_requests(desk: Desk) -> None:
    _defer(desk, 3600)
    desk.add("r1", B)
    visit = desk.visit("r1")
    assert visit.host == "b.example"
    desk.finish(visit, found=[Found(B, 1, [link(A + "new")])])
    assert urls(desk.visit("r1")) == [A + "new"]


# When to come back


def test_nothing_to_wake_for_when_nothing_waits(desk: Desk) -> None:
    assert desk.lease("r1").wake_at is None
    desk.start("r1", A)
    desk.finish(desk.visit("r1"))
    assert desk.lease("r1").wake_at is None


def test_nothing_to_wake_for_in_a_halted_run(desk: Desk) -> None:
    desk.start("r1", A)
    desk.control("r1", Halt())
    assert desk.lease("r1").wake_at is None


def test_wake_at_is_when_the_first_deferred_request_is_due(desk: Desk) -> None:
    _defer(desk, 90)
    _defer(desk, 30, B)
    assert desk.lease("r1").wake_at == desk.now + 30


def test_wake_at_is_when_the_host_is_ready(desk: Desk) -> None:
    desk.start("r1", A)
    desk.settle(settled(desk.visit("r1"), ready_at=desk.now + 7))
    assert desk.lease("r1").wake_at == desk.now + 7


def test_wake_at_is_when_the_lease_of_another_may_lapse(desk: Desk) -> None:
    desk.start("r1", A, B)
    desk.lease("r1", holder="other", hosts=1, seconds=80)
    desk.lease("r1", holder="third", hosts=1, seconds=50)
    grant = desk.lease("r1", holder="worker")
    assert (grant.visits, grant.wake_at) == ([], desk.now + 50)


def test_wake_at_is_when_a_lease_of_another_run_at_the_same_host_may_lapse(desk: Desk) -> None:
    desk.start("r1", A)
    desk.start("r2", A + "2")
    desk.visit("r1", holder="other", seconds=80)
    grant = desk.lease("r2")
    assert (grant.visits, grant.wake_at) == ([], desk.now + 80)


def test_wake_at_is_when_a_lease_may_give_its_page_back_to_the_limit(desk: Desk) -> None:
    desk.start("r1", A, B, max_pages=1)
    desk.lease("r1", holder="other", hosts=1, seconds=80)
    grant = desk.lease("r1")
    assert (grant.visits, grant.wake_at) == ([], desk.now + 80)


def test_wake_at_is_when_an_address_may_be_free_again(desk: Desk) -> None:
    desk.start("r1", A, B, C)
    for visit in desk.lease("r1").visits:
        desk.settle(settled(visit, address="192.0.2.1"))
    desk.lease("r1", holder="other", hosts=2, seconds=80)
    grant = desk.lease("r1")
    assert (grant.visits, grant.wake_at) == ([], desk.now + 80)


def test_wake_at_is_not_later_than_now_when_more_is_due_than_was_asked_for(desk: Desk) -> None:
    desk.start("r1", A, B)
    grant = desk.lease("r1", hosts=1)
    assert grant.wake_at is not None
    assert grant.wake_at <= desk.now


def test_whoever_wakes_at_that_moment_finds_something_due(desk: Desk) -> None:
    _defer(desk, 30)
    desk.start("r1", B)
    desk.visit("r1", holder="other", seconds=45)
    woken = []
    for _ in range(2):
        wake_at = desk.lease("r1").wake_at
        assert wake_at is not None
        desk.clock.advance(wake_at - desk.now)
        woken.append(desk.visit("r1", holder="woken", seconds=600).host)
    assert woken == ["a.example", "b.example"]


def test_lapsed_leases_of_several_runs_give_their_pages_back_in_one_call(desk: Desk) -> None:
    desk.start("r1", A, max_pages=1)
    desk.start("r2", B, max_pages=1)
    assert len(desk.lease("r1", "r2", seconds=60).visits) == 2
    desk.clock.advance(60)
    assert sorted(desk.hosts("r1", "r2")) == ["a.example", "b.example"]


# Renewing


def test_renewing_extends_a_lease_from_now(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1", seconds=60)
    desk.clock.advance(50)
    assert desk.renew(visit, seconds=60) == []
    desk.clock.advance(59)
    assert desk.hosts("r1") == []
    desk.finish(visit)
    assert desk.counts("r1").done == 1


def test_a_renewed_lease_lapses_in_its_turn(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1", seconds=60)
    desk.renew(visit, seconds=100)
    desk.clock.advance(100)
    assert desk.renew(visit) == [visit]
    assert desk.hosts("r1") == ["a.example"]


def test_renewing_never_revives_a_lapsed_lease(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1", seconds=60)
    desk.clock.advance(60)
    assert desk.renew(visit) == [visit]
    with pytest.raises(StaleLease):
        desk.finish(visit)
    assert desk.hosts("r1") == ["a.example"]


def test_renewing_tells_the_lost_visits_from_the_held_ones(desk: Desk) -> None:
    desk.start("r1", A, B, C)
    settled_one, taken, held = desk.lease("r1", seconds=60).visits
    desk.finish(settled_one)
    desk.renew(held, seconds=600)
    desk.clock.advance(60)
    desk.lease("r1", holder="other")
    assert desk.renew(settled_one, taken, held) == [settled_one, taken]
    assert desk.renew() == []


def test_wake_at_follows_a_renewal(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1", holder="other", seconds=60)
    desk.clock.advance(30)
    desk.renew(visit, seconds=60)
    assert desk.lease("r1").wake_at == desk.now + 60


# Contention


def test_a_grant_says_whether_somebody_elses_lease_stands_in_the_way(desk: Desk) -> None:
    desk.start("r1", A)
    desk.start("r2", A + "other")
    visit = desk.visit("r1")
    assert desk.lease("r2").contended
    desk.settle(settled(visit))
    assert not desk.lease("r3").contended
    assert desk.hosts("r2") == ["a.example"]


def test_deferred_work_alone_is_not_contended(desk: Desk) -> None:
    _defer(desk, 30)
    assert not desk.lease("r1").contended
