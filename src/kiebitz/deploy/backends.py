"""The backends: one explicit table from URL scheme to adapters. What cannot run here is still listed, and says why."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from kiebitz.errors import InputError, MissingExtra
from kiebitz.ports.blobs import Blobs
from kiebitz.ports.clock import Clock
from kiebitz.ports.documents import Documents
from kiebitz.ports.events import Events
from kiebitz.ports.frontier import Frontier
from kiebitz.ports.jobs import Jobs
from kiebitz.ports.leases import Leases
from kiebitz.ports.runs import Runs
from kiebitz.ports.sources import Sources
from kiebitz.settings import Settings

T = TypeVar("T")


@dataclass(slots=True)
class State:
    """The stores of one state URL, and how to close them."""

    frontier: Frontier
    jobs: Jobs
    sources: Sources
    runs: Runs
    documents: Documents
    events: Events
    leases: Leases
    close: Callable[[], Awaitable[None]]


@dataclass(slots=True)
class Backend:
    """Everything a part may need, opened."""

    state: State
    blobs: Blobs
    folder: Path  # this machine's spool, presence and locks
    clock: Clock

    async def close(self) -> None:
        await self.state.close()
        await self.blobs.close()


def open_backend(settings: Settings, clock: Clock) -> Backend:
    home = settings.home
    opened = _chosen(settings.state, "KIEBITZ_STATE", STATES)(settings, clock)
    blobs = _chosen(settings.blobs, "KIEBITZ_BLOBS", BLOBS)(settings)
    return Backend(opened, blobs, home, clock)


def _chosen(url: str, variable: str, table: dict[str, T]) -> T:
    scheme = urlsplit(url).scheme
    if scheme not in table:
        raise InputError(f"{variable}={url!r} has an unknown scheme", hint=f"use one of: {', '.join(sorted(table))}")
    return table[scheme]


def _folder(url: str, default: Path) -> Path:
    """The path in ``scheme:///path``; without one, a place in the home."""
    parts = urlsplit(url)
    return Path(unquote(parts.netloc + parts.path)) if parts.netloc + parts.path else default


def _sqlite(settings: Settings, clock: Clock) -> State:
    from kiebitz.adapters.sqlite.database import Database, migrations
    from kiebitz.adapters.sqlite.documents import SqliteDocuments
    from kiebitz.adapters.sqlite.events import SqliteEvents
    from kiebitz.adapters.sqlite.frontier import SqliteFrontier
    from kiebitz.adapters.sqlite.jobs import SqliteJobs
    from kiebitz.adapters.sqlite.leases import SqliteLeases
    from kiebitz.adapters.sqlite.runs import SqliteRuns
    from kiebitz.adapters.sqlite.sources import SqliteSources

    folder = _folder(settings.state, settings.home)
    records = Database(folder / "records.db", migrations("records"))
    jobs = Database(folder / "jobs.db", migrations("jobs"))
    frontier = SqliteFrontier(folder / "frontier.db", clock, settings.per_address)

    async def close() -> None:
        await frontier.close()
        await jobs.close()
        await records.close()

    return State(
        frontier=frontier,
        jobs=SqliteJobs(jobs, clock, max_tries=settings.max_tries),
        sources=SqliteSources(records),
        runs=SqliteRuns(records),
        documents=SqliteDocuments(records),
        events=SqliteEvents(records),
        leases=SqliteLeases(records, clock),
        close=close,
    )


def _folder_blobs(settings: Settings) -> Blobs:
    from kiebitz.adapters.local.blobs import FolderBlobs

    return FolderBlobs(_folder(settings.blobs, settings.home / "blobs"))


def _state_to_come(settings: Settings, clock: Clock) -> State:
    raise MissingExtra(f"{settings.state!r}: this version has no such backend", hint="use sqlite:///PATH")


def _blobs_to_come(settings: Settings) -> Blobs:
    raise MissingExtra(f"{settings.blobs!r}: this version has no such backend", hint="use file:///PATH")


STATES: dict[str, Callable[[Settings, Clock], State]] = {
    "sqlite": _sqlite,
    "postgresql": _state_to_come,
    "dynamodb": _state_to_come,
}
BLOBS: dict[str, Callable[[Settings], Blobs]] = {
    "file": _folder_blobs,
    "s3": _blobs_to_come,
}
