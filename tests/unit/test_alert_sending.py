"""Sending alerts: digests, retries, giving up; and what a saved search may be."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import pytest

from kiebitz.adapters.memory.alerts import MemoryAlerts
from kiebitz.adapters.memory.clock import ManualClock
from kiebitz.adapters.memory.notifier import MemoryNotifier
from kiebitz.deploy.alerting.channels import Channels
from kiebitz.deploy.alerting.definition import named, require_reachable, saved_search
from kiebitz.deploy.alerting.sending import Sender, SendingPace, Tally, due_at
from kiebitz.errors import (
    AddressRefused,
    DeliveryFailed,
    DeliveryRefused,
    InputError,
    KiebitzError,
    NotFound,
    TimedOut,
)
from kiebitz.model.alert import DeliveryState, Match, SavedSearch
from kiebitz.settings import load
from tests.contract.awaited import awaited

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOOK = "https://hooks.example/one"
PACE = SendingPace(retry_seconds=10, max_tries=4)


def search(name: str = "a", **fields: object) -> SavedSearch:
    made = SavedSearch(str(uuid5(NAMESPACE_URL, name)), name, "x", START, channels=(HOOK,))
    return made._replace(**fields)  # type: ignore[arg-type]


def match(of: SavedSearch, paper: str, at: datetime = START) -> Match:
    return Match(of.id, paper, "v", f"https://x.example/{paper}", paper, at)


class Office:
    def __init__(self, *failures: KiebitzError, pace: SendingPace = PACE) -> None:
        self.clock = ManualClock(START.timestamp())
        self.alerts = MemoryAlerts()
        self.notifier = MemoryNotifier(failures)
        self.sender = Sender(self.alerts, self.notifier, self.clock, pace)

    async def find(self, of: SavedSearch, *papers: str) -> None:
        await self.alerts.put(of)
        await self.alerts.record([match(of, paper, self.clock.utc()) for paper in papers])

    @property
    def papers(self) -> list[str]:
        return [found.paper for _, told in self.notifier.told for found in told.matches]


@awaited
async def test_what_is_found_is_told_once() -> None:
    office = Office()
    await office.find(search(), "p", "q")
    assert await office.sender.send_due() == Tally(sent=1)
    assert await office.sender.send_due() == Tally()
    assert office.papers == ["p", "q"]


@awaited
async def test_a_receiver_that_fails_twice_is_told_everything_under_the_same_ids() -> None:
    office = Office(DeliveryFailed("http 503"), TimedOut("total"))
    await office.find(search(), "p")
    ids = {delivery.id for delivery in await office.alerts.deliveries(search().id)}
    assert await office.sender.send_due() == Tally(deferred=1)
    assert await office.sender.send_due() == Tally()
    office.clock.advance(12.1)
    assert await office.sender.send_due() == Tally(deferred=1)
    office.clock.advance(12.1)
    assert await office.sender.send_due() == Tally(), "the second wait is longer"
    office.clock.advance(12.1)
    assert await office.sender.send_due() == Tally(sent=1)
    assert office.papers == ["p"]
    assert ids <= {told.id for _, told in office.notifier.told}


@awaited
async def test_a_receiver_that_asks_for_time_gets_it() -> None:
    office = Office(DeliveryFailed("http 429", wait=3600))
    await office.find(search(), "p")
    await office.sender.send_due()
    office.clock.advance(3599)
    assert await office.sender.send_due() == Tally()
    office.clock.advance(1)
    assert await office.sender.send_due() == Tally(sent=1)


@awaited
async def test_what_will_never_be_taken_is_given_up_at_once_and_the_rest_at_the_last_try() -> None:
    office = Office(DeliveryRefused("http 410"))
    await office.find(search(), "p")
    assert await office.sender.send_due() == Tally(failed=1)
    office = Office(*(DeliveryFailed("http 500") for _ in range(9)))
    await office.find(search(), "p")
    tallies = []
    for _ in range(9):
        tallies.append(await office.sender.send_due())
        office.clock.advance(1_000)
    assert sum(tally.deferred for tally in tallies) == PACE.max_tries - 1
    assert sum(tally.failed for tally in tallies) == 1
    (delivery,) = await office.alerts.deliveries(search().id)
    assert (delivery.state, delivery.tries, delivery.error) == (DeliveryState.FAILED, 4, "http 500")


@awaited
async def test_a_receiver_that_says_nothing_is_left_after_a_while() -> None:
    class Silent(MemoryNotifier):
        async def send(self, *_told: object) -> None:
            await asyncio.sleep(60)

    office = Office()
    sender = Sender(office.alerts, Silent(), office.clock, PACE._replace(send_seconds=0.01))
    await office.find(search(), "p")
    assert await sender.send_due() == Tally(deferred=1)
    (delivery,) = await office.alerts.deliveries(search().id)
    assert delivery.error == "no answer in time"


@awaited
async def test_what_ends_every_process_is_given_up() -> None:
    office = Office()
    await office.find(search(), "p")
    await office.alerts.bundle(START, due_at)
    for _ in range(PACE.max_tries):
        now = office.clock.utc()
        assert await office.alerts.claim(now, limit=1, until=now + timedelta(seconds=60))
        office.clock.advance(61)
    assert await office.sender.send_due() == Tally(failed=1)
    assert office.papers == []


@awaited
async def test_a_digest_waits_for_its_time_and_holds_all_of_it() -> None:
    daily = search(schedule="0 8 * * * Europe/Berlin")
    office = Office()
    await office.find(daily, "p")
    office.clock.advance(3600)
    await office.find(daily, "q")
    assert await office.sender.send_due() == Tally()
    office.clock.advance(18 * 3600 - 1)
    assert await office.sender.send_due() == Tally()
    office.clock.advance(1)
    assert await office.sender.send_due() == Tally(sent=1)
    assert office.papers == ["p", "q"]
    await office.find(daily, "r")
    assert await office.sender.send_due() == Tally(), "what comes after a digest waits for the next"


@awaited
async def test_watching_ends_when_it_is_told_to() -> None:
    office, stop = Office(), asyncio.Event()
    await office.find(search(), "p")
    asyncio.get_running_loop().call_later(0.05, stop.set)
    assert await office.sender.watch(stop) == Tally(sent=1)


# ---------------------------------------------------------------------- what a saved search may be


def test_a_saved_search_is_checked() -> None:
    made = saved_search(" Bau ", " plan ", {"source": ["Köln", "Köln"], "kind": []}, [HOOK, HOOK], "@daily", START)
    assert made[1:] == ("Bau", "plan", START, (("source", ("Köln",)),), (HOOK,), "0 0 * * * Europe/Berlin", True)
    for name, query, filters, digest in (
        ("", "x", {}, ""),
        ("a\nb", "x", {}, ""),
        ("a" * 201, "x", {}, ""),
        ("a", "", {}, ""),
        ("a", "x" * 2001, {}, ""),
        ("a", "x", {"url": ["y"]}, ""),
        ("a", "x", {}, "soon"),
    ):
        with pytest.raises(InputError):
            saved_search(name, query, filters, [], digest, START)


@awaited
async def test_a_search_that_is_not_there_has_its_likeness_proposed() -> None:
    alerts = MemoryAlerts()
    await alerts.put(search("Bebauung"))
    with pytest.raises(NotFound) as caught:
        await named(alerts, "Bebaung")
    assert caught.value.hint == "did you mean 'Bebauung'?"


@awaited
async def test_a_channel_that_can_never_work_is_refused_when_the_search_is_saved(tmp_path: Path) -> None:
    async with Channels(load({"home": tmp_path}, {}, tmp_path), ManualClock()) as channels:
        require_reachable(search(), channels)
        for channel in ("http://127.0.0.1/", "http://[::1]/x", "http://0x7f.1/", "https://169.254.169.254/latest"):
            with pytest.raises(AddressRefused):
                require_reachable(search(channels=(channel,)), channels)
        for channel in ("", "hooks.example", "ftp//x", "https://", "mailto:x", "json://10.0.0.1", "x" * 3000):
            with pytest.raises(InputError):
                require_reachable(search(channels=(channel,)), channels)


@awaited
async def test_a_network_that_the_operator_allows_may_be_told(tmp_path: Path) -> None:
    settings = load({"home": tmp_path, "allow_networks": "10.1.0.0/16"}, {}, tmp_path)
    async with Channels(settings, ManualClock()) as channels:
        channels.check("http://10.1.2.3/hook")
        with pytest.raises(AddressRefused):
            channels.check("http://10.2.2.3/hook")


def test_the_signing_key_and_the_mail_password_are_not_shown(tmp_path: Path) -> None:
    given = {"webhook_secret": "whsec_" + "A" * 32, "mail_server": "smtps://me:geheim@mail.example"}
    shown = {each.name: each.value for each in load(given, {}, tmp_path).explain()}
    assert (shown["webhook_secret"], shown["mail_server"]) == ("whsec_***", "smtps://me:***@mail.example")
