"""``kiebitz stop``: end a running crawl cleanly, from anywhere."""

from typing import Annotated

import typer

from kiebitz.cli.console import emit
from kiebitz.cli.session import chosen_run, opened, run_async, settings_of
from kiebitz.errors import NotFound
from kiebitz.model.run import RunState
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    run: Annotated[
        str | None,
        typer.Argument(help="The run (its id, or the beginning of it); without one, the newest that is running."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Stop a run. Its workers finish what is under way; the same crawl again goes on."""
    run_async(stop(settings_of(context), run, as_json=as_json))


async def stop(settings: Settings, run_id: str | None, *, as_json: bool) -> None:
    from kiebitz.deploy.crawling import halt_run

    async with opened(settings) as backend:
        run = await chosen_run(backend, run_id, states=(RunState.RUNNING,))
        if run is None:
            raise NotFound("no run is running", hint="kiebitz runs lists them")
        if run.state is RunState.RUNNING:
            run = await halt_run(backend, run)
    if as_json:
        emit({"run": run.id, "state": run.state.value})
    else:
        print(f"run {run.id} is {run.state.value}")
