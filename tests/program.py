"""The real program in a process of its own, as a user starts it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-m", "kiebitz.cli.main")


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out.splitlines()[-1])

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The caller's, without settings of its own that would leak into the test."""
    return {k: v for k, v in os.environ.items() if not k.startswith("KIEBITZ_")} | dict(extra or {})


def kiebitz(home: Path, *args: str, env: Mapping[str, str] | None = None, timeout: float = 180) -> Done:
    done = subprocess.run(
        [*COMMAND, "--home", str(home), *args],
        env=environment(env),
        cwd=home.parent,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def start(home: Path, *args: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "--home", str(home), *args],
        env=environment(env),
        cwd=home.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
