#!/usr/bin/env python3
"""Does the schedule `auto` find new issues within a day, with a third of the requests of daily polling?

The lab's municipalities publish by their calendars; the clock of the program moves with the lab's, a day at a time. Each
evening the sources that are due are run, as `kiebitz run --due` would, on a home of SQLite. After the weeks of learning
the same days are also polled daily with a second home. What was found when is compared with the truth by content, the
requests are counted by the lab.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import report
from kiebitz.adapters.local.clock import SystemClock
from kiebitz.deploy.backends import Backend, open_backend
from kiebitz.deploy.exporting import each_document
from kiebitz.deploy.tuning import tune
from kiebitz.deploy.watching import Watching
from kiebitz.lab.calendars import FIRST_DAY
from kiebitz.lab.municipalities import MUNICIPALITIES
from kiebitz.lab.municipalities.places import Municipality
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from kiebitz.model.source import Source, source_id
from kiebitz.settings import Settings, load
from kiebitz.sources.agenda import turn_of
from kiebitz.sources.registry import all_sources

ZONE = ZoneInfo("Europe/Berlin")
EVENING = timedelta(hours=20, minutes=30)
DELAY = 0.005
WANTED = {"found_within_day": 0.95, "request_ratio": 1 / 3}


class LabClock(SystemClock):
    """The machine's clock, set to the evening of a day of the lab; it runs on from there."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def set_to(self, day: date) -> None:
        evening = datetime.combine(day, datetime.min.time(), ZONE) + EVENING
        self._ahead = evening.timestamp() - time.time()

    def now(self) -> float:
        return time.time() + self._ahead

    def utc(self) -> datetime:
        return datetime.fromtimestamp(self.now(), UTC)


@dataclass
class Watcher:
    """A home that watches all towns, and what that cost: looks and requests by town, in the measured days only."""

    backend: Backend
    settings: Settings
    looks: Counter[str] = field(default_factory=Counter)
    requests: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)

    async def add(self, towns: Sequence[Municipality], entries: dict[str, str], schedule: str, at: datetime) -> None:
        for town in towns:
            url = entries[town.host]
            source = Source(source_id(url), town.name, (url,), schedule=schedule, created_at=at)
            await self.backend.state.sources.put(source)

    async def due(self) -> list[Source]:
        now = self.backend.clock.utc()
        return [each for each in await all_sources(self.backend.state.sources) if turn_of(each, now).is_due(now)]

    async def look(self, lab: RunningLab, sources: Sequence[Source], hosts: dict[str, str], *, counted: bool) -> None:
        if not sources:
            return
        before = lab.stats()["requests"]
        watched = await Watching(self.backend, self.settings, sources).run(lambda *_: None, lambda _: None)
        if not counted:
            return
        self.looks.update(source.name for source in sources)
        self.requests.update(hosts[entry.host] for entry in lab.log(before))
        self.errors.update(each.source.name for each in watched if each.error)


@dataclass
class Measured:
    """What came out, by town: issues that came, and the days after which each was found (None: never)."""

    auto: Watcher
    daily: Watcher
    days: int
    polled: int
    delays: dict[str, list[int | None]]
    learning: int  # requests of ``auto`` before


async def measure(lab: RunningLab, folder: Path, towns: Sequence[Municipality], given: argparse.Namespace) -> Measured:
    clock = LabClock()
    clock.set_to(FIRST_DAY)
    auto, daily = (watcher(lab, folder / name, clock) for name in ("auto", "daily"))
    hosts = {host: town.name for town in towns for host in (town.host, town.server)}
    entries = {town.host: town.entry[0] for town in lab.truth()}
    await auto.add(towns, entries, "auto", clock.utc())
    await daily.add(towns, entries, "every day", clock.utc())
    learn, total = 7 * given.learn, 7 * (given.learn + given.measure)
    polled = range(learn, min(learn + 7 * given.daily, total))
    learning = 0
    for number in range(total):
        clock.set_to(FIRST_DAY + timedelta(days=number))
        await auto.look(lab, await auto.due(), hosts, counted=number >= learn)
        if number == learn - 1:
            learning = lab.stats()["requests"]
            await daily.look(lab, await all_sources(daily.backend.state.sources), hosts, counted=False)
        if number in polled:
            await daily.look(lab, await all_sources(daily.backend.state.sources), hosts, counted=True)
        if sys.stderr.isatty() or number % 7 == 6:
            print(f"day {number + 1} of {total}", file=sys.stderr, end="\r" if sys.stderr.isatty() else "\n")
        lab.advance(1)
    span = (FIRST_DAY + timedelta(days=learn), FIRST_DAY + timedelta(days=total - 2))
    delays = await found_after(lab, auto.backend, *span)
    await auto.backend.close()
    await daily.backend.close()
    return Measured(auto, daily, total - learn, len(polled), delays, learning)


def watcher(lab: RunningLab, home: Path, clock: LabClock) -> Watcher:
    flags = {"home": home, "resolve": lab.resolve, "delay": DELAY, "patience": 5.0}
    settings = load(flags, {"HOME": str(home)}, home.parent)
    return Watcher(open_backend(settings, clock), settings)


