"""Alerts in SQLite, in a file of their own: they are written with every batch that is indexed, and while others crawl."""

import secrets
import sqlite3
from collections.abc import Sequence
from datetime import date, datetime

from kiebitz.adapters.sqlite.database import Database
from kiebitz.adapters.sqlite.rows import Values, dump, load, moment, row, rows, scalar, text
from kiebitz.errors import Conflict, NotFound, StaleLease
from kiebitz.model.alert import (
    MOST_OF_A_DELIVERY,
    ClaimedDelivery,
    Delivery,
    DeliveryState,
    FeedEntry,
    Match,
    SavedSearch,
    delivery_id,
)
from kiebitz.ports.alerts import Due

PUT = """
insert into search (id, name, query, filters, channels, schedule, enabled, created_at)
values (:id, :name, :query, :filters, :channels, :schedule, :enabled, :created_at)
on conflict (id) do update set name = :name, query = :query, filters = :filters, channels = :channels,
    schedule = :schedule, enabled = :enabled, created_at = :created_at
"""
BY_ID = "select * from search where id = :id"
BY_NAME = "select * from search where name = :name"
LIST = "select * from search order by name"
REMOVE_SEARCH = "delete from search where id = :id"
REMOVE_MATCHES = "delete from match where search = :id"
REMOVE_DELIVERIES = "delete from delivery where search = :id"
RECORD = """
insert into match (search, paper, version, url, title, found_at, excerpt, source, kind, published)
values (:search, :paper, :version, :url, :title, :found_at, :excerpt, :source, :kind, :published)
on conflict (search, paper, version) do nothing
"""
ADVANCE = "update progress set position = max(position, :position) where id = 0"
POSITION = "select position from progress where id = 0"
FEED = "select * from match where search = :search and sequence > :after order by sequence limit :limit"
NEWEST = "select * from match where search = :search and sequence > :after order by sequence desc limit :limit"
OLDEST_WAITING = "select found_at from match where search = :search and bundled = 0 order by sequence limit 1"
WAITING = """
select sequence, paper, version from match where search = :search and bundled = 0 order by sequence limit :limit
"""
BUNDLED = "update match set bundled = 1 where search = :search and bundled = 0 and sequence <= :last"
DELIVER = """
insert into delivery (id, search, channel, first, last, matches, created_at, next_at)
values (:id, :search, :channel, :first, :last, :matches, :at, :at) on conflict (id) do nothing
"""
PENDING = """
select delivery.* from delivery where state = 0 and next_at <= :now
    and (select enabled from search where search.id = delivery.search) = 1
order by next_at, number limit :limit
"""
CLAIM = "update delivery set token = :token, next_at = :until, tries = tries + 1 where number = :number"
OF_DELIVERY = "select * from match where search = :search and sequence between :first and :last order by sequence"
HELD = "select number from delivery where token = :token and token <> ''"
SETTLE = """
update delivery set state = :state, error = :error, next_at = :next_at, token = '' where number = :number
"""
DELIVERIES = "select * from delivery where search = :search order by number desc limit :limit"
REVIVE = "update delivery set state = 0, tries = 0, next_at = :now where search = :search and state = 2"

_STATES = (DeliveryState.PENDING, DeliveryState.SENT, DeliveryState.FAILED)


