#!/usr/bin/env python3
"""Is a change told when, and only when, something has changed?

Every view of a page of the lab differs in clocks, counters, tokens, banners, advertisements and the order of its menu. Each
lab day all sources are looked at. A change that is told although the truth is as it was at the last look is a false alarm;
a truth that is new without a change being told is a miss. Now and then something happens that is no new issue: one is
corrected, replaced, withdrawn or renumbered.
"""

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import report
from bench.rhythm import LabClock, Watcher, watcher
from kiebitz.deploy.tuning import tune
from kiebitz.deploy.watching import Watched, Watching
from kiebitz.lab.calendars import FIRST_DAY
from kiebitz.lab.municipalities import MUNICIPALITIES
from kiebitz.lab.municipalities.truth import TrueMunicipality
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from kiebitz.sources.registry import all_sources

EVENTS = ("correct", "renumber", "withdraw", "replace")
NUMBERLESS = "months"  # a layout whose page shows no numbers, so a new one cannot be seen
EVERY = 5  # days between two events


class Tally(NamedTuple):
    """Of all looks but the first of each source. ``told``: what was said when nothing had changed, and what was not."""

    looks: int
    real: int
    false: int
    missed: int
    broken: int
    requests: int
    told: tuple[str, ...]


async def tally(lab: RunningLab, folder: Path, sources: int, days: int) -> Tally:
    """Over the towns with the smallest archives: what is looked for is not in their size."""
    clock = LabClock()
    clock.set_to(FIRST_DAY)
    watch = watcher(lab, folder, clock)
    smallest = sorted(lab.truth(), key=lambda town: len(town.documents))[:sources]
    truth = {town.name: town for town in smallest}
    towns = [town for town in MUNICIPALITIES if town.name in truth]
    await watch.add(towns, {town.host: town.entry[0] for town in smallest}, "every day", clock.utc())
    await look(watch)
    figures: Counter[str] = Counter()
    told: list[str] = []
    for number in range(1, days + 1):
        clock.set_to(FIRST_DAY + timedelta(days=number))
        lab.advance(1)
        events = _happen(lab, list(truth.values()), number)
        now = {town.name: town for town in lab.truth() if town.name in truth}
        for seen in await look(watch):
            name = seen.source.name
            verdict = _judge(seen, truth[name], now[name], events.get(name, ""))
            figures[verdict] += 1
            if verdict in ("false", "missed", "broken"):
                told.append(
                    f"day {number}, {name} ({now[name].layout}) {events.get(name, '')}: {verdict}: {_said(seen)}"
                )
        truth = now
    await watch.backend.close()
    real = figures["real"] + figures["missed"]
    false, missed, broken = (figures[name] for name in ("false", "missed", "broken"))
    return Tally(figures.total(), real, false, missed, broken, lab.stats()["requests"], tuple(told))


async def look(watch: Watcher) -> list[Watched]:
    sources = await all_sources(watch.backend.state.sources)
    return await Watching(watch.backend, watch.settings, sources).run(lambda *_: None, lambda _: None)


def _happen(lab: RunningLab, towns: Sequence[TrueMunicipality], number: int) -> dict[str, str]:
    """What happens on this day, and where."""
    if number % EVERY:
        return {}
    turn = number // EVERY
    town, kind = towns[turn % len(towns)], EVENTS[turn % len(EVENTS)]
    lab.event(town.host, kind)
    return {town.name: kind}


def _judge(seen: Watched, before: TrueMunicipality, now: TrueMunicipality, event: str) -> str:
    is_changed = seen.change is not None
    if seen.error:
        return "broken"
    unseen = event == "renumber" and now.layout == NUMBERLESS
    if event == "replace" or unseen:  # whether it is noticed depends on what the server says of its files
        return "real" if is_changed else "quiet"
    if _essence(before) == _essence(now):
        return "false" if is_changed else "quiet"
    return "real" if is_changed else "missed"


def _essence(town: TrueMunicipality) -> set[tuple[object, ...]]:
    return {(document.url, document.form, document.label) for document in town.documents}


def _said(seen: Watched) -> str:
    if seen.error or not seen.change:
        return seen.error or "no change"
    change = seen.change
    parts = [f"+ {item.label}" for item in change.new] + [f"- {item.label}" for item in change.gone]
    return "; ".join([*parts, *(f"~ {old.label} → {young.label}" for old, young in change.changed)])[:300]


def main() -> int:
    options = report.parser(__doc__.splitlines()[0])
    options.add_argument("--sources", type=int, default=20)
    options.add_argument("--days", type=int, default=1000)
    given = options.parse_args()
    tune()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_lab(Blueprint(municipalities=50, noise=True)) as lab,
    ):
        found = asyncio.run(tally(lab, Path(folder) / "home", given.sources, given.days))
    for line in found.told[:50]:
        print(line)
    cells = (found.looks, found.real, found.false, found.missed, found.broken, found.requests)
    header = ("sources × days", "looks", "real changes", "false alarms", "missed", "broken", "requests")
    print(report.table(header, [(f"{given.sources} × {given.days}", *(f"{cell:,}" for cell in cells))]))
    if given.json:
        print(
            report.json_line({**found._asdict(), "told": len(found.told), "sources": given.sources, "days": given.days})
        )
    return 0 if not found.told else 1


if __name__ == "__main__":
    sys.exit(main())
