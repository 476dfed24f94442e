"""Leases in SQLite: one row per name that is held; the row's id is the fence."""

import sqlite3

from kiebitz.adapters.sqlite.database import Database
from kiebitz.adapters.sqlite.rows import Values, row, rows
from kiebitz.errors import Locked, StaleLease
from kiebitz.ports.clock import Clock
from kiebitz.ports.leases import Lease

RIVAL = "select holder, until from lease where name = :name and holder <> :holder and until > :now"
TAKE = "insert or replace into lease (name, holder, until, info) values (:name, :holder, :until, :info)"
RENEW = """
update lease set until = :until, info = coalesce(nullif(:info, ''), info)
where token = :token and name = :name and until > :now returning info
"""
RELEASE = "delete from lease where token = :token and name = :name"
LIST = "select * from lease where name >= :prefix and name < :prefix || char(0x10ffff) order by name"


class SqliteLeases:
    """The database belongs to whoever opened it, and is closed there."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def take(self, name: str, holder: str, *, seconds: float, info: str = "") -> Lease:
        def work(sql: sqlite3.Connection) -> Lease:
            now = self._clock.now()  # read under the lock: waiting for it takes time
            rival = row(sql, RIVAL, {"name": name, "holder": holder, "now": now})
            if rival is not None:
                raise Locked(
                    f"{name} is held by {rival['holder']}",
                    hint=f"it lapses in {rival['until'] - now:.0f} s at the latest",
                )
            until = now + seconds
            token = sql.execute(TAKE, {"name": name, "holder": holder, "until": until, "info": info}).lastrowid
            return Lease(name, holder, token or 0, until, info)

        return await self._database.write(work)

    async def renew(self, lease: Lease, *, seconds: float, info: str = "") -> Lease:
        """Without ``info`` the last one stays."""

        def work(sql: sqlite3.Connection) -> Lease:
            now = self._clock.now()
            values: Values = {
                "token": lease.token,
                "name": lease.name,
                "now": now,
                "until": now + seconds,
                "info": info,
            }
            renewed = row(sql, RENEW, values)
            if renewed is None:
                raise StaleLease([lease.token])
            return lease._replace(until=now + seconds, info=renewed["info"])

        return await self._database.write(work)

    async def release(self, lease: Lease) -> None:
        await self._database.write(
            lambda sql: sql.execute(RELEASE, {"token": lease.token, "name": lease.name}).rowcount
        )

    async def list(self, prefix: str = "") -> list[Lease]:
        found = await self._database.run(lambda sql: rows(sql, LIST, {"prefix": prefix}))
        return [Lease(c["name"], c["holder"], c["token"], c["until"], c["info"]) for c in found]

    async def close(self) -> None:
        pass
