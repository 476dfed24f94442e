"""The frontier in plain dictionaries, for tests: ours, and those of people who build on Kiebitz.

It says what the port says and nothing else, as clearly as possible: figures are counted when asked for, and every
lease looks at every request. Each call runs without a pause, which is what makes it atomic.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Sequence

from kiebitz.adapters.memory.frontier_rows import Book, Host, HostLease, Row
from kiebitz.errors import StaleLease
from kiebitz.model.request import ENDED, Capture, Link, Outcome, RequestQuery, RequestRecord, State, request_key
from kiebitz.model.run import Counts
from kiebitz.model.visit import Activate, BundleMark, Control, Finish, Found, Grant, Halt, Retry, Settlement, Visit
from kiebitz.ports.clock import Clock


class MemoryFrontier:
    def __init__(self, clock: Clock, per_address: int = 8) -> None:
        self._clock = clock
        self._per_address = per_address
        self._hosts: dict[str, Host] = {}
        self._runs: dict[str, Book] = {}
        self._marks: dict[str, int] = {}
        self._added = 0

    async def add(self, run: str, links: Sequence[Link], *, depth: int = 0, parent: str = "") -> int:
        self._book(run)
        return self._take(run, Found(parent, depth, list(links)))

    async def lease(self, runs: Sequence[str], holder: str, *, hosts: int, batch: int, seconds: float) -> Grant:
        now = self._clock.now()
        active = [run for run in dict.fromkeys(runs) if run in self._runs and self._runs[run].active]
        visits: list[Visit] = []
        for host, run in self._by_due_time(active, now):
            if len(visits) == hosts:
                break
            room = min(batch, self._room(host, run, now))
            if room > 0 and not host.held(now) and not self._full(host.address, now):
                lease = HostLease(self._token(host), holder, run, now + seconds)
                visits.append(host.grant(lease, host.due(run, now)[:room]))
        return Grant(visits, self._wake_at(active, now), contended=not visits and self._contended(active, now))

    async def renew(self, visits: Sequence[Visit], *, seconds: float) -> list[Visit]:
        now = self._clock.now()
        lost = []
        for visit in visits:
            lease = self._held(visit.host, visit.token, now)
            if lease is None:
                lost.append(visit)
            else:
                lease.until = now + seconds
        return lost

    async def settle(self, settlements: Sequence[Settlement], mark: BundleMark | None = None) -> None:
        now = self._clock.now()
        stale = {s.token for s in settlements if self._held(s.host, s.token, now) is None}
        if stale:
            raise StaleLease(stale)
        for settlement in settlements:
            self._settle(settlement)
        if mark is not None:
            self._marks[mark.name] = mark.length

    async def sync(self) -> None:
        """Memory does not survive the machine; there is nothing to wait for."""

    async def control(self, run: str, command: Control) -> int:
        book = self._book(run)
        match command:
            case Activate(max_pages, max_per_host):
                book.active, book.max_pages, book.max_per_host = True, max_pages, max_per_host
            case Halt():
                book.active = False
            case Finish(reason):
                book.active = False
                return self._skip_waiting(run, reason)
            case Retry():
                return self._retry(run, command)
        return 0

    async def abandon(self, holder: str) -> int:
        now = self._clock.now()
        ended = 0
        for host in self._hosts.values():
            if host.lease is not None and host.lease.holder == holder:
                ended += host.held(now) is not None
                host.release()
        return ended

    async def counts(self, run: str) -> Counts:
        book = self._runs.get(run, Book())
        by_host = [host.figures(run) for host in self._hosts.values()]
        states: Counter[State] = sum(by_host, Counter())
        figures = {state.label: number for state, number in states.items()}
        gone = sum(host.gone(run) for host in self._hosts.values())
        hosts = sum(State.LEASED in of_host for of_host in by_host)
        return Counts(**figures, documents=book.documents, bytes=book.bytes, gone=gone, hosts=hosts)

    async def read(self, query: RequestQuery) -> list[tuple[tuple[str, int], RequestRecord]]:
        rows = sorted((row for row in self._rows() if row.matches(query)), key=lambda row: row.cursor)
        return [(row.cursor, row.record()) for row in rows[: query.limit]]

    async def captures(self, host: str, key: int) -> list[Capture]:
        known = self._hosts.get(host)
        row = known.rows.get(key) if known else None
        return sorted(row.captures, key=lambda capture: capture.at) if row else []

    async def marks(self) -> dict[str, int]:
        return dict(self._marks)

    async def seal(self, bundle: str) -> None:
        self._marks.pop(bundle, None)

    async def close(self) -> None:
        """Nothing is held open."""

    def _rows(self) -> Iterable[Row]:
        return (row for host in self._hosts.values() for row in host.rows.values())

    def _host(self, name: str) -> Host:
        return self._hosts.setdefault(name, Host(name))

    def _book(self, run: str) -> Book:
        return self._runs.setdefault(run, Book(age=len(self._runs)))

    def _held(self, host: str, token: object, now: float) -> HostLease | None:
        known = self._hosts.get(host)
        lease = known.held(now) if known else None
        return lease if lease and lease.token == token else None

    def _token(self, host: Host) -> tuple[int, int, int]:
        host.leases += 1
        return (0, host.leases, secrets.randbits(31))

    # Adding

    def _take(self, run: str, found: Found) -> int:
        now = self._clock.now()
        pending = 0
        for name, url, text, body, reason in found.links:
            host, key = self._host(name), request_key(url, body)
            row = host.rows.get(key)
            if row is None:
                row = host.rows[key] = Row(name, key, url, body)
            elif not self._changes_hands(row, run, now):
                continue
            elif row.state in ENDED:
                host.handed[row.run, row.state] += 1
                host.handed_gone[row.run] += row.gone
            self._added += 1
            row.run, row.added = run, (now, self._added)
            row.begin(found, text, reason)
            pending += row.state is State.PENDING
        return pending

    def _changes_hands(self, row: Row, run: str, now: float) -> bool:
        older = self._runs[row.run].age < self._runs[run].age
        return older and not (row.state is State.LEASED and self._hosts[row.host].held(now))

    # Leasing

    def _by_due_time(self, runs: Sequence[str], now: float) -> list[tuple[Host, str]]:
        due = [(host, run) for host in self._hosts.values() for run in runs if host.due(run, now)]
        return sorted(due, key=lambda pair: pair[0].next_due(pair[1]) or 0.0)

    def _room(self, host: Host, run: str, now: float, *, leased: bool = True) -> int:
        """How many more requests of the run the limits permit at this host; ``leased``: beside those out now."""
        book = self._book(run)
        room = 1 << 62
        if book.max_per_host:
            room = book.max_per_host - host.spent(run, now, leased=leased)
        if book.max_pages:
            room = min(room, book.max_pages - sum(h.spent(run, now, leased=leased) for h in self._hosts.values()))
        return room

    def _full(self, address: str, now: float) -> bool:
        return bool(address) and len(self._leases_at(address, now)) >= self._per_address

    def _leases_at(self, address: str, now: float) -> list[HostLease]:
        return [lease for host in self._hosts.values() if host.address == address and (lease := host.held(now))]

    def _leases_of(self, run: str, now: float) -> list[HostLease]:
        return [lease for host in self._hosts.values() if (lease := host.held(now)) and lease.run == run]

    def _contended(self, runs: Sequence[str], now: float) -> bool:
        for run in runs:
            for host in self._hosts.values():
                if host.next_due(run) is not None and (host.held(now) or self._full(host.address, now)):
                    return True
            if self._leases_of(run, now):
                return True
        return False

    def _wake_at(self, runs: Sequence[str], now: float) -> float | None:
        moments = [
            max(now, moment)
            for host in self._hosts.values()
            for run in runs
            if (moment := self._next_chance(host, run, now)) is not None
        ]
        return min(moments, default=None)

    def _next_chance(self, host: Host, run: str, now: float) -> float | None:
        """When the host may have something to give if nobody settles before; None: never."""
        moment = host.next_due(run)
        if moment is None or self._room(host, run, now, leased=False) <= 0:
            return None
        if lease := host.held(now):
            blocking = [lease]
        elif self._room(host, run, now) <= 0:
            blocking = self._leases_of(run, now)
        elif self._full(host.address, now):
            blocking = self._leases_at(host.address, now)
        else:
            return moment
        return max(moment, min(lease.until for lease in blocking))

    # Settling

    def _settle(self, settlement: Settlement) -> None:
        host = self._host(settlement.host)
        for outcome in settlement.outcomes:
            row = host.rows.get(outcome.key)
            if row is not None and row.state is State.LEASED:
                row.end(outcome)
                self._count(row.run, outcome)
        for found in settlement.found:
            self._take(settlement.run, found)
        host.robots.update({robots.origin: robots for robots in settlement.robots})
        host.ready_at, host.failures = settlement.ready_at, settlement.failures
        host.address = settlement.address or host.address
        if not settlement.keep:
            host.release()

    def _count(self, run: str, outcome: Outcome) -> None:
        if outcome.state is State.DONE:
            self._book(run).documents += outcome.capture is None
            self._book(run).bytes += outcome.size

    # Controlling

    def _skip_waiting(self, run: str, reason: str) -> int:
        now = self._clock.now()
        waiting = [row for row in self._rows() if row.run == run and self._hosts[row.host].waits(row, now)]
        for row in waiting:
            row.state, row.reason = State.SKIPPED, reason
        return len(waiting)

    def _retry(self, run: str, command: Retry) -> int:
        states = tuple(State(state) for state in command.query_states if state != State.LEASED)
        query = RequestQuery(run=run, host=command.host, url=command.url, states=states)
        rows = [row for row in self._rows() if states and row.matches(query)]
        for row in rows:
            row.state, row.reason, row.tries, row.next_at = State.PENDING, "", 0, 0.0
        return len(rows)
