"""``kiebitz source remove``: watch it no longer."""

import sys
from typing import Annotated

import typer

from kiebitz.cli.console import clean, emit
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.errors import InputError
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The source: its name or its id.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Remove a source; what it has collected stays."""
    run_async(remove(settings_of(context), name, yes=yes, as_json=as_json))


async def remove(settings: Settings, name: str, *, yes: bool, as_json: bool) -> None:
    from kiebitz.sources.registry import named

    async with opened(settings) as backend:
        source = await named(backend.state.sources, name)
        if not yes:
            if not sys.stdin.isatty():
                raise InputError(f"{source.name!r} is removed only with --yes", hint="add --yes")
            typer.confirm(f"Remove {clean(source.name)}? Its documents stay", abort=True)
        await backend.state.sources.remove(source.id)
        await backend.state.sightings.forget(source.id)
    if as_json:
        emit({"removed": source.name, "id": source.id})
    else:
        print(f"removed {clean(source.name)}; its documents stay")
