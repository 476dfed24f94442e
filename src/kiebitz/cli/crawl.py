"""``kiebitz crawl``: fetch these sites, politely, and keep what they say."""

import asyncio
import signal
import sys
from dataclasses import replace
from typing import Annotated

import typer

from kiebitz.cli.console import clean, emit, moment, next_step, size
from kiebitz.cli.session import chosen_run, opened, run_async, settings_of
from kiebitz.errors import InputError
from kiebitz.model.request import RequestQuery, RequestRecord
from kiebitz.model.run import Counts, Plan, Run, RunState, Scope
from kiebitz.settings import Settings

NOTHING_FETCHED = 7
INTERRUPTED = 130


def command(
    context: typer.Context,
    urls: Annotated[
        list[str] | None,
        typer.Argument(help="Where to begin. Without one, the newest unfinished run goes on, with its own options."),
    ] = None,
    depth: Annotated[int, typer.Option(help="How many links away from a seed; -1: no limit.")] = 3,
    scope: Annotated[
        Scope,
        typer.Option(
            help="Where links may lead. host: the seeds' hosts; domain: also their other hosts; list: nowhere, only the seeds; any: everywhere."
        ),
    ] = Scope.HOST,
    max_pages: Annotated[
        int, typer.Option(help="At most so many pages and documents in the whole run; 0: no limit.")
    ] = 10_000,
    max_per_host: Annotated[int, typer.Option(help="At most so many of each host; 0: no limit.")] = 100,
    delay: Annotated[
        float | None,
        typer.Option(help="Seconds between two requests to a host; robots.txt may ask for more.", show_default="1"),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(help="Only links that match this regular expression (repeatable); seeds are always fetched."),
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(help="No links that match this regular expression (repeatable).")
    ] = None,
    recrawl: Annotated[
        bool,
        typer.Option("--recrawl", help="Begin again if this crawl is finished, asking the sites for changes only."),
    ] = False,
    read: Annotated[bool, typer.Option("--read", help="Then read what was stored, and index it.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON object.")] = False,
) -> int:
    """Crawl sites. The same command again goes on where it stopped, also after a crash."""
    settings = settings_of(context, delay=delay)
    plan = None
    if urls:
        patterns = (tuple(include or ()), tuple(exclude or ()))
        plan = checked(Plan(seeds_of(urls), scope, depth, max_pages, max_per_host, settings.delay, *patterns))
    code = run_async(crawl(settings, plan, recrawl=recrawl, as_json=as_json))
    if not read or code:
        return code
    from kiebitz.cli.read import read_on

    return read_on(settings, as_json=as_json)


def checked(plan: Plan) -> Plan:
    """Refuse what cannot work before anything is written."""
    from kiebitz.crawl.scope import ScopeRules

    limits = (("--depth", plan.depth, -1), ("--max-pages", plan.max_pages, 0), ("--max-per-host", plan.max_per_host, 0))
    for name, value, least in limits:
        if value < least:
            raise InputError(f"{name} {value} is below {least}", hint=f"use {least} for no limit")
    ScopeRules(plan)
    return plan


def seeds_of(urls: list[str]) -> tuple[str, ...]:
    from kiebitz.standards.url import canonical, from_user

    return tuple(dict.fromkeys(canonical(from_user(url)) for url in urls))


async def crawl(settings: Settings, plan: Plan | None, *, recrawl: bool, as_json: bool) -> int:
    from kiebitz.deploy.tuning import tune

    tune()
    async with opened(settings) as backend:
        from kiebitz.cli.progress import Progress
        from kiebitz.deploy.crawling import OPEN, Crawling, Errand, run_of

        run, is_new = await chosen_run(backend, None, states=OPEN), False
        if plan:
            run, is_new = await run_of(backend, plan, again=recrawl)
        if run is None:
            raise InputError("nothing to crawl", hint="name a URL: kiebitz crawl https://example.org/")
        if run.source:  # it collects documents; crawled, it would take every page
            raise InputError(f"run {run.id} belongs to a source", hint="kiebitz run SOURCE goes on with it")
        if run.state is RunState.FINISHED:
            _finished(run, settings, as_json=as_json)
            return 0
        if not is_new and not as_json:
            print(f"going on with run {run.id} of {moment(run.created_at)}", file=sys.stderr)
        with Progress(quiet=as_json) as progress:
            crawling = Crawling(backend, settings, [Errand(run)], progress.show)
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, crawling.interrupt)
            (result,) = await crawling.crawl()
        unreached = []
        if not result.counts.done and not result.counts.unchanged:
            unreached = [row for _, row in await backend.state.frontier.read(RequestQuery(run=run.id, limit=5))]
    run = replace(result.run, counts=result.counts, seconds=result.seconds, cpu_seconds=result.cpu_seconds)
    if as_json:
        emit({**figures(run), "ending": result.ending.value})
    else:
        _summary(run, result.ending.value, unreached, settings)
    if result.interrupted:
        return INTERRUPTED
    return NOTHING_FETCHED if unreached and result.ending.value != "stopped" else 0


def figures(run: Run) -> dict[str, object]:
    """The object that ``crawl --json`` ends with."""
    counts = run.counts
    return {
        "run": run.id,
        "state": run.state.value,
        "done": counts.done,
        "pages": counts.done - counts.documents,
        "documents": counts.documents,
        "new_documents": counts.documents,
        "bytes": counts.bytes,
        "unchanged": counts.unchanged,
        "deferred": counts.deferred,
        "failed": counts.failed,
        "gone": counts.gone,
        "skipped": counts.skipped,
        "pending": counts.pending + counts.leased,
        "seconds": run.seconds,
        "cpu_seconds": run.cpu_seconds,
    }


def failures(counts: Counts) -> str:
    return f"{counts.failed} failed" + (f" ({counts.gone} gone)" if counts.gone else "")


def _finished(run: Run, settings: Settings, *, as_json: bool) -> None:
    if as_json:
        emit(figures(run))
        return
    print(f"run {run.id} finished at {moment(run.finished_at)}: {run.counts.done} fetched. Nothing to do.")
    print("next: the same command with --recrawl looks for changes")
    if run.counts.failed:
        retry = next_step(settings, f"retry --run {run.id}")
        print(f"next: {retry}    (sends what failed back: {run.counts.failed} requests)")


def _summary(run: Run, ending: str, unreached: list[RequestRecord], settings: Settings) -> None:
    counts = run.counts
    print(f"run {run.id} {ending} after {run.seconds:.1f} s ({run.cpu_seconds:.1f} s CPU)")
    print(f"  {counts.done - counts.documents} pages, {counts.documents} documents, {size(counts.bytes)},", end=" ")
    print(f"{counts.unchanged} unchanged")
    print(f"  {counts.deferred} deferred, {failures(counts)}, {counts.skipped} skipped")
    for row in unreached:
        print(f"  {row.url}: {row.state.label} ({clean(row.reason)})")
    if ending != "finished":
        print("next: the same command goes on where it stopped")
    elif unreached:
        retry = next_step(settings, "retry")
        print(f"next: check the address and the network; {retry} and the same command try again")
    if counts.failed or counts.skipped or counts.deferred:
        print(f"next: {next_step(settings, 'urls --state failed,skipped,deferred')}")
    if counts.documents:
        print(f"next: {next_step(settings, 'export documents DIR')}")