async def found_after(lab: RunningLab, backend: Backend, first: date, last: date) -> dict[str, list[int | None]]:
    """By town, the days from the publication of each document to its first sight; the truth is matched by content."""
    delays: dict[str, list[int | None]] = {}
    for town in lab.truth():
        source = await backend.state.sources.get(town.name)
        seen = {
            document.sha256: document.first_seen.astimezone(ZONE).date()
            async for document in each_document(backend, source.id)
        }
        came = [document for document in town.documents if first <= document.date <= last]
        delays[town.name] = [
            (seen[document.sha256] - document.date).days if document.sha256 in seen else None for document in came
        ]
    return delays


def in_time(delays: Sequence[int | None]) -> int:
    return sum(delay is not None and delay <= 1 for delay in delays)


def table(towns: Sequence[Municipality], measured: Measured) -> str:
    classes: dict[str, list[str]] = {}
    for town in towns:
        name = " and ".join(sorted({paper.pace.value for paper in town.papers}))
        classes.setdefault(name, []).append(town.name)
    rows = [row(name, names, measured) for name, names in sorted(classes.items())]
    rows.append(row("all", [town.name for town in towns], measured))
    header = (
        "rhythm",
        "sources",
        "new",
        "same day",
        "within a day",
        "never",
        "looks a week",
        "requests",
        "daily",
        "ratio",
    )
    return report.table(header, rows)


def row(name: str, towns: Sequence[str], measured: Measured) -> tuple[str, ...]:
    delays = [delay for town in towns for delay in measured.delays[town]]
    looks = sum(measured.auto.looks[town] for town in towns) * 7 / measured.days / len(towns)
    auto, daily = costs(towns, measured)
    return (
        name,
        str(len(towns)),
        str(len(delays)),
        f"{sum(delay == 0 for delay in delays) / max(len(delays), 1):.1%}",
        f"{in_time(delays) / max(len(delays), 1):.1%}",
        str(delays.count(None)),
        f"{looks:.2f}",
        f"{auto:,.0f}",
        f"{daily:,.0f}",
        f"{auto / max(daily, 1):.3f}",
    )


def costs(towns: Sequence[str], measured: Measured) -> tuple[float, float]:
    """Requests of ``auto`` in the measured days, and of daily polling in as many."""
    auto = sum(measured.auto.requests[town] for town in towns)
    daily = sum(measured.daily.requests[town] for town in towns)
    return auto, daily * measured.days / measured.polled


def figures(towns: Sequence[Municipality], measured: Measured) -> dict[str, object]:
    delays = [delay for town in measured.delays.values() for delay in town]
    names = [town.name for town in towns]
    auto, daily = costs(names, measured)
    return {
        "found_within_day": in_time(delays) / max(len(delays), 1),
        "request_ratio": auto / max(daily, 1),
        "look_ratio": sum(measured.auto.looks.values()) / (len(towns) * measured.days),
        "sources": len(towns),
        "new_issues": len(delays),
        "days": measured.days,
        "days_polled_daily": measured.polled,
        "requests_auto": auto,
        "requests_daily": daily,
        "requests_learning": measured.learning,
        "looks_with_errors": sum(measured.auto.errors.values()),
    }


def parse_arguments() -> argparse.Namespace:
    options = report.parser("Does auto find new issues within a day, with a third of the requests of daily polling?")
    options.add_argument("--sites", type=int, default=50, help="how many of the fifty")
    options.add_argument("--learn", type=int, default=8, help="weeks before anything is measured")
    options.add_argument("--measure", type=int, default=12, help="weeks that are measured")
    options.add_argument("--daily", type=int, default=2, help="of those, weeks that are really polled daily")
    options.add_argument(
        "--quick", action="store_true", help="12 sites, 3 weeks of learning, 3 measured, 1 polled daily"
    )
    given = options.parse_args()
    if given.quick:
        given.sites, given.learn, given.measure, given.daily = 12, 3, 3, 1
    return given


def main() -> int:
    given = parse_arguments()
    tune()
    towns = MUNICIPALITIES[: given.sites]
    with tempfile.TemporaryDirectory() as folder, running_lab(Blueprint(municipalities=given.sites)) as lab:
        measured = asyncio.run(measure(lab, Path(folder), towns, given))
    print(table(towns, measured))
    result = figures(towns, measured)
    print(
        f"\nafter {given.learn} weeks of learning; daily polling measured on {measured.polled} of {measured.days} days"
    )
    late = {town: delays for town, delays in measured.delays.items() if in_time(delays) < len(delays)}
    for town, delays in late.items():
        print(
            f"late: {town}, found after {', '.join('never' if d is None else str(d) for d in delays if d is None or d > 1)} days"
        )
    if given.json:
        print(report.json_line(result))
    good = in_time_share(result) >= WANTED["found_within_day"] and ratio(result) <= WANTED["request_ratio"]
    return 0 if good else 1


def in_time_share(result: dict[str, object]) -> float:
    return float(str(result["found_within_day"]))


def ratio(result: dict[str, object]) -> float:
    return float(str(result["request_ratio"]))


if __name__ == "__main__":
    sys.exit(main())
