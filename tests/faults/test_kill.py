"""Kill -9 at random moments and resume: nothing is lost, nothing is there twice.

Small in ``make test``; the full size (30 kills) runs with KIEBITZ_FAULTS=1, that is ``make faults``.
"""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests.program import kiebitz, start

FULL = bool(os.environ.get("KIEBITZ_FAULTS"))
KILLS, HOSTS, PAGES = (30, 60, 60) if FULL else (6, 20, 25)
CRAWL = ("--scope", "any", "--depth", "-1", "--max-pages", "0", "--max-per-host", "0", "--delay", "0.01", "--json")


def settled(home: Path) -> dict[str, int]:
    """Fetched requests with their number of captures, as the frontier file has them."""
    sql = sqlite3.connect(home / "frontier.db")
    try:
        rows = sql.execute(
            "select r.url, (select count(*) from capture c where c.host = r.host and c.key = r.key)"
            " from request r where r.state in (2, 3)"
        ).fetchall()
    finally:
        sql.close()
    return dict(rows)


def fetched(lab: RunningLab) -> Counter[str]:
    return Counter(
        f"http://{entry.host}{entry.target}" for entry in lab.log() if entry.target != "/robots.txt" and entry.complete
    )


def bundles(home: Path) -> list[Path]:
    return sorted(home.rglob("*.warc.gz"))


def warc_targets(home: Path) -> Counter[str]:
    from warcio.archiveiterator import ArchiveIterator

    found: Counter[str] = Counter()
    for path in bundles(home):
        with path.open("rb") as file:
            found.update(
                record.rec_headers.get_header("WARC-Target-URI")
                for record in ArchiveIterator(file)
                if record.rec_type == "response"
            )
    return found


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_at_random_moments_a_crawl_loses_nothing_and_keeps_nothing_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    rng = random.Random(20261115)
    refetched = 0
    restarts = []
    with running_lab(Blueprint(hosts=HOSTS, pages=PAGES, seed=7)) as lab:
        env = {"KIEBITZ_RESOLVE": lab.resolve, "KIEBITZ_PER_ADDRESS": "64"}
        kills = 0
        while kills < KILLS:
            before = fetched(lab)
            known = settled(home) if (home / "frontier.db").exists() else {}
            started = time.monotonic()
            process = start(home, "crawl", *lab.seeds, *CRAWL, env=env)
            first = first_new_page(lab, sum(before.values()), process)
            if first:
                restarts.append(first - started)
            time.sleep(rng.uniform(0.0, 0.5))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
            after = fetched(lab)
            again = {url for url in known if after[url] > before[url]}
            assert not again, "a page was fetched again although its settle was recorded"
            refetched += sum(count - 1 for count in after.values()) - sum(count - 1 for count in before.values())
        last = kiebitz(home, "crawl", *lab.seeds, *CRAWL, env=env, timeout=600)
        assert last.code == 0, last.err
        assert last.json["state"] == "finished"
        check_everything_is_there_once(home, lab)
    with capsys.disabled():
        restart = sorted(restarts)[len(restarts) // 2] if restarts else 0.0
        print(
            f"\n{kills} kills, {refetched} pages fetched again, first new page {restart:.2f} s after a restart (median)"
        )


def first_new_page(lab: RunningLab, seen: int, process: "subprocess.Popen[str]") -> float | None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and process.poll() is None:
        if sum(fetched(lab).values()) > seen:
            return time.monotonic()
        time.sleep(0.01)
    return None


def check_everything_is_there_once(home: Path, lab: RunningLab) -> None:
    reachable = set().union(*(lab.graph.reachable(seed) for seed in lab.seeds))
    rows = settled(home)
    assert reachable <= set(rows), "a page was lost"
    assert not set(fetched(lab)) & set(lab.graph.forbidden())
    stored = warc_targets(home)
    assert all(count == 1 for count in stored.values()), "a page is in the bundles twice"
    captured = {url for url, captures in rows.items() if captures}
    assert set(stored) == captured, "bundles and rows disagree"
    assert all(captures <= 1 for captures in rows.values())
    sql = sqlite3.connect(home / "records.db")
    (documents, distinct) = sql.execute("select count(*), count(distinct url) from document").fetchone()
    sql.close()
    assert documents == distinct == sum(not captures for captures in rows.values())
    for path in bundles(home):
        check = subprocess.run(
            [sys.executable, "-m", "warcio.cli", "check", str(path)], capture_output=True, text=True, check=False
        )
        assert check.returncode == 0, check.stdout + check.stderr
    doctor = kiebitz(home, "doctor")
    assert doctor.code == 0, doctor.out
