"""``kiebitz runs``: what was crawled, newest first."""

from typing import Annotated

import typer

from kiebitz.cli.console import emit, moment, table
from kiebitz.cli.crawl import figures
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, help="How many.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List runs with their figures."""
    run_async(runs(settings_of(context), limit, as_json=as_json))


FETCHED = ("fetched", "new", "unchanged")  # new documents, that is
UNFETCHED = ("deferred", "failed", "gone", "skipped")
COLUMNS = ("run", "state", "created", *FETCHED, *UNFETCHED, "seconds", "seeds")
SPARE = ("deferred", "skipped", "unchanged", "seconds", "gone", "new", "created", "state")


async def runs(settings: Settings, limit: int, *, as_json: bool) -> None:
    async with opened(settings) as backend:
        found = await backend.state.runs.list(limit=limit)
    if as_json:
        for run in found:
            emit(
                {**figures(run), "created_at": run.created_at, "finished_at": run.finished_at, "seeds": run.plan.seeds}
            )
        return
    rows = []
    for run in found:
        counts = run.counts
        more = f" (+{len(run.plan.seeds) - 1})" if len(run.plan.seeds) > 1 else ""
        seeds = f"{''.join(run.plan.seeds[:1])}{more}"
        fetched = (counts.done, counts.documents, counts.unchanged)
        unfetched = (counts.deferred, counts.failed, counts.gone, counts.skipped)
        ends = (f"{run.seconds:.0f}", seeds)
        rows.append((run.id, run.state.value, moment(run.created_at), *fetched, *unfetched, *ends))
    table(COLUMNS, rows, spare=SPARE)
