"""A machine that does to a frontier all that workers and operators may do, and compares it with the model each time."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kiebitz.adapters.memory.clock import ManualClock
from kiebitz.adapters.memory.frontier import MemoryFrontier
from kiebitz.errors import StaleLease
from kiebitz.model.request import Capture, Link, Outcome, RequestQuery, State
from kiebitz.model.run import Counts
from kiebitz.model.visit import (
    Activate,
    BundleMark,
    Control,
    Finish,
    Found,
    Halt,
    Retry,
    Robots,
    Settlement,
    Token,
    Visit,
)
from kiebitz.ports.frontier import Frontier
from tests.property.frontier_grant import LeaseCall, check_and_follow
from tests.property.frontier_model import Model, Rows

T = TypeVar("T")
Picks = list[tuple[int, "Load"]]
RUNS = ("r1", "r2", "r3")
HOLDERS = ("anna", "bert")
PER_ADDRESS = 2
TICK = 0.25
MOST = 4
BRIEF, LONG = 6.0, 30.0
ENDS = (State.DONE, State.DONE, State.UNCHANGED, State.DEFERRED, State.FAILED, State.SKIPPED)

runs = st.sampled_from(RUNS)
holders = st.sampled_from(HOLDERS)
depths = st.integers(0, 2)
waits = st.sampled_from((0.0, 0.25, 1.0, 5.0, BRIEF, LONG + 1))
sizes = st.sampled_from((1, 2, MOST))
link = st.builds(
    lambda host, path, body, reason: (f"{host}.example", f"https://{host}.example/{path}", f"to {path}", body, reason),
    st.sampled_from("abcd"),
    st.integers(0, 3),
    st.sampled_from((None, None, None, b"year=2026")),
    st.sampled_from(("", "", "", "", "scope")),
)
links = st.lists(link, min_size=1, max_size=6)
activate = st.builds(Activate, st.sampled_from((0, 0, 2, 5)), st.sampled_from((0, 0, 1, 3)))
retry = st.builds(
    Retry,
    st.lists(st.sampled_from(sorted(set(ENDS))), min_size=1, max_size=3, unique=True).map(tuple),
    st.sampled_from(("", "", "a.example")),
    st.sampled_from(("", "", "https://a.example/1")),
)
commands = st.one_of(activate, activate, activate, st.builds(Halt), st.builds(Finish, st.just("stopped")), retry, retry)


@dataclass(frozen=True)
class Load:
    """What a settlement brings, before it is known which visit brings it."""

    ends: tuple[tuple[State | None, int, bool], ...]  # for each request an outcome or none: state, number, captured
    found: list[tuple[int, int, list[Link]]]
    robots: int
    wait: float
    failures: int
    address: str

    def settlement(self, visit: Visit, now: float, *, keep: bool) -> Settlement:
        """Has an outcome for a request too that the visit does not have: it is ignored."""
        keys = [*[due.key for due in visit.requests], 42]
        outcomes = [
            outcome(key, state, now, number, captured=captured)
            for key, (state, number, captured) in zip(keys, self.ends, strict=False)
            if state is not None
        ]
        found = [Found(f"https://{visit.host}/{depth}", depth, links, hops) for depth, hops, links in self.found]
        robots = [Robots(f"https://{visit.host}", now, self.robots, "")] if self.robots else []
        host = {"ready_at": now + self.wait if self.wait else 0.0, "failures": self.failures, "address": self.address}
        return Settlement(visit.host, visit.run, visit.token, outcomes, found, robots, keep=keep, **host)  # type: ignore[arg-type]


def outcome(key: int, state: State, now: float, number: int, *, captured: bool) -> Outcome:
    status = (404, 410, 403)[number % 3] if state is State.FAILED else 200 + number
    outcome = Outcome(key, state, now, f"reason {number}", status, tries=number, size=number)
    if state is State.DONE:
        outcome.etag, outcome.modified, outcome.digest = (
            f'"{number}"',
            f"day {number}",
            bytes([number] * (number % 4 > 0)),
        )
        outcome.content_type = f"text/{number}"
        outcome.capture = Capture(now, "x", number, 10) if captured else None
    if state is State.DEFERRED:
        outcome.next_at = now + number
    return outcome


loads = st.builds(
    Load,
    st.tuples(*[st.tuples(st.sampled_from((None, *ENDS)), st.integers(0, 9), st.booleans())] * (MOST + 1)),
    st.lists(st.tuples(depths, st.integers(0, 2), links), max_size=2),
    st.sampled_from((0, 200, 404)),
    st.sampled_from((0.0, 1.0, 6.0)),
    st.integers(0, 3),
    st.sampled_from(("", "192.0.2.1", "192.0.2.1", "192.0.2.2")),
)
picks = st.lists(st.tuples(st.integers(0, 11), loads), min_size=1, max_size=3)
marks = st.none() | st.builds(BundleMark, st.sampled_from("xyz"), st.integers(0, 9))


async def look(door: Frontier) -> tuple[Rows, dict[str, Counts], dict[str, int]]:
    return await door.read(RequestQuery()), {run: await door.counts(run) for run in RUNS}, await door.marks()


class FrontierMachine(RuleBasedStateMachine):
    """Over memory; the durable one below adds what can happen to a file."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = ManualClock()
        self.runner = asyncio.Runner()
        self.model = Model()
        self.visits: list[Visit] = []
        self.tokens: set[Token] = set()
        self.turn = 0
        self.doors = self.open_doors()
        for run in RUNS:
            self.operate(run, Activate())

    def open_doors(self) -> list[Frontier]:
        return [MemoryFrontier(self.clock, PER_ADDRESS)]

    @property
    def door(self) -> Frontier:
        """Calls come through every connection in turn."""
        self.turn += 1
        return self.doors[self.turn % len(self.doors)]

    @property
    def now(self) -> float:
        return self.clock.now()

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(coroutine)

    def returned(self) -> None:
        """A call has returned and the model has followed it, but for what it cleared away on its way."""
        if self.model.lapsed(self.now):
            self.model.give_back_what_reads_as_pending(self.read(), self.now)

    def read(self) -> Rows:
        return self.call(self.door.read(RequestQuery()))

    @property
    def held(self) -> list[Visit]:
        return [visit for visit in self.visits if self.model.holds(visit, self.now)]

    @initialize(run=runs, links=st.lists(link, min_size=6, max_size=12), depth=depths)
    def begin(self, run: str, links: list[Link], depth: int) -> None:
        self.add(run, links, depth, "")

    @rule(run=runs, links=links, depth=depths, parent=st.sampled_from(("", "https://p.example/")))
    def add(self, run: str, links: list[Link], depth: int, parent: str) -> None:
        self.clock.advance(TICK)
        added = self.call(self.door.add(run, links, depth=depth, parent=parent))
        assert added == self.model.add(run, Found(parent, depth, links), self.now)
        self.returned()

    @rule(asked=st.permutations(RUNS), number=st.integers(1, 3), holder=holders, hosts=sizes, batch=sizes)
    def lease_and_dawdle(self, asked: list[str], number: int, holder: str, hosts: int, batch: int) -> None:
        self.lease(asked[:number], holder, hosts, batch, BRIEF)

    @rule(wait=waits, asked=st.permutations(RUNS), holder=holders, hosts=sizes, batch=sizes, picks=picks)
    def work(self, wait: float, asked: list[str], holder: str, hosts: int, batch: int, picks: Picks) -> None:
        self.clock.advance(wait)
        self.lease(asked, holder, hosts, batch, LONG)
        if self.held:
            self.settle(picks, keep=False, mark=None)

    @precondition(lambda self: any(request.digest for request in self.model.requests.values()))
    @rule(run=runs, holder=holders, picks=picks)
    def look_again(self, run: str, holder: str, picks: Picks) -> None:
        """What has a content is asked for once more, and may be gone."""
        self.operate(run, Retry((State.DONE, State.UNCHANGED, State.FAILED)))
        known = [(host, r.url, r.text, r.body, "") for (host, _), r in self.model.requests.items() if r.digest]
        self.add(run, known, 0, "")
        self.lease([run], holder, MOST, MOST, LONG)
        if self.held:
            self.settle(picks, keep=False, mark=None)

    def lease(self, asked: list[str], holder: str, hosts: int, batch: int, seconds: float) -> None:
        grant = self.call(self.door.lease(asked, holder, hosts=hosts, batch=batch, seconds=seconds))
        call = LeaseCall(tuple(asked), holder, hosts, batch, seconds, self.now, PER_ADDRESS)
        check_and_follow(self.model, call, grant, self.tokens)
        self.visits = (self.visits + grant.visits)[-12:]
        self.tokens |= {visit.token for visit in grant.visits}
        self.returned()

    @precondition(lambda self: self.visits)
    @rule(numbers=st.sets(st.integers(0, 11)))
    def renew(self, numbers: set[int]) -> None:
        chosen = [visit for number, visit in enumerate(self.visits) if number in numbers]
        lost = self.call(self.door.renew(chosen, seconds=LONG))
        assert lost == [visit for visit in chosen if not self.model.holds(visit, self.now)]
        for visit in chosen:
            if visit not in lost:
                self.model.leases[visit.host].until = self.now + LONG
        self.returned()

    @precondition(lambda self: self.held)
    @rule(picks=picks, keep=st.booleans(), mark=marks)
    def settle(self, picks: Picks, keep: bool, mark: BundleMark | None) -> None:
        """Of one run: what a settlement does to a request that another run has leased is its own call's business."""
        run = self.held[picks[0][0] % len(self.held)].run
        mine = [visit for visit in self.held if visit.run == run]
        self.clock.advance(TICK)
        chosen = {number % len(mine): load for number, load in picks}
        pairs = [(mine[number], load) for number, load in chosen.items() if self.model.holds(mine[number], self.now)]
        settlements = [load.settlement(visit, self.now, keep=keep) for visit, load in pairs]
        self.call(self.door.settle(settlements, mark))
        self.model.settle(settlements, mark, self.now)
        self.returned()

    @precondition(lambda self: len(self.held) < len(self.visits))
    @rule(picks=picks)
    def settle_with_a_stale_token(self, picks: Picks) -> None:
        stale = [visit for visit in self.visits if not self.model.holds(visit, self.now)]
        (number, load), *others = picks
        pairs = [(self.visits[each % len(self.visits)], load) for each, load in others]
        pairs.insert(number % len(picks), (stale[number % len(stale)], load))
        settlements = [load.settlement(visit, self.now, keep=False) for visit, load in pairs]
        with pytest.raises(StaleLease) as raised:
            self.call(self.door.settle(settlements, BundleMark("never", 1)))
        assert raised.value.tokens == {visit.token for visit, _ in pairs if not self.model.holds(visit, self.now)}
        self.returned()

    @rule(run=runs, what=st.one_of(waits, commands, commands, st.sampled_from((*HOLDERS, *"xyz"))))
    def operate(self, run: str, what: float | Control | str) -> None:
        """Or nothing: time passes."""
        if isinstance(what, float):
            self.clock.advance(what)
            return
        if not isinstance(what, str):
            self.control(run, what)
        elif what in HOLDERS:
            self.abandon(what)
        else:
            self.call(self.door.seal(what))
            self.model.marks.pop(what, None)
        self.returned()

    def control(self, run: str, command: Control) -> None:
        touched = self.call(self.door.control(run, command))
        assert touched == self.model.control(run, command, self.now)

    def abandon(self, holder: str) -> None:
        ended = self.call(self.door.abandon(holder))
        fewest, most = self.model.abandon(holder, self.now)
        assert fewest <= ended <= most

    @invariant()
    def it_is_what_the_model_says(self) -> None:
        rows, figures, marks = self.call(look(self.door))
        self.model.compare(rows)
        assert figures == {run: self.model.counts(run) for run in RUNS}
        assert marks == self.model.marks

    def compare_captures(self) -> None:
        for (host, key), request in self.model.requests.items():
            assert self.call(self.door.captures(host, key)) == request.captures

    def close_doors(self) -> None:
        for door in self.doors:
            self.call(door.close())

    def teardown(self) -> None:
        try:
            self.compare_captures()
        finally:
            self.close_doors()
            self.runner.close()
