"""The contract of Alerts."""

import asyncio
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import pytest

from kiebitz.adapters.memory.alerts import MemoryAlerts
from kiebitz.adapters.sqlite.alerts import SqliteAlerts
from kiebitz.errors import Conflict, NotFound, StaleLease
from kiebitz.model.alert import MOST_OF_A_DELIVERY, ClaimedDelivery, DeliveryState, Match, SavedSearch
from kiebitz.ports.alerts import Alerts
from tests.contract.awaited import awaited
from tests.contract.samples import DAY, day
from tests.contract.stores import opened

HOOK = "https://hooks.example/one"
MINUTE = timedelta(minutes=1)


def search(name: str, **fields: object) -> SavedSearch:
    made = SavedSearch(str(uuid5(NAMESPACE_URL, name)), name, "bebauungsplan", DAY, channels=(HOOK,))
    return made._replace(**fields)  # type: ignore[arg-type]


def match(of: SavedSearch, paper: str, version: str = "v1", **fields: object) -> Match:
    made = Match(of.id, paper, version, f"https://stadt.example/{paper}", f"Amtsblatt „{paper}“", DAY)
    return made._replace(**fields)  # type: ignore[arg-type]


def at_once(_search: SavedSearch, oldest: datetime) -> datetime:
    return oldest


A, B = search("a"), search("b")


@pytest.fixture(params=["memory", "sqlite"])
def alerts(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Alerts]:
    if request.param == "memory":
        yield MemoryAlerts()
        return
    with opened(tmp_path, "alerts") as database:
        yield SqliteAlerts(database)


async def take(alerts: Alerts, now: datetime = DAY, limit: int = 100) -> list[ClaimedDelivery]:
    return await alerts.claim(now, limit=limit, until=now + MINUTE)


async def one_delivery(alerts: Alerts, of: SavedSearch = A) -> None:
    await alerts.put(of)
    await alerts.record([match(of, "p")])
    assert await alerts.bundle(DAY, at_once) == 1


@awaited
async def test_a_saved_search_comes_back_as_it_was_put(alerts: Alerts) -> None:
    full = search(
        "Bäume",
        filters=(("source", ("Köln", "Aachen")), ("kind", ("gazette",))),
        channels=(HOOK, "mailto:a@b.example"),
        schedule="0 8 * * * Europe/Berlin",
        enabled=False,
    )
    await alerts.put(A)
    await alerts.put(full)
    assert await alerts.searches() == [full, A]
    assert await alerts.get("Bäume") == await alerts.get(full.id) == full
    await alerts.put(full._replace(name="Wälder", enabled=True))
    assert (await alerts.get("Wälder")).enabled
    with pytest.raises(NotFound):
        await alerts.get("Bäume")


@awaited
async def test_a_name_belongs_to_one_search(alerts: Alerts) -> None:
    await alerts.put(A)
    await alerts.put(B)
    with pytest.raises(Conflict):
        await alerts.put(B._replace(name="a"))
    assert await alerts.searches() == [A, B]


@awaited
async def test_the_feed_has_each_match_once_and_in_order(alerts: Alerts) -> None:
    await alerts.put(A)
    await alerts.put(B)
    odd = match(A, "q", excerpt="…\n„x“", source="Köln", kind="gazette", published=date(2026, 3, 1), found_at=day(2))
    assert await alerts.record([match(A, "p"), match(B, "p"), odd, match(A, "p")]) == 3
    assert await alerts.record([match(A, "p", title="read again"), match(A, "p", "v2")]) == 1
    feed = await alerts.feed(A.id)
    assert [entry.match for entry in feed] == [match(A, "p"), odd, match(A, "p", "v2")]
    numbers = [entry.sequence for entry in feed]
    assert numbers == sorted(set(numbers))
    assert await alerts.feed(A.id, after=numbers[0], limit=1) == feed[1:2]
    assert await alerts.feed(A.id, limit=2, newest=True) == feed[1:]
    assert [entry.match for entry in await alerts.feed(B.id)] == [match(B, "p")]
    assert await alerts.feed("nobody") == []


@awaited
async def test_a_match_of_a_search_that_is_gone_is_ignored_and_the_position_only_grows(alerts: Alerts) -> None:
    assert await alerts.position() == 0
    assert await alerts.record([match(A, "p")], position=7) == 0
    assert await alerts.record([], position=3) == 0
    assert await alerts.position() == 7


@awaited
async def test_every_channel_gets_a_delivery_of_its_own(alerts: Alerts) -> None:
    await alerts.put(A._replace(channels=(HOOK, "mailto:a@b.example")))
    await alerts.put(B._replace(channels=()))
    await alerts.record([match(A, "p"), match(A, "q"), match(B, "p")])
    assert await alerts.bundle(DAY, at_once) == 2
    assert await alerts.bundle(DAY, at_once) == 0
    errands = await take(alerts)
    assert {errand.delivery.channel for errand in errands} == {HOOK, "mailto:a@b.example"}
    assert len({errand.delivery.id for errand in errands}) == 2
    assert all(errand.matches == (match(A, "p"), match(A, "q")) for errand in errands)
    assert all((errand.delivery.matches, errand.delivery.tries) == (2, 1) for errand in errands)


