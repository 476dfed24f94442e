"""Rows of the frontier file that leasing and settling share: runs, hosts and their leases."""

import sqlite3
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from kiebitz.model.visit import Token

NEVER = inf
COUNTERS = ("waiting", "deferred", "leased", "done", "unchanged", "failed", "skipped", "documents", "bytes")


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


_RUN = "select id, name, active, max_pages, max_per_host, seq, " + ", ".join(COUNTERS) + " from run"
_SAVE = "update run set seq = ?, " + ", ".join(f"{name} = ?" for name in COUNTERS) + " where id = ?"


def find_run(sql: sqlite3.Connection, name: str) -> RunRow | None:
    row = sql.execute(f"{_RUN} where name = ?", (name,)).fetchone()
    return RunRow(*row) if row else None


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

    def open(self, name: str) -> RunRow:
        """The run's row, made when it is first heard of: the order of that is the age of runs."""
        self._sql.execute("insert or ignore into run (name) values (?)", (name,))
        (number,) = self._sql.execute("select id from run where name = ?", (name,)).fetchone()
        return self[number]

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
    row = sql.execute(
        "select id, counter, nonce, until, run, keys from host where name = ?", (host,)
    ).fetchone()
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


def free_lapsed(sql: sqlite3.Connection, host: int, now: float) -> None:
    """End a lapsed lease: its requests count as waiting again; their rows never changed."""
    row = sql.execute("select run, keys from host where id = ? and until > 0 and until <= ?", (host, now)).fetchone()
    if row:
        sql.execute("update run set leased = leased - ? where id = ?", (len(row[1]) // 8, row[0]))
        sql.execute("update host set until = 0, holder = '', keys = x'' where id = ?", (host,))


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
