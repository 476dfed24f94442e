"""The frontier's contract: who gets which host, when, with what, and for how long."""

from kiebitz.model.request import State
from kiebitz.model.run import Counts
from kiebitz.model.visit import Found, Robots
from tests.contract.frontier_desk import Desk, link, outcome, settled, urls

A = "https://a.example/"
B = "https://b.example/"
C = "https://c.example/"


# Visibility


def test_a_leased_host_is_invisible_until_its_lease_is_settled(desk: Desk) -> None:
    desk.start("r1", A)
    visit = desk.visit("r1")
    desk.add("r1", A + "more")
    assert desk.hosts("r1") == []
    desk.settle(settled(visit))
    assert desk.hosts("r1") == ["a.example"]


def test_a_leased_host_is_invisible_until_its_lease_lapses(desk: Desk) -> None:
    desk.start("r1", A)
    assert desk.visit("r1", seconds=60).until == desk.now + 60
    desk.clock.advance(59.5)
    assert desk.hosts("r1") == []
    desk.clock.advance(0.5)
    assert urls(desk.visit("r1")) == [A]


def test_a_leased_host_is_invisible_to_other_runs_too_and_visible_as_soon_as_it_is_settled(desk: Desk) -> None:
    desk.start("r1", A)
    desk.start("r2", A + "2")
    visit = desk.visit("r1", seconds=600)
    assert desk.hosts("r2") == []
    desk.finish(visit)
    assert desk.hosts("r2") == ["a.example"]


def test_a_lapsed_lease_reads_as_leased_until_leased_anew(desk: Desk) -> None:
    desk.start("r1", A)
    desk.visit("r1", holder="slow", seconds=60)
    desk.clock.advance(61)
    assert desk.row(A).state is State.LEASED
    assert set(desk.states(states=(State.LEASED,))) == {A}
    assert desk.states(states=(State.PENDING,)) == {}
    assert desk.counts("r1") == Counts(leased=1, hosts=1)
    desk.finish(desk.visit("r1", holder="quick"))
    assert desk.counts("r1") == Counts(done=1, documents=1)


def test_what_a_lapsed_lease_held_is_pending_again_when_the_host_is_leased_anew(desk: Desk) -> None:
    desk.start("r1", A, A + "2", A + "3")
    desk.visit("r1", batch=3, seconds=60)
    desk.clock.advance(61)
    assert len(desk.visit("r1", batch=1).requests) == 1
    assert desk.counts("r1") == Counts(pending=2, leased=1, hosts=1)


def test_each_lease_of_a_host_has_a_new_token_with_a_greater_counter(desk: Desk) -> None:
    desk.start("r1", A, A + "2")
    tokens = []
    for _ in range(3):
        tokens.append(desk.visit("r1", seconds=1).token)
        desk.clock.advance(1)
    counters = [counter for _, counter, _ in tokens]
    assert counters == sorted(set(counters))


# How much


def test_no_more_hosts_are_leased_than_asked_for(desk: Desk) -> None:
    desk.start("r1", A, B, C)
    assert len(desk.lease("r1", hosts=2).visits) == 2
    assert len(desk.lease("r1", hosts=2).visits) == 1


def test_a_visit_has_no_more_requests_than_the_batch(desk: Desk) -> None:
    desk.start("r1", *[A + str(n) for n in range(5)])
    visit = desk.visit("r1", batch=3)
    assert len(visit.requests) == 3
    assert desk.counts("r1") == Counts(pending=2, leased=3, hosts=1)


def test_only_the_runs_asked_for_are_leased_and_a_visit_is_of_one_run(desk: Desk) -> None:
    desk.start("r1", A, A + "1")
    desk.start("r2", A + "2", B)
    desk.start("r3", C)
    visits = desk.lease("r1", "r2").visits
    assert {visit.host for visit in visits} == {"a.example", "b.example"}
    owned = {"r1": {A, A + "1"}, "r2": {A + "2", B}}
    assert all(set(urls(visit)) <= owned[visit.run] for visit in visits)


def test_no_more_hosts_of_one_address_are_leased_at_once_than_allowed(desk: Desk) -> None:
    desk.start("r1", A, B, C, "https://d.example/")
    for visit in desk.lease("r1").visits:
        desk.settle(settled(visit, address="" if visit.host == "d.example" else "192.0.2.1"))
    first = desk.lease("r1", seconds=60)
    shared = [visit for visit in first.visits if visit.address == "192.0.2.1"]
    assert len(first.visits) == 3
    assert len(shared) == 2  # what the desk allows; d.example's address is not known
    assert desk.hosts("r1") == []
    desk.settle(settled(shared[0]))
    assert len(desk.hosts("r1")) == 1
    desk.clock.advance(60)
    assert len(desk.hosts("r1")) == 3


