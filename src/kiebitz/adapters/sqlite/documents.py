"""Documents in SQLite: one row per URL with its versions, found by id, by source and by content."""

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict

from kiebitz.adapters.sqlite.database import Database
from kiebitz.adapters.sqlite.rows import Values, dump, load, moment, row, rows, scalar, text
from kiebitz.errors import NotFound
from kiebitz.model.document import Document, Version, recorded
from kiebitz.model.issue import issue_from

PUT = """
insert or replace into document (id, url, parent_url, link_text, source, valid, first_seen, visited_on,
    downloaded_on, tries, status, content_type, bytes, sha256, versions, issue)
values (:id, :url, :parent_url, :link_text, :source, :valid, :first_seen, :visited_on,
    :downloaded_on, :tries, :status, :content_type, :bytes, :sha256, :versions, :issue)
"""
BY_ID = "select * from document where id = :id"
BY_CONTENT = "select * from document where sha256 = :sha256 order by id"
PAGE = "select * from document where id > :after order by id limit :limit"
PAGE_OF_SOURCE = "select * from document where source = :source and id > :after order by id limit :limit"
COUNT = "select count(*) from document"
COUNT_OF_SOURCE = "select count(*) from document where source = :source"


class SqliteDocuments:
    """The database belongs to whoever opened it, and is closed there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, documents: Sequence[Document]) -> int:
        if not documents:
            return 0
        return await self._database.write(lambda sql: sum(_record(sql, document) for document in documents))

    async def get(self, document_id: str) -> Document:
        found = await self._database.run(lambda sql: row(sql, BY_ID, {"id": document_id}))
        if found is None:
            raise NotFound(f"there is no document {document_id!r}")
        return _document(found)

    async def by_content(self, sha256: str) -> list[Document]:
        found = await self._database.run(lambda sql: rows(sql, BY_CONTENT, {"sha256": sha256}))
        return [_document(columns) for columns in found]

    async def count(self, *, source: str = "") -> int:
        statement = COUNT_OF_SOURCE if source else COUNT
        return int(await self._database.run(lambda sql: scalar(sql, statement, {"source": source})))

    async def list(self, *, source: str = "", after: str = "", limit: int = 1000) -> list[Document]:
        statement = PAGE_OF_SOURCE if source else PAGE
        values: Values = {"source": source, "after": after, "limit": limit}
        return [_document(columns) for columns in await self._database.run(lambda sql: rows(sql, statement, values))]

    async def close(self) -> None:
        pass


def _record(sql: sqlite3.Connection, seen: Document) -> bool:
    found = row(sql, BY_ID, {"id": seen.id})
    known = None if found is None else _document(found)
    document, new = recorded(known, seen)
    if document != known:
        sql.execute(PUT, _values(document))
    return new


def _values(document: Document) -> Values:
    return {
        "id": document.id,
        "url": document.url,
        "parent_url": document.parent_url,
        "link_text": document.link_text,
        "source": document.source,
        "valid": document.valid,
        "first_seen": text(document.first_seen),
        "visited_on": text(document.visited_on),
        "downloaded_on": text(document.downloaded_on),
        "tries": document.tries,
        "status": document.status,
        "content_type": document.content_type,
        "bytes": document.bytes,
        "sha256": document.sha256,
        "versions": dump([{**asdict(v), "downloaded_on": text(v.downloaded_on)} for v in document.versions]),
        "issue": dump(document.issue.plain) if document.issue else None,
    }


def _document(columns: sqlite3.Row) -> Document:
    return Document(
        id=columns["id"],
        url=columns["url"],
        parent_url=columns["parent_url"],
        link_text=columns["link_text"],
        source=columns["source"],
        valid=bool(columns["valid"]),
        first_seen=moment(columns["first_seen"]),
        visited_on=moment(columns["visited_on"]),
        downloaded_on=moment(columns["downloaded_on"]),
        tries=columns["tries"],
        status=columns["status"],
        content_type=columns["content_type"],
        bytes=columns["bytes"],
        sha256=columns["sha256"],
        versions=tuple(
            Version(**{**version, "downloaded_on": moment(version["downloaded_on"])})
            for version in load(columns["versions"])
        ),
        issue=issue_from(load(columns["issue"] or "null")),
    )
