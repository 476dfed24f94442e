"""Every match is told although the receiver fails twice and the sender is killed; the feed has each once.

Small in ``make test``; 1,000 saved searches over 10,000 documents with KIEBITZ_FAULTS=1, that is ``make faults``.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from kiebitz.adapters.local.clock import SystemClock
from kiebitz.deploy.backends import open_backend
from tests.faults.alert_office import expected, saved, settings_of
from tests.program import environment
from tests.receivers import Posted, WebhookReceiver, webhooks

FULL = bool(os.environ.get("KIEBITZ_FAULTS"))
DOCUMENTS, SEARCHES, KILLS_AT_RANDOM, KILLS_WHILE_SENDING = (10_000, 1_000, 10, 10) if FULL else (1_000, 200, 2, 3)
FAILURES = 2
ROOT = Path(__file__).parents[2]


class Receiver:
    """Refuses each delivery twice, then takes it. When it is told to, it kills the sender before it answers."""

    def __init__(self) -> None:
        self.posts: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()
        self.bodies: dict[str, set[bytes]] = defaultdict(set)
        self.victims: set[str] = set()
        self.target: subprocess.Popen[bytes] | None = None

    def answer(self, posted: Posted) -> tuple[int, dict[str, str]]:
        name = posted.headers["idempotency-key"]
        self.bodies[name].add(posted.body)
        self.posts[name] += 1
        if self.posts[name] <= FAILURES:
            return 503, {}
        self.taken[name] += 1
        target, self.target = self.target, None
        if target is not None:
            self.victims.add(name)
            target.send_signal(signal.SIGKILL)
            target.wait()
        return 204, {}


async def save_searches(home: Path, hook: str) -> None:
    backend = open_backend(settings_of(home), SystemClock())
    for number in range(SEARCHES):
        await backend.state.alerts.put(saved(number, hook))
    await backend.close()


async def feeds(home: Path, hook: str) -> dict[str, list[str]]:
    backend = open_backend(settings_of(home), SystemClock())
    ids = [saved(number, hook).id for number in range(SEARCHES)]
    found = {each: [e.match.paper for e in await backend.state.alerts.feed(each, limit=99_999)] for each in ids}
    await backend.close()
    return found


def start(home: Path, hook: str) -> subprocess.Popen[bytes]:
    command = (sys.executable, "-m", "tests.faults.alert_office", home, DOCUMENTS, SEARCHES, hook)
    return subprocess.Popen([str(part) for part in command], cwd=ROOT, env=environment(), stderr=subprocess.PIPE)


def kill_at_random(home: Path, hook: str, receiver: WebhookReceiver, rng: random.Random) -> None:
    process, before = start(home, hook), len(receiver.posted)
    deadline = time.monotonic() + 30
    while len(receiver.posted) == before and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)  # starting takes its time; what comes then is to be interrupted
    time.sleep(rng.uniform(0.0, 0.7))
    process.kill()
    process.communicate()


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_match_is_told_although_the_receiver_fails_twice_and_the_sender_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, rng, judge = tmp_path / "home", random.Random(20261116), Receiver()
    with webhooks(judge.answer) as receiver:
        hook = receiver.url
        asyncio.run(save_searches(home, hook))
        for _ in range(KILLS_AT_RANDOM):
            kill_at_random(home, hook, receiver, rng)
        for _ in range(KILLS_WHILE_SENDING):
            judge.target = process = start(home, hook)
            process.communicate(timeout=300)
            assert process.returncode == -signal.SIGKILL, "there was nothing left to send"
        last = start(home, hook)
        _, errors = last.communicate(timeout=1500)
        assert last.returncode == 0, errors.decode()
    check_what_was_told(judge)
    truth = {saved(number, hook).id: expected(DOCUMENTS, number) for number in range(SEARCHES)}
    assert asyncio.run(feeds(home, hook)) == truth
    told: dict[str, list[str]] = {each: [] for each in truth}
    for bodies in judge.bodies.values():
        message = json.loads(next(iter(bodies)))
        told[message["search"]["id"]] += [match["paper"] for match in message["matches"]]
    assert {each: sorted(papers) for each, papers in told.items()} == {each: sorted(t) for each, t in truth.items()}
    with capsys.disabled():
        repeated = sum(count - 1 for count in judge.taken.values())
        matches = sum(map(len, truth.values()))
        print(
            f"\n{matches} matches, {len(judge.taken)} deliveries, {sum(judge.posts.values())} posts, {repeated} repeated"
        )


def check_what_was_told(judge: Receiver) -> None:
    assert set(judge.taken) == set(judge.posts), "a delivery was never taken"
    assert all(len(bodies) == 1 for bodies in judge.bodies.values()), "a repetition said something else"
    repeated = {name for name, count in judge.taken.items() if count > 1}
    assert judge.victims <= repeated, "what was not acknowledged was not repeated"
    assert len(repeated - judge.victims) <= KILLS_AT_RANDOM, "something was repeated that was acknowledged"
    assert max(judge.taken.values()) == 2
