"""Kill -9 of ``kiebitz read`` at random moments: after the next one every stored document is found, and exactly once.

Small in ``make test``; the full size (20 kills) runs with KIEBITZ_FAULTS=1, that is ``make faults``.
"""

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import time
from collections import Counter
from pathlib import Path

import pytest

from kiebitz.deploy.indexes import index_folder, opener_of
from kiebitz.lab.running import running_lab
from kiebitz.lab.world import Blueprint
from kiebitz.model.document import document_id
from kiebitz.model.query import Everything, Search
from kiebitz.settings import load
from tests.faults.test_kill import bundles
from tests.program import kiebitz, start

FULL = bool(os.environ.get("KIEBITZ_FAULTS"))
KILLS = 20 if FULL else 4
CRAWL = ("--depth", "5", "--max-per-host", "500", "--delay", "0.01", "--json")


def stored(home: Path) -> set[str]:
    """The ids of everything that can be found: documents, and pages of the bundles."""
    from warcio.archiveiterator import ArchiveIterator

    sql = sqlite3.connect(home / "records.db")
    found = {each for (each,) in sql.execute("select id from document")}
    sql.close()
    for path in bundles(home):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type == "response" and record.http_headers.get_statuscode() == "200":
                    kind = record.http_headers.get_header("content-type")
                    if kind.startswith("text/html"):
                        found.add(document_id(record.rec_headers.get_header("WARC-Target-URI")))
    return found


async def papers(home: Path) -> Counter[str]:
    """How often each id is found, as a hit or beside one that is nearly the same."""
    index = opener_of(index_folder(load({"home": home}, {}, home)))(None)
    try:
        results = await index.search(Search(Everything(), limit=5000))
    finally:
        await index.close()
    assert not results.cursor
    return Counter(each for hit in results.hits for each in (hit.id, *hit.similar))


def lapse(home: Path) -> None:
    """As if the leases of the one that was killed had run out: the next one works at once, and can be killed at work."""
    for name, statement in (
        ("jobs", "update job set due_at = 0 where state = 1"),
        ("records", "update lease set until = 0"),
    ):
        if (home / f"{name}.db").exists():
            sql = sqlite3.connect(home / f"{name}.db")
            with sql:
                sql.execute(statement)
            sql.close()


def begin_again(home: Path) -> None:
    """Nothing was read; the crawl stays."""
    for path in [*home.glob("texts.db*"), *home.glob("jobs.db*")]:
        path.unlink()
    shutil.rmtree(home / "index", ignore_errors=True)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_killed_at_random_moments_reading_loses_nothing_and_nothing_is_found_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    rng = random.Random(20261116)
    with running_lab(Blueprint(demo=True)) as lab:
        env = {"KIEBITZ_RESOLVE": lab.resolve, "KIEBITZ_PATIENCE": "5"}
        crawled = kiebitz(home, "crawl", *lab.seeds, *CRAWL, env=env)
        assert crawled.code == 0, crawled.err
    expected = stored(home)
    assert len(expected) > 200
    kills, rounds = 0, 1
    while kills < KILLS:
        process = start(home, "read", "--json")
        time.sleep(rng.uniform(0.4, 3.5))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
            lapse(home)
            continue
        _, err = process.communicate()
        assert process.returncode == 0, err
        assert set(asyncio.run(papers(home))) == expected
        begin_again(home)
        rounds += 1
    last = kiebitz(home, "read", "--json", timeout=300)
    assert last.code == 0, last.err
    assert (last.json["dead"], last.json["waiting"]) == (0, 0)
    found = asyncio.run(papers(home))
    assert set(found) == expected
    assert all(count == 1 for count in found.values()), "something is found twice"
    assert kiebitz(home, "index", "verify", "--json").json == {"sound": True, "faults": []}
    with capsys.disabled():
        print(f"\n{kills} kills in {rounds} rounds, {len(expected)} texts, each found once")
