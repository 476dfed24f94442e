"""The backends: one explicit table from URL scheme to adapters. What cannot run here is still listed, and says why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from kiebitz.errors import InputError, MissingExtra

if TYPE_CHECKING:  # only what is used is imported, when it is used
    from collections.abc import Callable

    from kiebitz.adapters.sqlite.database import Database
    from kiebitz.adapters.sqlite.frontier import SqliteFrontier
    from kiebitz.ports.alerts import Alerts
    from kiebitz.ports.blobs import Blobs
    from kiebitz.ports.clock import Clock
    from kiebitz.ports.documents import Documents
    from kiebitz.ports.events import Events
    from kiebitz.ports.frontier import Frontier
    from kiebitz.ports.jobs import Jobs
    from kiebitz.ports.leases import Leases
    from kiebitz.ports.runs import Runs
    from kiebitz.ports.sightings import Sightings
    from kiebitz.ports.sources import Sources
    from kiebitz.ports.texts import Texts
    from kiebitz.settings import Settings

T = TypeVar("T")


class Stores(Protocol):
    """The stores of one state URL; each is opened when it is first asked for."""

    @property
    def frontier(self) -> Frontier: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def sources(self) -> Sources: ...
    @property
    def runs(self) -> Runs: ...
    @property
    def documents(self) -> Documents: ...
    @property
    def sightings(self) -> Sightings: ...
    @property
    def events(self) -> Events: ...
    @property
    def leases(self) -> Leases: ...
    @property
    def texts(self) -> Texts: ...
    @property
    def alerts(self) -> Alerts: ...

    async def close(self) -> None: ...


@dataclass(slots=True)
class Backend:
    """Everything a part may need, opened."""

    state: Stores
    blobs: Blobs
    folder: Path  # this machine's spool, presence and locks
    clock: Clock

    async def close(self) -> None:
        await self.state.close()
        await self.blobs.close()


def open_backend(settings: Settings, clock: Clock) -> Backend:
    home = settings.home
    _chosen(settings.queue, "KIEBITZ_QUEUE", QUEUES)(settings)
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


def state_folder(settings: Settings) -> Path:
    """Where the databases of an embedded installation lie."""
    return _folder(settings.state, settings.home)


class SqliteStores:
    """Five files: the frontier has its own writer thread, and so have records, jobs, texts and alerts."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._folder = state_folder(settings)
        self._settings = settings
        self._clock = clock
        self._opened: list[Database] = []

    def _open(self, name: str) -> Database:
        from kiebitz.adapters.sqlite.database import Database, migrations

        database = Database(self._folder / f"{name}.db", migrations(name))
        self._opened.append(database)
        return database

    @cached_property
    def _records(self) -> Database:
        return self._open("records")

    @cached_property
    def frontier(self) -> SqliteFrontier:
        from kiebitz.adapters.sqlite.frontier import SqliteFrontier

        return SqliteFrontier(self._folder / "frontier.db", self._clock, self._settings.per_address)

    @cached_property
    def jobs(self) -> Jobs:
        from kiebitz.adapters.sqlite.jobs import SqliteJobs

        return SqliteJobs(self._open("jobs"), self._clock, max_tries=self._settings.max_tries)

    @cached_property
    def sources(self) -> Sources:
        from kiebitz.adapters.sqlite.sources import SqliteSources

        return SqliteSources(self._records)

    @cached_property
    def runs(self) -> Runs:
        from kiebitz.adapters.sqlite.runs import SqliteRuns

        return SqliteRuns(self._records)

    @cached_property
    def documents(self) -> Documents:
        from kiebitz.adapters.sqlite.documents import SqliteDocuments

        return SqliteDocuments(self._records)

    @cached_property
    def sightings(self) -> Sightings:
        from kiebitz.adapters.sqlite.sightings import SqliteSightings

        return SqliteSightings(self._records)

    @cached_property
    def events(self) -> Events:
        from kiebitz.adapters.sqlite.events import SqliteEvents

        return SqliteEvents(self._records)

    @cached_property
    def leases(self) -> Leases:
        from kiebitz.adapters.sqlite.leases import SqliteLeases

        return SqliteLeases(self._records, self._clock)

    @cached_property
    def texts(self) -> Texts:
        from kiebitz.adapters.sqlite.texts import SqliteTexts

        return SqliteTexts(self._open("texts"))

    @cached_property
    def alerts(self) -> Alerts:
        from kiebitz.adapters.sqlite.alerts import SqliteAlerts

        return SqliteAlerts(self._open("alerts"))

    async def close(self) -> None:
        if "frontier" in self.__dict__:
            await self.frontier.close()
        for database in self._opened:
            await database.close()


def _folder_blobs(settings: Settings) -> Blobs:
    from kiebitz.adapters.local.blobs import FolderBlobs

    return FolderBlobs(_folder(settings.blobs, settings.home / "blobs"))


def _stores_to_come(settings: Settings, _clock: Clock) -> Stores:
    raise MissingExtra(f"{settings.state!r}: this version has no such backend", hint="use sqlite:///PATH")


def _blobs_to_come(settings: Settings) -> Blobs:
    raise MissingExtra(f"{settings.blobs!r}: this version has no such backend", hint="use file:///PATH")


def _queue_of_the_state(_settings: Settings) -> None:
    """Jobs wait beside the other records."""


def _queue_to_come(settings: Settings) -> None:
    raise MissingExtra(f"{settings.queue!r}: this version has no such queue", hint="use sqlite://")


QUEUES: dict[str, Callable[[Settings], None]] = {
    "sqlite": _queue_of_the_state,
    "postgresql": _queue_to_come,
    "sqs": _queue_to_come,
}
STATES: dict[str, Callable[[Settings, Clock], Stores]] = {
    "sqlite": SqliteStores,
    "postgresql": _stores_to_come,
    "dynamodb": _stores_to_come,
}
BLOBS: dict[str, Callable[[Settings], Blobs]] = {
    "file": _folder_blobs,
    "s3": _blobs_to_come,
}
