"""What an operator may do to a run: activate, halt, finish, retry."""

import sqlite3

from kiebitz.adapters.sqlite.frontier.tables import RunBook, RunRow, free_lapsed, lease_of
from kiebitz.model.request import State
from kiebitz.model.run import GONE
from kiebitz.model.visit import Activate, Control, Finish, Halt, Retry


def control(sql: sqlite3.Connection, name: str, command: Control, now: float) -> int:
    runs = RunBook(sql)
    run = runs.open(name)
    free_lapsed(sql, runs, now)
    touched = 0
    match command:
        case Activate(max_pages, max_per_host):
            sql.execute(
                "update run set active = 1, max_pages = ?, max_per_host = ? where id = ?",
                (max_pages, max_per_host, run.id),
            )
            sql.execute("update work set due_at = 0 where run = ? and due_at > ?", (run.id, now))
        case Halt():
            sql.execute("update run set active = 0 where id = ?", (run.id,))
        case Finish(reason):
            sql.execute("update run set active = 0 where id = ?", (run.id,))
            touched = _finish(sql, run, reason)
        case Retry():
            touched = _retry(sql, run, command)
    runs.save()
    return touched


def _leased_keys(sql: sqlite3.Connection, host: str) -> set[int]:
    lease = lease_of(sql, host)
    return set(lease.keys) if lease else set()


def _finish(sql: sqlite3.Connection, run: RunRow, reason: str) -> int:
    touched = 0
    hosts = sql.execute(
        "select w.host, h.name from work w join host h on h.id = w.host where w.run = ? and w.waiting > 0", (run.id,)
    ).fetchall()
    for host, name in hosts:
        leased = _leased_keys(sql, name)
        rows = sql.execute(
            "select key, state from request where host = ? and run = ? and state in (0, 4)", (host, run.id)
        ).fetchall()
        ending = [(reason, host, key) for key, _ in rows if key not in leased]
        deferred = sum(state == State.DEFERRED for _, state in rows)
        sql.executemany("update request set state = 6, reason = ?, next_at = 0 where host = ? and key = ?", ending)
        sql.execute(
            "update work set waiting = waiting - ?, deferred = deferred - ? where run = ? and host = ?",
            (len(ending), deferred, run.id, host),
        )
        run.waiting -= len(ending)
        run.deferred -= deferred
        run.skipped += len(ending)
        touched += len(ending)
    return touched


def _retry(sql: sqlite3.Connection, run: RunRow, command: Retry) -> int:
    hosts = sql.execute(
        "select distinct r.host, h.name from request r join host h on h.id = r.host"
        " where r.run = ? and (? = '' or h.name = ?)",
        (run.id, command.host, command.host),
    ).fetchall()
    return sum(_retry_host(sql, run, host, _leased_keys(sql, name), command) for host, name in hosts)


def _retry_host(sql: sqlite3.Connection, run: RunRow, host: int, leased: set[int], command: Retry) -> int:
    rows = sql.execute(
        "select key, state, status, digest != x'' from request where host = ? and run = ? and (? = '' or url = ?)",
        (host, run.id, command.url, command.url),
    ).fetchall()
    wanted = [row for row in rows if row[1] in command.query_states and row[0] not in leased]
    again = [(key, State(state), status, had) for key, state, status, had in wanted if state != State.PENDING]
    if not again:
        return 0
    sql.executemany(
        "update request set state = 0, reason = '', status = 0, tries = 0, next_at = 0 where host = ? and key = ?",
        [(host, key) for key, *_ in again],
    )
    deferred = fetched = 0
    for _, state, status, had_content in again:
        deferred += state is State.DEFERRED
        fetched += state in (State.DONE, State.UNCHANGED)
        setattr(run, state.label, getattr(run, state.label) - 1)
        run.gone -= state is State.FAILED and had_content and status in GONE
    run.waiting += len(again) - deferred
    sql.execute("insert or ignore into work (run, host) values (?, ?)", (run.id, host))
    sql.execute(
        "update work set waiting = waiting + ?, deferred = deferred - ?, fetched = fetched - ?, due_at = 0"
        " where run = ? and host = ?",
        (len(again) - deferred, deferred, fetched, run.id, host),
    )
    return len(again)
