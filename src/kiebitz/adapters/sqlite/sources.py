"""Sources in SQLite: one row each, found by id or by name."""

import sqlite3

from kiebitz.adapters.sqlite.database import Database
from kiebitz.adapters.sqlite.rows import Values, dump, load, optional_moment, optional_text, row, rows
from kiebitz.errors import Conflict, NotFound
from kiebitz.model.source import Focus, Source

NAMESAKE = "select id from source where name = :name and id <> :id"
PUT = """
insert or replace into source (id, name, entry_urls, labels, focus, schedule, enabled,
    created_at, last_crawled, last_change, last_error, last_error_at)
values (:id, :name, :entry_urls, :labels, :focus, :schedule, :enabled,
    :created_at, :last_crawled, :last_change, :last_error, :last_error_at)
"""
BY_ID = "select * from source where id = :it"
BY_NAME = "select * from source where name = :it"
PAGE = "select * from source where name > :after order by name limit :limit"
REMOVE = "delete from source where id = :id"


class SqliteSources:
    """The database belongs to whoever opened it, and is closed there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, source: Source) -> None:
        values = _values(source)

        def work(sql: sqlite3.Connection) -> None:
            if row(sql, NAMESAKE, values):
                raise Conflict(f"another source is named {source.name!r}", hint="choose another name")
            sql.execute(PUT, values)

        await self._database.write(work)

    async def get(self, id_or_name: str) -> Source:
        values = {"it": id_or_name}
        found = await self._database.run(lambda sql: row(sql, BY_ID, values) or row(sql, BY_NAME, values))
        if found is None:
            raise NotFound(f"there is no source {id_or_name!r}")
        return _source(found)

    async def remove(self, source_id: str) -> None:
        await self._database.write(lambda sql: sql.execute(REMOVE, {"id": source_id}))

    async def list(self, *, after: str = "", limit: int = 1000) -> list[Source]:
        found = await self._database.run(lambda sql: rows(sql, PAGE, {"after": after, "limit": limit}))
        return [_source(columns) for columns in found]

    async def close(self) -> None:
        pass


def _values(source: Source) -> Values:
    return {
        "id": source.id,
        "name": source.name,
        "entry_urls": dump(source.entry_urls),
        "labels": dump(source.labels),
        "focus": source.focus,
        "schedule": source.schedule,
        "enabled": source.enabled,
        "created_at": optional_text(source.created_at),
        "last_crawled": optional_text(source.last_crawled),
        "last_change": optional_text(source.last_change),
        "last_error": source.last_error,
        "last_error_at": optional_text(source.last_error_at),
    }


def _source(columns: sqlite3.Row) -> Source:
    return Source(
        id=columns["id"],
        name=columns["name"],
        entry_urls=tuple(load(columns["entry_urls"])),
        labels=load(columns["labels"]),
        focus=Focus(columns["focus"]),
        schedule=columns["schedule"],
        enabled=bool(columns["enabled"]),
        created_at=optional_moment(columns["created_at"]),
        last_crawled=optional_moment(columns["last_crawled"]),
        last_change=optional_moment(columns["last_change"]),
        last_error=columns["last_error"],
        last_error_at=optional_moment(columns["last_error_at"]),
    )
