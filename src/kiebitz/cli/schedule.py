"""``kiebitz schedule``: which source is looked at next, when, and why then."""

from typing import Annotated

import typer

from kiebitz.cli.console import emit, moment, table
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Show the plan: the sources in the order in which they are due."""
    run_async(schedule(settings_of(context), as_json=as_json))


async def schedule(settings: Settings, *, as_json: bool) -> None:
    from kiebitz.sources.agenda import agenda
    from kiebitz.sources.registry import all_sources

    async with opened(settings) as backend:
        now = backend.clock.utc()
        turns = agenda(await all_sources(backend.state.sources), now)
    if as_json:
        for turn in turns:
            source = turn.source
            emit(
                {
                    "source": source.name,
                    "id": source.id,
                    "at": turn.at,
                    "due": turn.is_due(now),
                    "reason": turn.reason.value,
                    "why": turn.why,
                    "schedule": source.schedule,
                    "last_crawled": source.last_crawled,
                }
            )
        return
    rows = [
        (moment(turn.at) or "never", "now" if turn.is_due(now) else "", turn.source.name, turn.why) for turn in turns
    ]
    table(("at", "due", "source", "why"), rows)
