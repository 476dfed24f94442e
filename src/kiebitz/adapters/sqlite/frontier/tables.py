"""Rows of the frontier file that leasing and settling share: runs, hosts and their leases."""

import sqlite3
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from kiebitz.model.visit import Token

NEVER = inf
COUNTERS = ("waiting", "deferred", "leased", "done", "unchanged", "failed", "skipped", "documents", "bytes", "gone")


@dataclass(slots=True)
class RunRow:
    """A run and the changes a transaction makes to its counters."""

    id: int
    name: str
    active: bool
    max_pages: int
    max_per_host: int
    seq: int
    waiting: int
    deferred: int
    leased: int
    done: int
    unchanged: int
    failed: int
    skipped: int
    documents: int
    bytes: int
    gone: int


_RUN = "select id, name, active, max_pages, max_per_host, seq, " + ", ".join(COUNTERS) + " from run"
_SAVE = "update run set seq = ?, " + ", ".join(f"{name} = ?" for name in COUNTERS) + " where id = ?"


class RunBook:
    """The runs a transaction touches: read once, changed in memory, written back by ``save``."""

    def __init__(self, sql: sqlite3.Connection) -> None:
        self._sql = sql
        self._rows: dict[int, RunRow] = {}

    def __getitem__(self, number: int) -> RunRow:
        run = self._rows.get(number)
        if run is None:
            row = self._sql.execute(f"{_RUN} where id = ?", (number,)).fetchone()
            run = self._rows[number] = RunRow(*row)
        return run

    def find(self, name: str) -> RunRow | None:
        row = self._sql.execute("select id from run where name = ?", (name,)).fetchone()
        return self[row[0]] if row else None

    def open(self, name: str) -> RunRow:
        """The run's row, made when it is first heard of: the order of that is the age of runs."""
        self._sql.execute("insert or ignore into run (name) values (?)", (name,))
        run = self.find(name)
        assert run is not None
        return run

    def save(self) -> None:
        self._sql.executemany(
            _SAVE, [(run.seq, *(getattr(run, name) for name in COUNTERS), run.id) for run in self._rows.values()]
        )


@dataclass(slots=True)
class LeaseRow:
    host: int
    counter: int
    nonce: int
    until: float
    run: int
    keys: list[int]

    def held(self, token: Token, epoch: int, now: float) -> bool:
        return token == (epoch, self.counter, self.nonce) and self.until > now


def lease_of(sql: sqlite3.Connection, host: str) -> LeaseRow | None:
    row = sql.execute("select id, counter, nonce, until, run, keys from host where name = ?", (host,)).fetchone()
    if row is None:
        return None
    number, counter, nonce, until, run, keys = row
    return LeaseRow(number, counter, nonce, until, run, unpack(keys))


def pack(keys: Iterable[int]) -> bytes:
    return array("q", keys).tobytes()


def unpack(keys: bytes) -> list[int]:
    unpacked = array("q")
    unpacked.frombytes(keys)
    return unpacked.tolist()


def epoch_of(sql: sqlite3.Connection) -> int:
    return int(sql.execute("select epoch from fence").fetchone()[0])


def end_lease(sql: sqlite3.Connection, runs: RunBook, host: int, ready_at: float) -> None:
    """Free a host: its leased requests count as waiting again (their rows never changed), for every run's work."""
    run, keys = sql.execute("select run, keys from host where id = ?", (host,)).fetchone()
    runs[run].leased -= len(keys) // 8
    sql.execute("update host set until = 0, holder = '', keys = x'' where id = ?", (host,))
    wake_host(sql, host, ready_at)


def wake_host(sql: sqlite3.Connection, host: int, at: float) -> None:
    """What waits here for any active run may be due at ``at``; runs that are halted look again when activated."""
    sql.execute(
        "update work set due_at = min(due_at, ?) where host = ? and run in (select id from run where active)",
        (at, host),
    )


def free_lapsed(sql: sqlite3.Connection, runs: RunBook, now: float) -> None:
    """End every lease that has lapsed."""
    lapsed = sql.execute("select id, ready_at from host where until > 0 and until <= ?", (now,)).fetchall()
    for host, ready_at in lapsed:
        end_lease(sql, runs, host, ready_at)


def due_at(sql: sqlite3.Connection, run: RunRow, host: int, ready_at: float) -> float:
    """When the run's requests at a free host may be visited next."""
    waiting, deferred, fetched = sql.execute(
        "select waiting, deferred, fetched from work where run = ? and host = ?", (run.id, host)
    ).fetchone()
    if not waiting or (run.max_per_host and fetched >= run.max_per_host):
        return NEVER
    if waiting > deferred:
        return ready_at
    (first,) = sql.execute(
        "select min(next_at) from request where host = ? and run = ? and state in (0, 4)", (host, run.id)
    ).fetchone()
    return max(ready_at, first or 0.0)
