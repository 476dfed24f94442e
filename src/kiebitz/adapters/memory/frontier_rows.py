"""What the frontier in memory is made of: a row for each request, a host for its rows, a book for each run."""

from collections import Counter
from dataclasses import dataclass, field

from kiebitz.model.request import ENDED, WAITING, Capture, Due, Outcome, RequestQuery, RequestRecord, State
from kiebitz.model.run import GONE
from kiebitz.model.visit import Found, Robots, Token, Visit


@dataclass(slots=True)
class Book:
    """What the frontier knows of a run beside its rows."""

    age: int = 0  # grows: a later run is newer
    active: bool = False
    max_pages: int = 0
    max_per_host: int = 0
    documents: int = 0
    bytes: int = 0


@dataclass(slots=True)
class HostLease:
    token: Token
    holder: str
    run: str
    until: float


@dataclass(slots=True)
class Row:
    host: str
    key: int
    url: str
    body: bytes | None
    run: str = ""
    state: State = State.PENDING
    added: tuple[float, int] = (0.0, 0)
    depth: int = 0
    hops: int = 0
    parent: str = ""
    text: str = ""
    reason: str = ""
    status: int = 0
    tries: int = 0
    next_at: float = 0.0
    visited_at: float = 0.0
    etag: str = ""
    modified: str = ""
    digest: bytes = b""
    size: int = 0
    content_type: str = ""
    captures: list[Capture] = field(default_factory=list)

    @property
    def cursor(self) -> tuple[str, int]:
        return (self.host, self.key)

    @property
    def due_at(self) -> float:
        return self.next_at if self.state is State.DEFERRED else self.added[0]

    @property
    def gone(self) -> bool:
        return self.state is State.FAILED and self.status in GONE and bool(self.digest)

    def begin(self, found: Found, text: str, reason: str) -> None:
        """Start anew for a run; validators and digest stay, so that an unchanged page costs nothing."""
        self.state = State.SKIPPED if reason else State.PENDING
        self.depth, self.hops, self.parent = found.depth, found.hops, found.parent
        self.text, self.reason = text, reason
        self.status, self.tries, self.next_at = 0, 0, 0.0

    def end(self, outcome: Outcome) -> None:
        self.state, self.reason, self.status, self.tries = outcome.state, outcome.reason, outcome.status, outcome.tries
        self.next_at = outcome.next_at if outcome.state is State.DEFERRED else 0.0
        self.visited_at = outcome.at
        if outcome.state is State.DONE:
            self.etag, self.modified, self.digest = outcome.etag, outcome.modified, outcome.digest
            self.size, self.content_type = outcome.size, outcome.content_type
        else:  # no new content: what the last one brought still holds
            self.etag, self.modified = outcome.etag or self.etag, outcome.modified or self.modified
        if outcome.capture is not None:
            self.captures.append(outcome.capture)

    def as_due(self) -> Due:
        return Due(
            key=self.key,
            url=self.url,
            depth=self.depth,
            tries=self.tries,
            body=self.body,
            parent=self.parent,
            text=self.text,
            etag=self.etag,
            modified=self.modified,
            digest=self.digest,
            hops=self.hops,
            content_type=self.content_type,
        )

    def record(self) -> RequestRecord:
        return RequestRecord(
            url=self.url,
            host=self.host,
            run=self.run,
            state=self.state,
            reason=self.reason,
            status=self.status,
            depth=self.depth,
            tries=self.tries,
            next_at=self.next_at,
            visited_at=self.visited_at,
            method="GET" if self.body is None else "POST",
            parent=self.parent,
            text=self.text,
            etag=self.etag,
            modified=self.modified,
            digest=self.digest,
            size=self.size,
            content_type=self.content_type,
        )

    def matches(self, query: RequestQuery) -> bool:
        return (
            query.run in ("", self.run)
            and query.host in ("", self.host)
            and query.url in ("", self.url)
            and (not query.states or self.state in query.states)
            and (query.after is None or self.cursor > query.after)
        )


@dataclass(slots=True)
class Host:
    """Rows in state LEASED belong to ``lease``. A lapsed lease stays until the host is leased anew.

    What a run ended stays in its figures when another run takes the request over: ``handed`` counts those, and
    ``handed_gone`` those of them that were gone.
    """

    name: str
    rows: dict[int, Row] = field(default_factory=dict)
    ready_at: float = 0.0
    failures: int = 0
    address: str = ""
    robots: dict[str, Robots] = field(default_factory=dict)
    lease: HostLease | None = None
    leases: int = 0
    handed: Counter[tuple[str, State]] = field(default_factory=Counter)
    handed_gone: Counter[str] = field(default_factory=Counter)

    def held(self, now: float) -> HostLease | None:
        return self.lease if self.lease and now < self.lease.until else None

    def waits(self, row: Row, now: float) -> bool:
        return row.state in WAITING or (row.state is State.LEASED and not self.held(now))

    def due(self, run: str, now: float) -> list[Row]:
        """What may be fetched now, in the order to fetch it; nothing before the host is ready."""
        if self.ready_at > now:
            return []
        rows = [r for r in self.rows.values() if r.run == run and self.waits(r, now) and r.due_at <= now]
        return sorted(rows, key=lambda row: (row.depth, row.added))

    def next_due(self, run: str) -> float | None:
        """When the first open request of the run is due, whoever holds the host: a lease may come back."""
        moments = [row.due_at for row in self.rows.values() if row.run == run and row.state not in ENDED]
        return max(self.ready_at, min(moments)) if moments else None

    def figures(self, run: str) -> Counter[State]:
        figures = Counter(row.state for row in self.rows.values() if row.run == run)
        figures.update({state: number for (owner, state), number in self.handed.items() if owner == run})
        return figures

    def gone(self, run: str) -> int:
        return sum(row.gone for row in self.rows.values() if row.run == run) + self.handed_gone[run]

    def spent(self, run: str, now: float, *, leased: bool) -> int:
        """How much of the run's limits this host has used: fetched, and ``leased`` for fetching."""
        figures = self.figures(run)
        out = figures[State.LEASED] if leased and self.held(now) else 0
        return figures[State.DONE] + figures[State.UNCHANGED] + out

    def grant(self, lease: HostLease, rows: list[Row]) -> Visit:
        self.release()  # what a lapsed lease left behind
        self.lease = lease
        for row in rows:
            row.state = State.LEASED
        return Visit(
            host=self.name,
            run=lease.run,
            token=lease.token,
            until=lease.until,
            requests=[row.as_due() for row in rows],
            ready_at=self.ready_at,
            failures=self.failures,
            address=self.address,
            robots=dict(self.robots),
        )

    def release(self) -> None:
        """End the lease; what it did not bring back is pending again."""
        self.lease = None
        for row in self.rows.values():
            if row.state is State.LEASED:
                row.state = State.PENDING