def test_max_pages_counts_fetched_and_leased_requests(desk: Desk) -> None:
    desk.start("r1", A, A + "1", B, B + "1", C, max_pages=3)
    visits = desk.lease("r1", batch=1).visits
    assert len(visits) == 3
    assert desk.lease("r1").visits == []
    states = (State.DONE, State.UNCHANGED, State.FAILED)
    for visit, state in zip(visits, states, strict=True):
        desk.finish(visit, state)
    again = desk.lease("r1").visits
    assert sum(len(visit.requests) for visit in again) == 1  # a failed one did not count
    desk.finish(again[0])
    grant = desk.lease("r1")
    assert (grant.visits, grant.wake_at) == ([], None)


def test_max_pages_bounds_a_single_grant(desk: Desk) -> None:
    desk.start("r1", *[f"https://{host}.example/{n}" for host in "abc" for n in range(4)], max_pages=6)
    visits = desk.lease("r1", batch=4).visits
    assert sum(len(visit.requests) for visit in visits) == 6


def test_a_lapsed_lease_gives_its_pages_back_to_the_limit(desk: Desk) -> None:
    desk.start("r1", A, B, max_pages=1)
    desk.visit("r1", seconds=60)
    assert desk.hosts("r1") == []
    desk.clock.advance(60)
    assert len(desk.hosts("r1")) == 1


def test_max_per_host_counts_fetched_and_leased_requests_of_the_host(desk: Desk) -> None:
    desk.start("r1", A, A + "1", A + "2", B, max_per_host=2)
    visits = {visit.host: visit for visit in desk.lease("r1").visits}
    assert len(visits["a.example"].requests) == 2
    first, second = visits["a.example"].requests
    outcomes = (outcome(first, State.UNCHANGED, desk.now), outcome(second, State.FAILED, desk.now))
    desk.settle(settled(visits["a.example"], *outcomes))
    desk.finish(visits["b.example"])
    last = desk.visit("r1")
    assert urls(last) == [A + "2"]
    desk.finish(last)
    desk.add("r1", A + "3")
    grant = desk.lease("r1")
    assert (grant.visits, grant.wake_at) == ([], None)


def test_limits_are_of_the_run_not_of_those_that_came_before(desk: Desk) -> None:
    desk.start("r1", A, max_per_host=1)
    desk.finish(desk.visit("r1"))
    desk.start("r2", A, A + "2", max_per_host=1, max_pages=1)
    assert len(desk.visit("r2").requests) == 1


def test_activating_again_changes_the_limits(desk: Desk) -> None:
    desk.start("r1", A, A + "1", B, max_pages=1, max_per_host=1)
    desk.finish(desk.visit("r1"))
    assert desk.hosts("r1") == []
    desk.start("r1", max_pages=2, max_per_host=2)
    desk.finish(desk.visit("r1"))
    assert desk.hosts("r1") == []
    desk.start("r1")
    assert len(desk.hosts("r1")) == 1


# In which order


def test_requests_are_given_in_order_of_depth_then_of_the_time_they_were_added(desk: Desk) -> None:
    desk.start("r1")
    for name, depth in (("deep", 2), ("second", 1), ("third", 1), ("first", 0), ("deepest", 3)):
        desk.add("r1", A + name, depth=depth)
        desk.clock.advance(1)
    assert [url.removeprefix(A) for url in urls(desk.visit("r1", batch=4))] == ["first", "second", "third", "deep"]


def test_links_of_one_call_are_given_in_the_order_of_the_call(desk: Desk) -> None:
    names = [A + name for name in ("c", "a", "d", "b", "e")]
    desk.start("r1", *names)
    assert urls(desk.visit("r1")) == names


def test_a_request_that_changed_hands_was_added_when_its_new_run_added_it(desk: Desk) -> None:
    desk.add("r1", A + "old")
    desk.clock.advance(1)
    desk.start("r2", A + "first")
    desk.clock.advance(1)
    desk.add("r2", A + "old")
    assert urls(desk.visit("r2")) == [A + "first", A + "old"]


