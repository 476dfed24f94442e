"""The frontier's contract: which requests are gone, and at how many hosts a run is at work."""

import pytest

from kiebitz.model.request import Capture, State
from kiebitz.model.run import Counts
from kiebitz.model.visit import Found, Retry
from tests.contract.frontier_desk import Desk, link, outcome, settled

A = "https://a.example/"
B = "https://b.example/"


def answer(desk: Desk, run: str, state: State, **fields: object) -> None:
    """The only request that waits is visited, and this becomes of it."""
    visit = desk.visit(run)
    desk.settle(settled(visit, outcome(visit.requests[0], state, desk.now, **fields)))


def had_content(desk: Desk) -> None:
    desk.start("r1", A)
    answer(desk, "r1", State.DONE, status=200, digest=b"d", capture=Capture(desk.now, "b", 0, 9))
    desk.start("r2", A)


@pytest.mark.parametrize("status", [404, 410])
def test_what_had_a_content_and_answers_that_it_is_no_longer_there_is_gone_and_failed(desk: Desk, status: int) -> None:
    had_content(desk)
    answer(desk, "r2", State.FAILED, status=status, reason=f"http {status}")
    assert desk.counts("r2") == Counts(failed=1, gone=1)
    assert desk.counts("r1") == Counts(done=1)
    assert (desk.row(A).state, desk.row(A).reason) == (State.FAILED, f"http {status}")


@pytest.mark.parametrize(
    ("state", "status"),
    [(State.FAILED, 403), (State.FAILED, 0), (State.DEFERRED, 404), (State.SKIPPED, 410), (State.UNCHANGED, 304)],
)
def test_other_ends_of_what_had_a_content_are_not_gone(desk: Desk, state: State, status: int) -> None:
    had_content(desk)
    answer(desk, "r2", state, status=status, next_at=desk.now + 60)
    assert desk.counts("r2") == Counts(**{state.label: 1})


def test_what_never_had_a_content_is_not_gone(desk: Desk) -> None:
    desk.start("r1", A)
    answer(desk, "r1", State.FAILED, status=404)
    desk.start("r2", A)
    answer(desk, "r2", State.FAILED, status=410)
    assert (desk.counts("r1"), desk.counts("r2")) == (Counts(failed=1), Counts(failed=1))


def test_what_is_gone_is_gone_in_every_run_that_looks_again(desk: Desk) -> None:
    had_content(desk)
    answer(desk, "r2", State.FAILED, status=404)
    desk.start("r3", A)
    assert desk.counts("r2") == Counts(failed=1, gone=1), "it stays in the figures of the run that ended it"
    answer(desk, "r3", State.FAILED, status=404)
    assert (desk.counts("r2"), desk.counts("r3")) == (Counts(failed=1, gone=1), Counts(failed=1, gone=1))


def test_what_is_gone_and_retried_is_no_longer_gone_until_it_is_asked_for_again(desk: Desk) -> None:
    had_content(desk)
    answer(desk, "r2", State.FAILED, status=404)
    assert desk.control("r2", Retry((State.FAILED,))) == 1
    assert desk.counts("r2") == Counts(pending=1)
    answer(desk, "r2", State.FAILED, status=410)
    assert desk.counts("r2") == Counts(failed=1, gone=1)
    desk.control("r2", Retry((State.FAILED,)))
    answer(desk, "r2", State.UNCHANGED, status=200)
    assert desk.counts("r2") == Counts(unchanged=1)


def test_retrying_what_failed_otherwise_leaves_what_is_gone(desk: Desk) -> None:
    had_content(desk)
    answer(desk, "r2", State.FAILED, status=404)
    desk.add("r2", B)
    answer(desk, "r2", State.FAILED, status=404)
    assert desk.control("r2", Retry((State.FAILED,), host="b.example")) == 1
    assert desk.counts("r2") == Counts(pending=1, failed=1, gone=1)


def test_an_unchanged_document_is_not_among_the_new_ones_and_a_changed_one_is(desk: Desk) -> None:
    desk.start("r1", A)
    answer(desk, "r1", State.DONE, status=200, digest=b"old", size=5)
    desk.start("r2", A)
    answer(desk, "r2", State.UNCHANGED, status=304)
    desk.start("r3", A)
    answer(desk, "r3", State.DONE, status=200, digest=b"new", size=7)
    assert desk.counts("r1") == Counts(done=1, documents=1, bytes=5)
    assert desk.counts("r2") == Counts(unchanged=1)
    assert desk.counts("r3") == Counts(done=1, documents=1, bytes=7)


def test_hosts_are_those_at_which_requests_of_the_run_are_leased_by_anybody(desk: Desk) -> None:
    desk.start("r1", A, A + "2", B)
    desk.start("r2", "https://c.example/")
    first, second = desk.lease("r1").visits
    desk.lease("r2", holder="another")
    assert (desk.counts("r1").hosts, desk.counts("r2").hosts) == (2, 1)
    desk.settle(settled(first, found=[Found(A, 1, [link("https://d.example/")])]))
    assert desk.counts("r1").hosts == 1
    desk.lease("r1", holder="another", hosts=1)
    assert desk.counts("r1").hosts == 2
    desk.finish(second)
    desk.abandon("another")
    assert (desk.counts("r1").hosts, desk.counts("r2").hosts) == (0, 0)
