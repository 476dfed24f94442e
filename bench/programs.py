"""The programs that are compared, and how each is called for the same job.

The job: start at one front page, follow links to every host of the rig, obey robots.txt, leave
.pdf, .jpg and .zip alone, store every page. A peer is a few lines under peers/ in its own idiom.
"""

import os
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from bench.measure import clean_environment

PEERS = Path(__file__).parent / "peers"
INCLUDE = "^http://127[.]0[.]"
EXCLUDE = "[.](pdf|jpg|zip)$"


@dataclass(frozen=True, slots=True)
class Program:
    """A command with {seed}, {out}, {hosts}, {cache} and {peers} to fill in."""

    name: str
    template: tuple[str, ...]
    lacks: str = ""  # why it cannot run here, and what to do
    env: dict[str, str] = field(default_factory=clean_environment)

    def command(self, seed: str, out: Path, hosts: int, cache: Path) -> list[str]:
        places = {"seed": seed, "out": str(out), "hosts": str(hosts), "cache": str(cache), "peers": str(PEERS)}
        return [part.format_map(places) for part in self.template]


# name: (what peers/setup installs or the system provides, command)
TABLE = {
    "scrapy-idiomatic": ("scrapy", "{cache}/scrapy/bin/python {peers}/scrapy_peer.py {seed} {out} idiomatic"),
    "scrapy-tuned": ("scrapy", "{cache}/scrapy/bin/python {peers}/scrapy_peer.py {seed} {out} tuned"),
    "scrapy-tuned-aiohttp": ("scrapy", "{cache}/scrapy/bin/python {peers}/scrapy_peer.py {seed} {out} tuned-aiohttp"),
    "crawlee-py": ("crawlee-py", "{cache}/crawlee-py/bin/python {peers}/crawlee_peer.py {seed} {out}"),
    "crawlee-js": ("crawlee-js", "node {peers}/crawlee_cheerio.mjs {seed} {out} {cache}/crawlee-js"),
    "spider-rs-perhost": ("spider-rs", "node {peers}/spider_rs.cjs {seed} {out} {cache}/spider-rs perhost {hosts}"),
    "spider-rs-multi": ("spider-rs", "node {peers}/spider_rs.cjs {seed} {out} {cache}/spider-rs multi {hosts}"),
    "wget": ("wget", "{peers}/wget {seed} {out}"),
    "wget2": ("wget2", "{peers}/wget2 {seed} {out}"),
}
DEFAULT_PEERS = ("scrapy-tuned-aiohttp", "spider-rs-perhost", "spider-rs-multi")


def kiebitz() -> Program:
    """Kiebitz as a user calls it; KIEBITZ names another one than this clone's."""
    chosen = os.environ.get("KIEBITZ") or shlex.quote(str(Path(__file__).parents[1] / ".venv/bin/kiebitz"))
    program = shlex.split(chosen)
    limits = ["--scope", "any", "--depth", "-1", "--max-pages", "0", "--max-per-host", "0", "--delay", "0"]
    patterns = ["--include", INCLUDE, "--exclude", EXCLUDE]
    return Program(
        "kiebitz",
        (*program, "--home", "{out}", "crawl", "{seed}", *limits, *patterns, "--json"),
        lacks="" if shutil.which(program[0]) else f"{program[0]} is not there; run make install or set KIEBITZ",
        env=clean_environment() | {"KIEBITZ_ALLOW_NETWORKS": "127.0.0.0/8"},
    )


def peer(name: str, cache: Path) -> Program:
    provider, command = TABLE[name]
    if provider in {"wget", "wget2"}:
        lacks = "" if shutil.which(provider) else f"{provider} is not installed on this system"
    else:
        lacks = "" if (cache / provider / "installed").exists() else f"run bench/peers/setup {provider}"
    return Program(name, tuple(command.split()), lacks)
