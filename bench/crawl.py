#!/usr/bin/env python3
"""What does a page cost, beside Scrapy and spider-rs?

Every program crawls the same web on loopback, in alternating rounds; CPU seconds of the whole
process tree, start-up included. A run counts only if it is valid: every page once, nothing that
robots.txt forbids, nothing that does not exist. Kiebitz must be valid; a peer that is not is shown
with its faults.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import measure, report
from bench.programs import DEFAULT_PEERS, TABLE, Program, kiebitz, peer
from bench.rig import Counters, RigError, Web, cache_folder, faults, workplace


@dataclass(frozen=True, slots=True)
class Row:
    """One measured crawl."""

    program: str
    cost: measure.Cost
    counters: Counters
    stored: int
    expected: int
    web_cpu: float

    @property
    def cpu_per_1k(self) -> float:
        return 1000 * self.cost.cpu / max(1, self.counters.distinct)

    @property
    def pages_per_second(self) -> float:
        return self.counters.distinct / self.cost.wall

    @property
    def complete(self) -> bool:
        """It fetched everything, so that its cost can be compared, even if it was not polite."""
        return self.counters.distinct == self.expected and not self.cost.timed_out

    @property
    def faults(self) -> str:
        return faults(self.cost, self.counters, self.expected)


def crawl(program: Program, web: Web, cache: Path, limit: float) -> Row:
    with workplace(cache, program.name) as (out, log):
        command = program.command(web.seed, out, web.hosts, cache)
        web.reset()
        before = web.cpu()
        cost = measure.run(measure.Job(command, program.env, log, limit))
        web_cpu = web.cpu() - before
        return Row(program.name, cost, web.counters(), measure.stored_bytes(out), web.size, web_cpu)


def say(row: Row, turn: int) -> None:
    cost = row.cost
    print(
        f"round {turn} {row.program:22} {row.cpu_per_1k:6.2f} CPU-s/1k  {row.pages_per_second:6.0f} pages/s  "
        f"{cost.rss / 1e6:5.0f} MB  web {row.web_cpu:.2f} CPU-s  {row.faults or 'valid'}",
        file=sys.stderr,
        flush=True,
    )


def ratio(rows: Sequence[Row], own: Sequence[Row]) -> float | None:
    """How many times Kiebitz' CPU a program takes; None if either did not do the whole job."""
    if not (rows and own and all(row.complete for row in (*rows, *own))):
        return None
    return median(row.cpu_per_1k for row in rows) / median(row.cpu_per_1k for row in own)


def as_table(runs: dict[str, list[Row]]) -> str:
    header = [
        "program",
        "CPU-s per 1,000 pages",
        "× kiebitz",
        "pages/s",
        "peak MB",
        "stored MB",
        "connections",
        "valid",
    ]
    cells = []
    for name, rows in sorted(runs.items(), key=lambda item: median(row.cpu_per_1k for row in item[1])):
        factor = ratio(rows, runs.get("kiebitz", []))
        cells.append(
            [
                name,
                report.spread([row.cpu_per_1k for row in rows]),
                f"{factor:.2f}" if factor else "–",
                report.spread([row.pages_per_second for row in rows], 0),
                f"{median(row.cost.rss for row in rows) / 1e6:.0f}",
                f"{median(row.stored for row in rows) / 1e6:.0f}",
                f"{median(row.counters.conns for row in rows):.0f}",
                next((row.faults for row in rows if row.faults), "yes"),
            ]
        )
    return report.table(header, cells)


def cheapest(runs: dict[str, list[Row]], family: str) -> list[Row]:
    """The rows of the family's best member, so that no ratio profits from a poor configuration."""
    members = [rows for name, rows in runs.items() if name.startswith(family) and all(row.complete for row in rows)]
    return min(members, key=lambda rows: median(row.cpu_per_1k for row in rows), default=[])


def figures(runs: dict[str, list[Row]], arguments: argparse.Namespace) -> dict[str, object]:
    own = runs.get("kiebitz", [])
    found: dict[str, object] = {"hosts": arguments.hosts, "pages": arguments.pages, "rounds": arguments.rounds}
    found["valid"] = bool(own) and not any(row.faults for row in own)
    for key, rows in (("kiebitz", own), ("scrapy", cheapest(runs, "scrapy")), ("spider", cheapest(runs, "spider-rs"))):
        found[f"{key}_cpu_per_1k"] = median(row.cpu_per_1k for row in rows) if rows else None
        if key != "kiebitz":
            found[f"ratio_{key}"] = ratio(rows, own)
    found["pages_per_second"] = median(row.pages_per_second for row in own) if own else None
    found["rss_mb"] = median(row.cost.rss for row in own) / 1e6 if own else None
    found["stored_mb"] = median(row.stored for row in own) / 1e6 if own else None
    found["cpu_per_1k"] = {name: round(median(row.cpu_per_1k for row in rows), 4) for name, rows in runs.items()}
    found["faults"] = {name: rows[-1].faults for name, rows in runs.items() if rows[-1].faults}
    return found


def parse_arguments() -> argparse.Namespace:
    options = report.parser("What does a page cost, beside Scrapy and spider-rs?")
    options.add_argument("--hosts", type=int, default=100)
    options.add_argument("--pages", type=int, default=20, help="pages per host")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--peers", default=",".join(DEFAULT_PEERS), help=f"all, none, or some of {','.join(TABLE)}")
    options.add_argument("--gzip", action="store_true", help="the web compresses for clients that accept it")
    options.add_argument("--limit", type=float, default=600, help="seconds that a crawl may take")
    arguments = options.parse_args()
    names = {"all": list(TABLE), "none": []}.get(arguments.peers, arguments.peers.split(","))
    unknown = [name for name in names if name not in TABLE]
    if unknown:
        options.error(f"unknown peers: {', '.join(unknown)}")
    arguments.peers = names
    return arguments


def main() -> int:
    arguments = parse_arguments()
    cache = cache_folder(arguments.cache)
    programs = [kiebitz(), *(peer(name, cache) for name in arguments.peers)]
    for program in programs:
        if program.lacks:
            print(f"{program.name} is missing and left out: {program.lacks}", file=sys.stderr)
    present = [program for program in programs if not program.lacks]
    runs: dict[str, list[Row]] = {program.name: [] for program in present}
    with Web(cache, arguments.hosts, arguments.pages, gzip=arguments.gzip) as web:
        for turn in range(1, arguments.rounds + 1):
            for program in present:
                row = crawl(program, web, cache, arguments.limit)
                runs[program.name].append(row)
                say(row, turn)
    print(
        f"{arguments.hosts} hosts × {arguments.pages} pages, {arguments.rounds} rounds, {time.strftime('%Y-%m-%d')}\n"
    )
    print(as_table(runs))
    found = figures(runs, arguments)
    if arguments.json:
        print(report.json_line(found))
    return 0 if found["valid"] else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RigError as error:
        sys.exit(f"bench/crawl.py: {error}")
