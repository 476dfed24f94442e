"""The contract of Jobs."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.adapters.local.clock import SystemClock
from kiebitz.adapters.memory.clock import ManualClock
from kiebitz.adapters.memory.jobs import MemoryJobs
from kiebitz.adapters.sqlite.jobs import SqliteJobs
from kiebitz.errors import StaleLease
from kiebitz.model.job import Job, LeasedJob
from kiebitz.ports.jobs import Jobs
from tests.contract.awaited import awaited
from tests.contract.rivals import Race
from tests.contract.stores import opened

Q = "extract"


def job(key: str, *, queue: str = Q, not_before: float = 0.0) -> Job:
    return Job(queue, key, f'{{"blob": "{key}"}}', not_before)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=["memory", "sqlite"])
def jobs(request: pytest.FixtureRequest, clock: ManualClock, tmp_path: Path) -> Iterator[Jobs]:
    if request.param == "memory":
        yield MemoryJobs(clock, max_tries=3)
        return
    with opened(tmp_path, "jobs") as database:
        yield SqliteJobs(database, clock, max_tries=3)


async def take(jobs: Jobs, *, seconds: float = 60) -> LeasedJob:
    (leased,) = await jobs.lease(Q, limit=1, seconds=seconds)
    return leased


async def keys(jobs: Jobs, *, limit: int = 100, seconds: float = 60, queue: str = Q) -> list[str]:
    return [leased.job.key for leased in await jobs.lease(queue, limit=limit, seconds=seconds)]


@awaited
async def test_a_job_comes_back_as_it_was_put(jobs: Jobs) -> None:
    put = job("ä/1", not_before=17.5)
    assert await jobs.put([put]) == 1
    leased = await take(jobs)
    assert leased.job == put
    assert leased.tries == 1


@awaited
async def test_a_queue_takes_a_key_once(jobs: Jobs) -> None:
    assert await jobs.put([job("a"), job("b"), job("a")]) == 2
    assert await jobs.put([job("b"), job("c")]) == 1
    assert await keys(jobs) == ["a", "b", "c"]


@awaited
async def test_putting_nothing_is_nothing(jobs: Jobs) -> None:
    assert await jobs.put([]) == 0
    assert await jobs.depth(Q) == (0, 0, 0)


@awaited
async def test_a_key_that_ended_is_not_taken_again(jobs: Jobs) -> None:
    await jobs.put([job("done"), job("dead")])
    done, dead = await jobs.lease(Q, limit=2, seconds=60)
    await jobs.finish(Q, [done.token])
    await jobs.fail(Q, dead.token, "broken", retry_in=None)
    assert await jobs.put([job("done"), job("dead")]) == 0
    assert await keys(jobs) == []


@awaited
async def test_queues_do_not_see_each_other(jobs: Jobs) -> None:
    assert await jobs.put([job("a"), job("a", queue="index")]) == 2
    mine = await take(jobs)
    assert await keys(jobs) == []
    assert await jobs.finish("index", [mine.token]) == [mine.token]
    assert await jobs.renew("index", [mine.token], seconds=9) == [mine.token]
    with pytest.raises(StaleLease):
        await jobs.fail("index", mine.token, "", retry_in=None)
    assert await jobs.depth("index") == (1, 0, 0)


@awaited
async def test_a_leased_job_is_invisible_until_its_lease_lapses(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job("a")])
    first = await take(jobs, seconds=60)
    clock.advance(59.9)
    assert await keys(jobs) == []
    clock.advance(0.1)
    second = await take(jobs)
    assert second.job == first.job
    assert second.tries == 2
    assert second.token != first.token


@awaited
async def test_no_more_are_leased_than_asked_for(jobs: Jobs) -> None:
    await jobs.put([job(name) for name in "abcde"])
    assert await keys(jobs, limit=0) == []
    assert await keys(jobs, limit=2) == ["a", "b"]
    assert await keys(jobs, limit=9) == ["c", "d", "e"]


@awaited
async def test_a_job_is_not_given_before_its_time(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job("later", not_before=clock.now() + 10), job("now")])
    assert await keys(jobs) == ["now"]
    clock.advance(10)
    assert await keys(jobs) == ["later"]


@awaited
async def test_what_was_due_first_comes_first_whatever_was_put_since(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job("retried"), job("late", not_before=clock.now() + 5)])
    await jobs.fail(Q, (await take(jobs)).token, "busy", retry_in=3)
    clock.advance(4)
    await jobs.put([job("fresh")])
    clock.advance(4)
    assert await keys(jobs) == ["retried", "fresh", "late"]


@awaited
async def test_a_renewed_lease_runs_from_now(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job("a")])
    leased = await take(jobs, seconds=60)
    clock.advance(50)
    assert await jobs.renew(Q, [leased.token], seconds=60) == []
    clock.advance(50)
    assert await keys(jobs) == []
    clock.advance(10)
    assert await keys(jobs) == ["a"]


@awaited
async def test_renewing_never_revives_a_lease(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job("a"), job("b")])
    lapsed, kept = await jobs.lease(Q, limit=2, seconds=60)
    await jobs.renew(Q, [kept.token], seconds=120)
    clock.advance(60)
    assert await jobs.renew(Q, [lapsed.token, kept.token, "never given"], seconds=60) == [lapsed.token, "never given"]
    assert await keys(jobs) == ["a"]


@awaited
async def test_finishing_ends_a_job_and_tells_which_tokens_were_lost(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job("a"), job("b")])
    old = await take(jobs, seconds=10)
    clock.advance(10)
    other, new = await jobs.lease(Q, limit=2, seconds=10)
    assert {other.job.key, new.job.key} == {"a", "b"}
    assert await jobs.finish(Q, [old.token, other.token, new.token, "never given"]) == [old.token, "never given"]
    clock.advance(1000)
    assert await jobs.depth(Q) == (0, 0, 0)


@awaited
async def test_a_lapsed_job_that_nobody_took_can_still_be_finished(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job("a")])
    leased = await take(jobs, seconds=10)
    clock.advance(11)
    assert await jobs.finish(Q, [leased.token]) == []
    assert await keys(jobs) == []


@awaited
async def test_a_failed_job_comes_again_when_it_was_said(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job("a")])
    await jobs.fail(Q, (await take(jobs)).token, "busy", retry_in=30)
    assert await jobs.depth(Q) == (1, 0, 0)
    clock.advance(29)
    assert await keys(jobs) == []
    clock.advance(1)
    assert (await take(jobs)).tries == 2


@awaited
async def test_failing_needs_the_lease(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job("a")])
    leased = await take(jobs, seconds=10)
    clock.advance(10)
    with pytest.raises(StaleLease) as stale:
        await jobs.fail(Q, leased.token, "late", retry_in=None)
    assert stale.value.tokens == {leased.token}
    assert await jobs.dead(Q) == []


@awaited
async def test_a_job_given_up_is_a_dead_letter(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job("a")])
    await jobs.fail(Q, (await take(jobs)).token, "no such font", retry_in=None)
    (letter,) = await jobs.dead(Q)
    assert letter.job == job("a")
    assert (letter.tries, letter.error, letter.at) == (1, "no such font", clock.now())
    assert await jobs.depth(Q) == (0, 0, 1)


@awaited
async def test_the_last_permitted_try_is_the_last(jobs: Jobs) -> None:
    await jobs.put([job("a")])
    for _ in range(3):
        await jobs.fail(Q, (await take(jobs)).token, "busy", retry_in=0)
    assert await keys(jobs) == []
    assert [(letter.tries, letter.error) for letter in await jobs.dead(Q)] == [(3, "busy")]


@awaited
async def test_a_job_that_kills_every_worker_is_buried_after_its_last_try(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job("poison")])
    for _ in range(3):
        assert await keys(jobs, seconds=10) == ["poison"]
        clock.advance(10)
    await jobs.put([job("good")])
    assert await keys(jobs, limit=1) == ["good"]
    assert [(letter.job.key, letter.tries) for letter in await jobs.dead(Q)] == [("poison", 3)]


@awaited
async def test_dead_letters_are_read_newest_first(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job(name) for name in "abc"])
    for leased in reversed(await jobs.lease(Q, limit=3, seconds=60)):
        await jobs.fail(Q, leased.token, "", retry_in=None)
        clock.advance(1)
    assert [letter.job.key for letter in await jobs.dead(Q)] == ["a", "b", "c"]
    assert [letter.job.key for letter in await jobs.dead(Q, limit=2)] == ["a", "b"]


@awaited
async def test_a_revived_job_starts_anew(jobs: Jobs) -> None:
    await jobs.put([job("a"), job("b"), job("waiting")])
    for leased in await jobs.lease(Q, limit=2, seconds=60):
        await jobs.fail(Q, leased.token, "", retry_in=None)
    assert await jobs.revive(Q, ["a", "waiting", "unknown"]) == 1
    assert await jobs.revive(Q, []) == 0
    assert await jobs.depth(Q) == (2, 0, 1)
    assert sorted(await keys(jobs)) == ["a", "waiting"]
    assert [letter.job.key for letter in await jobs.dead(Q)] == ["b"]


@awaited
async def test_the_token_of_a_former_life_is_lost(jobs: Jobs) -> None:
    await jobs.put([job("a")])
    old = await take(jobs)
    await jobs.fail(Q, old.token, "", retry_in=None)
    await jobs.revive(Q, ["a"])
    new = await take(jobs)
    assert new.tries == 1
    assert await jobs.finish(Q, [old.token]) == [old.token]
    assert await jobs.finish(Q, [new.token]) == []


@awaited
async def test_depth_counts_a_lapsed_lease_as_waiting(jobs: Jobs, clock: ManualClock) -> None:
    await jobs.put([job(name) for name in "abcd"] + [job("later", not_before=clock.now() + 999)])
    await jobs.lease(Q, limit=1, seconds=10)
    await jobs.lease(Q, limit=1, seconds=20)
    assert await jobs.depth(Q) == (3, 2, 0)
    clock.advance(10)
    assert await jobs.depth(Q) == (4, 1, 0)


def test_no_job_is_given_to_two_of_several_processes(tmp_path: Path) -> None:
    names = [f"job-{number}" for number in range(60)]
    with opened(tmp_path, "jobs") as database:
        asyncio.run(SqliteJobs(database, SystemClock()).put([job(name) for name in names]))
    with Race("drain_jobs", 3, folder=tmp_path, queue=Q) as race:
        done = [key for keys in race.results() for key in keys]
    assert sorted(done) == sorted(names)


def test_a_key_put_by_several_processes_is_new_to_one_of_them(tmp_path: Path) -> None:
    names = [f"job-{number}" for number in range(20)]
    with Race("put_jobs", 3, folder=tmp_path, queue=Q, keys=names) as race:
        assert sum(race.results()) == len(names)
