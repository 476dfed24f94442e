"""Jobs in SQLite: one table, where an open job is due or leased until a moment, and one index finds what is due."""

import secrets
import sqlite3
from collections.abc import Sequence

from kiebitz.adapters.sqlite.database import Database
from kiebitz.adapters.sqlite.rows import row, rows
from kiebitz.errors import StaleLease
from kiebitz.model.job import MAX_TRIES, DeadJob, Job, LeasedJob
from kiebitz.ports.clock import Clock

PUT = """
insert into job (queue, key, payload, not_before, due_at)
values (:queue, :key, :payload, :not_before, max(:not_before, :now))
on conflict (queue, key) do nothing
"""
DUE = """
select id, key, payload, not_before, tries from job
where queue = :queue and state <= 1 and due_at <= :now
order by due_at, id limit :limit
"""
LEASE = "update job set state = 1, due_at = :until, tries = tries + 1, token = :token where id = :id"
RENEW = "update job set due_at = :until where token = :token and state = 1 and queue = :queue and due_at > :now"
FINISH = """
update job set state = 2, token = '', payload = '', error = '', ended_at = :now
where token = :token and state = 1 and queue = :queue
"""
HELD = "select id, tries from job where token = :token and state = 1 and queue = :queue and due_at > :now"
RETRY = "update job set state = 0, token = '', error = :error, due_at = :due_at where id = :id"
BURY = "update job set state = 3, token = '', error = :error, ended_at = :now where id = :id"
DEAD = """
select key, payload, not_before, tries, error, ended_at from job
where queue = :queue and state = 3
order by ended_at desc, id desc limit :limit
"""
REVIVE = """
update job set state = 0, tries = 0, error = '', ended_at = 0, due_at = :now
where queue = :queue and key = :key and state = 3
"""
DEPTH = """
select (select count(*) from job where queue = :queue and state <= 1),
       (select count(*) from job where queue = :queue and state = 1 and due_at > :now),
       (select count(*) from job where queue = :queue and state = 3)
"""


class SqliteJobs:
    """The database belongs to whoever opened it, and is closed there."""

    def __init__(self, database: Database, clock: Clock, *, max_tries: int = MAX_TRIES) -> None:
        self._database = database
        self._clock = clock
        self._max_tries = max_tries

    async def put(self, jobs: Sequence[Job]) -> int:
        now = self._clock.now()
        values = [
            {"queue": j.queue, "key": j.key, "payload": j.payload, "not_before": j.not_before, "now": now} for j in jobs
        ]
        return await self._database.write(lambda sql: sql.executemany(PUT, values).rowcount) if values else 0

    async def lease(self, queue: str, *, limit: int, seconds: float) -> list[LeasedJob]:
        if limit <= 0:
            return []
        return await self._database.write(lambda sql: self._lease(sql, queue, limit, seconds))

    def _lease(self, sql: sqlite3.Connection, queue: str, limit: int, seconds: float) -> list[LeasedJob]:
        now = self._clock.now()
        leased: list[LeasedJob] = []
        while len(leased) < limit:
            due = rows(sql, DUE, {"queue": queue, "now": now, "limit": limit - len(leased)})
            if not due:
                break
            for job in due:
                if job["tries"] >= self._max_tries:  # whoever tried it last died of it, perhaps
                    sql.execute(BURY, {"id": job["id"], "now": now, "error": "the lease of its last try lapsed"})
                    continue
                token = secrets.token_hex(12)
                sql.execute(LEASE, {"id": job["id"], "until": now + seconds, "token": token})
                leased.append(LeasedJob(_job(queue, job), token, job["tries"] + 1))
        return leased

    async def renew(self, queue: str, tokens: Sequence[str], *, seconds: float) -> list[str]:
        def work(sql: sqlite3.Connection) -> list[str]:
            now = self._clock.now()  # read under the lock: waiting for it takes time
            return _lost(sql, RENEW, tokens, {"queue": queue, "now": now, "until": now + seconds})

        return await self._database.write(work)

    async def finish(self, queue: str, tokens: Sequence[str]) -> list[str]:
        """A lease that lapsed is still good for this, as long as nobody took the job since."""
        values: dict[str, str | float] = {"queue": queue, "now": self._clock.now()}
        return await self._database.write(lambda sql: _lost(sql, FINISH, tokens, values))

    async def fail(self, queue: str, token: str, error: str, *, retry_in: float | None) -> None:
        def work(sql: sqlite3.Connection) -> None:
            now = self._clock.now()
            held = row(sql, HELD, {"queue": queue, "token": token, "now": now})
            if held is None:
                raise StaleLease([token])
            if retry_in is None or held["tries"] >= self._max_tries:
                sql.execute(BURY, {"id": held["id"], "now": now, "error": error})
            else:
                sql.execute(RETRY, {"id": held["id"], "due_at": now + retry_in, "error": error})

        await self._database.write(work)

    async def dead(self, queue: str, *, limit: int = 100) -> list[DeadJob]:
        found = await self._database.run(lambda sql: rows(sql, DEAD, {"queue": queue, "limit": limit}))
        return [DeadJob(_job(queue, job), job["tries"], job["error"], job["ended_at"]) for job in found]

    async def revive(self, queue: str, keys: Sequence[str]) -> int:
        values = [{"queue": queue, "key": key, "now": self._clock.now()} for key in keys]
        return await self._database.write(lambda sql: sql.executemany(REVIVE, values).rowcount) if values else 0

    async def depth(self, queue: str) -> tuple[int, int, int]:
        values = {"queue": queue, "now": self._clock.now()}
        opened, leased, dead = await self._database.run(lambda sql: sql.execute(DEPTH, values).fetchone())
        return opened - leased, leased, dead

    async def close(self) -> None:
        pass


def _job(queue: str, columns: sqlite3.Row) -> Job:
    return Job(queue, columns["key"], columns["payload"], columns["not_before"])


def _lost(sql: sqlite3.Connection, statement: str, tokens: Sequence[str], values: dict[str, str | float]) -> list[str]:
    return [token for token in tokens if not sql.execute(statement, {**values, "token": token}).rowcount]
