"""What every verb begins with: the settings, the opened home, one event loop."""

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import typer

from kiebitz.deploy.backends import Backend, open_backend
from kiebitz.errors import NotFound
from kiebitz.model.run import Run, RunState
from kiebitz.settings import Settings, load

T = TypeVar("T")


def settings_of(context: typer.Context, **flags: object) -> Settings:
    """The settings, with the flags of the command line on top."""
    given = {name: value for name, value in flags.items() if value is not None}
    settings = load({**(context.obj or {}), **given}, os.environ, Path.cwd())
    if settings.resolve:
        from kiebitz.adapters.local.resolver import parse_mapping

        parse_mapping(settings.resolve)  # before anything is written
    for warning in settings.warnings:
        print(f"kiebitz: {warning}", file=sys.stderr)
    return settings


def run_async(main: Coroutine[Any, Any, T]) -> T:
    """One style of async, on the faster loop where there is one."""
    gc.enable()
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Backend]:
    from kiebitz.adapters.local.clock import SystemClock

    backend = open_backend(settings, SystemClock())
    try:
        yield backend
    finally:
        await backend.close()


async def named_run(backend: Backend, run_id: str) -> Run:
    try:
        return await backend.state.runs.get(run_id)
    except NotFound as error:
        raise NotFound(str(error), hint=error.hint or "kiebitz runs lists them") from None


async def chosen_run(backend: Backend, run_id: str | None, *, states: tuple[RunState, ...] = ()) -> Run | None:
    """The run that was named, or the newest one in these states."""
    if run_id:
        return await named_run(backend, run_id)
    if states == (RunState.RUNNING,):
        from kiebitz.adapters.local.presence import Presence

        for worked_on in sorted(Presence.working(backend.folder / "workers"), reverse=True):
            run = await backend.state.runs.get(worked_on)
            if run.state is RunState.RUNNING:
                return run
    return await backend.state.runs.latest(states=states)
