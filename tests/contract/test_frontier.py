"""The frontier's contract: what belongs to whom, and what can be read. Its other parts stand in the files beside."""

import pytest

from kiebitz.model.request import State, request_key
from kiebitz.model.run import Counts
from kiebitz.model.visit import Activate
from tests.contract.frontier_desk import Desk, link, outcome, settled, urls

A = "https://a.example/"
B = "https://b.example/"


# Adding


def test_links_given_to_a_run_become_pending(desk: Desk) -> None:
    assert desk.add("r1", A, B, depth=2, parent="https://p.example/") == 2
    assert desk.counts("r1") == Counts(pending=2)
    row = desk.row(A)
    assert (row.run, row.host, row.state, row.method) == ("r1", "a.example", State.PENDING, "GET")
    assert (row.depth, row.parent, row.tries, row.status) == (2, "https://p.example/", 0, 0)


def test_a_link_keeps_its_text(desk: Desk) -> None:
    desk.add("r1", link(A, text="Amtsblatt 7/2026"))
    assert desk.row(A).text == "Amtsblatt 7/2026"


def test_a_link_named_twice_in_one_call_is_one_request_and_the_first_wins(desk: Desk) -> None:
    assert desk.add("r1", link(A, text="first"), link(A, text="second")) == 1
    assert desk.row(A).text == "first"


def test_adding_nothing_does_nothing(desk: Desk) -> None:
    assert desk.add("r1") == 0
    assert desk.counts("r1") == Counts()


def test_the_same_url_with_a_body_is_another_request(desk: Desk) -> None:
    assert desk.add("r1", A, link(A, body=b"year=2025"), link(A, body=b"year=2026"), link(A, body=b"")) == 4
    assert desk.row(A, b"year=2025").method == "POST"
    assert desk.row(A, b"").method == "POST"
    desk.control("r1", Activate())
    assert {due.body for due in desk.visit("r1").requests} == {None, b"", b"year=2025", b"year=2026"}


def test_a_link_the_run_owns_already_is_ignored(desk: Desk) -> None:
    desk.add("r1", link(A, text="old"), depth=1, parent=B)
    assert desk.add("r1", link(A, text="new"), depth=0) == 0
    row = desk.row(A)
    assert (row.depth, row.parent, row.text) == (1, B, "old")
    assert desk.counts("r1") == Counts(pending=1)


def test_a_link_the_run_has_fetched_already_is_ignored(desk: Desk) -> None:
    desk.start("r1", A)
    desk.finish(desk.visit("r1"))
    assert desk.add("r1", A, link(A, reason="scope")) == 0
    assert desk.row(A).state is State.DONE


def test_a_link_with_a_reason_is_recorded_as_skipped_and_never_leased(desk: Desk) -> None:
    assert desk.start("r1", link(A, reason="robots")) == 0
    row = desk.row(A)
    assert (row.state, row.reason) == (State.SKIPPED, "robots")
    assert desk.counts("r1") == Counts(skipped=1)
    assert desk.lease("r1").visits == []


# Changing hands


