"""A crawl of a web whose truth is known: everything allowed once, nothing forbidden, never too fast.

Small in ``make test``; 200 hosts x 100 pages with KIEBITZ_FAULTS=1, that is ``make faults``.
"""

import os
from pathlib import Path

import pytest

from kiebitz.lab.log import most_at_once, repeated, smallest_gaps
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests.program import Done, kiebitz

FULL = bool(os.environ.get("KIEBITZ_FAULTS"))
HOSTS, PAGES, DELAY = (200, 100, 0.05) if FULL else (30, 30, 0.03)
SKEW = 0.005  # we may have the answer's last byte before the server's clock says that it was sent
EVERYTHING = ("--scope", "any", "--depth", "-1", "--max-pages", "0", "--max-per-host", "0", "--json")


def crawl(lab: RunningLab, home: Path, delay: float) -> Done:
    done = kiebitz(
        home, "crawl", *lab.seeds, *EVERYTHING, "--delay", str(delay), env={"KIEBITZ_RESOLVE": lab.resolve}, timeout=600
    )
    assert done.code == 0, done.err
    return done


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_reachable_allowed_page_is_fetched_exactly_once_and_delays_are_obeyed(tmp_path: Path) -> None:
    with running_lab(Blueprint(hosts=HOSTS, pages=PAGES, seed=11)) as lab:
        crawl(lab, tmp_path / "home", DELAY)
        log = lab.log()
        truth = lab.graph
        asked = {entry.url for entry in log if entry.target != "/robots.txt"}
        assert asked == set(truth.visited(truth.start))
        assert not asked & set(truth.forbidden())
        assert not repeated(log)
        for host, gap in smallest_gaps(log).items():
            assert gap >= max(DELAY, truth.crawl_delay(host) or 0.0) - SKEW, host
        assert set(most_at_once(log, lambda entry: entry.host).values()) == {1}
        assert lab.stats()["strays"] == 0


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_dripping_hosts_hold_up_nobody_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With one host in ten dripping, the others end less than a tenth later (and a second, for the noise of a machine)."""
    ends = {}
    for dripping in (0.0, 0.1):
        with running_lab(Blueprint(hosts=HOSTS, pages=PAGES, seed=12, dripping=dripping, drip_seconds=1.0)) as lab:
            slow = set(lab.graph.dripping)
            seeds = lab.seeds
            home = tmp_path / str(dripping)
            kiebitz(
                home, "crawl", *seeds, *EVERYTHING, "--delay", str(DELAY), "--max-per-host", "0",
                env={"KIEBITZ_RESOLVE": lab.resolve}, timeout=600,
            )  # fmt: skip
            log = lab.log()
            first = min(entry.start for entry in log)
            quick = [entry for entry in log if entry.host not in slow]
            assert quick
            ends[dripping] = max(entry.end for entry in quick) - first
    with capsys.disabled():
        print(f"\nothers done after {ends[0.0]:.2f} s, with dripping hosts after {ends[0.1]:.2f} s")
    assert ends[0.1] < ends[0.0] * 1.1 + (0.0 if FULL else 1.0)
