"""Leasing hosts: the earliest due first, within the limits of run, host and address."""

import secrets
import sqlite3
from collections import Counter
from collections.abc import Sequence

from kiebitz.adapters.sqlite.frontier.tables import (
    NEVER,
    RunRow,
    due_at,
    epoch_of,
    find_run,
    free_lapsed,
    lease_of,
    pack,
)
from kiebitz.model.request import Due, State
from kiebitz.model.visit import Grant, Robots, Token, Visit

_CANDIDATES = """
select w.host, h.name, h.ready_at, h.until, h.failures, h.address, h.counter from work w join host h on h.id = w.host
where w.run = ? and w.waiting > 0 and w.due_at <= ? and h.address not in ({blocked})
order by w.due_at, w.host limit ?
"""
_DUE = """
select key, url, depth, tries, body, parent, text, etag, modified, digest, hops, content_type, state from request
where host = ? and run = ? and state in (0, 4) and next_at <= ? order by depth, seq limit ?
"""


class Leasing:
    """One lease call. It ends because every turn grants a host, corrects a due time or exhausts an address."""

    def __init__(self, sql: sqlite3.Connection, now: float, per_address: int) -> None:
        self.sql = sql
        self.now = now
        self.per_address = per_address
        self.epoch = epoch_of(sql)
        self.in_use = Counter(
            dict(
                sql.execute(
                    "select address, count(*) from host where until > ? and address != '' group by address", (now,)
                ).fetchall()
            )
        )

    def grant(self, runs: Sequence[str], holder: str, hosts: int, batch: int, until: float) -> Grant:
        visits: list[Visit] = []
        active = [run for name in runs if (run := find_run(self.sql, name)) and run.active]
        for run in active:
            visits += self._of_run(run, holder, hosts - len(visits), batch, until)
        return Grant(visits, self._wake_at(active))

    def _of_run(self, run: RunRow, holder: str, hosts: int, batch: int, until: float) -> list[Visit]:
        visits: list[Visit] = []
        self._free_lapsed(run)
        left = run.max_pages - run.done - run.unchanged - run.leased if run.max_pages else batch * hosts
        while len(visits) < hosts and left > 0:
            rows = self._candidates(run, min(64, hosts - len(visits)))
            if not rows:
                break
            for host, name, ready_at, leased_until, failures, address, counter in rows:
                if leased_until > self.now or ready_at > self.now:
                    self._correct(run, host, max(leased_until, ready_at))
                    continue
                if address and self.in_use[address] >= self.per_address:
                    continue
                if left <= 0:
                    break
                due = self._due(run, host, min(batch, left))
                if not due:
                    self._correct(run, host, due_at(self.sql, run, host, ready_at))
                    continue
                token = self._lease(run, host, counter + 1, holder, until, due)
                self.in_use[address] += 1
                left -= len(due)
                visits.append(Visit(name, run.name, token, until, due, ready_at, failures, address, self._robots(host)))
        if visits:
            self.sql.execute(
                "update run set leased = leased + ? where id = ?", (sum(len(v.requests) for v in visits), run.id)
            )
        return visits

    def _candidates(self, run: RunRow, limit: int) -> list[tuple[int, str, float, float, int, str, int]]:
        blocked = [address for address, count in self.in_use.items() if address and count >= self.per_address]
        query = _CANDIDATES.format(blocked=", ".join("?" * len(blocked)))
        return self.sql.execute(query, (run.id, self.now, *blocked, limit)).fetchall()

    def _correct(self, run: RunRow, host: int, at: float) -> None:
        self.sql.execute("update work set due_at = ? where run = ? and host = ?", (at, run.id, host))

    def _free_lapsed(self, run: RunRow) -> None:
        lapsed = self.sql.execute("select id from host where until > 0 and until <= ?", (self.now,)).fetchall()
        for (host,) in lapsed:
            free_lapsed(self.sql, host, self.now)
        if lapsed:
            (run.leased,) = self.sql.execute("select leased from run where id = ?", (run.id,)).fetchone()

    def _due(self, run: RunRow, host: int, limit: int) -> list[Due]:
        if run.max_per_host:
            (fetched,) = self.sql.execute(
                "select fetched from work where run = ? and host = ?", (run.id, host)
            ).fetchone()
            limit = min(limit, run.max_per_host - fetched)
        if limit <= 0:
            return []
        rows = self.sql.execute(_DUE, (host, run.id, self.now, limit)).fetchall()
        again = [(host, row[0]) for row in rows if row[12] == State.DEFERRED]
        if again:
            self.sql.executemany("update request set state = 0 where host = ? and key = ?", again)
            self.sql.execute("update run set deferred = deferred - ? where id = ?", (len(again), run.id))
            self.sql.execute(
                "update work set deferred = deferred - ? where run = ? and host = ?", (len(again), run.id, host)
            )
        return [Due(*row[:12]) for row in rows]

    def _lease(self, run: RunRow, host: int, counter: int, holder: str, until: float, due: list[Due]) -> Token:
        nonce = secrets.randbits(62)
        keys = pack(request.key for request in due)
        self.sql.execute(
            "update host set counter = ?, nonce = ?, until = ?, holder = ?, run = ?, keys = ? where id = ?",
            (counter, nonce, until, holder, run.id, keys, host),
        )
        self._correct(run, host, until)
        return (self.epoch, counter, nonce)

    def _robots(self, host: int) -> dict[str, Robots]:
        rows = self.sql.execute("select origin, fetched_at, status, text from robots where host = ?", (host,))
        return {origin: Robots(origin, at, status, text) for origin, at, status, text in rows}

    def _wake_at(self, active: list[RunRow]) -> float | None:
        earliest = NEVER
        for run in active:
            (first,) = self.sql.execute(
                "select min(due_at) from work where run = ? and waiting > 0", (run.id,)
            ).fetchone()
            spent = self._spent(run)
            if spent:  # only a lease that comes back can free a page of the run's limit
                (first,) = self.sql.execute(
                    "select min(until) from host where until > 0 and run = ?", (run.id,)
                ).fetchone()
            if first is not None:
                earliest = min(earliest, first)
        return None if earliest == NEVER else earliest

    def _spent(self, run: RunRow) -> bool:
        if not run.max_pages:
            return False
        (used,) = self.sql.execute("select done + unchanged + leased from run where id = ?", (run.id,)).fetchone()
        return int(used) >= run.max_pages


def renew(sql: sqlite3.Connection, visits: Sequence[Visit], now: float, until: float) -> list[Visit]:
    epoch = epoch_of(sql)
    lost: list[Visit] = []
    for visit in visits:
        lease = lease_of(sql, visit.host)
        if lease is None or not lease.held(visit.token, epoch, now):
            lost.append(visit)
            continue
        sql.execute("update host set until = ? where id = ?", (until, lease.host))
        sql.execute("update work set due_at = ? where run = ? and host = ?", (until, lease.run, lease.host))
    return lost


def abandon(sql: sqlite3.Connection, holder: str) -> int:
    rows = sql.execute("select id, run, keys from host where until > 0 and holder = ?", (holder,)).fetchall()
    for host, run, keys in rows:
        sql.execute("update run set leased = leased - ? where id = ?", (len(keys) // 8, run))
        sql.execute("update host set until = 0, holder = '', keys = x'' where id = ?", (host,))
        sql.execute("update work set due_at = 0 where run = ? and host = ?", (run, host))
    return len(rows)
