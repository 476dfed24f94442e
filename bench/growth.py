#!/usr/bin/env python3
"""Does a page cost the same after 100,000 pages?

One long crawl, watched: CPU per page of the first tenth beside that of the rest, and the memory
beside what is allowed: 150 MB and 100 bytes per known URL. The first tenth includes the start-up,
the rest the ending.
"""

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import measure, report
from bench.programs import Program, kiebitz
from bench.rig import RigError, Web, cache_folder, faults, workplace

EVERY = 0.5  # seconds between two points of the curve
BASE_BYTES = 150_000_000
BYTES_PER_URL = 100


@dataclass(frozen=True, slots=True)
class Point:
    pages: int
    cpu: float
    rss: int


@dataclass(frozen=True, slots=True)
class Growth:
    """One watched crawl; CPU in milliseconds per page."""

    first: float
    rest: float
    peak: int
    known: int
    early: int  # resident bytes when the first hundredth of the pages was there
    faults: str
    seconds: float

    @property
    def ratio(self) -> float:
        return self.rest / self.first

    @property
    def allowed(self) -> int:
        return BASE_BYTES + BYTES_PER_URL * self.known

    @property
    def bytes_per_url(self) -> float:
        return max(0, self.peak - self.early) / max(1, self.known)


class Curve:
    """What a crawl had cost at each number of pages."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.points = [Point(0, 0.0, 0)]
        self.next_at = 0.0

    def watch(self, reading: measure.Reading) -> None:
        if reading.seconds >= self.next_at:
            self.next_at = reading.seconds + EVERY
            self.points.append(Point(self.web.counters().distinct, reading.cpu, reading.rss))

    def at(self, pages: int) -> Point:
        """Between two points the costs are taken to grow evenly."""
        for before, after in pairwise(self.points):
            if before.pages <= pages < after.pages:
                share = (pages - before.pages) / (after.pages - before.pages)
                cpu = before.cpu + share * (after.cpu - before.cpu)
                return Point(pages, cpu, round(before.rss + share * (after.rss - before.rss)))
        return self.points[-1]


def count_known(program: Program, home: Path) -> int:
    """The lines of `kiebitz urls --json`, or 0 if it does not answer."""
    start = program.template[: program.template.index("--home")]
    command = [*start, "--home", str(home), "urls", "--json"]
    with subprocess.Popen(command, env=program.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as listing:
        assert listing.stdout
        return sum(1 for _ in listing.stdout)


def grow(program: Program, web: Web, cache: Path, limit: float) -> Growth:
    curve = Curve(web)
    with workplace(cache, "kiebitz-growth") as (out, log):
        web.reset()
        job = measure.Job(program.command(web.seed, out, web.hosts, cache), program.env, log, limit)
        cost = measure.run(job, curve.watch)
        counters = web.counters()
        known = max(counters.distinct, count_known(program, out))
    curve.points.append(Point(counters.distinct, cost.cpu, curve.points[-1].rss))
    tenth = max(1, web.size // 10)
    first = curve.at(tenth)
    return Growth(
        first=1000 * first.cpu / max(1, first.pages),
        rest=1000 * (cost.cpu - first.cpu) / max(1, counters.distinct - first.pages),
        peak=cost.rss,
        known=known,
        early=curve.at(tenth // 10).rss,
        faults=faults(cost, counters, web.size),
        seconds=cost.wall,
    )


def as_table(rounds: list[Growth], tenth: int) -> str:
    costs = [f"CPU-ms/page to {tenth:,}", "after", "ratio"]
    header = ["round", *costs, "peak MB", "allowed MB", "known URLs", "bytes/URL", "s", "valid"]
    return report.table(header, [as_row(number, growth) for number, growth in enumerate(rounds, 1)])


def as_row(number: int, growth: Growth) -> list[str]:
    return [
        str(number),
        f"{growth.first:.3f}",
        f"{growth.rest:.3f}",
        f"{growth.ratio:.2f}",
        f"{growth.peak / 1e6:.0f}",
        f"{growth.allowed / 1e6:.0f}",
        f"{growth.known:,}",
        f"{growth.bytes_per_url:.0f}",
        f"{growth.seconds:.0f}",
        growth.faults or "yes",
    ]


def figures(rounds: list[Growth], size: int) -> dict[str, object]:
    return {
        "pages": size,
        "rounds": len(rounds),
        "valid": not any(growth.faults for growth in rounds),
        "cpu_ms_first": median(growth.first for growth in rounds),
        "cpu_ms_rest": median(growth.rest for growth in rounds),
        "ratio": median(growth.ratio for growth in rounds),
        "rss_mb": median(growth.peak for growth in rounds) / 1e6,
        "rss_allowed_mb": median(growth.allowed for growth in rounds) / 1e6,
        "known_urls": median(growth.known for growth in rounds),
        "bytes_per_url": median(growth.bytes_per_url for growth in rounds),
    }


def parse_arguments() -> argparse.Namespace:
    options = report.parser("Does a page cost the same after 100,000 pages?")
    options.add_argument("--hosts", type=int, default=200)
    options.add_argument("--pages", type=int, default=500, help="pages per host")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--limit", type=float, default=1800, help="seconds that a crawl may take")
    return options.parse_args()


def main() -> int:
    arguments = parse_arguments()
    cache = cache_folder(arguments.cache)
    program = kiebitz()
    if program.lacks:
        raise RigError(program.lacks)
    with Web(cache, arguments.hosts, arguments.pages) as web:
        rounds = [grow(program, web, cache, arguments.limit) for _ in range(arguments.rounds)]
        size = web.size
    print(f"{arguments.hosts} hosts × {arguments.pages} pages, {time.strftime('%Y-%m-%d')}\n")
    print(as_table(rounds, size // 10))
    found = figures(rounds, size)
    print(f"\nmedian ratio {found['ratio']:.2f}, at most 1.2 wanted")
    if arguments.json:
        print(report.json_line(found))
    return 0 if found["valid"] else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RigError as error:
        sys.exit(f"bench/growth.py: {error}")
