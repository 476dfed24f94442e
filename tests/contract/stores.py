"""The SQLite files that the adapters under test live in."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kiebitz.adapters.sqlite.database import Database, migrations


@contextmanager
def opened(folder: Path, schema: str) -> Iterator[Database]:
    database = Database(folder / f"{schema}.db", migrations(schema))
    try:
        yield database
    finally:
        asyncio.run(database.close())
