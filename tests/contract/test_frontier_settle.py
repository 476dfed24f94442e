"""The frontier's contract: what a settlement records, and what a stale one does not."""

import pytest

from kiebitz.errors import StaleLease
from kiebitz.model.request import Capture, Outcome, State, request_key
from kiebitz.model.run import Counts
from kiebitz.model.visit import BundleMark, Found, Robots
from tests.contract.frontier_desk import Desk, link, outcome, settled, urls

A = "https://a.example/"
B = "https://b.example/"
C = "https://c.example/"


# Outcomes


def test_a_fetched_page_is_recorded_with_what_it_said(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    said = {"etag": '"1"', "modified": "Tue", "digest": b"\0\xff", "size": 1234, "content_type": "text/html"}
    page = outcome(visit.requests[0], State.DONE, desk.now + 0.5, status=200, tries=2, reason="redirect", **said)
    desk.settle(settled(visit, page))
    row = desk.row(A)
    assert (row.state, row.reason, row.status, row.tries) == (State.DONE, "redirect", 200, 2)
    assert {name: getattr(row, name) for name in said} == said
    assert row.visited_at == desk.now + 0.5


@pytest.mark.parametrize("state", [State.UNCHANGED, State.FAILED, State.SKIPPED, State.DEFERRED])
def test_other_outcomes_are_recorded_with_their_reason_and_leave_validators_and_digest(
    desk: Desk, state: State
) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    desk.settle(
        settled(visit, outcome(visit.requests[0], State.DONE, desk.now, etag='"1"', modified="Tue", digest=b"d"))
    )
    desk.start("r2", A)
    visit = desk.visit("r2")
    next_at = desk.now + 60
    desk.settle(settled(visit, outcome(visit.requests[0], state, desk.now, reason="why", status=5, next_at=next_at)))
    row = desk.row(A)
    assert (row.state, row.reason, row.status, row.tries) == (state, "why", 5, 1)
    assert (row.etag, row.modified, row.digest) == ('"1"', "Tue", b"d")
    assert state is not State.DEFERRED or row.next_at == next_at


def test_counts_are_absolute_and_follow_every_outcome(desk: Desk) -> None:
    desk.start("r1", *[A + str(n) for n in range(7)])
    visit = desk.visit("r1", batch=6)
    assert desk.counts("r1") == Counts(pending=1, leased=6, hosts=1)
    page, document, unchanged, failed, skipped, deferred = visit.requests
    desk.settle(
        settled(
            visit,
            outcome(page, State.DONE, desk.now, size=100, capture=Capture(desk.now, "b1", 0, 60)),
            outcome(document, State.DONE, desk.now, size=5000),
            outcome(unchanged, State.UNCHANGED, desk.now, size=7),
            outcome(failed, State.FAILED, desk.now, size=7),
            outcome(skipped, State.SKIPPED, desk.now, size=7),
            outcome(deferred, State.DEFERRED, desk.now, next_at=desk.now + 60, size=7),
        )
    )
    ended = {"done": 2, "unchanged": 1, "failed": 1, "skipped": 1}
    assert desk.counts("r1") == Counts(pending=1, deferred=1, documents=1, bytes=5100, **ended)


def test_requests_without_outcome_are_pending_again_when_the_lease_ends(desk: Desk) -> None:
    desk.start("r1", A, A + "2")
    visit = desk.visit("r1")
    desk.settle(settled(visit, outcome(visit.requests[0], State.DONE, desk.now)))
    assert desk.states() == {A: State.DONE, A + "2": State.PENDING}
    assert desk.counts("r1") == Counts(pending=1, done=1, documents=1)
    assert urls(desk.visit("r1")) == [A + "2"]


def test_outcomes_of_requests_that_are_not_of_the_visit_are_ignored(desk: Desk) -> None:
    desk.start("r1", A, A + "2", B)
    visits = {visit.host: visit for visit in desk.lease("r1", batch=1).visits}
    (elsewhere,) = visits["b.example"].requests
    strangers = [request_key(A + "2"), elsewhere.key, 42]
    desk.settle(settled(visits["a.example"], *[Outcome(key, State.DONE, desk.now, size=9) for key in strangers]))
    assert desk.counts("r1") == Counts(pending=2, leased=1, hosts=1)
    assert set(desk.states()) == {A, A + "2", B}


def test_a_lease_kept_goes_on_with_the_requests_that_remain(desk: Desk) -> None:
    desk.start("r1", A, A + "2", A + "3")
    visit = desk.visit("r1", batch=2, seconds=60)
    first, second = visit.requests
    desk.settle(settled(visit, outcome(first, State.DONE, desk.now), keep=True))
    assert desk.states() == {A: State.DONE, A + "2": State.LEASED, A + "3": State.PENDING}
    assert desk.counts("r1") == Counts(pending=1, leased=1, hosts=1, done=1, documents=1)
    assert desk.hosts("r1") == []
    assert desk.renew(visit) == []
    desk.settle(settled(visit, outcome(second, State.FAILED, desk.now)))
    assert desk.counts("r1") == Counts(pending=1, done=1, failed=1, documents=1)
    assert urls(desk.visit("r1")) == [A + "3"]


def test_a_kept_lease_that_lapses_gives_back_only_what_remains(desk: Desk) -> None:
    desk.start("r1", A, A + "2")
    visit = desk.visit("r1", seconds=60)
    desk.settle(settled(visit, outcome(visit.requests[0], State.DONE, desk.now), keep=True))
    desk.clock.advance(60)
    assert urls(desk.visit("r1")) == [A + "2"]


def test_a_kept_lease_and_its_end_may_be_settled_in_one_call(desk: Desk) -> None:
    desk.start("r1", A, A + "2")
    visit = desk.visit("r1")
    first, second = visit.requests
    desk.settle(
        settled(visit, outcome(first, State.DONE, desk.now), keep=True),
        settled(visit, outcome(second, State.DONE, desk.now)),
    )
    assert desk.counts("r1") == Counts(done=2, documents=2)


# Links


def test_found_links_are_added_to_the_run_at_their_depth_with_their_parent(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    found = Found(A, 1, [link(B, text="to b"), link(A + "x", text="to x"), link(C, reason="scope"), link(A)])
    desk.settle(settled(visit, outcome(visit.requests[0], State.DONE, desk.now), found=[found]))
    row = desk.row(B)
    assert (row.run, row.depth, row.parent, row.text) == ("r1", 1, A, "to b")
    assert desk.states() == {A: State.DONE, B: State.PENDING, A + "x": State.PENDING, C: State.SKIPPED}
    assert desk.counts("r1") == Counts(pending=2, done=1, skipped=1, documents=1)


def test_a_link_found_twice_is_added_once_where_it_was_found_first(desk: Desk) -> None:
    desk.start("r1", A)
    founds = [Found(A, 1, [link(B, text="one")]), Found(A + "y", 2, [link(B, text="two"), link(B, text="three")])]
    desk.settle(settled(desk.visit("r1"), found=founds))
    assert (desk.row(B).text, desk.row(B).depth) == ("one", 1)
    assert desk.counts("r1") == Counts(pending=2)


def test_a_found_link_of_another_run_changes_hands_unless_it_is_leased(desk: Desk) -> None:
    desk.start("r1", A, B)
    held = desk.visit("r1")
    free, leased = (B, A) if held.host == "a.example" else (A, B)
    desk.start("r2", C)
    desk.settle(settled(desk.visit("r2"), found=[Found(C, 1, [link(free), link(leased)])]))
    assert (desk.row(free).run, desk.row(leased).run) == ("r2", "r1")
    assert (desk.counts("r1"), desk.counts("r2")) == (Counts(leased=1, hosts=1), Counts(pending=2))


def test_a_link_found_at_a_leased_host_waits_for_its_next_visit(desk: Desk) -> None:
    desk.start("r1", A, B)
    visits = {visit.host: visit for visit in desk.lease("r1").visits}
    desk.settle(settled(visits["b.example"], found=[Found(B, 1, [link(A + "new")])], ready_at=desk.now + 600))
    assert desk.hosts("r1") == []
    desk.finish(visits["a.example"])
    assert urls(desk.visit("r1")) == [A + "new"]


# Bundles and captures


def test_captures_of_a_request_are_listed_oldest_first_across_runs(desk: Desk) -> None:
    captures = []
    for number in range(3):
        desk.start(f"r{number}", A)
        visit = desk.visit(f"r{number}")
        captures.append(Capture(desk.now, f"bundle-{9 - number}", number * 100, 90))
        desk.settle(settled(visit, outcome(visit.requests[0], State.DONE, desk.now, capture=captures[-1])))
        desk.clock.advance(3600)
    assert desk.do(desk.frontier.captures("a.example", request_key(A))) == captures
    assert desk.do(desk.frontier.captures("a.example", 42)) == []
    assert desk.do(desk.frontier.captures("never.example", 42)) == []


def test_the_length_of_an_open_bundle_is_recorded_with_the_settlement_until_it_is_sealed(desk: Desk) -> None:
    desk.start("r1", A)
    desk.settle(settled(desk.visit("r1")), mark=BundleMark("one", 100))
    desk.settle(mark=BundleMark("one", 250))
    desk.settle(mark=BundleMark("two", 7))
    assert desk.do(desk.frontier.marks()) == {"one": 250, "two": 7}
    for _ in range(2):
        desk.do(desk.frontier.seal("one"))
    assert desk.do(desk.frontier.marks()) == {"two": 7}


def test_sync_returns(desk: Desk) -> None:
    desk.start("r1", A)
    desk.do(desk.frontier.sync())
    assert desk.counts("r1") == Counts(pending=1)


# Stale leases


def test_a_visit_settles_only_once(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    desk.finish(visit)
    with pytest.raises(StaleLease) as raised:
        desk.finish(visit)
    assert raised.value.tokens == {visit.token}


def test_a_lapsed_lease_settles_nothing_even_if_nobody_took_the_host(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1", seconds=60)
    desk.clock.advance(60)
    before = desk.everything("r1")
    with pytest.raises(StaleLease):
        desk.finish(visit)
    assert desk.everything("r1") == before


def test_an_older_token_of_a_host_settles_nothing_and_leaves_the_newer_lease_alone(desk: Desk) -> None:
    desk.start("r1", A)
    older = desk.visit("r1", seconds=60)
    desk.clock.advance(60)
    newer = desk.visit("r1", seconds=60)
    with pytest.raises(StaleLease) as raised:
        desk.finish(older)
    assert raised.value.tokens == {older.token}
    desk.finish(newer)


@pytest.mark.parametrize("host", ["a.example", "never.example"])
def test_an_invented_token_settles_nothing(desk: Desk, host: str) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    epoch, counter, nonce = visit.token
    visit.host, visit.token = host, (epoch, counter, nonce + 1)
    with pytest.raises(StaleLease):
        desk.finish(visit)
    assert desk.counts("r1") == Counts(leased=1, hosts=1)


def test_one_stale_token_stops_the_whole_call_and_is_named(desk: Desk) -> None:
    desk.start("r1", A, B, C)
    lost, *held = desk.lease("r1", seconds=60).visits
    desk.renew(*held, seconds=600)
    desk.clock.advance(60)
    before = desk.everything("r1")
    full = [
        settled(
            visit,
            outcome(visit.requests[0], State.DONE, desk.now, size=9, capture=Capture(desk.now, "b", 0, 9)),
            found=[Found(A, 1, [link("https://new.example/"), link(C, reason="scope")])],
            robots=[Robots(f"https://{visit.host}", desk.now, 200, "")],
            ready_at=desk.now + 900,
            failures=4,
            address="192.0.2.1",
        )
        for visit in (held[0], lost, held[1])
    ]
    with pytest.raises(StaleLease) as raised:
        desk.settle(*full, mark=BundleMark("b", 9))
    assert raised.value.tokens == {lost.token}
    assert desk.everything("r1") == before
    desk.settle(*[settled(visit) for visit in held])
    visits = desk.lease("r1").visits
    assert len(visits) == 3
    assert {(v.failures, v.address, v.ready_at, len(v.robots)) for v in visits} == {(0, "", 0.0, 0)}
