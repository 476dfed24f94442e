"""``kiebitz alert list`` and ``show``: what is saved, and how its deliveries are doing."""

from typing import Annotated

import typer

from kiebitz.cli.alert.speech import delivery_object, filters_of, masked, object_of, schedule_of
from kiebitz.cli.console import clean, emit, moment, table
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.settings import Settings

RECENT = 20


def listed(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the saved searches by name."""
    run_async(_list(settings_of(context), as_json=as_json))


async def _list(settings: Settings, *, as_json: bool) -> None:
    async with opened(settings) as backend:
        found = await backend.state.alerts.searches()
    if as_json:
        for search in found:
            emit(object_of(search))
        return
    rows = [
        (search.name, search.query, filters_of(search), schedule_of(search), ", ".join(map(masked, search.channels)))
        for search in found
    ]
    table(("name", "query", "filters", "told", "to"), rows)


def shown(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The saved search: its name or its id.")],
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Show a saved search, its last matches and its last deliveries."""
    run_async(_show(settings_of(context), name, as_json=as_json))


async def _show(settings: Settings, name: str, *, as_json: bool) -> None:
    from kiebitz.deploy.alerting.definition import named

    async with opened(settings) as backend:
        alerts = backend.state.alerts
        search = await named(alerts, name)
        matches = [entry.match for entry in await alerts.feed(search.id, limit=RECENT, newest=True)][::-1]
        deliveries = await alerts.deliveries(search.id, limit=RECENT)
    if as_json:
        found = [{"id": match.id, "url": match.url, "title": match.title, "at": match.found_at} for match in matches]
        emit({**object_of(search), "matches": found, "deliveries": [delivery_object(each) for each in deliveries]})
        return
    print(f"{clean(search.name)}: {clean(search.query) or 'everything'}")
    print(f"  {clean(filters_of(search)) or 'no filters'}; told {clean(schedule_of(search))}; id {search.id}")
    for channel in search.channels:
        print(f"  to {clean(masked(channel))}")
    table(("found", "title", "url"), [(moment(match.found_at), match.title, match.url) for match in matches])
    columns = ("made", "to", "matches", "state", "tries", "error")
    rows = [
        (moment(each.created_at), masked(each.channel), each.matches, each.state.value, each.tries, each.error)
        for each in deliveries
    ]
    table(columns, rows)
