"""``kiebitz coverage``: which issues are held, which are missing, how each source is doing."""

from typing import TYPE_CHECKING, Annotated

import typer

from kiebitz.cli.console import clean, emit, table
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.settings import Settings

if TYPE_CHECKING:
    from kiebitz.model.source import Source
    from kiebitz.watch.coverage import Coverage, Health, Year


def command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="[SOURCE]", help="Only this source: its name or id.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per source.")] = False,
) -> None:
    """Show the issues held per year, the gaps in their numbering, the rhythm, and the state of each source."""
    run_async(_coverage(settings_of(context), name, as_json=as_json))


async def _coverage(settings: Settings, name: str, *, as_json: bool) -> None:
    from kiebitz.deploy.exporting import each_document
    from kiebitz.sources.registry import all_sources, named
    from kiebitz.watch.coverage import coverage_of, health_of

    rows = []
    async with opened(settings) as backend:
        store = backend.state.sources
        for source in [await named(store, name)] if name else await all_sources(store):
            held = coverage_of([document async for document in each_document(backend, source.id)])
            health, why = health_of(source, held, backend.clock.utc().date())
            if as_json:
                emit(_object(source, held, health, why))
            else:
                rows.append((source.name, health.value, held.documents, _years(held.years), held.missing, clean(why)))
    if not as_json:
        table(("source", "state", "documents", "issues", "missing", "why"), rows)


def _years(years: "tuple[Year, ...]") -> str:
    shown = []
    for year in years:
        gaps = f" missing {', '.join(map(str, year.missing))}" if year.missing else ""
        numbers = f"{year.numbers[0]}–{year.numbers[-1]}" if year.numbers else f"{year.others} special"
        shown.append(f"{year.year}: {numbers}{gaps}")
    return "; ".join(shown)


def _object(source: "Source", held: "Coverage", health: "Health", why: str) -> dict[str, object]:
    return {
        "source": source.name,
        "id": source.id,
        "state": health.value,
        "why": why,
        "documents": held.documents,
        "years": [
            {"year": year.year, "held": year.numbers, "missing": year.missing, "others": year.others}
            for year in held.years
        ],
        "missing": held.missing,
        "unnumbered": held.unnumbered,
        "newest": held.newest.isoformat() if held.newest else None,
        "rhythm_days": held.rhythm.days if held.rhythm else None,
    }
