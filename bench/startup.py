#!/usr/bin/env python3
"""How long from import to the first request?

Kiebitz is started on a fresh home with the address of a socket of ours. When the first bytes of a
request arrive, its whole process tree is stopped and its clocks are read: interpreter, imports,
opening the home, everything that a user waits for before something happens.
"""

import argparse
import contextlib
import os
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import measure, report
from bench.programs import Program, kiebitz
from bench.rig import RigError, cache_folder, workplace

BUDGET_MS = 250
PATIENCE = 30.0  # seconds until we believe that no request will come


@dataclass(frozen=True, slots=True)
class Start:
    """One start, in milliseconds until the first request, and what was asked for."""

    cpu: float
    wall: float
    request: str


def start_once(program: Program, cache: Path) -> Start:
    with workplace(cache, "kiebitz-startup") as (out, log), socket.create_server(("127.0.0.1", 0)) as listener:
        seed = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        job = measure.Job(program.command(seed, out, 1, cache), program.env, log, PATIENCE)
        begin = time.perf_counter()
        with measure.started(job) as process, measure.ending(process.pid) as ended:
            listener.settimeout(0.2)
            while True:
                with contextlib.suppress(TimeoutError):
                    connection, _ = listener.accept()
                    break
                if ended(0) or time.perf_counter() - begin > PATIENCE:
                    raise RigError(f"no request came; see {log}.err")
            with connection:
                connection.settimeout(PATIENCE)
                request = connection.recv(4096)
                wall = time.perf_counter() - begin
                os.killpg(process.pid, signal.SIGSTOP)
                cpu, _ = measure.read_tree(process.pid)
    return Start(1000 * cpu, 1000 * wall, request.split(b"\r\n", 1)[0].decode(errors="replace"))


def starts(program: Program, cache: Path, repeat: int) -> list[Start]:
    """So many starts, after one that fills the caches (compiled modules, files)."""
    start_once(program, cache)
    return [start_once(program, cache) for _ in range(repeat)]


def figures(found: list[Start]) -> dict[str, object]:
    return {
        "repeat": len(found),
        "cpu_ms_min": min(start.cpu for start in found),
        "cpu_ms_median": median(start.cpu for start in found),
        "wall_ms_min": min(start.wall for start in found),
        "wall_ms_median": median(start.wall for start in found),
        "budget_ms": BUDGET_MS,
    }


def as_table(found: list[Start]) -> str:
    def row(name: str, values: list[float]) -> list[str]:
        return [name, *(f"{value:.0f}" for value in (min(values), median(values), max(values)))]

    cells = [row("CPU-ms", [start.cpu for start in found]), row("ms", [start.wall for start in found])]
    return report.table(["until the first request", "min", "median", "max"], cells)


def parse_arguments() -> argparse.Namespace:
    options = report.parser("How long from import to the first request?")
    options.add_argument("--repeat", type=int, default=7)
    return options.parse_args()


def main() -> int:
    arguments = parse_arguments()
    program = kiebitz()
    if program.lacks:
        raise RigError(program.lacks)
    found = starts(program, cache_folder(arguments.cache), arguments.repeat)
    print(f"{arguments.repeat} starts, {time.strftime('%Y-%m-%d')}; first: {found[0].request}\n")
    print(as_table(found))
    print(f"\nat most {BUDGET_MS} CPU-ms wanted")
    if arguments.json:
        print(report.json_line(figures(found)))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RigError as error:
        sys.exit(f"bench/startup.py: {error}")
