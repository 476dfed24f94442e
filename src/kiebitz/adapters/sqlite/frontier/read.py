"""Reading the frontier: rows for people, figures, captures."""

import sqlite3

from kiebitz.adapters.sqlite.frontier.tables import RunBook, unpack
from kiebitz.model.request import Capture, RequestQuery, RequestRecord, State
from kiebitz.model.run import Counts
from kiebitz.standards.url import host_of

_ROWS = """
select h.name, r.key, r.url, n.name, r.state, r.reason, r.status, r.depth, r.tries, r.next_at, r.visited_at,
  r.body is not null, r.parent, r.text, r.etag, r.modified, r.digest, r.size, r.content_type, h.until > 0, h.keys
from host h cross join request r on r.host = h.id join run n on n.id = r.run
"""

_HOSTS = "select count(*) from host where until > 0 and run = ? and keys != x''"


def rows(sql: sqlite3.Connection, query: RequestQuery) -> list[tuple[tuple[str, int], RequestRecord]]:
    found: list[tuple[tuple[str, int], RequestRecord]] = []
    after = query.after
    while len(found) < query.limit:  # leased or pending is known only here, so a page may need a second look
        page = _page(sql, query, after)
        for cursor, record in page:
            if not query.states or record.state in query.states:
                found.append((cursor, record))
        if len(page) < query.limit:
            break
        after = page[-1][0]
    return found[: query.limit]


def _page(
    sql: sqlite3.Connection, query: RequestQuery, after: tuple[str, int] | None
) -> list[tuple[tuple[str, int], RequestRecord]]:
    clauses, values = _conditions(query)
    if after:
        clauses.append("h.name >= ? and (h.name, r.key) > (?, ?)")
        values += [after[0], *after]
    where = f"where {' and '.join(clauses)}" if clauses else ""
    statement = f"{_ROWS} {where} order by h.name, r.key limit ?"
    leases: dict[bytes, list[int]] = {}
    page = []
    for host, key, url, run, state, *fields, leased, keys in sql.execute(statement, (*values, query.limit)):
        if keys not in leases:
            leases = {keys: unpack(keys)}
        actual = State.LEASED if leased and state == State.PENDING and key in leases[keys] else State(state)
        fields[6] = "POST" if fields[6] else "GET"
        page.append(((host, key), RequestRecord(url, host, run, actual, *fields)))
    return page


def _conditions(query: RequestQuery) -> tuple[list[str], list[object]]:
    clauses: list[str] = []
    values: list[object] = []
    host = host_of(query.url) if query.url else query.host
    if host:
        clauses.append("h.name = ?")
        values.append(host)
    if query.url:
        clauses.append("r.url = ?")
        values.append(query.url)
    if query.run:
        clauses.append("n.name = ?")
        values.append(query.run)
    stored = {State.PENDING if state is State.LEASED else state for state in query.states}
    if stored:
        clauses.append(f"r.state in ({', '.join('?' * len(stored))})")
        values += sorted(int(state) for state in stored)
    return clauses, values


def counts(sql: sqlite3.Connection, name: str) -> Counts:
    run = RunBook(sql).find(name)
    if run is None:
        return Counts()
    return Counts(
        pending=run.waiting - run.deferred - run.leased,
        leased=run.leased,
        done=run.done,
        unchanged=run.unchanged,
        deferred=run.deferred,
        failed=run.failed,
        skipped=run.skipped,
        documents=run.documents,
        bytes=run.bytes,
        gone=run.gone,
        hosts=sql.execute(_HOSTS, (run.id,)).fetchone()[0],
    )


def captures(sql: sqlite3.Connection, host: str, key: int) -> list[Capture]:
    return [
        Capture(*row)
        for row in sql.execute(
            'select at, bundle, "offset", length from capture'
            " where host = (select id from host where name = ?) and key = ? order by at",
            (host, key),
        )
    ]
