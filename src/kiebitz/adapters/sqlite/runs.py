"""Runs in SQLite: a small row each, rewritten as it goes on; its plan lies apart and is written once."""

import secrets
import sqlite3
from dataclasses import asdict
from datetime import datetime

from kiebitz.adapters.sqlite.database import Database
from kiebitz.adapters.sqlite.rows import Values, dump, load, moment, optional_moment, row, rows, scalar, text
from kiebitz.errors import NotFound
from kiebitz.model.run import NOISE_BITS, Counts, Plan, Run, RunState, Sample, Scope, run_id, step_of, thinned

NEWEST_ID = "select max(id) from run"
KEEP_PLAN = "insert into plan (key, body) values (:key, :body) on conflict (key) do nothing"
CREATE = """
insert into run (id, plan_key, state, created_at, updated_at, counts, source)
values (:id, :plan_key, :state, :at, :at, :counts, :source)
"""
# '~' sorts above every digit of an id.
BEGINNING = """
select run.*, plan.body from run join plan on plan.key = run.plan_key
where run.id >= :beginning and run.id <= :beginning || '~' order by run.id limit 2
"""
# One look at the end of the index per state: the length of the history does not matter.
LATEST_OF_PLAN = """
select run.*, plan.body from run join plan on plan.key = run.plan_key where run.id = (
    select max((select max(id) from run where plan_key = :plan_key and state = wanted.value))
    from json_each(:states) as wanted)
"""
LATEST = """
select run.*, plan.body from run join plan on plan.key = run.plan_key where run.id = (
    select max((select max(id) from run where state = wanted.value))
    from json_each(:states) as wanted)
"""
PAGE = """
select run.*, plan.body from run join plan on plan.key = run.plan_key
where run.id < :before order by run.id desc limit :limit
"""
PUBLISH = """
update run set counts = :counts, seconds = :seconds, cpu_seconds = :cpu_seconds, updated_at = :at where id = :id
"""
SERIES = "select seconds, fetched, hosts, queue from run_sample where run = :run order by seconds"
NEWEST_SAMPLE = "select max(seconds) from run_sample where run = :run"
CLEAR_SERIES = "delete from run_sample where run = :run"
CLEAR_STEP = "delete from run_sample where run = :run and seconds >= :start and seconds < :end"
ADD_SAMPLE = """
insert into run_sample (run, seconds, fetched, hosts, queue) values (:run, :seconds, :fetched, :hosts, :queue)
"""
MARK = """
update run set state = :state, updated_at = :at,
    finished_at = case :state when 'finished' then :at when 'running' then null else finished_at end
where id = :id
"""


class SqliteRuns:
    """The database belongs to whoever opened it, and is closed there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, plan: Plan, *, at: datetime, source: str = "") -> Run:
        noise = secrets.randbits(NOISE_BITS)

        def work(sql: sqlite3.Connection) -> Run:
            identity = run_id(at, noise, scalar(sql, NEWEST_ID) or "")
            run = Run(identity, plan, RunState.RUNNING, at, at, source=source)
            sql.execute(KEEP_PLAN, {"key": plan.key, "body": dump(asdict(plan))})
            values = {"id": identity, "plan_key": plan.key, "state": run.state, "at": text(at), "source": source}
            sql.execute(CREATE, {**values, "counts": dump(asdict(run.counts))})
            return run

        return await self._database.write(work)

    async def get(self, run_id: str) -> Run:
        found = await self._database.run(lambda sql: rows(sql, BEGINNING, {"beginning": run_id})) if run_id else []
        if not found:
            raise NotFound(f"there is no run {run_id!r}")
        if len(found) > 1 and found[0]["id"] != run_id:
            raise NotFound(f"several runs begin with {run_id!r}", hint="give more of the id")
        return _run(found[0])

    async def latest(self, *, plan_key: str = "", states: tuple[RunState, ...] = ()) -> Run | None:
        statement = LATEST_OF_PLAN if plan_key else LATEST
        values = {"plan_key": plan_key, "states": dump(states or tuple(RunState))}
        found = await self._database.run(lambda sql: row(sql, statement, values))
        return None if found is None else _run(found)

    async def publish(self, run_id: str, counts: Counts, *, seconds: float, cpu_seconds: float, at: datetime) -> None:
        values: Values = {
            "id": run_id,
            "counts": dump(asdict(counts)),
            "seconds": seconds,
            "cpu_seconds": cpu_seconds,
            "at": text(at),
        }

        def work(sql: sqlite3.Connection) -> None:
            _change(sql, PUBLISH, values)
            _keep(sql, run_id, Sample(seconds, counts.fetched, counts.hosts, counts.open))

        await self._database.write(work)

    async def series(self, run_id: str) -> list[Sample]:
        return await self._database.run(lambda sql: _series(sql, run_id))

    async def mark(self, run_id: str, state: RunState, *, at: datetime) -> Run:
        def work(sql: sqlite3.Connection) -> Run:
            _change(sql, MARK, {"id": run_id, "state": state, "at": text(at)})
            return _run(rows(sql, BEGINNING, {"beginning": run_id})[0])

        return await self._database.write(work)

    async def list(self, *, before: str = "", limit: int = 100) -> list[Run]:
        values: Values = {"before": before or "~", "limit": limit}
        return [_run(columns) for columns in await self._database.run(lambda sql: rows(sql, PAGE, values))]

    async def close(self) -> None:
        pass


def _change(sql: sqlite3.Connection, statement: str, values: Values) -> None:
    if not sql.execute(statement, values).rowcount:
        raise NotFound(f"there is no run {values['id']!r}")


def _keep(sql: sqlite3.Connection, run: str, sample: Sample) -> None:
    """Replace what was sampled in the same step; when the steps become longer, thin out the whole series."""
    newest = scalar(sql, NEWEST_SAMPLE, {"run": run}) or 0.0
    step = step_of(max(newest, sample.seconds))
    if step == step_of(newest):
        start = sample.seconds // step * step
        sql.execute(CLEAR_STEP, {"run": run, "start": start, "end": start + step})
        kept = [sample]
    else:
        kept = thinned([*_series(sql, run), sample])
        sql.execute(CLEAR_SERIES, {"run": run})
    sql.executemany(ADD_SAMPLE, [{"run": run, **each._asdict()} for each in kept])


def _series(sql: sqlite3.Connection, run: str) -> list[Sample]:
    return [Sample(*columns) for columns in rows(sql, SERIES, {"run": run})]


def _run(columns: sqlite3.Row) -> Run:
    return Run(
        id=columns["id"],
        plan=_plan(load(columns["body"])),
        state=RunState(columns["state"]),
        created_at=moment(columns["created_at"]),
        updated_at=moment(columns["updated_at"]),
        finished_at=optional_moment(columns["finished_at"]),
        counts=Counts(**load(columns["counts"])),
        seconds=columns["seconds"],
        cpu_seconds=columns["cpu_seconds"],
        source=columns["source"],
    )


def _plan(body: dict[str, object]) -> Plan:
    lists = {name: tuple(value) for name, value in body.items() if isinstance(value, list)}
    return Plan(**{**body, **lists, "scope": Scope(str(body["scope"]))})  # type: ignore[arg-type]
