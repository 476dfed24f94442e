"""Kill -9 at random moments of indexing: every paper of the committed position is found exactly once.

Small in ``make test``; 20 kills with KIEBITZ_FAULTS=1, that is ``make faults``.
"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from kiebitz.adapters.tantivy.index import TantivyIndex
from kiebitz.adapters.tantivy.index.writer import PartLimits
from kiebitz.model.hit import PageText, Paper
from kiebitz.model.query import Everything, Search

FULL = bool(os.environ.get("KIEBITZ_FAULTS"))
KILLS = 20 if FULL else 4
PAPERS = 2_000
BATCH = 12
LIMITS = PartLimits(papers=70)  # so that seals and tombstones happen between kills too

WORDS = ["rat", "plan", "bebauungsplan", "satzung", "haushalt", "sitzung", "friedhof", "wasser", "schule", "straße"]


def feed(position: int) -> list[Paper]:
    """The next papers behind a position. Every third replaces an earlier one, so that old ones must vanish."""
    papers = []
    for number in range(position, min(position + BATCH, PAPERS)):
        name = f"n{number // 2}" if number % 3 == 0 else f"n{number}"
        text = " ".join(random.Random(number).choices(WORDS, k=40))
        pages = (PageText(1, f"Stand {number}. {text}"), PageText(2, text))
        papers.append(
            Paper(name, f"https://stadt.example/{name}", f"Blatt {number}", pages, published=date(2026, 1, 1))
        )
    return papers


def expected(position: int) -> dict[str, str]:
    """What is found at a position: each id once, with the title it was last given."""
    return {paper.id: paper.title for start in range(0, position, BATCH) for paper in feed(start)}


async def index_on(folder: Path) -> None:
    """The child: read the feed behind the committed position, batch by batch, until killed."""
    index = TantivyIndex(folder, limits=LIMITS)
    position = await index.position()
    while position < PAPERS:
        papers = feed(position)
        await index.add(papers)
        position += len(papers)
        await index.commit(position)
        print(position, flush=True)
        if position % 240 == 0:
            await index.compact()
    await index.close()


async def check(folder: Path) -> int:
    index = TantivyIndex(folder, limits=LIMITS)
    position = await index.position()
    wanted = expected(position)
    shown: list[tuple[str, str]] = []
    cursor = ""
    while True:
        results = await index.search(Search(Everything(), limit=500, cursor=cursor))
        shown += [(hit.id, hit.title) for hit in results.hits]
        assert results.total == len(wanted)
        cursor = results.cursor
        if not cursor:
            break
    assert len(shown) == len(wanted), "a paper is found twice or not at all"
    assert dict(shown) == wanted
    assert (await index.status()).papers == len(wanted)
    assert await index.verify() == []
    await index.close()
    return position


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_at_random_moments_the_index_is_as_some_commit_left_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(20261116)
    folder = tmp_path / "index"
    positions = []
    for _ in range(KILLS):
        child = subprocess.Popen(
            [sys.executable, __file__, str(folder)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
        )
        assert child.stdout
        said = child.stdout.readline()  # it has begun
        time.sleep(rng.uniform(0.0, 1.2))
        child.send_signal(signal.SIGKILL)
        rest, _ = child.communicate()
        last = int((said + rest).split()[-1])
        position = asyncio.run(check(folder))
        assert position >= last, "a commit that had returned is gone"
        positions.append(position)
    assert positions == sorted(positions)
    with capsys.disabled():
        print(f"\n{KILLS} kills of the indexer, positions {positions}")


if __name__ == "__main__":
    asyncio.run(index_on(Path(sys.argv[1])))
