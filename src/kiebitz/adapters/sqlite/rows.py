"""How values become columns and come back: rows by column name, moments as text that sorts, small values as JSON."""

import json
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

Values = Mapping[str, str | int | float | None]


def rows(sql: sqlite3.Connection, statement: str, values: Values | None = None) -> list[sqlite3.Row]:
    cursor = sql.cursor()
    cursor.row_factory = sqlite3.Row
    return cursor.execute(statement, values or {}).fetchall()


def row(sql: sqlite3.Connection, statement: str, values: Values | None = None) -> sqlite3.Row | None:
    found = rows(sql, statement, values)  # all of them: a statement left half read would block the commit
    return found[0] if found else None


def scalar(sql: sqlite3.Connection, statement: str, values: Values | None = None) -> Any:
    return sql.execute(statement, values or {}).fetchone()[0]


def text(moment: datetime) -> str:
    """All of one width and zone, so that text order is time order."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def optional_text(moment: datetime | None) -> str | None:
    return None if moment is None else text(moment)


def moment(column: str) -> datetime:
    return datetime.fromisoformat(column)


def optional_moment(column: str | None) -> datetime | None:
    return None if column is None else moment(column)


def dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def load(column: str) -> Any:
    return json.loads(column)
