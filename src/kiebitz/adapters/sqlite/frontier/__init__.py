"""The embedded frontier: one SQLite file with its own writer thread.

Plain sqlite3, because this is the crawl path: about 0.05 CPU-ms a page. A call is one transaction; it survives the
process when it returns and the machine when ``sync`` returns.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from kiebitz.adapters.sqlite.database import Database, migrations
from kiebitz.adapters.sqlite.frontier import read as reading
from kiebitz.adapters.sqlite.frontier.control import control
from kiebitz.adapters.sqlite.frontier.lease import Leasing, abandon, renew
from kiebitz.adapters.sqlite.frontier.links import Arrivals, Known, gather, insert
from kiebitz.adapters.sqlite.frontier.settle import Settling
from kiebitz.adapters.sqlite.frontier.tables import RunBook
from kiebitz.model.request import Capture, Link, RequestQuery, RequestRecord
from kiebitz.model.run import Counts
from kiebitz.model.visit import BundleMark, Control, Found, Grant, Settlement, Visit
from kiebitz.ports.clock import Clock


class SqliteFrontier:
    def __init__(self, path: Path, clock: Clock, per_address: int = 8) -> None:
        self._database = Database(path, migrations("frontier"), synchronous="NORMAL")
        self._clock = clock
        self._per_address = per_address
        self._known = Known()

    async def add(self, run: str, links: Sequence[Link], *, depth: int = 0, parent: str = "") -> int:
        def work(sql: sqlite3.Connection) -> tuple[int, list[int]]:
            arrivals: Arrivals = {}
            gather(arrivals, self._known, run, Found(parent, depth, list(links)))
            runs = RunBook(sql)
            added = insert(sql, runs, runs.open(run), arrivals, self._clock.now())
            runs.save()
            return added

        pending, keys = await self._database.write(work)
        self._known.learn(run, keys)
        return pending

    async def lease(self, runs: Sequence[str], holder: str, *, hosts: int, batch: int, seconds: float) -> Grant:
        def work(sql: sqlite3.Connection) -> Grant:
            now = self._clock.now()
            return Leasing(sql, now, self._per_address).grant(runs, holder, hosts, batch, now + seconds)

        return await self._database.write(work)

    async def renew(self, visits: Sequence[Visit], *, seconds: float) -> list[Visit]:
        def work(sql: sqlite3.Connection) -> list[Visit]:
            now = self._clock.now()
            return renew(sql, visits, now, now + seconds)

        return await self._database.write(work)

    async def settle(self, settlements: Sequence[Settlement], mark: BundleMark | None = None) -> None:
        def work(sql: sqlite3.Connection) -> list[tuple[str, list[int]]]:
            return Settling(sql, self._known, self._clock.now()).apply(settlements, mark)

        for run, keys in await self._database.write(work):
            self._known.learn(run, keys)

    async def sync(self) -> None:
        await self._database.sync()

    async def control(self, run: str, command: Control) -> int:
        return await self._database.write(lambda sql: control(sql, run, command, self._clock.now()))

    async def abandon(self, holder: str) -> int:
        return await self._database.write(lambda sql: abandon(sql, holder))

    async def counts(self, run: str) -> Counts:
        return await self._database.run(lambda sql: reading.counts(sql, run))

    async def read(self, query: RequestQuery) -> list[tuple[tuple[str, int], RequestRecord]]:
        return await self._database.run(lambda sql: reading.rows(sql, query))

    async def captures(self, host: str, key: int) -> list[Capture]:
        return await self._database.run(lambda sql: reading.captures(sql, host, key))

    async def marks(self) -> dict[str, int]:
        return await self._database.run(lambda sql: dict(sql.execute("select bundle, length from mark").fetchall()))

    async def seal(self, bundle: str) -> None:
        await self._database.write(lambda sql: sql.execute("delete from mark where bundle = ?", (bundle,)).rowcount)

    async def close(self) -> None:
        await self._database.close()
