"""One SQLite file: opened, checked, migrated, and used from one thread of its own.

All SQLite adapters share this. A file carries its schema version in ``user_version``; opening migrates it forward and
refuses one from a newer version. sqlite3's errors become ours here and nowhere else.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeVar

from kiebitz.adapters.local import disk
from kiebitz.errors import DiskFull, HomeCorrupt, HomeError, HomeNewer, HomeUnwritable, KiebitzError, Locked

T = TypeVar("T")
BUSY_SECONDS = 30.0


class Database:
    """``synchronous`` FULL: a commit survives the machine; NORMAL: it survives the process, ``sync`` does the rest."""

    def __init__(
        self, path: Path | str, migrations: Sequence[str], *, synchronous: Literal["FULL", "NORMAL"] = "FULL"
    ) -> None:
        self.path = Path(path)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"sqlite-{self.path.stem}")
        self._closed = threading.Event()
        try:
            with translated(self.path):
                self._sql = self._thread.submit(_open, self.path, migrations, synchronous).result()
        except BaseException:
            self._thread.shutdown()
            raise

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` in the database's thread, outside any transaction (for reads)."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._guarded, work)

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` as one transaction: committed when this returns, rolled back if it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._guarded, _transaction(work))

    async def sync(self) -> None:
        """Bring committed frames of the write-ahead log to the disk."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._sync)

    async def close(self) -> None:
        """Idempotent; what was queued before is done before."""
        if self._closed.is_set():
            return
        self._closed.set()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._sql.close)
        self._thread.shutdown()

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with translated(self.path):
            result = work(self._sql)
        # Freed in another thread, it would reset a statement that this one is using.
        assert not isinstance(result, sqlite3.Cursor)
        return result

    def _sync(self) -> None:
        with translated(self.path):
            log = Path(f"{self.path}-wal")
            if log.exists():
                with log.open("rb") as handle:
                    disk.flush(handle.fileno())


def _transaction(work: Callable[[sqlite3.Connection], T]) -> Callable[[sqlite3.Connection], T]:
    def transact(sql: sqlite3.Connection) -> T:
        sql.execute("begin immediate")
        try:
            result = work(sql)
            sql.execute("commit")
        except BaseException:
            _rollback(sql)
            raise
        return result

    return transact


def _rollback(sql: sqlite3.Connection) -> None:
    if sql.in_transaction:  # on a full disk SQLite has rolled back already, and a second time would be an error
        sql.execute("rollback")


def _open(path: Path, migrations: Sequence[str], synchronous: str) -> sqlite3.Connection:
    disk.make_folder(path.parent)
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return _connect(path, migrations, synchronous)
        except sqlite3.OperationalError as error:
            # SQLite does not wait for the switch to WAL, nor while a last closer cleans up.
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > patience:
                raise
            time.sleep(0.02)


def _connect(path: Path, migrations: Sequence[str], synchronous: str) -> sqlite3.Connection:
    sql = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        version = _version(sql, path, len(migrations))
        sql.execute("pragma journal_mode = wal")
        sql.execute(f"pragma synchronous = {synchronous}")
        sql.execute("pragma fullfsync = on")  # macOS: to the platter, not to the drive's cache
        sql.execute("pragma checkpoint_fullfsync = on")
        if version < len(migrations):
            _migrate(sql, path, migrations)
        disk.flush_folder(path.parent)  # the log is new, and ``sync`` flushes its bytes only, not its name
    except BaseException:
        sql.close()
        raise
    return sql


def _version(sql: sqlite3.Connection, path: Path, known: int) -> int:
    version = int(sql.execute("pragma user_version").fetchone()[0])
    if version > known:
        raise HomeNewer(
            f"{path.name} has schema version {version}, this program knows {known}",
            hint="upgrade kiebitz, or choose another home with --home",
        )
    return version


def _migrate(sql: sqlite3.Connection, path: Path, migrations: Sequence[str]) -> None:
    sql.execute("begin immediate")
    try:
        version = _version(sql, path, len(migrations))  # another process may have been faster, or newer
        for script in migrations[version:]:
            for statement in _statements(script):
                sql.execute(statement)
        sql.execute(f"pragma user_version = {len(migrations)}")
        sql.execute("commit")
    except BaseException:
        _rollback(sql)
        raise


def _statements(script: str) -> Iterator[str]:
    """Split a script; ``executescript`` would commit behind our back."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement


def migrations(folder: str) -> tuple[str, ...]:
    """The numbered ``.sql`` files beside the adapter, in order."""
    return tuple(script.read_text() for script in sorted((Path(__file__).parent / "schema" / folder).glob("*.sql")))


@contextmanager
def translated(path: Path) -> Iterator[None]:
    with disk.translated(path):
        try:
            yield
        except sqlite3.Error as error:
            raise _translate(path, error) from error


def _translate(path: Path, error: sqlite3.Error) -> KiebitzError:
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith("SQLITE_FULL"):
        return DiskFull(
            f"no space left for {path}", hint="free some space and run the same command again; nothing was lost"
        )
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return HomeCorrupt(
            f"{path} is damaged: {error}", hint="run `kiebitz doctor`; restore the file from a back-up or move it away"
        )
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return HomeUnwritable(
            f"cannot write {path}: {error}", hint="check the folder's owner and rights, or use --home"
        )
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Locked(f"{path} is busy", hint="another process writes it; try again")
    if name.startswith("SQLITE_IOERR"):
        return HomeError(f"cannot read or write {path}: {error} ({name})", hint="check the disk; nothing was recorded")
    return HomeError(f"{path}: {error}", hint="this looks like a defect; please report it")
