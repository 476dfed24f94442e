"""A running lab as a test or ``up --demo`` uses it: started in a process (or a thread) of its own, ended with the block."""

import asyncio
import json
import select
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cached_property
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from kiebitz.errors import InputError, KiebitzError, TimedOut
from kiebitz.lab.arguments import flags
from kiebitz.lab.graph import Graph
from kiebitz.lab.log import Entry, from_lines
from kiebitz.lab.municipalities.truth import TrueMunicipality, from_json
from kiebitz.lab.serve import new_loop, serve
from kiebitz.lab.server import Info
from kiebitz.lab.world import Blueprint

START_SECONDS = 30.0
STOP_SECONDS = 10.0


class RunningLab:
    """What there is to know of a lab, over its control port."""

    def __init__(self, blueprint: Blueprint, info: Info) -> None:
        self.blueprint = blueprint
        self.info = info
        self.resolve = info.resolve
        self.seeds = info.seeds

    @cached_property
    def graph(self) -> Graph:
        """The truth about the graph, computed here: the blueprint is all it takes."""
        graph = self.blueprint.graph
        if graph is None:
            raise KiebitzError("this lab has no graph", hint="give its blueprint some hosts")
        return graph

    def log(self, after: int = 0) -> list[Entry]:
        """The access log, in the order in which the answers ended; without its first ``after`` entries."""
        return from_lines(self._ask("GET", f"/log?after={after}").splitlines())

    def stats(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._ask("GET", "/stats"))
        return found

    def reset(self) -> None:
        """Forget the log, and what the sites counted."""
        self._ask("POST", "/reset")

    def advance(self, days: int) -> None:
        """Days pass; towns publish."""
        self._ask("POST", f"/clock?days={days}")

    def event(self, host: str, kind: str) -> None:
        """Something happens to a municipality: redesign, move, renumber, withdraw, correct, replace, empty, login, down, up, restore."""
        self._ask("POST", f"/event?{urlencode({'host': host, 'kind': kind})}")

    def truth(self, host: str = "") -> list[TrueMunicipality]:
        """What the municipalities have today; with a ``host``, only that one."""
        return from_json(self._ask("GET", f"/truth?{urlencode({'host': host})}"))

    def _ask(self, method: str, target: str) -> str:
        connection = HTTPConnection("127.0.0.1", self.info.control, timeout=60)
        try:
            connection.request(method, target)
            response = connection.getresponse()
            text = response.read().decode()
            if response.status == 400:
                told = json.loads(text)
                raise InputError(told["error"], hint=told["hint"])
            return text
        finally:
            connection.close()


@contextmanager
def running_lab(blueprint: Blueprint, *, log_file: Path | None = None) -> Iterator[RunningLab]:
    """In a child process, which also ends when this one dies."""
    command = [sys.executable, "-m", "kiebitz.lab", "--with-parent", *flags(blueprint)]
    if log_file:
        command += ["--log", str(log_file)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603  # our own
    with child:
        try:
            yield RunningLab(blueprint, Info.from_json(_first_line(child)))
        finally:
            child.terminate()
            try:
                child.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()


@contextmanager
def threaded_lab(blueprint: Blueprint, *, log_file: Path | None = None) -> Iterator[RunningLab]:
    """In a thread of this process: quicker to start, but it shares the interpreter with the test."""
    started: Future[tuple[Info, Callable[[], None]]] = Future()

    async def main() -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()

        def announce(info: Info) -> None:
            started.set_result((info, lambda: _tell(loop, stop)))

        await serve(blueprint, announce, stop, log_file=log_file)

    with ThreadPoolExecutor(1, thread_name_prefix="kiebitz-lab") as thread:
        ended = thread.submit(_run_in_new_loop, main)
        either: list[Future[Any]] = [started, ended]
        wait(either, START_SECONDS, FIRST_COMPLETED)
        if ended.done():
            ended.result()
        info, stop = started.result(0)
        try:
            yield RunningLab(blueprint, info)
        finally:
            stop()
            ended.result(STOP_SECONDS)


def _tell(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    loop.call_soon_threadsafe(stop.set)


def _run_in_new_loop(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main())


def _first_line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if select.select([child.stdout], [], [], 0.2)[0]:
            line = child.stdout.readline()
            if line:
                return line
            raise KiebitzError("the lab did not start", hint="its message stands above")
    raise TimedOut("lab", "the lab did not start in time")
