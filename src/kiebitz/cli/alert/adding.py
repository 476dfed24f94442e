"""``kiebitz alert add``: save a search."""

from shlex import quote
from typing import Annotated

import typer

from kiebitz.cli.alert.speech import masked, object_of, schedule_of
from kiebitz.cli.console import clean, emit, next_step
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.model.alert import SavedSearch
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What you call it.")],
    query: Annotated[str, typer.Argument(help="What is searched for, as in kiebitz search.")] = "",
    source: Annotated[list[str] | None, typer.Option(help="Only of this source; may be repeated.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only of this kind, as in gazette; may be repeated.")] = None,
    to: Annotated[
        list[str] | None,
        typer.Option(
            help="Who is told: https://…, mailto:…, or a URL of Apprise; may be repeated. None: only the feed."
        ),
    ] = None,
    digest: Annotated[
        str, typer.Option(help="Tell at these times only, as in '0 8 * * * Europe/Berlin'.", show_default="at once")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Save a search: documents that are indexed from now on are matched with it."""
    from kiebitz.adapters.local.clock import SystemClock
    from kiebitz.deploy.alerting.definition import saved_search

    filters = {"source": source or [], "kind": kind or []}
    search = saved_search(name, query, filters, to or [], digest, SystemClock().utc())
    run_async(add(settings_of(context), search, as_json=as_json))


async def add(settings: Settings, search: SavedSearch, *, as_json: bool) -> None:
    from kiebitz.deploy.alerting.channels import Channels
    from kiebitz.deploy.alerting.definition import require_reachable
    from kiebitz.sources.registry import named

    async with opened(settings) as backend:
        for facet, values in search.filters:
            for value in values if facet == "source" else ():
                await named(backend.state.sources, value)
        async with Channels(settings, backend.clock) as channels:
            require_reachable(search, channels)
        await backend.state.alerts.put(search)
    if as_json:
        emit(object_of(search))
        return
    print(f"saved {clean(search.name)}: {clean(search.query) or 'everything'}, told {clean(schedule_of(search))}")
    for channel in search.channels:
        print(f"  to {clean(masked(channel))}")
    words = "test" if search.channels else "feed"
    print(f"  next: {next_step(settings, f'alert {words} {quote(clean(search.name))}')}")
