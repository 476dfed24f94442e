"""``kiebitz up``: everything, with one command. For now it crawls: the demo web, or what this home has to do."""

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from kiebitz.cli.console import next_step
from kiebitz.cli.crawl import INTERRUPTED, crawl
from kiebitz.cli.session import chosen_run, opened, run_async, settings_of
from kiebitz.model.run import Plan, Scope
from kiebitz.settings import Settings

DEMO_DELAY = 0.05


def command(
    context: typer.Context,
    demo: Annotated[bool, typer.Option("--demo", help="Start a small web of invented towns and crawl it.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON object.")] = False,
) -> int:
    """Work on this home until nothing is left; with --demo, on an invented web, with its own home below this one (demo/)."""
    from kiebitz.deploy.exclusive import only_one

    settings = settings_of(context)
    if not demo:
        with only_one(settings.home):
            return run_async(_own_home(settings, as_json=as_json))
    home = settings.home / "demo"
    with only_one(home):
        return _demo(context, home, as_json=as_json)


async def _own_home(settings: Settings, *, as_json: bool) -> int:
    from kiebitz.deploy.crawling import OPEN

    async with opened(settings) as backend:
        waiting = await chosen_run(backend, None, states=OPEN)
    if waiting:
        return await crawl(settings, None, recrawl=False, as_json=as_json)
    if as_json:
        print("{}")
    else:
        print(f"nothing to do in {settings.home}")
        print(f"next: {next_step(settings, 'crawl https://example.org/')}    or: kiebitz up --demo")
    return 0


def _demo(context: typer.Context, home: Path, *, as_json: bool) -> int:
    from kiebitz.lab.running import running_lab
    from kiebitz.lab.world import Blueprint

    started = time.monotonic()
    with running_lab(Blueprint(demo=True)) as lab:
        if not as_json:
            print(f"the demo web is up: {len(lab.seeds)} invented towns, on this machine only", file=sys.stderr)
        flags = {"home": home, "resolve": lab.resolve, "delay": DEMO_DELAY, "patience": 5.0}
        settings = settings_of(context, **flags)
        plan = Plan(tuple(lab.seeds), Scope.HOST, depth=5, max_per_host=500, delay=DEMO_DELAY)
        code = run_async(crawl(settings, plan, recrawl=True, as_json=as_json))
    if not as_json and code != INTERRUPTED:
        print(f"demo done in {time.monotonic() - started:.0f} s. Try:")
        for line in (
            "status",
            "urls --state failed,skipped",
            "show " + lab.seeds[0],
            "export documents ./demo-documents",
        ):
            print(f"  {_program()} --home {home} {line}")
    return code


def _program() -> str:
    return os.path.relpath(sys.argv[0]) if os.sep in sys.argv[0] else "kiebitz"
