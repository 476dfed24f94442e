"""``kiebitz submit``: add a URL to a running crawl, or to the default one."""

from dataclasses import replace
from typing import Annotated

import typer

from kiebitz.cli.console import emit, next_step
from kiebitz.cli.session import chosen_run, opened, run_async, settings_of
from kiebitz.model.run import Plan, RunState, Scope
from kiebitz.settings import Settings

DEFAULT = Plan(seeds=(), scope=Scope.ANY, depth=0, max_pages=0, max_per_host=0)  # just what is submitted


def command(
    context: typer.Context,
    url: Annotated[str, typer.Argument(help="The URL to fetch.")],
    run: Annotated[str | None, typer.Option(help="The run to add it to (its id, or the beginning of it).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Add a URL to a run. Without --run: to the one that is running, else to a crawl of its own that fetches just what was submitted."""
    run_async(submit(settings_of(context), url, run, as_json=as_json))


async def submit(settings: Settings, text: str, run_id: str | None, *, as_json: bool) -> None:
    from kiebitz.deploy.crawling import run_of
    from kiebitz.model.visit import Activate
    from kiebitz.standards.url import canonical, from_user, host_of

    url = canonical(from_user(text))
    async with opened(settings) as backend:
        state = backend.state
        run = await chosen_run(backend, run_id, states=(RunState.RUNNING,))
        if run is None:
            run, _ = await run_of(backend, replace(DEFAULT, delay=settings.delay), again=False)
        added = await state.frontier.add(run.id, [(host_of(url), url, "", None, "")])
        if run.state is not RunState.RUNNING:
            await state.runs.mark(run.id, RunState.RUNNING, at=backend.clock.utc())
        await state.frontier.control(run.id, Activate(run.plan.max_pages, run.plan.max_per_host))
    if as_json:
        emit({"status": "added" if added else "known", "url": url, "crawl_id": run.id})
    else:
        print(f"{'added' if added else 'known already'}: {url} (run {run.id})")
        print(f"next: {next_step(settings, 'crawl')}    (works on it, if no crawl is running)")
