"""``kiebitz status``: what is going on in this home."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from shutil import get_terminal_size
from typing import Annotated

import typer

from kiebitz.cli.console import emit, moment, next_step, size
from kiebitz.cli.crawl import failures, figures
from kiebitz.cli.session import chosen_run, opened, run_async, settings_of
from kiebitz.model.run import Run, RunState, Sample, pace
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    run: Annotated[
        str | None,
        typer.Argument(metavar="[RUN]", help="A run's id, or the beginning of it.", show_default="the newest"),
    ] = None,
    plot: Annotated[
        bool | None,
        typer.Option("--plot/--no-plot", help="Draw how the run went.", show_default="on a terminal"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Show the home, the workers that are alive, what is kept, and a run: its figures and how it went."""
    drawn = sys.stdout.isatty() if plot is None else plot
    run_async(status(settings_of(context), run, drawn=drawn, as_json=as_json))


async def status(settings: Settings, run_id: str | None, *, drawn: bool, as_json: bool) -> None:
    from kiebitz.adapters.local.presence import Presence

    async with opened(settings) as backend:
        run, series = await chosen_run(backend, run_id), []
        if run:
            run = replace(run, counts=await backend.state.frontier.counts(run.id))
            series = await backend.state.runs.series(run.id)
        documents = await backend.state.documents.count()
        waiting, leased, dead = await backend.state.jobs.depth("extract")
        workers = Presence.alive(backend.folder / "workers")
    if as_json:
        jobs = {"waiting": waiting, "leased": leased, "dead": dead}
        home = {"home": str(settings.home), "workers": workers, "documents": documents, "jobs": jobs}
        emit({**home, "run": figures(run) if run else None, "series": objects(series)})
        return
    print(f"home       {settings.home}")
    print(f"workers    {workers} alive")
    print(f"documents  {documents}")
    print(f"jobs       {waiting} waiting, {leased} leased, {dead} dead")
    if run is None:
        print("runs       none yet")
        print(f"next: {next_step(settings, 'crawl https://example.org/')}")
        return
    _print_run(run, "run" if run_id else "newest run")
    if drawn and series:
        _print_series(series)


def objects(series: list[Sample]) -> list[dict[str, float]]:
    rates = pace(series)
    return [
        {"seconds": at.seconds, "fetched": at.fetched, "urls_per_second": round(rate, 3)}
        | {"hosts": at.hosts, "queue": at.queue}
        for at, rate in zip(series, rates, strict=True)
    ]


def _print_run(run: Run, name: str) -> None:
    counts = run.counts
    print(f"{name} {run.id} {run.state.value}, since {moment(run.created_at)}")
    print(f"  {counts.done} fetched ({size(counts.bytes)}), {counts.unchanged} unchanged, {counts.open} to do")
    print(f"  {counts.deferred} deferred, {failures(counts)}, {counts.skipped} skipped")
    at_work = f", {counts.hosts} hosts in flight" if run.state is RunState.RUNNING else ""
    print(f"  {counts.documents} new documents, {run.seconds:.1f} s ({run.cpu_seconds:.1f} s CPU){at_work}")


def _print_series(series: list[Sample]) -> None:
    from kiebitz.cli.plot import plot

    lines: list[tuple[str, Sequence[float]]] = [
        ("URLs/s", pace(series)),
        ("hosts", [sample.hosts for sample in series]),
        ("queue", [sample.queue for sample in series]),
    ]
    for line in plot(lines, get_terminal_size().columns):
        print(line)
