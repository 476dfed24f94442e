"""What a frontier is, said as simply as possible: dictionaries, and the port's sentences as code.

Written without a look at any adapter. Where the port leaves a choice (which of two due hosts, which of two links added
at the same moment) the model does not choose: it checks that the adapter's choice was a permitted one, and follows it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kiebitz.model.request import Capture, RequestRecord, State, request_key
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

Cursor = tuple[str, int]
Rows = list[tuple[Cursor, RequestRecord]]
WAITING = (State.PENDING, State.DEFERRED)
FETCHED = (State.DONE, State.UNCHANGED)


@dataclass
class Request:
    """Never in state LEASED: what is leased stands in the leases. ``said`` is what the last outcome said of it."""

    url: str
    body: bytes | None
    run: str
    state: State
    added: float
    depth: int
    parent: str
    text: str
    hops: int = 0
    tries: int = 0
    next_at: float = 0.0
    etag: str = ""
    modified: str = ""
    digest: bytes = b""
    content_type: str = ""
    said: dict[str, Any] = field(default_factory=dict)
    captures: list[Capture] = field(default_factory=list)


def is_gone(request: Request) -> bool:
    """It had a content once, and the last answer was that it is no longer there."""
    return request.state is State.FAILED and request.said["status"] in (404, 410) and request.digest != b""


@dataclass
class HostFacts:
    ready_at: float = 0.0
    failures: int = 0
    address: str = ""
    robots: dict[str, Robots] = field(default_factory=dict)
    counter: int = 0


@dataclass
class Lease:
    token: Token
    holder: str
    run: str
    until: float
    keys: set[int]


@dataclass
class RunFacts:
    active: bool = False
    max_pages: int = 0
    max_per_host: int = 0
    documents: int = 0
    bytes: int = 0


@dataclass
class Model:
    requests: dict[Cursor, Request] = field(default_factory=dict)
    hosts: dict[str, HostFacts] = field(default_factory=dict)
    leases: dict[str, Lease] = field(default_factory=dict)  # held ones, and lapsed ones not yet given back
    runs: dict[str, RunFacts] = field(default_factory=dict)
    heard: list[str] = field(default_factory=list)  # runs, the oldest first
    handed: Counter[tuple[str, str, State]] = field(default_factory=Counter)  # ended by a run, now another's
    handed_gone: Counter[str] = field(default_factory=Counter)
    marks: dict[str, int] = field(default_factory=dict)

    def run(self, name: str) -> RunFacts:
        return self.runs.setdefault(name, RunFacts())

    def hear(self, run: str) -> None:
        if run not in self.heard:
            self.heard.append(run)

    def host(self, name: str) -> HostFacts:
        return self.hosts.setdefault(name, HostFacts())

    # Leases

    def held(self, host: str, now: float) -> Lease | None:
        lease = self.leases.get(host)
        return lease if lease and now < lease.until else None

    def holds(self, visit: Visit | Settlement, now: float) -> bool:
        lease = self.held(visit.host, now)
        return lease is not None and lease.token == visit.token

    def lapsed(self, now: float) -> list[str]:
        return [host for host, lease in self.leases.items() if lease.until <= now]

    def leased_now(self, cursor: Cursor, now: float) -> bool:
        lease = self.held(cursor[0], now)
        return lease is not None and cursor[1] in lease.keys

    # Calls

    def add(self, run: str, found: Found, now: float) -> int:
        self.hear(run)
        pending = 0
        for host, url, text, body, reason in found.links:
            cursor = (host, request_key(url, body))
            known = self.requests.get(cursor)
            if known and (self._newer(known.run, run) or self.leased_now(cursor, now)):
                continue
            state = State.SKIPPED if reason else State.PENDING
            new = Request(url, body, run, state, now, found.depth, found.parent, text, found.hops)
            if reason:
                new.said = {"reason": reason}
            if known:
                new.etag, new.modified, new.digest = known.etag, known.modified, known.digest
                new.content_type, new.captures = known.content_type, known.captures
                self._leave(cursor, known)
            self.requests[cursor] = new
            self.host(host)
            pending += state is State.PENDING
        return pending

    def _newer(self, owner: str, run: str) -> bool:
        """Is the owner this run or a newer one?"""
        return self.heard.index(owner) >= self.heard.index(run)

    def _leave(self, cursor: Cursor, request: Request) -> None:
        if request.state not in WAITING:
            self.handed[request.run, cursor[0], request.state] += 1
            self.handed_gone[request.run] += is_gone(request)
        if lease := self.leases.get(cursor[0]):
            lease.keys.discard(cursor[1])

    def grant(self, visit: Visit, holder: str) -> None:
        keys = {due.key for due in visit.requests}
        self.leases[visit.host] = Lease(visit.token, holder, visit.run, visit.until, keys)
        self.host(visit.host).counter = visit.token[1]
        for key in keys:
            self.requests[visit.host, key].state = State.PENDING

    def settle(self, settlements: Iterable[Settlement], mark: BundleMark | None, now: float) -> None:
        for settlement in settlements:
            self._outcomes(settlement)
            for found in settlement.found:
                self.add(settlement.run, found, now)
            facts = self.host(settlement.host)
            facts.ready_at, facts.failures = settlement.ready_at, settlement.failures
            facts.address = settlement.address or facts.address
            facts.robots.update({robots.origin: robots for robots in settlement.robots})
            if not settlement.keep:
                del self.leases[settlement.host]
        if mark:
            self.marks[mark.name] = mark.length

    def _outcomes(self, settlement: Settlement) -> None:
        lease = self.leases[settlement.host]
        for outcome in settlement.outcomes:
            if outcome.key not in lease.keys:
                continue
            lease.keys.remove(outcome.key)
            request = self.requests[settlement.host, outcome.key]
            request.state, request.tries, request.next_at = outcome.state, outcome.tries, outcome.next_at
            request.said = {"reason": outcome.reason, "status": outcome.status, "visited_at": outcome.at}
            if outcome.state is State.DONE:
                request.etag, request.modified, request.digest = outcome.etag, outcome.modified, outcome.digest
                request.content_type = outcome.content_type
                request.said["size"] = outcome.size
                self.run(request.run).bytes += outcome.size
                self.run(request.run).documents += outcome.capture is None
            if outcome.capture:
                request.captures = [*request.captures, outcome.capture]

    def control(self, run: str, command: Control, now: float) -> int:
        self.hear(run)
        facts = self.run(run)
        match command:
            case Activate(max_pages, max_per_host):
                facts.active, facts.max_pages, facts.max_per_host = True, max_pages, max_per_host
            case Halt():
                facts.active = False
            case Finish():
                facts.active = False
                return self._finish(run, command, now)
            case Retry():
                return self._retry(run, command)
        return 0

    def _finish(self, run: str, command: Finish, now: float) -> int:
        touched = 0
        for cursor, request in self.requests.items():
            if request.run == run and request.state in WAITING and not self.leased_now(cursor, now):
                self._leave(cursor, request)
                request.state, request.said = State.SKIPPED, {"reason": command.reason}
                touched += 1
        return touched

    def _retry(self, run: str, command: Retry) -> int:
        touched = 0
        for cursor, request in self.requests.items():
            wanted = command.host in ("", cursor[0]) and command.url in ("", request.url)
            leased = cursor[0] in self.leases and cursor[1] in self.leases[cursor[0]].keys
            if request.run == run and wanted and request.state in command.query_states and not leased:
                request.state, request.tries, request.said = State.PENDING, 0, {}
                touched += 1
        return touched

    def abandon(self, holder: str, now: float) -> tuple[int, int]:
        """At least and at most how many leases end: a lapsed one may count as one or not."""
        mine = [host for host, lease in self.leases.items() if lease.holder == holder]
        held = [host for host in mine if self.held(host, now)]
        for host in held:
            del self.leases[host]
        return len(held), len(mine)

    # Reading

    def reads_as(self, cursor: Cursor) -> State:
        lease = self.leases.get(cursor[0])
        return State.LEASED if lease and cursor[1] in lease.keys else self.requests[cursor].state

    def counts(self, run: str) -> Counts:
        states = Counter(self.reads_as(cursor) for cursor, request in self.requests.items() if request.run == run)
        for (owner, _, state), number in self.handed.items():
            if owner == run:
                states[state] += number
        figures = {state.label: number for state, number in states.items()}
        facts = self.run(run)
        owned = {cursor: request for cursor, request in self.requests.items() if request.run == run}
        hosts = {cursor[0] for cursor in owned if self.reads_as(cursor) is State.LEASED}
        gone = sum(is_gone(request) for request in owned.values()) + self.handed_gone[run]
        return Counts(**figures, documents=facts.documents, bytes=facts.bytes, gone=gone, hosts=len(hosts))

    def record(self, cursor: Cursor) -> dict[str, Any]:
        """The fields of the row that are certain."""
        request = self.requests[cursor]
        state = self.reads_as(cursor)
        names = ("url", "run", "depth", "parent", "text", "tries", "etag", "modified", "digest", "content_type")
        certain = {name: getattr(request, name) for name in names}
        certain |= {"host": cursor[0], "state": state, "method": "GET" if request.body is None else "POST"}
        if state not in (State.PENDING, State.LEASED):
            certain |= request.said
        if state is State.DEFERRED:
            certain["next_at"] = request.next_at
        return certain

    def compare(self, rows: Rows) -> None:
        assert [cursor for cursor, _ in rows] == sorted(self.requests)
        for cursor, record in rows:
            expected = self.record(cursor)
            assert {name: getattr(record, name) for name in expected} == expected

    def give_back_what_reads_as_pending(self, rows: Rows, now: float) -> None:
        """A lapsed lease reads as leased until leased anew, or until another call cleared it away: both are permitted."""
        states = {cursor: record.state for cursor, record in rows}
        for host in self.lapsed(now):
            if {states[host, key] for key in self.leases[host].keys} == {State.PENDING}:
                del self.leases[host]

    # Limits

    def fetched(self, run: str, host: str = "") -> int:
        live = sum(
            request.run == run and request.state in FETCHED and host in ("", cursor[0])
            for cursor, request in self.requests.items()
        )
        handed = sum(
            number
            for (owner, at, state), number in self.handed.items()
            if owner == run and state in FETCHED and host in ("", at)
        )
        return live + handed

    def out(self, run: str, now: float, host: str = "") -> int:
        """How many requests of the run are leased now."""
        leases = [lease for name in self.leases if host in ("", name) and (lease := self.held(name, now))]
        return sum(len(lease.keys) for lease in leases if lease.run == run)
