"""How verbs speak: tables for people, lines of JSON for programs, colours only on a terminal."""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from typing import Any


def emit(value: object) -> None:
    """One line of JSON."""
    print(json.dumps(value, ensure_ascii=False, default=_plain))


def _plain(value: object) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, bytes):
        return value.hex()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return str(value)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "") -> None:
    """A table; without a terminal plain tab-separated lines, so that cut and awk work."""
    if not sys.stdout.isatty():
        print("\t".join(columns))
        for row in rows:
            print("\t".join(clean(value) for value in row))
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    drawn = Table(title=title or None, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for name in columns:
        drawn.add_column(name, overflow="fold")
    for row in rows:
        drawn.add_row(*(escape(clean(value)) for value in row))
    Console().print(drawn)


def clean(value: object) -> str:
    """Crawled text is hostile: no control character reaches the terminal."""
    text = "" if value is None else str(value)
    return "".join(char if char.isprintable() else " " for char in text)


def moment(at: float | datetime | None) -> str:
    """A time for people, in their zone."""
    if not at:
        return ""
    when = at if isinstance(at, datetime) else datetime.fromtimestamp(at, UTC)
    return when.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def size(count: int) -> str:
    value = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} TB"


def rfc3339(at: float) -> str | None:
    """An instant for programs; None for never."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z") if at else None
