"""The contract of Runs."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiebitz.adapters.memory.runs import MemoryRuns
from kiebitz.adapters.sqlite.runs import SqliteRuns
from kiebitz.errors import NotFound
from kiebitz.model.run import MOST_SAMPLES, NOISE_BITS, Counts, Plan, RunState, Sample, Scope, run_id
from kiebitz.ports.runs import Runs
from tests.contract.awaited import awaited
from tests.contract.rivals import Race
from tests.contract.samples import DAY, day
from tests.contract.stores import opened

PLAN = Plan(("https://a.example/",))
OTHER = Plan(
    ("https://b.example/ä", "https://c.example/"),
    scope=Scope.DOMAIN,
    depth=-1,
    max_pages=0,
    max_per_host=7,
    delay=0.25,
    include=("/amtsblatt/",),
    exclude=("/archiv/", "\\.zip$"),
)


@pytest.fixture(params=["memory", "sqlite"])
def runs(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Runs]:
    if request.param == "memory":
        yield MemoryRuns()
        return
    with opened(tmp_path, "records") as database:
        yield SqliteRuns(database)


@awaited
async def test_a_new_run_is_running_and_comes_back_as_it_was_made(runs: Runs) -> None:
    made = await runs.create(OTHER, at=DAY, source="aachen")
    assert (made.plan, made.state, made.source) == (OTHER, RunState.RUNNING, "aachen")
    assert (made.created_at, made.updated_at, made.finished_at) == (DAY, DAY, None)
    assert made.counts == Counts()
    assert await runs.get(made.id) == made
    assert made.plan.key == (await runs.get(made.id)).plan.key


@awaited
async def test_ids_are_short_and_sort_by_creation_even_when_the_clock_steps_back(runs: Runs) -> None:
    days = [day(0)] * 20 + [day(-3)] * 3 + [day(1)]
    ids = [(await runs.create(PLAN, at=at)).id for at in days]
    assert ids == sorted(set(ids))
    assert all(len(identity) == 12 and identity.isalnum() for identity in ids)


@awaited
async def test_the_beginning_of_an_id_is_enough_if_it_is_unambiguous(runs: Runs) -> None:
    old = await runs.create(PLAN, at=day(0))
    new = await runs.create(PLAN, at=day(900))
    shared = next(n for n in range(12) if old.id[n] != new.id[n])
    assert await runs.get(old.id[: shared + 1]) == old
    assert await runs.get(new.id[: shared + 1]) == new
    with pytest.raises(NotFound, match="several"):
        await runs.get(old.id[:shared])


@pytest.mark.parametrize("wrong", ["", "zzzz", "%", "_", "000000000000x"])
@awaited
async def test_what_is_no_beginning_of_an_id_is_not_found(runs: Runs, wrong: str) -> None:
    await runs.create(PLAN, at=DAY)
    with pytest.raises(NotFound):
        await runs.get(wrong)


@awaited
async def test_the_latest_run_is_found_by_plan_and_state(runs: Runs) -> None:
    assert await runs.latest() is None
    first = await runs.create(PLAN, at=day(0))
    second = await runs.create(PLAN, at=day(1))
    third = await runs.create(OTHER, at=day(2))
    first = await runs.mark(first.id, RunState.STOPPED, at=day(3))
    second = await runs.mark(second.id, RunState.FINISHED, at=day(3))
    unfinished = (RunState.RUNNING, RunState.PAUSED, RunState.STOPPED)
    assert await runs.latest() == third
    assert await runs.latest(plan_key=PLAN.key) == second
    assert await runs.latest(plan_key=PLAN.key, states=unfinished) == first
    assert await runs.latest(states=(RunState.FINISHED,)) == second
    assert await runs.latest(states=(RunState.FINISHED, RunState.RUNNING)) == third
    assert await runs.latest(plan_key=OTHER.key, states=(RunState.PAUSED,)) is None
    assert await runs.latest(plan_key="unknown") is None


@awaited
async def test_runs_are_listed_newest_first_in_pages(runs: Runs) -> None:
    made = [await runs.create(PLAN, at=day(number)) for number in range(5)]
    made.reverse()
    first = await runs.list(limit=2)
    assert first == made[:2]
    assert await runs.list(before=first[-1].id, limit=2) == made[2:4]
    assert await runs.list(before=made[-1].id) == []


@awaited
async def test_published_figures_replace_the_ones_before(runs: Runs) -> None:
    run = await runs.create(PLAN, at=day(0))
    counts = Counts(1, 2, 3, 4, 5, 6, 7, 8, 1 << 40, gone=3, hosts=2)
    await runs.publish(run.id, Counts(done=99), seconds=1, cpu_seconds=1, at=day(1))
    await runs.publish(run.id, counts, seconds=2.5, cpu_seconds=0.25, at=day(2))
    read = await runs.get(run.id)
    assert (read.counts, read.seconds, read.cpu_seconds, read.updated_at) == (counts, 2.5, 0.25, day(2))
    assert (read.state, read.created_at, read.plan) == (run.state, run.created_at, run.plan)


async def publish(runs: Runs, run: str, seconds: float, fetched: int, hosts: int = 0, pending: int = 0) -> None:
    counts = Counts(done=fetched, hosts=hosts, pending=pending)
    await runs.publish(run, counts, seconds=seconds, cpu_seconds=0, at=day(1))


@awaited
async def test_what_is_published_becomes_the_series_of_the_run(runs: Runs) -> None:
    run, other = [await runs.create(PLAN, at=day(number)) for number in range(2)]
    assert await runs.series(run.id) == await runs.series("unknown") == []
    counts = Counts(pending=1, leased=2, done=4, unchanged=8, deferred=16, failed=32, skipped=64, hosts=5)
    await runs.publish(run.id, Counts(pending=3), seconds=0.01, cpu_seconds=0, at=day(1))
    await runs.publish(run.id, counts, seconds=1.25, cpu_seconds=0, at=day(1))
    await publish(runs, other.id, 0.5, 7)
    assert await runs.series(run.id) == [Sample(0.01, 0, 0, 3), Sample(1.25, 12, 5, 19)]
    assert await runs.series(other.id) == [Sample(0.5, 7, 0, 0)]
    assert await runs.series(run.id[:-1]) == []


@awaited
async def test_of_samples_within_one_step_the_last_published_stays(runs: Runs) -> None:
    run = await runs.create(PLAN, at=day(0))
    for seconds, fetched in ((1.0, 1), (1.1, 2), (2.0, 3), (1.05, 4)):
        await publish(runs, run.id, seconds, fetched)
    assert await runs.series(run.id) == [Sample(1.05, 4, 0, 0), Sample(2.0, 3, 0, 0)]


@awaited
async def test_the_series_of_a_long_run_is_thinned_out_and_never_full(runs: Runs) -> None:
    run = await runs.create(PLAN, at=day(0))
    most = 0
    for number in range(2 * MOST_SAMPLES + 10):
        await publish(runs, run.id, number + 0.5, number, hosts=1, pending=2)
        series = await runs.series(run.id)
        assert series[-1] == Sample(number + 0.5, number, 1, 2), "the newest is always there"
        most = max(most, len(series))
    assert MOST_SAMPLES * 0.9 < most <= MOST_SAMPLES
    gaps = {after.seconds - before.seconds for before, after in pairwise(series)}
    assert gaps <= {2.0, 4.0}, "the first half is as fine as the second"


@awaited
async def test_one_late_sample_of_a_run_that_slept_for_a_year_costs_nothing(runs: Runs) -> None:
    run = await runs.create(PLAN, at=day(0))
    for seconds in (0.5, 1.5, 365 * 86_400.0):
        await publish(runs, run.id, seconds, 1)
    assert await runs.series(run.id) == [Sample(1.5, 1, 0, 0), Sample(365 * 86_400.0, 1, 0, 0)]


@awaited
async def test_finishing_sets_the_end_and_running_again_clears_it(runs: Runs) -> None:
    run = await runs.create(PLAN, at=day(0))
    paused = await runs.mark(run.id, RunState.PAUSED, at=day(1))
    assert (paused.state, paused.updated_at, paused.finished_at) == (RunState.PAUSED, day(1), None)
    finished = await runs.mark(run.id, RunState.FINISHED, at=day(2))
    assert (finished.state, finished.finished_at) == (RunState.FINISHED, day(2))
    assert await runs.get(run.id) == finished
    assert (await runs.mark(run.id, RunState.STOPPED, at=day(3))).finished_at == day(2)
    assert (await runs.mark(run.id, RunState.RUNNING, at=day(4))).finished_at is None


@awaited
async def test_only_a_whole_id_can_be_changed(runs: Runs) -> None:
    run = await runs.create(PLAN, at=day(0))
    for wrong in ("unknown", run.id[:-1]):
        with pytest.raises(NotFound):
            await runs.publish(wrong, Counts(), seconds=0, cpu_seconds=0, at=day(1))
        with pytest.raises(NotFound):
            await runs.mark(wrong, RunState.FINISHED, at=day(1))
    assert await runs.get(run.id) == run
    assert await runs.series(run.id) == []


def test_runs_made_by_several_processes_have_ids_of_their_own_in_order(tmp_path: Path) -> None:
    with Race("create_runs", 3, folder=tmp_path, count=20) as race:
        results = race.results()
    assert all(ids == sorted(ids) for ids in results)
    assert len(set(chain(*results))) == 60


moments = st.datetimes(datetime(1970, 1, 2), datetime(3000, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
noises = st.integers(0, (1 << NOISE_BITS) - 1)


@given(moments, moments, noises, noises)
def test_an_id_is_above_the_newest_one_and_follows_the_time(first: datetime, second: datetime, a: int, b: int) -> None:
    before, after = run_id(first, a), run_id(second, b)
    if second - first >= timedelta(seconds=1):
        assert before < after
    assert run_id(second, b, before) > before
