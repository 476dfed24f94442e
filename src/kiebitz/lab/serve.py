"""Serve a lab until told to stop: what ``kiebitz lab serve`` and ``python -m kiebitz.lab`` do."""

import asyncio
import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from kiebitz.lab.server import Info, Ports, open_lab
from kiebitz.lab.world import Blueprint

Ready = Callable[[Info], None]


async def serve(
    blueprint: Blueprint, ready: Ready, stop: asyncio.Event, *, ports: Ports | None = None, log_file: Path | None = None
) -> None:
    async with open_lab(blueprint, ports=ports, log_file=log_file) as info:
        ready(info)
        await stop.wait()


def run(
    blueprint: Blueprint,
    ready: Ready,
    *,
    ports: Ports | None = None,
    log_file: Path | None = None,
    with_parent: bool = False,
) -> None:
    """Block until SIGINT or SIGTERM; ``with_parent`` also until standard input, a pipe from the parent, is closed."""

    async def main() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        if with_parent:
            os.set_blocking(sys.stdin.fileno(), False)
            loop.add_reader(sys.stdin.fileno(), _stop_at_end, stop)
        await serve(blueprint, ready, stop, ports=ports, log_file=log_file)

    _allow_many_sockets()
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main())


def new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def _stop_at_end(stop: asyncio.Event) -> None:
    with suppress(BlockingIOError):
        if not os.read(sys.stdin.fileno(), 4096):
            stop.set()


def _allow_many_sockets() -> None:
    """Each address needs a listening socket; the usual soft limit of 1,024 is soon reached."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
