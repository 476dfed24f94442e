"""The contract of Leases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.adapters.memory.clock import ManualClock
from kiebitz.adapters.memory.leases import MemoryLeases
from kiebitz.adapters.sqlite.leases import SqliteLeases
from kiebitz.errors import Locked, StaleLease
from kiebitz.ports.leases import Leases
from tests.contract.awaited import awaited
from tests.contract.rivals import Race
from tests.contract.stores import opened


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=["memory", "sqlite"])
def leases(request: pytest.FixtureRequest, clock: ManualClock, tmp_path: Path) -> Iterator[Leases]:
    if request.param == "memory":
        yield MemoryLeases(clock)
        return
    with opened(tmp_path, "records") as database:
        yield SqliteLeases(database, clock)


@awaited
async def test_a_free_lease_is_granted_and_shown(leases: Leases, clock: ManualClock) -> None:
    lease = await leases.take("scheduler", "node-ä", seconds=30, info='{"pid": 7}')
    assert (lease.name, lease.holder, lease.info) == ("scheduler", "node-ä", '{"pid": 7}')
    assert lease.until == clock.now() + 30
    assert await leases.list() == [lease]


@awaited
async def test_a_running_lease_is_locked_and_the_error_says_by_whom(leases: Leases, clock: ManualClock) -> None:
    await leases.take("scheduler", "node-1", seconds=30)
    clock.advance(29.9)
    with pytest.raises(Locked, match="node-1"):
        await leases.take("scheduler", "node-2", seconds=30)
    await leases.take("indexer", "node-2", seconds=30)


@awaited
async def test_a_lapsed_lease_can_be_taken_by_another(leases: Leases, clock: ManualClock) -> None:
    old = await leases.take("scheduler", "node-1", seconds=30)
    clock.advance(30)
    new = await leases.take("scheduler", "node-2", seconds=30)
    assert new.token > old.token
    with pytest.raises(StaleLease):
        await leases.renew(old, seconds=30)
    await leases.release(old)
    assert await leases.list() == [new]


@awaited
async def test_a_holder_takes_its_own_lease_anew(leases: Leases) -> None:
    old = await leases.take("scheduler", "node-1", seconds=30)
    new = await leases.take("scheduler", "node-1", seconds=60)
    assert new.token > old.token
    with pytest.raises(StaleLease) as stale:
        await leases.renew(old, seconds=30)
    assert stale.value.tokens == {old.token}


@awaited
async def test_renewing_extends_from_now_with_the_same_token(leases: Leases, clock: ManualClock) -> None:
    lease = await leases.take("scheduler", "node-1", seconds=30, info="a")
    clock.advance(20)
    renewed = await leases.renew(lease, seconds=30)
    assert (renewed.token, renewed.until, renewed.info) == (lease.token, clock.now() + 30, "a")
    clock.advance(20)
    again = await leases.renew(lease, seconds=30, info="b")
    assert await leases.list() == [again]
    assert again.info == "b"
    with pytest.raises(Locked):
        await leases.take("scheduler", "node-2", seconds=30)


@awaited
async def test_a_lapsed_lease_is_not_revived_although_nobody_took_it(leases: Leases, clock: ManualClock) -> None:
    lease = await leases.take("scheduler", "node-1", seconds=30)
    clock.advance(30)
    with pytest.raises(StaleLease):
        await leases.renew(lease, seconds=30)


@awaited
async def test_a_released_lease_is_free_and_gone(leases: Leases) -> None:
    lease = await leases.take("scheduler", "node-1", seconds=30)
    await leases.release(lease)
    await leases.release(lease)
    assert await leases.list() == []
    with pytest.raises(StaleLease):
        await leases.renew(lease, seconds=30)
    await leases.take("scheduler", "node-2", seconds=30)


@awaited
async def test_the_fence_grows_also_across_a_release(leases: Leases) -> None:
    tokens = []
    for _ in range(3):
        lease = await leases.take("scheduler", "node-1", seconds=30)
        tokens.append(lease.token)
        await leases.release(lease)
    assert tokens == sorted(set(tokens))


@awaited
async def test_leases_are_listed_by_name_and_prefix_with_the_lapsed_ones(leases: Leases, clock: ManualClock) -> None:
    for name in ("node/b", "node/a", "nodes", "node", "shard/1"):
        await leases.take(name, "me", seconds=30)
    clock.advance(1000)
    assert [lease.name for lease in await leases.list()] == ["node", "node/a", "node/b", "nodes", "shard/1"]
    assert [lease.name for lease in await leases.list("node/")] == ["node/a", "node/b"]
    assert [lease.name for lease in await leases.list("%")] == []
    assert all(lease.until < clock.now() for lease in await leases.list())


def test_of_several_processes_exactly_one_gets_a_free_lease(tmp_path: Path) -> None:
    names = [f"lease-{number}" for number in range(25)]
    with Race("take_leases", 4, folder=tmp_path, names=names) as race:
        won = [name for names in race.results() for name in names]
    assert sorted(won) == sorted(names)
