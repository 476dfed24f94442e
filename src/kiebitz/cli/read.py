"""``kiebitz read``: read what was stored, and make it searchable."""

import asyncio
import signal
import sys
import time
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from kiebitz.cli.console import emit, next_step
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.settings import Settings

if TYPE_CHECKING:
    from kiebitz.deploy.backends import Backend
    from kiebitz.deploy.intake import Taken

INTERRUPTED = 130
LINE_SECONDS = 10.0


def command(
    context: typer.Context,
    watch: Annotated[bool, typer.Option("--watch", help="Go on with what comes, until interrupted.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Try again what could not be read in the last try.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON object.")] = False,
) -> int:
    """Read what crawls and runs have stored, pages and documents, and index it. What was read already is left alone."""
    return run_async(_read(settings_of(context), watch=watch, retry=retry, as_json=as_json))


async def _read(settings: Settings, *, watch: bool, retry: bool, as_json: bool) -> int:
    async with opened(settings) as backend:
        if retry:
            await _revive(backend)
        intake = await taken(backend, settings, follow=watch, quiet=as_json)
    if as_json:
        emit(intake_object(intake))
    else:
        say(intake, settings)
    return INTERRUPTED if intake.interrupted and not watch else 0


def read_on(settings: Settings, *, as_json: bool) -> int:
    """After a crawl or a run: what waits, without a look through all documents. With --json it says nothing of its own."""
    return run_async(_read_on(settings, as_json=as_json))


async def _read_on(settings: Settings, *, as_json: bool) -> int:
    async with opened(settings) as backend:
        intake = await taken(backend, settings, search_missing=False, quiet=as_json)
    if not as_json:
        say(intake, settings)
    return INTERRUPTED if intake.interrupted else 0


async def _revive(backend: "Backend") -> None:
    from kiebitz.crawl.commit import EXTRACT

    jobs = backend.state.jobs
    while dead := await jobs.dead(EXTRACT, limit=1000):
        await jobs.revive(EXTRACT, [each.job.key for each in dead])


async def taken(
    backend: "Backend", settings: Settings, *, follow: bool = False, search_missing: bool = True, quiet: bool
) -> "Taken":
    """Read and index what waits, with a bar; SIGINT and SIGTERM end it in good order."""
    from kiebitz.deploy.alerting.matching import Alerter
    from kiebitz.deploy.indexes import index_folder, opener_of
    from kiebitz.deploy.intake import Taking

    alerter = Alerter(backend.state.alerts, backend.clock)
    with Bar(quiet=quiet) as bar:
        taking = Taking(backend, settings, opener_of(index_folder(settings)), bar.show, seen=alerter.seen)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, taking.interrupt)
        return await taking.take(follow=follow, search_missing=search_missing)


def intake_object(intake: "Taken") -> dict[str, object]:
    return {
        "texts": intake.texts,
        "indexed": intake.indexed,
        "states": intake.states,
        "failed": intake.failed,
        "waiting": intake.later,
        "dead": intake.dead,
        "interrupted": intake.interrupted,
    }


def say(intake: "Taken", settings: Settings) -> None:
    states = ", ".join(f"{count} {state}" for state, count in sorted(intake.states.items()))
    print(f"{intake.texts} texts read{f' ({states})' if states else ''}, {intake.indexed} indexed")
    if intake.interrupted:
        print(f"next: {next_step(settings, 'read')} goes on where it stopped")
    elif intake.later:
        print(f"{intake.later} jobs wait for their next try\nnext: {next_step(settings, 'read')}, in a minute or more")
    if intake.dead:
        print(f"{intake.dead} could not be had\nnext: {next_step(settings, 'index status')} says why")
    if not intake.interrupted:
        print(f"next: {next_step(settings, 'search WORDS')}")


class Bar:
    """A bar on a terminal, a line now and then elsewhere, nothing with --json."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._live: Any = None
        self._task: Any = None
        self._last_line = time.monotonic()

    def __enter__(self) -> Self:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            columns = (SpinnerColumn(), BarColumn(bar_width=24), TextColumn("{task.description}"), TimeElapsedColumn())
            self._live = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._live.add_task("reading", total=None)
            self._live.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._live:
            self._live.stop()

    def show(self, intake: "Taken") -> None:
        text = (
            f"{intake.texts} texts read · {intake.indexed} indexed · {intake.later} jobs wait · {intake.failed} failed"
        )
        if self._live:
            self._live.update(self._task, description=text, completed=intake.jobs, total=intake.jobs + intake.later)
        elif not self._quiet and time.monotonic() - self._last_line >= LINE_SECONDS:
            self._last_line = time.monotonic()
            print(text, file=sys.stderr)
