"""Links on their way into the frontier: deduplicated, inserted in key order, taken over from older runs."""

import sqlite3
from collections.abc import Iterable
from operator import itemgetter

from kiebitz.adapters.sqlite.frontier.tables import RunBook, RunRow, free_lapsed, lease_of
from kiebitz.model.request import WAITING, State, request_key
from kiebitz.model.visit import Found

GENERATION = 1_000_000

# What is known of a link: its url, body, reason, depth, hops, parent and text.
Arrival = tuple[str, bytes | None, str, int, int, str, str]
Arrivals = dict[str, dict[int, Arrival]]  # by host name and key


class Known:
    """Keys of which we are sure that the run owns them (or a newer one does): most links end here.

    Two generations bound the memory; forgetting costs one needless insert per link, nothing else.
    """

    def __init__(self, generation: int = GENERATION) -> None:
        self._generation = generation
        self._young: dict[str, set[int]] = {}
        self._old: dict[str, set[int]] = {}
        self._size = 0

    def of(self, run: str) -> tuple[set[int], set[int]]:
        return self._young.setdefault(run, set()), self._old.get(run, set())

    def learn(self, run: str, keys: Iterable[int]) -> None:
        young = self._young.setdefault(run, set())
        before = len(young)
        young.update(keys)
        self._size += len(young) - before
        if self._size > self._generation:
            self._old, self._young, self._size = self._young, {}, 0


def gather(arrivals: Arrivals, known: Known, run: str, found: Found) -> None:
    """Collect the links that the run may not own yet; the first to name a request wins."""
    young, old = known.of(run)
    for host, url, text, body, reason in found.links:
        key = request_key(url, body)
        if key in young or key in old:
            continue
        rows = arrivals.get(host)
        if rows is None:
            rows = arrivals[host] = {}
        if key not in rows:
            rows[key] = (url, body, reason, found.depth, found.hops, found.parent, text)


_INSERT = (
    "insert or ignore into request (host, key, url, body, run, state, reason, depth, hops, seq, parent, text)"
    " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_WORK = (
    "insert into work (run, host, waiting) values (?, ?, ?)"
    " on conflict do update set due_at = iif(waiting = deferred, 0, due_at), waiting = waiting + excluded.waiting"
)


def insert(
    sql: sqlite3.Connection, runs: RunBook, run: RunRow, arrivals: Arrivals, now: float
) -> tuple[int, list[int]]:
    """Give the gathered links to the run; returns how many became pending, and the keys now known to be its own."""
    pending = 0
    settled: list[int] = []
    for host in sorted(arrivals):
        rows = arrivals[host]
        number = host_number(sql, host)
        before = sql.total_changes
        waiting, refused = _rows(run, number, rows)
        sql.executemany(_INSERT, waiting)
        added = sql.total_changes - before
        sql.executemany(_INSERT, refused)
        skipped = sql.total_changes - before - added
        settled.extend(rows)
        if added + skipped < len(rows) and run.id > 1:
            more_pending, more_skipped, busy = _take_over(sql, runs, run, host, rows, now)
            added += more_pending
            skipped += more_skipped
            settled = [key for key in settled if key not in busy] if busy else settled
        if added:
            sql.execute(_WORK, (run.id, number, added))
        run.waiting += added
        run.skipped += skipped
        pending += added
    return pending, settled


def _rows(
    run: RunRow, host: int, rows: dict[int, Arrival]
) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    waiting: list[tuple[object, ...]] = []
    refused: list[tuple[object, ...]] = []
    for key, (url, body, reason, depth, hops, parent, text) in rows.items():
        run.seq += 1
        state, target = (State.SKIPPED, refused) if reason else (State.PENDING, waiting)
        target.append((host, key, url, body, run.id, int(state), reason, depth, hops, run.seq, parent, text))
    waiting.sort(key=itemgetter(1))  # numbered as found, inserted as sorted: the file's pages are touched in order
    refused.sort(key=itemgetter(1))
    return waiting, refused


def host_number(sql: sqlite3.Connection, host: str) -> int:
    row = sql.execute("select id from host where name = ?", (host,)).fetchone()
    if row is None:
        row = sql.execute("insert into host (name) values (?) returning id", (host,)).fetchone()
    return int(row[0])


def _take_over(
    sql: sqlite3.Connection,
    runs: RunBook,
    run: RunRow,
    host: str,
    rows: dict[int, Arrival],
    now: float,
) -> tuple[int, int, set[int]]:
    """Requests of older runs change hands unless leased: returns (pending, skipped, the leased ones left alone)."""
    free_lapsed(sql, runs, now)
    lease = lease_of(sql, host)
    assert lease is not None
    leased = set(lease.keys)
    pending = skipped = 0
    busy: set[int] = set()
    for key in sorted(rows):
        owner, state = sql.execute(
            "select run, state from request where host = ? and key = ?", (lease.host, key)
        ).fetchone()
        if owner >= run.id:
            continue
        if key in leased:
            busy.add(key)
            continue
        _leave(sql, runs[owner], lease.host, State(state))
        _, _, reason, depth, hops, parent, text = rows[key]
        run.seq += 1
        sql.execute(
            "update request set run = ?, state = ?, reason = ?, status = 0, depth = ?, hops = ?, seq = ?, tries = 0, next_at = 0,"
            " parent = ?, text = ? where host = ? and key = ?",
            (
                run.id,
                int(State.SKIPPED if reason else State.PENDING),
                reason,
                depth,
                hops,
                run.seq,
                parent,
                text,
                lease.host,
                key,
            ),
        )
        skipped += bool(reason)
        pending += not reason
    return pending, skipped, busy


def _leave(sql: sqlite3.Connection, owner: RunRow, host: int, state: State) -> None:
    """An older run loses a request: what it had ended stays in its figures, what waited does not."""
    if state not in WAITING:
        return
    deferred = int(state is State.DEFERRED)
    owner.waiting -= 1
    owner.deferred -= deferred
    sql.execute(
        "update work set waiting = waiting - 1, deferred = deferred - ? where run = ? and host = ?",
        (deferred, owner.id, host),
    )