def _fetched_by_another_run(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    (due,) = visit.requests
    fields = {"etag": '"7"', "modified": "Mon, 05 Jan 2026 08:00:00 GMT", "digest": b"\x07" * 16, "tries": 2}
    desk.settle(settled(visit, outcome(due, State.DONE, desk.now, **fields)))


def test_a_request_changes_hands_when_another_run_adds_it(desk: Desk) -> None:
    _fetched_by_another_run(desk)
    assert desk.add("r2", link(A, text="again"), depth=3, parent=B) == 1
    row = desk.row(A)
    assert (row.run, row.state, row.tries) == ("r2", State.PENDING, 0)
    assert (row.depth, row.parent, row.text) == (3, B, "again")


def test_validators_and_digest_are_kept_when_a_request_changes_hands(desk: Desk) -> None:
    _fetched_by_another_run(desk)
    desk.start("r2", A)
    (due,) = desk.visit("r2").requests
    assert (due.etag, due.modified, due.digest) == ('"7"', "Mon, 05 Jan 2026 08:00:00 GMT", b"\x07" * 16)
    assert due.tries == 0


def test_a_request_that_changes_hands_with_a_reason_is_skipped(desk: Desk) -> None:
    _fetched_by_another_run(desk)
    assert desk.add("r2", link(A, reason="scope")) == 0
    row = desk.row(A)
    assert (row.run, row.state, row.reason, row.tries) == ("r2", State.SKIPPED, "scope", 0)
    assert row.etag == '"7"'


@pytest.mark.parametrize("state", [State.UNCHANGED, State.DEFERRED, State.FAILED, State.SKIPPED])
def test_a_request_in_any_state_but_leased_changes_hands(desk: Desk, state: State) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    desk.settle(settled(visit, outcome(visit.requests[0], state, desk.now, next_at=desk.now + 900, reason="why")))
    assert desk.start("r2", A) == 1
    assert urls(desk.visit("r2")) == [A]


def test_a_leased_request_does_not_change_hands(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    assert desk.add("r2", A) == 0
    assert desk.row(A).run == "r1"
    assert desk.counts("r2") == Counts()
    desk.finish(visit)
    assert desk.counts("r1").done == 1


def test_a_request_of_a_leased_host_that_is_not_leased_itself_changes_hands(desk: Desk) -> None:
    desk.start("r1", A)
    desk.visit("r1")
    desk.add("r1", A + "other")
    assert desk.add("r2", A + "other") == 1
    assert desk.row(A + "other").run == "r2"
    assert desk.counts("r1") == Counts(leased=1, hosts=1)


def test_a_request_refused_because_it_was_leased_can_be_added_later(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    assert desk.add("r2", A) == 0
    desk.finish(visit)
    assert desk.add("r2", A) == 1


def test_a_request_whose_lease_lapsed_changes_hands(desk: Desk) -> None:
    desk.start("r1", A)
    desk.visit("r1", seconds=60)
    desk.clock.advance(60)
    assert desk.start("r2", A) == 1
    assert (desk.counts("r1"), desk.counts("r2")) == (Counts(), Counts(pending=1))
    assert urls(desk.visit("r2")) == [A]
    assert (desk.counts("r1"), desk.counts("r2")) == (Counts(), Counts(leased=1, hosts=1))


def test_a_run_takes_nothing_from_a_newer_one(desk: Desk) -> None:
    desk.start("r1", A)
    desk.start("r2", A)
    assert desk.add("r1", A) == 0
    assert desk.row(A).run == "r2"
    assert (desk.counts("r1"), desk.counts("r2")) == (Counts(), Counts(pending=1))


def test_a_run_is_older_if_the_frontier_heard_of_it_earlier_whatever_its_name(desk: Desk) -> None:
    desk.lease("alpha")
    desk.counts("alpha")
    desk.control("zulu", Activate())
    desk.add("alpha", A)
    assert desk.add("zulu", A) == 0
    desk.add("zulu", B)
    assert desk.add("alpha", B) == 1


def test_a_run_no_longer_leases_what_another_run_took_over(desk: Desk) -> None:
    desk.start("r1", A, B)
    desk.start("r2", A)
    assert desk.hosts("r1") == ["b.example"]
    assert desk.hosts("r2") == ["a.example"]


def test_what_a_run_ended_stays_in_its_figures_when_another_takes_over_but_what_waited_does_not(desk: Desk) -> None:
    _fetched_by_another_run(desk)
    desk.add("r1", B, link(A + "x", reason="scope"))
    desk.add("r2", A, B, A + "x")
    assert desk.counts("r1") == Counts(done=1, skipped=1, documents=1)
    assert desk.counts("r2") == Counts(pending=3)


# Reading


def test_counts_of_an_unknown_run_are_zeros(desk: Desk) -> None:
    assert desk.counts("never") == Counts()


def test_rows_come_with_their_cursor_in_order_of_host_and_key(desk: Desk) -> None:
    desk.add("r1", B, A + "1", A + "2", A + "3", link(A, body=b"x"))
    rows = desk.read()
    cursors = [cursor for cursor, _ in rows]
    assert cursors == sorted(cursors)
    assert {("b.example", request_key(B)), ("a.example", request_key(A, b"x"))} <= set(cursors)
    assert all(row.host == host for (host, _), row in rows)


def test_reading_goes_on_after_a_cursor(desk: Desk) -> None:
    desk.add("r1", *[f"https://{host}.example/{n}" for host in "abc" for n in range(3)])
    pages: list[str] = []
    after = None
    while page := desk.read(after=after, limit=2):
        assert len(page) <= 2
        pages += [row.url for _, row in page]
        after = page[-1][0]
    assert pages == [row.url for _, row in desk.read()]
    assert len(set(pages)) == 9


def test_rows_are_filtered_by_run_host_state_and_url(desk: Desk) -> None:
    desk.add("r1", A, A + "1", link(B, reason="scope"))
    desk.add("r2", B + "1")
    assert set(desk.states(run="r2")) == {B + "1"}
    assert set(desk.states(host="a.example")) == {A, A + "1"}
    assert set(desk.states(states=(State.SKIPPED,))) == {B}
    assert set(desk.states(states=(State.SKIPPED, State.PENDING), run="r1")) == {A, A + "1", B}
    assert set(desk.states(url=A + "1")) == {A + "1"}
    assert set(desk.states(url=A + "1", run="r2")) == set()


def test_reading_a_url_finds_it_with_every_body(desk: Desk) -> None:
    desk.add("r1", A, link(A, body=b"year=2026"))
    assert sorted(row.method for _, row in desk.read(url=A)) == ["GET", "POST"]


def test_leased_rows_can_be_read_page_by_page(desk: Desk) -> None:
    desk.start("r1", *[A + str(n) for n in range(9)])
    visit = desk.visit("r1", batch=4)
    first = desk.read(states=(State.LEASED,), limit=3)
    rest = desk.read(states=(State.LEASED,), limit=3, after=first[-1][0])
    assert {row.url for _, row in first + rest} == set(urls(visit))
    assert len(desk.read(states=(State.PENDING,), limit=100)) == 5
