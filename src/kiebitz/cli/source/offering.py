"""``kiebitz source catalogue``: real gazette pages that can be watched at once."""

from dataclasses import asdict
from typing import Annotated

import typer

from kiebitz.cli.console import emit, table


def command(
    text: Annotated[str, typer.Argument(help="Only entries with this in their name.")] = "",
    state: Annotated[str, typer.Option(help="Only those of a state of Germany, as in BB or Brandenburg.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the catalogue of German gazette pages: source add --from-catalogue NAME takes one."""
    from kiebitz.sources.catalogue import entries

    found = entries(state, text)
    if as_json:
        for each in found:
            emit(asdict(each))
        return
    columns = ("name", "ags", "state", "kind", "cms", "url", "note")
    table(columns, [tuple(getattr(each, column) for column in columns) for each in found])
