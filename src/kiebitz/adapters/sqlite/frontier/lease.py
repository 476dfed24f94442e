"""Leasing hosts: the earliest due first, within the limits of run, host and address."""

import secrets
import sqlite3
from collections import Counter
from collections.abc import Sequence

from kiebitz.adapters.sqlite.frontier.tables import (
    NEVER,
    RunBook,
    RunRow,
    due_at,
    end_lease,
    epoch_of,
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
        self.runs = RunBook(sql)
        free_lapsed(sql, self.runs, now)
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
        active = [run for name in runs if (run := self.runs.find(name)) and run.active]
        for run in active:
            visits += self._of_run(run, holder, hosts - len(visits), batch, until)
        self.runs.save()
        return Grant(visits, self._wake_at(active), contended=not visits and self._contended(active))

    def _of_run(self, run: RunRow, holder: str, hosts: int, batch: int, until: float) -> list[Visit]:
        visits: list[Visit] = []
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
        run.leased += sum(len(visit.requests) for visit in visits)
        return visits

    def _blocked(self) -> list[str]:
        return [address for address, count in self.in_use.items() if address and count >= self.per_address]

    def _candidates(self, run: RunRow, limit: int) -> list[tuple[int, str, float, float, int, str, int]]:
        blocked = self._blocked()
        query = _CANDIDATES.format(blocked=_marks(blocked))
        return self.sql.execute(query, (run.id, self.now, *blocked, limit)).fetchall()

    def _correct(self, run: RunRow, host: int, at: float) -> None:
        self.sql.execute("update work set due_at = ? where run = ? and host = ?", (at, run.id, host))

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
            run.deferred -= len(again)
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

    def _contended(self, active: list[RunRow]) -> bool:
        """Is a host with work of these runs leased, or an address, or the last pages of a run?"""
        if any(run.leased for run in active) or (self._blocked() and any(run.waiting for run in active)):
            return True
        numbers = [run.id for run in active]
        query = f"""select 1 from host h join work w on w.host = h.id
            where h.until > ? and w.waiting > 0 and w.run in ({_marks(numbers)}) limit 1"""
        return self.sql.execute(query, (self.now, *numbers)).fetchone() is not None

    def _wake_at(self, active: list[RunRow]) -> float | None:
        earliest = min((self._due_of(run) for run in active), default=NEVER)
        return None if earliest == NEVER else earliest

    def _due_of(self, run: RunRow) -> float:
        """When the run may get something: a host's time, or a lease whose end frees an address or a page of its limit."""
        if run.max_pages and run.done + run.unchanged + run.leased >= run.max_pages:
            return self._first("select min(until) from host where until > 0 and run = ?", run.id)
        blocked = self._blocked()
        if not blocked:
            return self._first("select min(due_at) from work where run = ? and waiting > 0", run.id)
        waiting = "from work w join host h on h.id = w.host where w.run = ? and w.waiting > 0 and w.due_at < 9e999"
        marks = _marks(blocked)
        free = self._first(f"select min(w.due_at) {waiting} and h.address not in ({marks})", run.id, *blocked)
        if not self.sql.execute(
            f"select 1 {waiting} and h.address in ({marks}) limit 1", (run.id, *blocked)
        ).fetchone():
            return free
        return min(free, self._first(f"select min(until) from host where until > 0 and address in ({marks})", *blocked))

    def _first(self, query: str, *values: object) -> float:
        (found,) = self.sql.execute(query, values).fetchone()
        return NEVER if found is None else float(found)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


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
    runs = RunBook(sql)
    rows = sql.execute("select id, ready_at from host where until > 0 and holder = ?", (holder,)).fetchall()
    for host, ready_at in rows:
        end_lease(sql, runs, host, ready_at)
    runs.save()
    return len(rows)
