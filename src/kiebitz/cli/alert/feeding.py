"""``kiebitz alert feed``: what a saved search has found, as a feed."""

from typing import Annotated

import typer

from kiebitz.cli.console import emit
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.errors import InputError
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The saved search: its name or its id.")],
    form: Annotated[str, typer.Option("--format", help="rss or atom.")] = "rss",
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="The newest so many.")] = 100,
    after: Annotated[int, typer.Option(min=0, help="Only what comes behind this sequence number.")] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object per match, the oldest first, with sequence numbers.")
    ] = False,
) -> None:
    """Write the feed of a saved search to standard output: every match once."""
    run_async(feed(settings_of(context), name, form, limit, after, as_json=as_json))


async def feed(settings: Settings, name: str, form: str, limit: int, after: int, *, as_json: bool) -> None:
    from kiebitz.deploy.alerting.definition import named
    from kiebitz.deploy.alerting.feed import FORMATS

    if form not in FORMATS:
        raise InputError(f"unknown format {form!r}", hint=f"use one of: {', '.join(FORMATS)}")
    async with opened(settings) as backend:
        search = await named(backend.state.alerts, name)
        newest = not as_json  # who reads on from a number begins with the oldest
        entries = await backend.state.alerts.feed(search.id, after=after, limit=limit, newest=newest)
        now = backend.clock.utc()
    if not as_json:
        print(FORMATS[form](search, entries, now), end="")
        return
    for entry in entries:
        emit({"sequence": entry.sequence, "id": entry.match.id, **entry.match._asdict()})
