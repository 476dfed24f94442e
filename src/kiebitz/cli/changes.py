"""``kiebitz changes``: what was new, gone or changed at each look."""

from typing import TYPE_CHECKING, Annotated

import typer

from kiebitz.cli.console import clean, emit, moment
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.settings import Settings

if TYPE_CHECKING:
    from kiebitz.model.sight import Change, Item
    from kiebitz.model.source import Source

SHOWN = 12


def command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="[SOURCE]", help="Only this source: its name or id.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="So many changes of each source, the newest.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per change.")] = False,
) -> None:
    """Show what has changed on the sources: items that are new, gone, or read differently."""
    run_async(_changes(settings_of(context), name, limit, as_json=as_json))


async def _changes(settings: Settings, name: str, limit: int, *, as_json: bool) -> None:
    from kiebitz.sources.registry import all_sources, named

    count = 0
    async with opened(settings) as backend:
        store = backend.state.sources
        for source in [await named(store, name)] if name else await all_sources(store):
            for change in await backend.state.sightings.changes(source.id, limit=limit):
                count += 1
                if as_json:
                    emit({"source": source.name, "id": source.id, **change_object(change)})
                else:
                    _print(source, change)
    if not count and not as_json:
        print("no change is known yet\nnext: kiebitz run --due, once a source was looked at before")


def change_object(change: "Change") -> dict[str, object]:
    return {
        "at": change.at,
        "run": change.run,
        "since": change.since,
        "before": change.before,
        "after": change.after,
        "new": [_entry(item) for item in change.new],
        "gone": [_entry(item) for item in change.gone],
        "changed": [{"from": _entry(old), "to": _entry(young)} for old, young in change.changed],
    }


def _entry(item: "Item") -> dict[str, str]:
    return {"kind": item.kind, "url": item.url, "label": item.label}


def _print(source: "Source", change: "Change") -> None:
    since = f", last seen otherwise {moment(change.since)}" if change.since else ""
    print(f"{clean(source.name)}: {moment(change.at)}: {change.summary}{since}")
    lines = [f"  + {_line(item)}" for item in change.new]
    lines += [f"  - {_line(item)}" for item in change.gone]
    for old, young in change.changed:
        lines += [f"  ~ {_line(old)}", f"    {_line(young)}"]
    for line in lines[:SHOWN]:
        print(line)
    if len(lines) > SHOWN:
        print(f"  … and {len(lines) - SHOWN} more lines (--json shows all)")


def _line(item: "Item") -> str:
    return clean(f"{item.label[:100]}  {item.url}")
