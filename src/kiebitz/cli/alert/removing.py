"""``kiebitz alert remove``: forget a saved search."""

import sys
from typing import Annotated

import typer

from kiebitz.cli.console import clean, emit
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.errors import InputError
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The saved search: its name or its id.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Remove a saved search, with its feed and what was not yet delivered."""
    run_async(remove(settings_of(context), name, yes=yes, as_json=as_json))


async def remove(settings: Settings, name: str, *, yes: bool, as_json: bool) -> None:
    from kiebitz.deploy.alerting.definition import named

    async with opened(settings) as backend:
        search = await named(backend.state.alerts, name)
        if not yes:
            if not sys.stdin.isatty():
                raise InputError(f"{search.name!r} is removed only with --yes", hint="add --yes")
            typer.confirm(f"Remove {clean(search.name)} and its feed?", abort=True)
        await backend.state.alerts.remove(search.id)
    if as_json:
        emit({"removed": search.name, "id": search.id})
    else:
        print(f"removed {clean(search.name)}")
