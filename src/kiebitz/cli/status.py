"""``kiebitz status``: what is going on in this home."""

from typing import Annotated

import typer

from kiebitz.cli.console import emit, moment, size
from kiebitz.cli.crawl import figures
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Show the home, the workers that are alive, the newest run and what is kept."""
    run_async(status(settings_of(context), as_json=as_json))


async def status(settings: Settings, *, as_json: bool) -> None:
    from dataclasses import replace

    from kiebitz.adapters.local.presence import Presence

    async with opened(settings) as backend:
        run = await backend.state.runs.latest()
        if run:
            run = replace(run, counts=await backend.state.frontier.counts(run.id))
        documents = await backend.state.documents.count()
        waiting, leased, dead = await backend.state.jobs.depth("extract")
        workers = Presence.alive(backend.folder / "workers")
    if as_json:
        jobs = {"waiting": waiting, "leased": leased, "dead": dead}
        newest = figures(run) if run else None
        emit({"home": str(settings.home), "workers": workers, "documents": documents, "jobs": jobs, "run": newest})
        return
    print(f"home       {settings.home}")
    print(f"workers    {workers} alive")
    print(f"documents  {documents}")
    print(f"jobs       {waiting} waiting, {leased} leased, {dead} dead")
    if run is None:
        print("runs       none yet")
        print("next: kiebitz crawl https://example.org/")
        return
    counts = run.counts
    print(f"newest run {run.id} {run.state.value}, since {moment(run.created_at)}")
    print(f"  {counts.done} fetched ({size(counts.bytes)}), {counts.unchanged} unchanged, {counts.open} to do")
    print(f"  {counts.deferred} deferred, {counts.failed} failed, {counts.skipped} skipped")
