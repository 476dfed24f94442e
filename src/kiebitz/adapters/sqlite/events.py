"""Events in SQLite: ids are given under the write lock, so a reader never sees a later id before an earlier one."""

import sqlite3
from collections.abc import Sequence

from kiebitz.adapters.sqlite.database import Database
from kiebitz.adapters.sqlite.rows import Values, dump, load, moment, rows, scalar, text
from kiebitz.model.event import Event

APPEND = "insert into event (kind, at, run, subject, data) values (:kind, :at, :run, :subject, :data)"
LAST_ID = "select coalesce((select seq from sqlite_sequence where name = 'event'), 0)"
AFTER = "select * from event where id > :after order by id limit :limit"
AFTER_OF_RUN = "select * from event where run = :run and id > :after order by id limit :limit"
TRIM = "delete from event where id <= (select id from event order by id desc limit 1 offset :keep)"


class SqliteEvents:
    """The database belongs to whoever opened it, and is closed there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, events: Sequence[Event]) -> int:
        def work(sql: sqlite3.Connection) -> int:
            sql.executemany(APPEND, [_values(event) for event in events])
            return int(scalar(sql, LAST_ID))

        return await self._database.write(work)

    async def read(self, *, after: int = 0, limit: int = 1000, run: str = "") -> list[Event]:
        statement = AFTER_OF_RUN if run else AFTER
        values: Values = {"after": after, "limit": limit, "run": run}
        return [_event(columns) for columns in await self._database.run(lambda sql: rows(sql, statement, values))]

    async def trim(self, keep: int) -> int:
        return await self._database.write(lambda sql: sql.execute(TRIM, {"keep": max(keep, 0)}).rowcount)

    async def close(self) -> None:
        pass


def _values(event: Event) -> dict[str, str]:
    data = dump(event.data)
    return {"kind": event.kind, "at": text(event.at), "run": event.run, "subject": event.subject, "data": data}


def _event(columns: sqlite3.Row) -> Event:
    return Event(
        kind=columns["kind"],
        at=moment(columns["at"]),
        run=columns["run"],
        subject=columns["subject"],
        data=load(columns["data"]),
        id=columns["id"],
    )