class SqliteAlerts:
    """The database belongs to whoever opened it, and is closed there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, search: SavedSearch) -> None:
        def work(sql: sqlite3.Connection) -> None:
            other = row(sql, BY_NAME, {"name": search.name})
            if other is not None and other["id"] != search.id:
                raise Conflict(f"another saved search is named {search.name!r}", hint="choose another name")
            sql.execute(PUT, _search_values(search))

        await self._database.write(work)

    async def get(self, id_or_name: str) -> SavedSearch:
        def work(sql: sqlite3.Connection) -> sqlite3.Row | None:
            return row(sql, BY_ID, {"id": id_or_name}) or row(sql, BY_NAME, {"name": id_or_name})

        found = await self._database.run(work)
        if found is None:
            raise NotFound(f"there is no saved search {id_or_name!r}")
        return _search(found)

    async def searches(self) -> list[SavedSearch]:
        return [_search(each) for each in await self._database.run(lambda sql: rows(sql, LIST))]

    async def remove(self, search_id: str) -> None:
        def work(sql: sqlite3.Connection) -> None:
            for statement in (REMOVE_DELIVERIES, REMOVE_MATCHES, REMOVE_SEARCH):
                sql.execute(statement, {"id": search_id})

        await self._database.write(work)

    async def record(self, matches: Sequence[Match], *, position: int = 0) -> int:
        def work(sql: sqlite3.Connection) -> int:
            ids = {match.search for match in matches}
            known = {each for each in ids if row(sql, BY_ID, {"id": each}) is not None}
            kept = [_match_values(match) for match in matches if match.search in known]
            before = sql.total_changes
            sql.executemany(RECORD, kept)
            new = sql.total_changes - before
            sql.execute(ADVANCE, {"position": position})
            return new

        return await self._database.write(work)

    async def position(self) -> int:
        return int(await self._database.run(lambda sql: scalar(sql, POSITION)))

    async def feed(self, search_id: str, *, after: int = 0, limit: int = 100, newest: bool = False) -> list[FeedEntry]:
        values: Values = {"search": search_id, "after": after, "limit": max(limit, 0)}
        found = await self._database.run(lambda sql: rows(sql, NEWEST if newest else FEED, values))
        return [FeedEntry(each["sequence"], _match(each)) for each in (reversed(found) if newest else found)]

    async def bundle(self, now: datetime, due: Due) -> int:
        def work(sql: sqlite3.Connection) -> int:
            made = 0
            for search in map(_search, rows(sql, LIST)):
                oldest = row(sql, OLDEST_WAITING, {"search": search.id})
                if oldest is not None and due(search, moment(oldest["found_at"])) <= now:
                    made += _bundle(sql, search, now)
            return made

        return await self._database.write(work)

    async def claim(self, now: datetime, *, limit: int, until: datetime) -> list[ClaimedDelivery]:
        def work(sql: sqlite3.Connection) -> list[ClaimedDelivery]:
            due = rows(sql, PENDING, {"now": text(now), "limit": max(limit, 0)})
            return [_claimed(sql, each, until) for each in due]

        return await self._database.write(work)

    async def settle(self, token: str, *, error: str = "", next_at: datetime | None = None) -> None:
        state = DeliveryState.SENT if not error else DeliveryState.PENDING if next_at else DeliveryState.FAILED

        def work(sql: sqlite3.Connection) -> None:
            held = row(sql, HELD, {"token": token})
            if held is None:
                raise StaleLease([token])
            when = text(next_at) if next_at else ""
            values = {"state": _STATES.index(state), "error": error, "next_at": when, "number": held["number"]}
            sql.execute(SETTLE, values)

        await self._database.write(work)

    async def deliveries(self, search_id: str, *, limit: int = 100) -> list[Delivery]:
        values: Values = {"search": search_id, "limit": max(limit, 0)}
        return [_delivery(each) for each in await self._database.run(lambda sql: rows(sql, DELIVERIES, values))]

    async def revive(self, search_id: str, now: datetime) -> int:
        values = {"search": search_id, "now": text(now)}
        return await self._database.write(lambda sql: sql.execute(REVIVE, values).rowcount)

    async def close(self) -> None:
        pass


def _bundle(sql: sqlite3.Connection, search: SavedSearch, now: datetime) -> int:
    made = 0
    while waiting := rows(sql, WAITING, {"search": search.id, "limit": MOST_OF_A_DELIVERY}):
        pairs = [(each["paper"], each["version"]) for each in waiting]
        shared: Values = {
            "search": search.id,
            "first": waiting[0]["sequence"],
            "last": waiting[-1]["sequence"],
            "matches": len(waiting),
            "at": text(now),
        }
        for channel in search.channels:
            named = {**shared, "id": delivery_id(search.id, channel, pairs), "channel": channel}
            made += sql.execute(DELIVER, named).rowcount
        sql.execute(BUNDLED, {"search": search.id, "last": shared["last"]})
    return made


def _claimed(sql: sqlite3.Connection, columns: sqlite3.Row, until: datetime) -> ClaimedDelivery:
    token = secrets.token_hex(16)
    sql.execute(CLAIM, {"token": token, "until": text(until), "number": columns["number"]})
    found = row(sql, BY_ID, {"id": columns["search"]})
    assert found is not None  # it was asked whether it is enabled
    span = {"search": columns["search"], "first": columns["first"], "last": columns["last"]}
    matches = tuple(_match(each) for each in rows(sql, OF_DELIVERY, span))
    delivery = _delivery(columns)._replace(tries=columns["tries"] + 1, next_at=until)
    return ClaimedDelivery(token, delivery, _search(found), matches)


def _search_values(search: SavedSearch) -> Values:
    return {
        **search._asdict(),
        "filters": dump(search.filters),
        "channels": dump(search.channels),
        "enabled": int(search.enabled),
        "created_at": text(search.created_at),
    }


def _search(columns: sqlite3.Row) -> SavedSearch:
    return SavedSearch(
        id=columns["id"],
        name=columns["name"],
        query=columns["query"],
        created_at=moment(columns["created_at"]),
        filters=tuple((facet, tuple(values)) for facet, values in load(columns["filters"])),
        channels=tuple(load(columns["channels"])),
        schedule=columns["schedule"],
        enabled=bool(columns["enabled"]),
    )


def _match_values(match: Match) -> dict[str, str | None]:
    published = match.published.isoformat() if match.published else None
    return {**match._asdict(), "found_at": text(match.found_at), "published": published}


def _match(columns: sqlite3.Row) -> Match:
    fields = {name: columns[name] for name in Match._fields}
    fields["found_at"] = moment(columns["found_at"])
    fields["published"] = date.fromisoformat(columns["published"]) if columns["published"] else None
    return Match(**fields)


def _delivery(columns: sqlite3.Row) -> Delivery:
    return Delivery(
        id=columns["id"],
        search=columns["search"],
        channel=columns["channel"],
        matches=columns["matches"],
        created_at=moment(columns["created_at"]),
        state=_STATES[columns["state"]],
        tries=columns["tries"],
        next_at=moment(columns["next_at"]) if columns["next_at"] else None,
        error=columns["error"],
    )