@awaited
async def test_what_is_not_due_waits_and_is_bundled_from_its_oldest_match(alerts: Alerts) -> None:
    await alerts.put(A)
    await alerts.record([match(A, "p"), match(A, "q", found_at=day(1))])
    asked = []

    def tomorrow(_search: SavedSearch, oldest: datetime) -> datetime:
        asked.append(oldest)
        return oldest + timedelta(days=1)

    assert await alerts.bundle(DAY, tomorrow) == 0
    assert await alerts.bundle(day(1), tomorrow) == 1
    assert asked == [DAY, DAY]
    (errand,) = await take(alerts, day(1))
    assert len(errand.matches) == 2


@awaited
async def test_many_matches_are_several_deliveries_with_each_of_them_once(alerts: Alerts) -> None:
    await alerts.put(A)
    names = [f"p{number}" for number in range(2 * MOST_OF_A_DELIVERY + 1)]
    await alerts.record([match(found, name) for name in names for found in (A, B)])
    assert await alerts.bundle(DAY, at_once) == 3
    errands = await take(alerts)
    assert [len(errand.matches) for errand in errands] == [MOST_OF_A_DELIVERY, MOST_OF_A_DELIVERY, 1]
    assert [found.paper for errand in errands for found in errand.matches] == names


@awaited
async def test_a_claimed_delivery_is_invisible_until_its_claim_lapses(alerts: Alerts) -> None:
    await one_delivery(alerts)
    (first,) = await take(alerts)
    assert await take(alerts) == []
    (again,) = await take(alerts, DAY + MINUTE)
    assert again.delivery.id == first.delivery.id
    assert again.matches == first.matches
    assert (again.delivery.tries, again.token != first.token) == (2, True)
    with pytest.raises(StaleLease):
        await alerts.settle(first.token)
    await alerts.settle(again.token)
    with pytest.raises(StaleLease):
        await alerts.settle(again.token)
    assert await take(alerts, day(9)) == []


@awaited
async def test_a_lapsed_claim_that_nobody_took_can_still_be_settled(alerts: Alerts) -> None:
    await one_delivery(alerts)
    (errand,) = await take(alerts)
    await alerts.settle(errand.token)
    (delivery,) = await alerts.deliveries(A.id)
    assert (delivery.state, delivery.tries) == (DeliveryState.SENT, 1)


@awaited
async def test_an_error_with_a_time_is_a_retry_and_without_one_the_end(alerts: Alerts) -> None:
    await one_delivery(alerts)
    (errand,) = await take(alerts)
    await alerts.settle(errand.token, error="http 503", next_at=day(1))
    (delivery,) = await alerts.deliveries(A.id)
    assert (delivery.state, delivery.next_at, delivery.error) == (DeliveryState.PENDING, day(1), "http 503")
    assert await take(alerts, day(0.9)) == []
    (errand,) = await take(alerts, day(1))
    await alerts.settle(errand.token, error="http 410")
    (delivery,) = await alerts.deliveries(A.id)
    assert (delivery.state, delivery.error) == (DeliveryState.FAILED, "http 410")
    assert await take(alerts, day(99)) == []


@awaited
async def test_a_failed_delivery_comes_back_when_it_is_revived(alerts: Alerts) -> None:
    await one_delivery(alerts)
    (first,) = await take(alerts)
    assert await alerts.revive(A.id, DAY) == 0
    await alerts.settle(first.token, error="no")
    assert await alerts.revive(B.id, DAY) == 0
    assert await alerts.revive(A.id, DAY) == 1
    (again,) = await take(alerts)
    assert (again.delivery.id, again.delivery.tries) == (first.delivery.id, 1)


@awaited
async def test_the_longest_due_is_claimed_first_and_no_more_than_the_limit(alerts: Alerts) -> None:
    await one_delivery(alerts, B)
    (late,) = await take(alerts)
    await alerts.settle(late.token, error="later", next_at=DAY + MINUTE)
    await one_delivery(alerts, A)
    assert [errand.search for errand in await take(alerts, day(1), limit=1)] == [A]
    assert [errand.search for errand in await take(alerts, day(1), limit=9)] == [B]


@awaited
async def test_nothing_is_sent_for_a_disabled_search_until_it_is_enabled(alerts: Alerts) -> None:
    await one_delivery(alerts)
    await alerts.put(A._replace(enabled=False))
    assert await take(alerts) == []
    await alerts.put(A)
    assert len(await take(alerts)) == 1


@awaited
async def test_removing_a_search_removes_its_matches_and_deliveries(alerts: Alerts) -> None:
    await one_delivery(alerts)
    await one_delivery(alerts, B)
    (errand, _) = await take(alerts)
    await alerts.remove(A.id)
    await alerts.remove(A.id)
    assert await alerts.searches() == [B]
    assert (await alerts.feed(A.id), await alerts.deliveries(A.id)) == ([], [])
    with pytest.raises(StaleLease):
        await alerts.settle(errand.token)
    await alerts.put(A)
    assert await alerts.record([match(A, "p")]) == 1
    assert len(await alerts.feed(B.id)) == 1


def test_a_delivery_is_claimed_by_one_of_two_stores_on_one_file(tmp_path: Path) -> None:
    async def race() -> list[str]:
        one, other = SqliteAlerts(first), SqliteAlerts(second)
        await one.put(A)
        for number in range(20):
            await one.record([match(A, f"p{number}")])
            await one.bundle(DAY, at_once)
        taken = await asyncio.gather(*(take(store, limit=1) for _ in range(15) for store in (one, other)))
        return [errand.delivery.id for errands in taken for errand in errands]

    with opened(tmp_path, "alerts") as first, opened(tmp_path, "alerts") as second:
        ids = asyncio.run(race())
    assert len(ids) == len(set(ids)) == 20
