"""The frontier's contract: what an operator may do to a run, and how the dead are cleared away."""

import pytest

from kiebitz.errors import StaleLease
from kiebitz.model.request import State
from kiebitz.model.run import Counts
from kiebitz.model.visit import Activate, Finish, Halt, Retry
from tests.contract.frontier_desk import Desk, link, outcome, settled, urls

A = "https://a.example/"
B = "https://b.example/"


def test_activating_and_halting_touch_no_request(desk: Desk) -> None:
    desk.add("r1", A)
    assert desk.control("r1", Activate()) == 0
    assert desk.control("r1", Halt()) == 0
    assert desk.counts("r1") == Counts(pending=1)


def test_a_run_is_not_leased_before_it_is_activated(desk: Desk) -> None:
    desk.add("r1", A)
    grant = desk.lease("r1", "unheard of")
    assert (grant.visits, grant.wake_at) == ([], None)
    desk.control("r1", Activate())
    assert desk.hosts("r1") == ["a.example"]


def test_of_a_halted_run_nothing_more_is_leased_and_what_is_pending_stays_pending(desk: Desk) -> None:
    desk.start("r1", A, B)
    visit = desk.visit("r1")
    desk.control("r1", Halt())
    assert desk.lease("r1").visits == []
    desk.finish(visit)
    assert desk.counts("r1") == Counts(pending=1, done=1, documents=1)
    desk.control("r1", Activate())
    assert len(desk.hosts("r1")) == 1


def test_finishing_skips_what_still_waits_with_the_reason(desk: Desk) -> None:
    desk.start("r1", A, B, link(B + "x", reason="scope"))
    visit = desk.visit("r1")
    later = outcome(visit.requests[0], State.DEFERRED, desk.now, next_at=desk.now + 60, reason="timeout")
    desk.settle(settled(visit, later))
    assert desk.control("r1", Finish("limit")) == 2
    assert desk.counts("r1") == Counts(skipped=3)
    assert {(row.state, row.reason) for _, row in desk.read()} == {(State.SKIPPED, "limit"), (State.SKIPPED, "scope")}
    assert (desk.lease("r1").visits, desk.lease("r1").wake_at) == ([], None)


def test_finishing_leaves_what_is_leased_to_its_visit(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    assert desk.control("r1", Finish("stopped")) == 0
    assert desk.counts("r1") == Counts(leased=1, hosts=1)
    desk.finish(visit)
    assert desk.counts("r1") == Counts(done=1, documents=1)


def test_finishing_skips_requests_whose_lease_lapsed(desk: Desk) -> None:
    desk.start("r1", A)
    desk.visit("r1", seconds=60)
    desk.clock.advance(60)
    assert desk.control("r1", Finish("stopped")) == 1
    assert desk.counts("r1") == Counts(skipped=1)


def test_finishing_one_run_leaves_the_others_alone(desk: Desk) -> None:
    desk.start("r1", A)
    desk.start("r2", B)
    desk.control("r1", Finish("stopped"))
    assert desk.counts("r2") == Counts(pending=1)
    assert desk.hosts("r1", "r2") == ["b.example"]


def _failed_and_deferred(desk: Desk) -> None:
    desk.start("r1", A, A + "2", B)
    for visit in desk.lease("r1").visits:
        outcomes = [
            outcome(due, State.DEFERRED, desk.now, next_at=desk.now + 900)
            if due.url == A + "2"
            else outcome(due, State.FAILED, desk.now, reason="404", status=404)
            for due in visit.requests
        ]
        desk.settle(settled(visit, *outcomes))


def test_retrying_sends_requests_back_to_pending_with_their_tries_forgotten(desk: Desk) -> None:
    _failed_and_deferred(desk)
    assert desk.control("r1", Retry((State.FAILED,))) == 2
    assert desk.counts("r1") == Counts(pending=2, deferred=1)
    assert desk.row(A).tries == 0
    assert sorted(u for visit in desk.lease("r1").visits for u in urls(visit)) == [A, B]


def test_a_deferred_request_that_is_retried_is_due_at_once(desk: Desk) -> None:
    _failed_and_deferred(desk)
    assert desk.control("r1", Retry((State.DEFERRED,))) == 1
    assert urls(desk.visit("r1")) == [A + "2"]


def test_retrying_can_be_narrowed_to_a_host_or_a_url(desk: Desk) -> None:
    _failed_and_deferred(desk)
    assert desk.control("r1", Retry((State.FAILED, State.DEFERRED), url=A)) == 1
    assert desk.control("r1", Retry((State.FAILED, State.DEFERRED), host="b.example")) == 1
    assert desk.states() == {A: State.PENDING, A + "2": State.DEFERRED, B: State.PENDING}


def test_retrying_touches_only_requests_of_the_run(desk: Desk) -> None:
    _failed_and_deferred(desk)
    assert desk.control("r2", Retry((State.FAILED, State.DEFERRED))) == 0
    assert desk.control("r1", Retry((State.SKIPPED,), host="c.example")) == 0
    assert desk.counts("r1") == Counts(failed=2, deferred=1)


def test_a_skipped_link_that_is_retried_is_due(desk: Desk) -> None:
    desk.start("r1", link(A, reason="robots"), link(B, reason="robots"))
    assert desk.control("r1", Retry((State.SKIPPED,))) == 2
    assert desk.counts("r1") == Counts(pending=2)
    assert sorted(desk.hosts("r1")) == ["a.example", "b.example"]


def test_a_form_that_is_retried_by_its_url_is_due(desk: Desk) -> None:
    desk.start("r1", link(A, body=b"year=2026", reason="robots"))
    assert desk.control("r1", Retry((State.SKIPPED,), url=A)) == 1
    assert urls(desk.visit("r1")) == [A]


def test_retrying_what_was_fetched_gives_its_page_back_to_the_limits(desk: Desk) -> None:
    desk.start("r1", A, max_pages=1, max_per_host=1)
    desk.finish(desk.visit("r1"))
    assert desk.control("r1", Retry((State.DONE,))) == 1
    assert urls(desk.visit("r1")) == [A]


# Abandoning


def test_abandoning_ends_every_lease_of_the_dead_holder_and_of_nobody_else(desk: Desk) -> None:
    desk.start("r1", A, B, "https://c.example/")
    desk.lease("r1", holder="dead", hosts=2)
    alive = desk.visit("r1", holder="alive")
    assert desk.abandon("dead") == 2
    assert desk.counts("r1") == Counts(pending=2, leased=1, hosts=1)
    assert len(desk.hosts("r1")) == 2
    desk.finish(alive)


def test_a_visit_whose_holder_was_abandoned_settles_nothing(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1", holder="dead")
    desk.abandon("dead")
    assert desk.renew(visit) == [visit]
    with pytest.raises(StaleLease):
        desk.finish(visit)
    assert desk.counts("r1") == Counts(pending=1)


def test_abandoning_a_holder_of_nothing_ends_nothing(desk: Desk) -> None:
    desk.start("r1", A)
    desk.finish(desk.visit("r1", holder="worker"))
    assert desk.abandon("worker") == 0
    assert desk.abandon("nobody") == 0


def test_a_host_of_an_abandoned_lease_is_free_for_every_run(desk: Desk) -> None:
    desk.start("r1", A)
    desk.start("r2", A + "2")
    desk.visit("r1", holder="dead")
    assert desk.hosts("r2") == []
    desk.abandon("dead")
    assert desk.hosts("r2") == ["a.example"]