def test_hosts_that_are_due_earliest_come_first(desk: Desk) -> None:
    desk.start("r1", A, B, C)
    ready = {"a.example": 30.0, "b.example": 10.0, "c.example": 20.0}
    for visit in desk.lease("r1").visits:
        desk.settle(settled(visit, ready_at=desk.now + ready[visit.host]))
    desk.clock.advance(60)
    assert [desk.visit("r1").host for _ in range(3)] == ["b.example", "c.example", "a.example"]


def test_hosts_whose_deferred_requests_are_due_earliest_come_first(desk: Desk) -> None:
    desk.start("r1", A, B, C)
    wait = {"a.example": 20.0, "b.example": 30.0, "c.example": 10.0}
    for visit in desk.lease("r1").visits:
        later = outcome(visit.requests[0], State.DEFERRED, desk.now, next_at=desk.now + wait[visit.host])
        desk.settle(settled(visit, later))
    desk.clock.advance(60)
    assert [visit.host for visit in desk.lease("r1").visits] == ["c.example", "a.example", "b.example"]


# With what


def test_a_host_is_not_leased_before_it_is_ready_and_its_visit_says_since_when(desk: Desk) -> None:
    desk.start("r1", A)
    ready_at = desk.now + 5
    desk.settle(settled(desk.visit("r1"), ready_at=ready_at))
    desk.clock.advance(4.5)
    assert desk.hosts("r1") == []
    desk.clock.advance(0.5)
    assert desk.visit("r1").ready_at == ready_at


def test_a_host_is_not_leased_for_another_run_before_it_is_ready(desk: Desk) -> None:
    desk.start("r1", A)
    desk.finish(desk.visit("r1"), ready_at=desk.now + 5)
    desk.start("r2", A)
    assert desk.hosts("r2") == []
    desk.clock.advance(5)
    assert desk.hosts("r2") == ["a.example"]


def test_failures_address_and_robots_of_a_host_travel_with_its_next_visit(desk: Desk) -> None:
    desk.start("r1", A, B)
    https = Robots("https://a.example", desk.now, 200, "User-agent: *\nDisallow: /x\n")
    http = Robots("http://a.example", desk.now, 404, "")
    for visit in desk.lease("r1").visits:
        if visit.host == "a.example":
            assert (visit.failures, visit.address, visit.robots) == (0, "", {})
            desk.settle(settled(visit, robots=[https, http], failures=3, address="192.0.2.7"))
        else:
            desk.settle(settled(visit))
    visits = {visit.host: visit for visit in desk.lease("r1").visits}
    a, b = visits["a.example"], visits["b.example"]
    assert (a.failures, a.address, a.robots) == (3, "192.0.2.7", {https.origin: https, http.origin: http})
    assert (b.failures, b.address, b.robots) == (0, "", {})


def test_newer_robots_of_an_origin_replace_older_ones_and_serve_the_next_run(desk: Desk) -> None:
    desk.start("r1", A)
    old = Robots("https://a.example", desk.now, 503, "")
    desk.settle(settled(desk.visit("r1"), robots=[old]))
    new = Robots("https://a.example", desk.now + 9, 200, "User-agent: *\nAllow: /\n")
    desk.finish(desk.visit("r1"), robots=[new])
    desk.start("r2", A)
    assert desk.visit("r2").robots == {new.origin: new}


def test_a_leased_request_says_all_that_is_needed_to_fetch_it(desk: Desk) -> None:
    desk.start("r1")
    desk.add("r1", link(A, "Mai", b"m=5"), depth=2, parent=B)
    visit = desk.visit("r1")
    assert visit.requests[0].hops == 0
    known = outcome(
        visit.requests[0], State.DONE, desk.now, etag='"1"', modified="Mon", digest=b"d", tries=1, content_type="x/y"
    )
    desk.settle(settled(visit, known))
    desk.start("r2", B)
    desk.settle(
        settled(desk.visit("r2"), found=[Found(C, 1, [link(A, "Juni", b"m=5")], hops=3)], ready_at=desk.now + 9)
    )
    (due,) = desk.visit("r2").requests
    assert (due.key, due.url, due.body) == (visit.requests[0].key, A, b"m=5")
    assert (due.depth, due.parent, due.text, due.tries) == (1, C, "Juni", 0)
    assert (due.etag, due.modified, due.digest, due.content_type) == ('"1"', "Mon", b"d", "x/y")
    assert due.hops == 3
