"""Settling visits: outcomes, links, robots, hosts and the bundle's length in one transaction."""

import sqlite3
from collections.abc import Sequence

from kiebitz.adapters.sqlite.frontier.links import Arrivals, Known, gather, insert
from kiebitz.adapters.sqlite.frontier.tables import (
    LeaseRow,
    RunBook,
    due_at,
    end_lease,
    epoch_of,
    lease_of,
    pack,
)
from kiebitz.errors import StaleLease
from kiebitz.model.request import Outcome, State
from kiebitz.model.run import GONE
from kiebitz.model.visit import BundleMark, Settlement

_FETCHED = (
    "update request set state = ?, reason = ?, status = ?, tries = ?, next_at = 0, visited_at = ?,"
    " etag = ?, modified = ?, digest = ?, size = ?, content_type = ? where host = ? and key = ?"
)
_OTHER = (
    "update request set state = ?, reason = ?, status = ?, tries = ?, next_at = ?, visited_at = ?,"
    " etag = coalesce(nullif(?, ''), etag), modified = coalesce(nullif(?, ''), modified) where host = ? and key = ?"
)
_CAPTURE = 'insert or replace into capture (host, key, at, bundle, "offset", length) values (?, ?, ?, ?, ?, ?)'
_ROBOTS = "insert or replace into robots (host, origin, fetched_at, status, text) values (?, ?, ?, ?, ?)"
_HAD_CONTENT = "select digest != x'' from request where host = ? and key = ?"
_COUNTER = {
    State.DONE: "done",
    State.UNCHANGED: "unchanged",
    State.DEFERRED: "deferred",
    State.FAILED: "failed",
    State.SKIPPED: "skipped",
}


class Settling:
    """One settle call: first every token is checked, then everything is written in key order."""

    def __init__(self, sql: sqlite3.Connection, known: Known, now: float) -> None:
        self.sql = sql
        self.known = known
        self.now = now
        self.runs = RunBook(sql)
        self.fetched: list[tuple[object, ...]] = []
        self.other: list[tuple[object, ...]] = []
        self.captures: list[tuple[object, ...]] = []

    def apply(self, settlements: Sequence[Settlement], mark: BundleMark | None) -> list[tuple[str, list[int]]]:
        """Returns the keys learnt per run; they count only once this is committed."""
        leases = self._check(settlements)
        learnt = self._links(settlements, leases)
        for settlement in settlements:
            self._outcomes(settlement, leases[settlement.host])
        self._write()
        for settlement in settlements:
            self._host(settlement, leases[settlement.host])
        self.runs.save()
        if mark:
            self.sql.execute("insert or replace into mark (bundle, length) values (?, ?)", (mark.name, mark.length))
        return learnt

    def _check(self, settlements: Sequence[Settlement]) -> dict[str, LeaseRow]:
        epoch = epoch_of(self.sql)
        leases: dict[str, LeaseRow] = {}
        stale = []
        for settlement in settlements:
            lease = lease_of(self.sql, settlement.host)
            if lease is None or not lease.held(settlement.token, epoch, self.now):
                stale.append(settlement.token)
            else:
                leases.setdefault(settlement.host, lease)
        if stale:
            raise StaleLease(stale)
        return leases

    def _links(self, settlements: Sequence[Settlement], leases: dict[str, LeaseRow]) -> list[tuple[str, list[int]]]:
        arrivals: dict[int, Arrivals] = {}
        for settlement in settlements:
            run = self.runs[leases[settlement.host].run]
            rows = arrivals.setdefault(run.id, {})
            for found in settlement.found:
                gather(rows, self.known, run.name, found)
        learnt = []
        for number, rows in arrivals.items():
            run = self.runs[number]
            _, keys = insert(self.sql, self.runs, run, rows, self.now)
            learnt.append((run.name, keys))
        return learnt

    def _outcomes(self, settlement: Settlement, lease: LeaseRow) -> None:
        run = self.runs[lease.run]
        keys = set(lease.keys)
        before = len(keys)
        ended = fetched = deferred = 0
        for outcome in settlement.outcomes:
            if outcome.key not in keys:
                continue
            keys.discard(outcome.key)
            self._row(lease.host, outcome)
            counter = _COUNTER[outcome.state]
            setattr(run, counter, getattr(run, counter) + 1)
            if outcome.state is State.DEFERRED:
                deferred += 1
            else:
                ended += 1
            if outcome.state in (State.DONE, State.UNCHANGED):
                fetched += 1
            if outcome.state is State.DONE:
                run.bytes += outcome.size
                run.documents += outcome.capture is None
            elif outcome.state is State.FAILED and outcome.status in GONE:
                run.gone += self.sql.execute(_HAD_CONTENT, (lease.host, outcome.key)).fetchone()[0]
        lease.keys = [key for key in lease.keys if key in keys]
        run.waiting -= ended
        run.leased -= before - len(keys)
        self.sql.execute(
            "update work set waiting = waiting - ?, deferred = deferred + ?, fetched = fetched + ? where run = ? and host = ?",
            (ended, deferred, fetched, run.id, lease.host),
        )

    def _row(self, host: int, o: Outcome) -> None:
        if o.state is State.DONE:
            content = (o.etag, o.modified, o.digest, o.size, o.content_type)
            self.fetched.append((int(o.state), o.reason, o.status, o.tries, o.at, *content, host, o.key))
        else:
            self.other.append(
                (int(o.state), o.reason, o.status, o.tries, o.next_at, o.at, o.etag, o.modified, host, o.key)
            )
        if o.capture:
            at, bundle = o.capture.at, o.capture.bundle
            self.captures.append((host, o.key, at, bundle, o.capture.offset, o.capture.length))

    def _write(self) -> None:
        for statement, rows in ((_FETCHED, self.fetched), (_OTHER, self.other)):
            rows.sort(key=lambda row: row[-2:])
            self.sql.executemany(statement, rows)
        self.captures.sort(key=lambda row: row[:2])
        self.sql.executemany(_CAPTURE, self.captures)

    def _host(self, settlement: Settlement, lease: LeaseRow) -> None:
        run = self.runs[lease.run]
        for robots in settlement.robots:
            self.sql.execute(_ROBOTS, (lease.host, robots.origin, robots.fetched_at, robots.status, robots.text))
        self.sql.execute(
            "update host set ready_at = ?, failures = ?, address = iif(? = '', address, ?), keys = ? where id = ?",
            (
                settlement.ready_at,
                settlement.failures,
                settlement.address,
                settlement.address,
                pack(lease.keys),
                lease.host,
            ),
        )
        if not settlement.keep:
            end_lease(self.sql, self.runs, lease.host, settlement.ready_at)
            at = due_at(self.sql, run, lease.host, settlement.ready_at)
            self.sql.execute("update work set due_at = ? where run = ? and host = ?", (at, run.id, lease.host))
