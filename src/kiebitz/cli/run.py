"""``kiebitz run``: look at sources now, and take what is new."""

import asyncio
import signal
from typing import TYPE_CHECKING, Annotated

import typer

from kiebitz.cli.changes import change_object
from kiebitz.cli.console import clean, emit, moment, table
from kiebitz.cli.crawl import INTERRUPTED, figures
from kiebitz.cli.read import read_on
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.errors import InputError
from kiebitz.settings import Settings

if TYPE_CHECKING:
    from kiebitz.deploy.backends import Backend
    from kiebitz.deploy.crawling import Crawling
    from kiebitz.deploy.watching import Watched
    from kiebitz.model.source import Source


def command(
    context: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="[SOURCE]...", help="Names or ids of sources.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every source that is enabled.")] = False,
    due: Annotated[bool, typer.Option("--due", help="Those whose time has come (see kiebitz schedule).")] = False,
    read: Annotated[bool, typer.Option("--read/--no-read", help="Then read what was taken, and index it.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per source.")] = False,
) -> int:
    """Look at sources and take the documents that are new. What is held already is not downloaded again."""
    if sum((bool(names), everything, due)) != 1:
        raise InputError("say which sources to run", hint="name them, or use --all or --due; kiebitz source list")
    settings = settings_of(context)
    code = run_async(_run(settings, names or [], everything=everything, as_json=as_json))
    return read_on(settings, as_json=as_json) if read and not code else code


async def _run(settings: Settings, names: list[str], *, everything: bool, as_json: bool) -> int:
    from kiebitz.cli.progress import Progress
    from kiebitz.deploy.tuning import tune
    from kiebitz.deploy.watching import Watching

    tune()
    async with opened(settings) as backend:
        sources = await _chosen(backend, names, everything=everything)
        if not sources:
            if not as_json:
                print("no source is due\nnext: kiebitz schedule    or: kiebitz run --all")
            return 0
        with Progress(quiet=as_json) as progress:
            watched = await Watching(backend, settings, sources).run(progress.show, _interruptible)
    for each in watched:
        if as_json:
            emit(_object(each))
    if not as_json:
        columns = ("source", "state", "new", "unchanged", "deferred", "failed", "skipped", "seconds")
        table(columns, [_row(each) for each in watched])
    return INTERRUPTED if any(each.result.interrupted for each in watched) else 0


async def _chosen(backend: "Backend", names: list[str], *, everything: bool) -> "list[Source]":
    from kiebitz.sources.agenda import turn_of
    from kiebitz.sources.registry import all_sources, named

    if names:
        return [await named(backend.state.sources, name) for name in dict.fromkeys(names)]
    now = backend.clock.utc()
    enabled = [source for source in await all_sources(backend.state.sources) if source.enabled]
    return enabled if everything else [source for source in enabled if turn_of(source, now).is_due(now)]


def _interruptible(crawling: "Crawling") -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, crawling.interrupt)


def _object(each: "Watched") -> dict[str, object]:
    return {
        **figures(each.result.run),
        "source": each.source.name,
        "outcome": each.state,
        "error": each.error,
        "changed": each.change is not None,
        "change": change_object(each.change) if each.change else None,
        "new_documents": each.new,
        "next_try": each.source.retry_at,
    }


def _row(each: "Watched") -> tuple[object, ...]:
    counts = each.result.counts
    figures_of = (counts.unchanged, counts.deferred, counts.failed, counts.skipped)
    state = each.state if each.source.retry_at is None else f"{each.state}; next try {moment(each.source.retry_at)}"
    return (each.source.name, clean(state), each.new, *figures_of, f"{each.result.seconds:.0f}")
