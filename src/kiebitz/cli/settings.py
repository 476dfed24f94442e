"""``kiebitz settings``: every setting, its value, where it came from, what it means."""

from typing import Annotated

import typer

from kiebitz.cli.console import emit, table
from kiebitz.cli.session import settings_of


def command(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Print name, value, origin and meaning of every setting."""
    rows = settings_of(context).explain()
    if as_json:
        for row in rows:
            emit(
                {
                    "name": row.name,
                    "value": row.value,
                    "origin": row.origin,
                    "variable": row.variable,
                    "meaning": row.meaning,
                }
            )
        return
    table(("name", "value", "origin", "meaning"), [(row.name, row.value, row.origin, row.meaning) for row in rows])
