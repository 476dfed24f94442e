"""The real program in a process of its own, as a user starts it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-m", "kiebitz.cli.main")


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str
    raw: bytes = b""  # standard output as it came

    @property
    def json(self) -> Any:
        return json.loads(self.out.splitlines()[-1])

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The caller's, without settings of its own that would leak into the test."""
    return {k: v for k, v in os.environ.items() if not k.startswith("KIEBITZ_")} | dict(extra or {})


def kiebitz(
    home: Path, *args: str, env: Mapping[str, str] | None = None, timeout: float = 180, within: Sequence[str] = ()
) -> Done:
    """``within`` is a command that starts ours, as in ``nsenter …``."""
    done = subprocess.run(
        [*within, *COMMAND, "--home", str(home), *args],
        env=environment(env),
        cwd=home.parent,
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(), done.stdout)


def start(home: Path, *args: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "--home", str(home), *args],
        env=environment(env),
        cwd=home.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@dataclass(frozen=True)
class Program:
    """The program on one home, always with the same settings."""

    home: Path
    env: Mapping[str, str] = field(default_factory=dict)
    within: tuple[str, ...] = ()

    def __call__(self, *args: str, **settings: str) -> Done:
        """``settings`` are given as variables: ``max_tries="1"``."""
        return kiebitz(self.home, *args, env=self._with(settings), timeout=60, within=self.within)

    def at(self, home: Path) -> "Program":
        return replace(self, home=home)

    @contextmanager
    def running(self, *args: str) -> Iterator["Running"]:
        """Under way while the block runs; killed if the block leaves it so."""
        with start(self.home, *args, env=self.env) as process:
            try:
                yield Running(process)
            finally:
                if process.poll() is None:
                    process.kill()

    def _with(self, settings: Mapping[str, str]) -> dict[str, str]:
        return {**self.env, **{f"KIEBITZ_{name.upper()}": value for name, value in settings.items()}}


@dataclass(frozen=True)
class Running:
    process: subprocess.Popen[str]

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def terminate(self) -> None:
        self.process.terminate()

    def first_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def wait(self, seconds: float = 60) -> Done:
        out, err = self.process.communicate(timeout=seconds)
        return Done(self.process.returncode, out, err, out.encode())


def until(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait for something that another process does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
