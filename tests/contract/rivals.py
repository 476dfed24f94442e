"""Real processes that want the same thing at the same moment.

``Race("take_leases", 4, folder=...)`` starts four of them; each opens its store, says that it is ready, and waits for the
start. Each then does what the function of that name does, and its result comes back as JSON.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from subprocess import PIPE, Popen
from types import TracebackType
from typing import Any, Self

from kiebitz.adapters.local.blobs import FolderBlobs
from kiebitz.adapters.local.clock import SystemClock
from kiebitz.adapters.sqlite.database import Database, migrations
from kiebitz.adapters.sqlite.documents import SqliteDocuments
from kiebitz.adapters.sqlite.events import SqliteEvents
from kiebitz.adapters.sqlite.jobs import SqliteJobs
from kiebitz.adapters.sqlite.leases import SqliteLeases
from kiebitz.adapters.sqlite.runs import SqliteRuns
from kiebitz.errors import Conflict, Locked
from kiebitz.model.event import Event
from kiebitz.model.job import Job
from kiebitz.model.run import Plan
from tests.contract.samples import document

ROOT = Path(__file__).parents[2]
Start = Callable[[], None]


class Race:
    def __init__(self, work: str, rivals: int, **arguments: object) -> None:
        options = json.dumps(arguments, default=str)
        command = [sys.executable, "-m", "tests.contract.rivals", work, options]
        self.processes = [
            Popen([*command, str(number)], stdin=PIPE, stdout=PIPE, text=True, cwd=ROOT) for number in range(rivals)
        ]

    def __enter__(self) -> Self:
        try:
            for process in self.processes:
                assert process.stdout is not None
                assert process.stdout.readline() == "ready\n"
            for process in self.processes:
                assert process.stdin is not None
                process.stdin.write("go\n")
                process.stdin.flush()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.kill()

    def kill(self) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.communicate()

    @property
    def running(self) -> bool:
        return any(process.poll() is None for process in self.processes)

    def results(self) -> list[Any]:
        outputs = [process.communicate()[0] for process in self.processes]
        assert all(process.returncode == 0 for process in self.processes)
        return [json.loads(output) for output in outputs]


async def take_leases(me: int, start: Start, folder: str, names: list[str]) -> list[str]:
    database = Database(Path(folder, "records.db"), migrations("records"))
    leases = SqliteLeases(database, SystemClock())
    start()
    won = []
    for name in names:
        try:
            won.append((await leases.take(name, f"node-{me}", seconds=60)).name)
        except Locked:
            continue
    await database.close()
    return won


async def drain_jobs(_me: int, start: Start, folder: str, queue: str) -> list[str]:
    database = Database(Path(folder, "jobs.db"), migrations("jobs"))
    jobs = SqliteJobs(database, SystemClock())
    start()
    done: list[str] = []
    while leased := await jobs.lease(queue, limit=3, seconds=60):
        done += [each.job.key for each in leased]
        assert await jobs.finish(queue, [each.token for each in leased]) == []
    await database.close()
    return done


async def put_jobs(_me: int, start: Start, folder: str, queue: str, keys: list[str]) -> int:
    database = Database(Path(folder, "jobs.db"), migrations("jobs"))
    jobs = SqliteJobs(database, SystemClock())
    start()
    new = 0
    for key in keys:
        new += await jobs.put([Job(queue, key, "{}")])
    await database.close()
    return new


async def append_events(me: int, start: Start, folder: str, batches: int) -> int:
    database = Database(Path(folder, "records.db"), migrations("records"))
    events = SqliteEvents(database)
    start()
    for batch in range(batches):
        pair = [Event("tick", datetime.now(UTC), subject=str(me), data={"n": 2 * batch + n}) for n in range(2)]
        await events.append(pair)
    await database.close()
    return batches


async def create_runs(_me: int, start: Start, folder: str, count: int) -> list[str]:
    database = Database(Path(folder, "records.db"), migrations("records"))
    runs = SqliteRuns(database)
    start()
    at = datetime(2026, 1, 1, tzinfo=UTC)
    ids = [(await runs.create(Plan(("https://a.example/",)), at=at)).id for _ in range(count)]
    await database.close()
    return ids


async def record_documents(me: int, start: Start, folder: str, urls: list[str]) -> int:
    database = Database(Path(folder, "records.db"), migrations("records"))
    documents = SqliteDocuments(database)
    start()
    new = 0
    for url in urls:
        new += await documents.record([document(url, content=f"of {me}", day=me)])
    await database.close()
    return new


async def put_if_absent(me: int, start: Start, folder: str, keys: list[str]) -> list[str]:
    blobs = FolderBlobs(Path(folder))
    start()
    won = []
    for key in keys:
        try:
            won.append((await blobs.put(key, f"{me}".encode(), if_absent=True)).key)
        except Conflict:
            continue
    return won


async def count_up(_me: int, start: Start, folder: str, key: str, times: int) -> int:
    """Add to a number in a blob as often as asked, each time on condition that nobody else did meanwhile."""
    blobs = FolderBlobs(Path(folder))
    start()
    conflicts = 0
    while times:
        known = await blobs.info(key)
        assert known is not None
        number = int(await blobs.get(key))
        try:
            await blobs.put(key, str(number + 1).encode(), if_match=known.etag)
            times -= 1
        except Conflict:
            conflicts += 1
    return conflicts


async def write_forever(me: int, start: Start, folder: str, size: int) -> None:
    blobs = FolderBlobs(Path(folder))
    start()
    turn = 0
    while True:
        turn += 1
        await blobs.put(f"objects/{turn % 5}", f"{me}{turn % 10}".encode() * (size // 2))


async def commit_forever(_me: int, start: Start, folder: str, schema: str) -> None:
    """Two rows a transaction: whoever kills us must never find an odd number."""
    database = Database(Path(folder, "pairs.db"), [schema])
    start()
    while True:
        await database.write(lambda sql: [sql.execute("insert into pair values (1)") for _ in range(2)])


async def migrate(_me: int, start: Start, folder: str, schema: str, files: int) -> list[int]:
    """Open files that nobody has opened before, each at about the same moment as the others do."""
    versions = []
    start()
    for number in range(files):
        database = Database(Path(folder, f"{number}.db"), migrations(schema))
        versions.append(await database.run(lambda sql: int(sql.execute("pragma user_version").fetchone()[0])))
        await database.close()
    return versions


def _start() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    name, options, number = sys.argv[1:]
    print(json.dumps(asyncio.run(globals()[name](int(number), _start, **json.loads(options)))))
