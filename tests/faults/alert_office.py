"""A process that matches documents with saved searches and sends the alerts, until all of them are told. It may be killed.

``python -m tests.faults.alert_office HOME DOCUMENTS SEARCHES HOOK``
"""

import asyncio
import os
import random
import sys
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from kiebitz.adapters.local.clock import SystemClock
from kiebitz.deploy.alerting.channels import Channels
from kiebitz.deploy.alerting.matching import Alerter
from kiebitz.deploy.alerting.sending import Sender, SendingPace
from kiebitz.deploy.backends import open_backend
from kiebitz.model.alert import DeliveryState, SavedSearch
from kiebitz.model.hit import PageText, Paper
from kiebitz.ports.alerts import Alerts
from kiebitz.settings import Settings, load
from tests.contract.samples import DAY

RARITY = 250  # one document in so many has the word of a search
BATCHES = (150, 200, 250)
PACE = SendingPace(lanes=1, send_seconds=5.0, claim_seconds=6.0, retry_seconds=0.02, longest_seconds=0.05, max_tries=50)
CONSONANTS = "bdfgklmnprstvwz"
VOWELS = "aeiou"


def settings_of(home: Path) -> Settings:
    return load({"home": home, "allow_networks": "127.0.0.0/8"}, {}, home.parent)


def word(number: int) -> str:
    """A word of no language, another one for each number."""
    letters = ""
    for _ in range(4):
        number, consonant = divmod(number, len(CONSONANTS))
        letters += CONSONANTS[consonant] + VOWELS[(number + consonant) % len(VOWELS)]
    return f"q{letters}x"


def fits(document: int, search: int) -> bool:
    return (document * 7919 + search * 104_729) % RARITY == 0


def town(document: int) -> str:
    return f"Ort {document % 2}"


def expected(documents: int, search: int) -> list[str]:
    """The truth: every third search wants documents of one town only."""
    found = (number for number in range(documents) if fits(number, search))
    return [f"p{number}" for number in found if search % 3 or town(number) == "Ort 0"]


def paper(number: int, searches: int) -> Paper:
    words = " und ".join(word(search) for search in range(searches) if fits(number, search))
    text = f"Öffentliche Bekanntmachung {number}. Der Rat hat beschlossen: {words}."
    pages = (PageText(1, text),)
    return Paper(f"p{number}", f"https://stadt.example/{number}", f"Nr. {number}", pages, source=town(number))


def saved(number: int, hook: str) -> SavedSearch:
    identity = str(uuid5(NAMESPACE_URL, f"search {number}"))
    filters = () if number % 3 else (("source", ("Ort 0",)),)
    return SavedSearch(identity, f"s{number}", word(number), DAY, filters=filters, channels=(hook,))


async def work(home: Path, documents: int, searches: int, hook: str) -> None:
    settings, clock = settings_of(home), SystemClock()
    backend = open_backend(settings, clock)
    alerts = backend.state.alerts
    try:
        async with Channels(settings, clock) as channels, asyncio.TaskGroup() as group:
            matching = group.create_task(match(home, alerts, documents, searches))
            sender = Sender(alerts, channels, clock, PACE)
            while True:
                matched = matching.done()  # asked before, so that nothing slips in between
                tally = await sender.send_due()
                if matched and not (tally.sent or tally.deferred) and await all_told(alerts, searches, hook):
                    return
                await asyncio.sleep(0.02)
    finally:
        await backend.close()


async def match(home: Path, alerts: Alerts, documents: int, searches: int) -> None:
    """As the indexer does: a batch is matched, then committed; after a death the last commit is where it goes on."""
    alerter, committed = Alerter(alerts, SystemClock()), home / "committed"
    rng = random.Random(os.getpid())
    done = int(committed.read_text()) if committed.exists() else 0
    while done < documents:
        end = min(documents, done + rng.choice(BATCHES))
        await alerter.seen([paper(number, searches) for number in range(done, end)], end)
        draft = home / "committed.draft"
        draft.write_text(str(end))
        draft.replace(committed)
        done = end


async def all_told(alerts: Alerts, searches: int, hook: str) -> bool:
    for number in range(searches):
        deliveries = await alerts.deliveries(saved(number, hook).id, limit=1_000)
        if any(delivery.state is DeliveryState.PENDING for delivery in deliveries):
            return False
    return True


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
