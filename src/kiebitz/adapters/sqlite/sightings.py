"""Sightings in SQLite: contents are packed, because nobody asks for a part of one."""

import sqlite3
from collections.abc import Sequence

from kiebitz.adapters.sqlite.database import Database
from kiebitz.adapters.sqlite.rows import Values, moment, optional_moment, optional_text, row, rows, text
from kiebitz.model.sight import (
    Change,
    PageSight,
    Sight,
    pack_change,
    pack_page,
    pack_sight,
    unpack_change,
    unpack_page,
    unpack_sight,
)

RECORD = """
insert into page_sight (source, page, run, at, content) values (:source, :page, :run, :at, :content)
on conflict (source, page) do update set run = :run, at = :at, content = :content where at <= :at
"""
PAGES = "select * from page_sight where source = :source and page > :after order by page limit :limit"
PAGES_OF_RUN = """
select * from page_sight where source = :source and page > :after and run = :run order by page limit :limit
"""
CONCLUDE = """
insert into sight (source, run, at, fingerprint, content) values (:source, :run, :at, :fingerprint, :content)
on conflict (source) do update set run = :run, at = :at, fingerprint = :fingerprint, content = :content
    where run <> :run and at <= :at
"""
APPEND = """
insert into change (source, run, at, since, "before", "after", content)
values (:source, :run, :at, :since, :before, :after, :content)
"""
CURRENT = "select * from sight where source = :source"
CHANGES = """
select * from change where source = :source
    and id < coalesce((select id from change where source = :source and run = :before), 9e18)
order by id desc limit :limit
"""
FORGET = tuple(f"delete from {table} where source = :source" for table in ("page_sight", "sight", "change"))


class SqliteSightings:
    """The database belongs to whoever opened it, and is closed there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, source: str, sights: Sequence[PageSight]) -> None:
        values = [
            {"source": source, "page": each.page, "run": each.run, "at": text(each.at), "content": pack_page(each)}
            for each in sights
        ]
        await self._database.write(lambda sql: sql.executemany(RECORD, values).rowcount)

    async def pages(self, source: str, *, run: str = "", after: str = "", limit: int = 100) -> list[PageSight]:
        values: Values = {"source": source, "run": run, "after": after, "limit": limit}
        found = await self._database.run(lambda sql: rows(sql, PAGES_OF_RUN if run else PAGES, values))
        return [unpack_page(each["content"], each["page"], each["run"], moment(each["at"])) for each in found]

    async def conclude(self, source: str, sight: Sight, change: Change | None) -> None:
        current = {
            "source": source,
            "run": sight.run,
            "at": text(sight.at),
            "fingerprint": sight.fingerprint,
            "content": pack_sight(sight),
        }

        def work(sql: sqlite3.Connection) -> None:
            if sql.execute(CONCLUDE, current).rowcount and change:
                sql.execute(APPEND, _values(source, change))

        await self._database.write(work)

    async def current(self, source: str) -> Sight | None:
        found = await self._database.run(lambda sql: row(sql, CURRENT, {"source": source}))
        if found is None:
            return None
        return unpack_sight(found["content"], found["run"], moment(found["at"]), found["fingerprint"])

    async def changes(self, source: str, *, limit: int = 100, before: str = "") -> list[Change]:
        values: Values = {"source": source, "before": before, "limit": limit}
        return [_change(columns) for columns in await self._database.run(lambda sql: rows(sql, CHANGES, values))]

    async def forget(self, source: str) -> None:
        def work(sql: sqlite3.Connection) -> None:
            for statement in FORGET:
                sql.execute(statement, {"source": source})

        await self._database.write(work)

    async def close(self) -> None:
        pass


def _values(source: str, change: Change) -> dict[str, object]:
    return {
        "source": source,
        "run": change.run,
        "at": text(change.at),
        "since": optional_text(change.since),
        "before": change.before,
        "after": change.after,
        "content": pack_change(change),
    }


def _change(columns: sqlite3.Row) -> Change:
    at, since = moment(columns["at"]), optional_moment(columns["since"])
    return unpack_change(columns["content"], Change(columns["run"], at, since, columns["before"], columns["after"]))
