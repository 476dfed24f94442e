"""The web that is crawled: builds webrig (web/*.c) once and controls a running one.

It lives on 127.0.0.0/8 only. Where a compiler is missing, or the system is not Linux, RigError says
what to do.
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bench.measure import Cost, read_clock

SOURCES = Path(__file__).parent / "web"
PORTS = range(8810, 8850)
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class RigError(Exception):
    """The measurement cannot be made here; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Counters:
    """What the web has answered since the last reset."""

    req: int
    distinct: int
    dup: int
    robots: int
    denied: int
    other: int
    conns: int
    bytes: int
    gz: int


def faults(cost: Cost, counters: Counters, expected: int) -> str:
    """What a complete and polite crawl would not have; empty for a valid one."""
    numbers = {
        "lacking": expected - counters.distinct,
        "dup": counters.dup,
        "denied": counters.denied,
        "other": counters.other,
        "exit": 0 if cost.timed_out else cost.code,
    }
    found = [f"{name} {number}" for name, number in numbers.items() if number]
    return ", ".join([*found, "timeout"] if cost.timed_out else found)


def cache_folder(chosen: Path | None = None) -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = chosen or Path(os.environ.get("KIEBITZ_BENCH_CACHE") or f"{home}/kiebitz-bench")
    folder = folder.expanduser().absolute()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def workplace(cache: Path, program: str) -> Iterator[tuple[Path, Path]]:
    """A fresh folder for what a program stores, removed afterwards, and where its log goes."""
    out, logs = cache / "out" / f"{program}-{os.getpid()}", cache / "logs"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    logs.mkdir(exist_ok=True)
    try:
        yield out, logs / program
    finally:
        shutil.rmtree(out)


def build(cache: Path) -> Path:
    """The server's binary, compiled if its sources have changed."""
    if sys.platform != "linux":
        raise RigError(
            "the rig needs Linux (epoll, /proc and all of 127.0.0.0/8); on another system run it in a container"
        )
    sources = sorted(SOURCES.glob("*.c"))
    text = b"".join(path.read_bytes() for path in sorted(SOURCES.iterdir()))
    binary = cache / f"webrig-{hashlib.sha256(text).hexdigest()[:12]}"
    if binary.exists():
        return binary
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        raise RigError("no C compiler found for bench/web: install gcc or clang, or name one in CC")
    fresh = binary.with_suffix(f".{os.getpid()}")
    done = subprocess.run([compiler, "-O2", "-o", fresh, *sources, "-lz"], capture_output=True, text=True, check=False)
    if done.returncode:
        hint = "; install the headers of zlib (zlib1g-dev, zlib-devel)" if "zlib" in done.stderr else ""
        raise RigError(f"{compiler} cannot build bench/web{hint}:\n{done.stderr}")
    fresh.replace(binary)
    return binary


class Web:
    """A running web of `hosts` × `pages` pages, on the first port that is free on all its addresses."""

    def __init__(self, cache: Path, hosts: int, pages: int, *, gzip: bool = False) -> None:
        self.hosts, self.pages = hosts, pages
        binary = build(cache)
        for port in PORTS:
            command = [str(binary), "-p", str(port), "-H", str(hosts), "-P", str(pages), *(["-z"] if gzip else [])]
            self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            assert self.process.stderr
            said = self.process.stderr.readline()
            if said.startswith("webrig:"):
                self.seed = f"http://127.0.1.1:{port}/"
                return
            self.close()
            if "in use" not in said:
                break
        raise RigError(f"the web does not start: {said.strip()}")

    @property
    def size(self) -> int:
        return self.hosts * self.pages

    def counters(self) -> Counters:
        return Counters(**json.loads(self._ask("__stats")))

    def reset(self) -> None:
        self._ask("__reset")

    def cpu(self) -> float:
        return read_clock(self.process.pid)

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, what: str) -> bytes:
        with DIRECT.open(self.seed + what, timeout=30) as answer:
            body: bytes = answer.read()
            return body
