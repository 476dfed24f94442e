"""``kiebitz retry``: send requests that failed back to the crawl."""

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from kiebitz.cli.console import emit, next_step
from kiebitz.cli.session import chosen_run, opened, run_async, settings_of
from kiebitz.cli.urls import states_of
from kiebitz.errors import InputError, NotFound
from kiebitz.model.request import RequestQuery, State
from kiebitz.model.run import RunState
from kiebitz.model.visit import Activate, Retry
from kiebitz.settings import Settings

if TYPE_CHECKING:
    from kiebitz.deploy.backends import Backend
    from kiebitz.model.run import Run

RETRIED = {State.FAILED, State.DEFERRED, State.SKIPPED}


def command(
    context: typer.Context,
    url: Annotated[str, typer.Argument(help="Only this URL.")] = "",
    state: Annotated[str, typer.Option(help="Which states, comma-separated.")] = "failed,deferred",
    host: Annotated[str, typer.Option(help="Only this host.")] = "",
    run: Annotated[str | None, typer.Option(help="The run; without one, the newest.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Send failed and deferred requests back; kiebitz crawl, or run for a source, then fetches them."""
    states = states_of(state)
    if not set(states) <= RETRIED:
        raise InputError(
            "only failed, deferred and skipped requests can be retried",
            hint="to look again at what was fetched: the same crawl with --recrawl",
        )
    run_async(retry(settings_of(context), run, (states, host, url), as_json=as_json))


async def retry(
    settings: Settings, run_id: str | None, which: tuple[tuple[State, ...], str, str], *, as_json: bool
) -> None:
    from kiebitz.standards.url import canonical, from_user, host_of

    states, host, text = which
    url = canonical(from_user(text)) if text else ""
    async with opened(settings) as backend:
        if url and not run_id:
            rows = await backend.state.frontier.read(RequestQuery(url=url))
            if not rows:
                raise NotFound(f"{url} is not known here", hint="kiebitz submit URL adds it")
            run_id = rows[0][1].run
        run = await chosen_run(backend, run_id)
        if run is None:
            raise NotFound("there is no run yet", hint="kiebitz crawl https://example.org/")
        command = Retry(tuple(int(state) for state in states), host_of(url) if url else host, url)
        count = await backend.state.frontier.control(run.id, command)
        if count:
            await backend.state.frontier.control(run.id, Activate(run.plan.max_pages, run.plan.max_per_host))
            await backend.state.runs.mark(run.id, RunState.RUNNING, at=backend.clock.utc())
        verb = await _verb(backend, run)
    if as_json:
        emit({"run": run.id, "retried": count})
        return
    print(f"{count} requests of run {run.id} wait again")
    if count:
        print(f"next: {next_step(settings, verb)}    (goes on with that run)")


async def _verb(backend: "Backend", run: "Run") -> str:
    """What goes on with the run: a source's is collected, not crawled."""
    if not run.source:
        return "crawl"
    try:
        return f"run {shlex.quote((await backend.state.sources.get(run.source)).name)}"
    except NotFound:
        return "crawl"  # the source was removed
