"""``kiebitz source add``: watch a page from now on."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

import typer

from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.cli.source.speech import object_of, pairs, without_none
from kiebitz.errors import InputError
from kiebitz.model.source import DEFAULT_SCHEDULE, Focus
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    urls: Annotated[
        list[str] | None, typer.Argument(help="The page that lists the issues; several, if they belong together.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="What it is called.", show_default="the host")] = None,
    label: Annotated[
        list[str] | None, typer.Option(help="KEY=VALUE, as in state=BB; repeatable. Known: municipality, ags, state.")
    ] = None,
    focus: Annotated[Focus | None, typer.Option(help="What is wanted.", show_default="documents")] = None,
    schedule: Annotated[
        str | None,
        typer.Option(
            help="When: five cron fields and a zone, 'every 6h', or 'auto'.", show_default=str(DEFAULT_SCHEDULE)
        ),
    ] = None,
    delay: Annotated[
        float | None, typer.Option(help="Seconds between two requests.", show_default="the setting delay")
    ] = None,
    max_per_run: Annotated[
        int | None, typer.Option(help="Requests to one host in a run; 0: no limit.", show_default="0")
    ] = None,
    budget: Annotated[int | None, typer.Option(help="Pages of one run; 0: no limit.", show_default="10000")] = None,
    disabled: Annotated[bool, typer.Option("--disabled", help="Add it, but do not watch it yet.")] = False,
    from_catalogue: Annotated[
        str | None, typer.Option(help="Take it from the catalogue: see kiebitz source catalogue.", metavar="NAME")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Add a source: a page that is watched."""
    if bool(urls) == bool(from_catalogue):
        raise InputError(
            "give a URL, or --from-catalogue NAME" if not urls else "give a URL or --from-catalogue NAME, not both",
            hint="kiebitz source add https://example.org/amtsblatt",
        )
    given: dict[str, object] = {"entry_urls": urls, "name": name, "focus": focus, "schedule": schedule, "delay": delay}
    given |= {"max_per_run": max_per_run, "budget": budget, "enabled": not disabled}
    fields = without_none(given)
    labels = pairs(label)
    run_async(add(settings_of(context), fields, labels, from_catalogue, as_json=as_json))


async def add(
    settings: Settings, given: Mapping[str, object], labels: dict[str, str], offer: str | None, *, as_json: bool
) -> None:
    from kiebitz.cli.console import clean, emit, moment
    from kiebitz.sources.agenda import turn_of
    from kiebitz.sources.definition import changed, source_from
    from kiebitz.sources.registry import add as add_source

    offered, note = _offered(offer)
    source = changed(source_from({**offered, **given}), {"labels": labels})
    async with opened(settings) as backend:
        now = backend.clock.utc()
        source = replace(source, created_at=now)
        await add_source(backend.state.sources, source)
    if as_json:
        emit(object_of(source))
        return
    print(f"added {clean(source.name)}: {source.entry_urls[0]}")
    turn = turn_of(source, now)
    print(f"  next look: {moment(turn.at) or 'never'} ({clean(turn.why)}), then {source.schedule}")
    if note:
        print(f"  note: {note}")


def _offered(name: str | None) -> tuple[dict[str, object], str]:
    from kiebitz.sources.catalogue import entry

    found = entry(name) if name else None
    return (found.fields, found.note) if found else ({}, "")
