"""How verbs speak: tables for people, lines of JSON for programs, colours only on a terminal."""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from typing import Any

from kiebitz.settings import Settings


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


def next_step(settings: Settings, words: str) -> str:
    """A command to type next, on the home that was named this time."""
    if settings.origins.get("home") != "flag":
        return f"kiebitz {words}"
    from shlex import quote

    return f"kiebitz --home {quote(str(settings.home))} {words}"


def table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", spare: Sequence[str] | None = None
) -> None:
    """A table; without a terminal plain tab-separated lines, so that cut and awk work.

    ``spare``: columns that a narrow terminal does without, the first named first; then only the last column wraps.
    """
    if not sys.stdout.isatty():
        print("\t".join(columns))
        for row in rows:
            print("\t".join(clean(value) for value in row))
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console, cells = Console(), [[clean(value) for value in row] for row in rows]
    shown = _fitting(columns, cells, spare or (), console.width)
    drawn = Table(title=title or None, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for number in shown:
        drawn.add_column(columns[number], overflow="fold", no_wrap=spare is not None and number < len(columns) - 1)
    for row in cells:
        drawn.add_row(*(escape(row[number]) for number in shown))
    console.print(drawn)


LAST_COLUMN = 16  # what is left for the last column at least
GAP = 2


def _fitting(columns: Sequence[str], cells: Sequence[Sequence[str]], spare: Sequence[str], width: int) -> list[int]:
    """The numbers of the columns that have room beside the last one."""
    shown = list(range(len(columns)))
    widths = [max([len(name), *(len(row[number]) for row in cells)]) + GAP for number, name in enumerate(columns)]
    widths[-1] = min(widths[-1], LAST_COLUMN)
    for name in spare:
        if sum(widths[number] for number in shown) <= width:
            break
        shown.remove(columns.index(name))
    return shown


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
