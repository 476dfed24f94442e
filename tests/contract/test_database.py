"""What every SQLite file promises: versions, whole transactions, several processes, and errors that are ours."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.adapters.sqlite.database import Database, migrations
from kiebitz.errors import DiskFull, HomeCorrupt, HomeError, HomeNewer, HomeUnwritable, InputError
from tests.contract.awaited import awaited
from tests.contract.rivals import Race
from tests.contract.stores import opened

SCHEMA = "create table pair (n integer not null);"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "pairs.db"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    database = Database(path, [SCHEMA])
    yield database
    asyncio.run(database.close())


async def count(database: Database) -> int:
    return int(await database.run(lambda sql: sql.execute("select count(*) from pair").fetchone()[0]))


def version(path: Path) -> int:
    sql = sqlite3.connect(path)
    try:
        return int(sql.execute("pragma user_version").fetchone()[0])
    finally:
        sql.close()


def damage(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))


def close(database: Database) -> None:
    asyncio.run(database.close())


def test_opening_makes_the_folder_and_the_tables(path: Path) -> None:
    close(Database(path, [SCHEMA]))
    assert version(path) == 1


@awaited
async def test_a_file_is_migrated_forward_from_where_it_is(path: Path) -> None:
    old = Database(path, [SCHEMA])
    await old.write(lambda sql: sql.execute("insert into pair values (1)").rowcount)
    await old.close()
    new = Database(path, [SCHEMA, "alter table pair add column m integer;\ncreate index pair_m on pair (m)"])
    assert await new.run(lambda sql: sql.execute("select n, m from pair").fetchall()) == [(1, None)]
    assert await new.run(lambda sql: sql.execute("select name from sqlite_schema").fetchall()) == [
        ("pair",),
        ("pair_m",),
    ]
    await new.close()
    assert version(path) == 2


def test_a_migration_that_fails_leaves_the_file_as_it_was(path: Path) -> None:
    close(Database(path, [SCHEMA]))
    with pytest.raises(HomeError):
        Database(path, [SCHEMA, "create table other (n integer); create table pair (n integer);"])
    assert version(path) == 1
    close(Database(path, [SCHEMA, "create table other (n integer);"]))


def test_a_file_from_a_newer_version_is_refused_and_left_alone(path: Path) -> None:
    close(Database(path, [SCHEMA, "create table other (n integer);"]))
    with pytest.raises(HomeNewer, match=r"pairs\.db has schema version 2") as refused:
        Database(path, [SCHEMA])
    assert "upgrade" in refused.value.hint
    assert version(path) == 2


def test_a_file_that_is_no_database_is_said_to_be_damaged(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(HomeCorrupt, match=r"pairs\.db"):
        Database(path, [SCHEMA])
    assert path.read_bytes().startswith(b"this is no")


@awaited
async def test_a_damaged_page_is_said_when_it_is_read(path: Path) -> None:
    database = Database(path, [SCHEMA])
    await database.write(
        lambda sql: sql.executemany("insert into pair values (?)", [(n,) for n in range(5000)]).rowcount
    )
    await database.close()
    damage(path)
    database = Database(path, [SCHEMA])
    with pytest.raises(HomeCorrupt, match="damaged"):
        await count(database)
    await database.close()


@pytest.mark.parametrize("where", ["file/pairs.db", "/proc/home/pairs.db", "/proc/pairs.db"])
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(HomeUnwritable, match=r"pairs\.db"):
        Database(tmp_path / where, [SCHEMA])


@awaited
async def test_what_raises_is_rolled_back_and_the_next_write_works(database: Database) -> None:
    def half(sql: sqlite3.Connection) -> None:
        sql.execute("insert into pair values (1)")
        raise InputError("enough")

    with pytest.raises(InputError):
        await database.write(half)
    assert await count(database) == 0
    await database.write(lambda sql: sql.execute("insert into pair values (1)").rowcount)
    assert await count(database) == 1


@awaited
async def test_a_full_disk_is_said_loses_nothing_and_passes(database: Database) -> None:
    await database.write(lambda sql: sql.execute("insert into pair values (1)").rowcount)
    await database.run(lambda sql: sql.execute("pragma max_page_count = 4").fetchall())
    rows = [(n,) for n in range(50_000)]
    with pytest.raises(DiskFull) as full:
        await database.write(lambda sql: sql.executemany("insert into pair values (?)", rows).rowcount)
    assert full.value.retryable
    assert await count(database) == 1
    await database.run(lambda sql: sql.execute("pragma max_page_count = 100000").fetchall())
    await database.write(lambda sql: sql.executemany("insert into pair values (?)", rows).rowcount)
    assert await count(database) == 50_001


@awaited
async def test_a_defect_in_a_statement_is_our_error_too(database: Database) -> None:
    with pytest.raises(HomeError, match="no such table"):
        await database.run(lambda sql: sql.execute("select * from nowhere").rowcount)


@awaited
async def test_calls_from_many_tasks_are_whole_transactions(database: Database) -> None:
    def step(sql: sqlite3.Connection) -> None:
        n = sql.execute("select count(*) from pair").fetchone()[0]
        sql.execute("insert into pair values (?)", (n,))

    await asyncio.gather(*(database.write(step) for _ in range(20)))
    numbers = await database.run(lambda sql: [n for (n,) in sql.execute("select n from pair order by n")])
    assert numbers == list(range(20))


@awaited
async def test_closing_is_idempotent_and_what_was_asked_before_is_done(path: Path) -> None:
    database = Database(path, [SCHEMA])
    write = asyncio.ensure_future(database.write(lambda sql: sql.execute("insert into pair values (1)").rowcount))
    await asyncio.sleep(0)
    await database.close()
    await database.close()
    await write
    again = Database(path, [SCHEMA])
    assert await count(again) == 1
    await again.close()


@awaited
async def test_sync_works_before_and_after_writes(path: Path) -> None:
    database = Database(path, [SCHEMA], synchronous="NORMAL")
    await database.sync()
    await database.write(lambda sql: sql.execute("insert into pair values (1)").rowcount)
    await database.sync()
    await database.close()


@pytest.mark.parametrize("schema", ["jobs", "records"])
def test_several_processes_may_open_a_new_file_at_once(tmp_path: Path, schema: str) -> None:
    with Race("migrate", 3, folder=tmp_path, schema=schema, files=15) as race:
        assert race.results() == [[len(migrations(schema))] * 15] * 3


def test_a_killed_writer_leaves_whole_transactions_only(path: Path) -> None:
    with Race("commit_forever", 2, folder=path.parent, schema=SCHEMA) as race:
        time.sleep(0.4)
        race.kill()
    database = Database(path, [SCHEMA])
    rows = asyncio.run(count(database))
    asyncio.run(database.close())
    assert rows > 0
    assert rows % 2 == 0


@pytest.mark.parametrize("schema", ["jobs", "records"])
def test_records_and_jobs_are_committed_to_the_disk(tmp_path: Path, schema: str) -> None:
    with opened(tmp_path, schema) as database:
        (level,) = asyncio.run(database.run(lambda sql: sql.execute("pragma synchronous").fetchone()))
    assert level == 2  # FULL
