"""Texts in SQLite, in a file of their own: they are large, and the feed is read while others write records."""

import sqlite3
from collections.abc import Sequence
from datetime import date

from kiebitz.adapters.sqlite.database import Database
from kiebitz.adapters.sqlite.rows import moment, row, rows, scalar, text
from kiebitz.errors import NotFound
from kiebitz.extract.duplicates import bands as bands_of
from kiebitz.model.text import TextState
from kiebitz.model.text_record import KnownText, TextEntry, TextRecord, supersedes
from kiebitz.ports.texts import MOST_OF_A_BAND

PUT = """
insert into text (id, sequence, deleted, url, source, kind, state, reason, content_type, sha256, crawled_at, title,
    language, pages, scanned, published, signature, cluster, content)
values (:id, :sequence, 0, :url, :source, :kind, :state, :reason, :content_type, :sha256, :crawled_at, :title,
    :language, :pages, :scanned, :published, :signature, :cluster, :content)
on conflict (id) do update set sequence = :sequence, deleted = 0, url = :url, source = :source, kind = :kind,
    state = :state, reason = :reason, content_type = :content_type, sha256 = :sha256, crawled_at = :crawled_at,
    title = :title, language = :language, pages = :pages, scanned = :scanned, published = :published,
    signature = :signature, cluster = :cluster, content = :content
"""
TOUCH = "update text set crawled_at = :crawled_at where id = :id"
LAST = "select coalesce(max(sequence), 0) from text"
BY_ID = "select * from text where id = :id"
NUMBER = "select number from text where id = :id"
KNOWN = "select sha256, crawled_at from text where id = :id"
AFTER = "select * from text where sequence > :sequence order by sequence limit :limit"
IN_STATE = "select * from text where deleted = 0 and state = :state and id > :after order by id limit :limit"
COUNTS = "select state, count(*) as count from text where deleted = 0 group by state"
OF_BAND = "select number from band where band = :band order by number limit :limit"
SIGNED = "select id, signature, cluster from text where number = :number and deleted = 0"
ADD_BAND = "insert or ignore into band (band, number) values (:band, :number)"
DROP_BAND = "delete from band where band = :band and number = :number"
DELETE = """
update text set deleted = 1, sequence = :sequence, reason = '', title = '', signature = x'', cluster = '', content = x''
where id = :id
"""


class SqliteTexts:
    """The database belongs to whoever opened it, and is closed there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, records: Sequence[TextRecord]) -> int:
        return await self._database.write(lambda sql: sum(_put(sql, record) for record in records)) if records else 0

    async def get(self, text_id: str) -> TextRecord:
        found = await self._database.run(lambda sql: row(sql, BY_ID, {"id": text_id}))
        if found is None or found["deleted"]:
            raise NotFound(f"there is no text {text_id!r}")
        return _record(found)

    async def after(self, sequence: int, *, limit: int = 100) -> list[TextEntry]:
        found = await self._database.run(lambda sql: rows(sql, AFTER, {"sequence": sequence, "limit": limit}))
        return [TextEntry(each["sequence"], each["id"], None if each["deleted"] else _record(each)) for each in found]

    async def last(self) -> int:
        return int(await self._database.run(lambda sql: scalar(sql, LAST)))

    async def known(self, ids: Sequence[str]) -> dict[str, KnownText]:
        def work(sql: sqlite3.Connection) -> dict[str, KnownText]:
            found = ((each, row(sql, KNOWN, {"id": each})) for each in ids)
            return {each: KnownText(at["sha256"], moment(at["crawled_at"])) for each, at in found if at is not None}

        return await self._database.run(work)

    async def in_state(self, state: TextState, *, after: str = "", limit: int = 100) -> list[TextRecord]:
        values = {"state": state.value, "after": after, "limit": limit}
        return [_record(each) for each in await self._database.run(lambda sql: rows(sql, IN_STATE, values))]

    async def counts(self) -> dict[str, int]:
        return {each["state"]: each["count"] for each in await self._database.run(lambda sql: rows(sql, COUNTS))}

    async def similar(self, bands: Sequence[bytes]) -> list[tuple[str, bytes, str]]:
        def work(sql: sqlite3.Connection) -> list[tuple[str, bytes, str]]:
            numbers: set[int] = set()
            for band in bands:
                numbers.update(n for (n,) in sql.execute(OF_BAND, {"band": band, "limit": MOST_OF_A_BAND}).fetchall())
            found = (row(sql, SIGNED, {"number": number}) for number in sorted(numbers))
            return [(each["id"], each["signature"], each["cluster"]) for each in found if each is not None]

        return await self._database.run(work)

    async def delete(self, ids: Sequence[str]) -> None:
        def work(sql: sqlite3.Connection) -> None:
            for each in ids:
                known = row(sql, BY_ID, {"id": each})
                if known is not None and not known["deleted"]:
                    _forget_bands(sql, known)
                    sql.execute(DELETE, {"id": each, "sequence": scalar(sql, LAST) + 1})

        await self._database.write(work)

    async def close(self) -> None:
        pass


def _put(sql: sqlite3.Connection, record: TextRecord) -> bool:
    found = row(sql, BY_ID, {"id": record.id})
    if found is not None:
        known = KnownText(found["sha256"], moment(found["crawled_at"]))
        if not supersedes(record, known, deleted=bool(found["deleted"])):
            return False
        if not found["deleted"]:
            if _record(found)._replace(crawled_at=record.crawled_at) == record:
                sql.execute(TOUCH, {"id": record.id, "crawled_at": text(record.crawled_at)})
                return False
            _forget_bands(sql, found)
    sql.execute(PUT, {**_values(record), "sequence": scalar(sql, LAST) + 1})
    number = scalar(sql, NUMBER, {"id": record.id})
    sql.executemany(ADD_BAND, [{"band": band, "number": number} for band in bands_of(record.signature)])
    return True


def _forget_bands(sql: sqlite3.Connection, known: sqlite3.Row) -> None:
    gone = [{"band": band, "number": known["number"]} for band in bands_of(known["signature"])]
    sql.executemany(DROP_BAND, gone)


def _day(column: str | None) -> date | None:
    return date.fromisoformat(column) if column else None


def _values(record: TextRecord) -> dict[str, object]:
    return {
        **record._asdict(),
        "state": record.state.value,
        "crawled_at": text(record.crawled_at),
        "published": record.published.isoformat() if record.published else None,
    }


def _record(columns: sqlite3.Row) -> TextRecord:
    fields = {name: columns[name] for name in TextRecord._fields}
    fields["state"] = TextState(columns["state"])
    fields["crawled_at"] = moment(columns["crawled_at"])
    fields["published"] = _day(columns["published"])
    return TextRecord(**fields)
