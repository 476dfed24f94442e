"""Sources in SQLite: one row each, found by id or by name."""

import sqlite3

from kiebitz.adapters.sqlite.database import Database
from kiebitz.adapters.sqlite.rows import Values, dump, load, moment, optional_moment, optional_text, row, rows, text
from kiebitz.errors import Conflict, NotFound
from kiebitz.model.source import (
    Focus,
    Look,
    Politeness,
    RuleAction,
    RuleKind,
    Source,
    SourceRule,
    with_look,
    with_newer_looks,
)

NAMESAKE = "select id from source where name = :name and id <> :id"
PUT = """
insert or replace into source (id, name, entry_urls, labels, focus, schedule, delay, max_per_run, budget, rules, enabled,
    created_at, last_crawled, last_change, last_error, last_error_at,
    next_look, next_why, looks, retry_at)
values (:id, :name, :entry_urls, :labels, :focus, :schedule, :delay, :max_per_run, :budget, :rules, :enabled,
    :created_at, :last_crawled, :last_change, :last_error, :last_error_at,
    :next_look, :next_why, :looks, :retry_at)
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
        def work(sql: sqlite3.Connection) -> None:
            if row(sql, NAMESAKE, {"name": source.name, "id": source.id}):
                raise Conflict(f"another source is named {source.name!r}", hint="choose another name")
            known = row(sql, BY_ID, {"it": source.id})
            sql.execute(PUT, _values(with_newer_looks(source, _source(known)) if known else source))

        await self._database.write(work)

    async def note(self, source_id: str, look: Look) -> Source:
        def work(sql: sqlite3.Connection) -> Source:
            known = row(sql, BY_ID, {"it": source_id})
            if known is None:
                raise NotFound(f"there is no source {source_id!r}")
            source = with_look(_source(known), look)
            sql.execute(PUT, _values(source))
            return source

        return await self._database.write(work)

    async def get(self, id_or_name: str) -> Source:
        values = {"it": id_or_name}
        found = await self._database.run(lambda sql: row(sql, BY_ID, values) or row(sql, BY_NAME, values))
        if found is None:
            raise NotFound(f"there is no source {id_or_name!r}")
        return _source(found)

    async def remove(self, source_id: str) -> None:
        await self._database.write(lambda sql: sql.execute(REMOVE, {"id": source_id}).rowcount)

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
        "delay": source.politeness.delay,
        "max_per_run": source.politeness.max_per_run,
        "budget": source.budget,
        "rules": dump([(rule.action, rule.kind, rule.value) for rule in source.rules]),
        "enabled": source.enabled,
        "created_at": optional_text(source.created_at),
        "last_crawled": optional_text(source.last_crawled),
        "last_change": optional_text(source.last_change),
        "last_error": source.last_error,
        "last_error_at": optional_text(source.last_error_at),
        "next_look": optional_text(source.next_look),
        "next_why": source.next_why,
        "looks": dump([text(look) for look in source.looks]),
        "retry_at": optional_text(source.retry_at),
    }


def _source(columns: sqlite3.Row) -> Source:
    return Source(
        id=columns["id"],
        name=columns["name"],
        entry_urls=tuple(load(columns["entry_urls"])),
        labels=load(columns["labels"]),
        focus=Focus(columns["focus"]),
        schedule=columns["schedule"],
        politeness=Politeness(columns["delay"], columns["max_per_run"]),
        budget=columns["budget"],
        rules=tuple(SourceRule(RuleAction(action), RuleKind(kind), it) for action, kind, it in load(columns["rules"])),
        enabled=bool(columns["enabled"]),
        created_at=optional_moment(columns["created_at"]),
        last_crawled=optional_moment(columns["last_crawled"]),
        last_change=optional_moment(columns["last_change"]),
        last_error=columns["last_error"],
        last_error_at=optional_moment(columns["last_error_at"]),
        next_look=optional_moment(columns["next_look"]),
        next_why=columns["next_why"],
        looks=tuple(moment(look) for look in load(columns["looks"])),
        retry_at=optional_moment(columns["retry_at"]),
    )
