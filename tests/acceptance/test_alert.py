"""``kiebitz alert`` as a user calls it, with a real receiver on loopback."""

import asyncio
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from kiebitz.adapters.local.clock import SystemClock
from kiebitz.deploy.alerting.matching import Alerter
from kiebitz.deploy.backends import open_backend
from kiebitz.model.hit import PageText, Paper
from kiebitz.settings import load
from tests.program import Program
from tests.receivers import webhooks

LOOPBACK = {"KIEBITZ_ALLOW_NETWORKS": "127.0.0.0/8"}
TITLE = "Amtsblatt <b>& „Nr. 5“\x1b[31m"


async def index(home: Path, *texts: str) -> None:
    """What the indexer does with a batch, as far as alerts are concerned."""
    backend = open_backend(load({"home": home}, {}, home), SystemClock())
    papers = [
        Paper(f"p{number}", f"https://stadt.example/{number}", TITLE, (PageText(1, text),), language="de")
        for number, text in enumerate(texts)
    ]
    await Alerter(backend.state.alerts, backend.clock).seen(papers, len(papers))
    await backend.close()


@pytest.mark.slow
def test_a_saved_search_is_told_once_and_has_a_feed(tmp_path: Path) -> None:
    program = Program(tmp_path / "home", LOOPBACK)
    with webhooks() as receiver:
        added = program("alert", "add", "Bau", "bebauungsplan", "--to", f"{receiver.url}/secret", "--json")
        assert added.code == 0, added.err
        assert added.json["channels"] == [f"http://127.0.0.1:{receiver.port}/…"]
        assert program("alert", "test", "Bau").code == 0
        assert json.loads(receiver.posted.pop().body)["type"] == "alert.test"
        asyncio.run(index(program.home, "Der Bebauungsplan liegt aus.", "Über Hunde."))
        assert program("alert", "send", "--json").json == {"sent": 1, "deferred": 0, "failed": 0}
        assert program("alert", "send", "--json").json == {"sent": 0, "deferred": 0, "failed": 0}
    (posted,) = receiver.posted
    message = json.loads(posted.body)
    assert [match["paper"] for match in message["matches"]] == ["p0"]
    shown = program("alert", "show", "Bau", "--json").json
    assert [(each["id"], each["state"]) for each in shown["deliveries"]] == [(message["id"], "sent")]
    assert "\x1b" not in program("alert", "show", "Bau").out
    for form in ("rss", "atom"):
        root = ET.fromstring(program("alert", "feed", "Bau", "--format", form).raw)
        assert message["matches"][0]["id"] in ET.tostring(root, "unicode")
    (line,) = program("alert", "feed", "Bau", "--json").lines
    assert program("alert", "feed", "Bau", "--json", "--after", str(line["sequence"])).lines == []
    assert program("alert", "remove", "Bau", "--yes").code == 0
    assert program("alert", "list", "--json").lines == []


@pytest.mark.slow
def test_mistakes_are_answered_with_the_next_step(tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    assert program("alert", "add", "Bau", "plan").code == 0
    for code, *words in (
        (5, "add", "Bau", "x"),
        (3, "add", "Leer", ""),
        (3, "add", "A", "x", "--digest", "soon"),
        (3, "add", "A", "x", "--to", "nowhere"),
        (3, "add", "A", "x", "--to", "mailto:me@example.org"),
        (1, "add", "A", "x", "--to", "http://169.254.169.254/latest"),
        (4, "add", "A", "x", "--source", "Atlantis"),
        (4, "show", "Bua"),
        (4, "feed", "nothing"),
        (3, "feed", "Bau", "--format", "csv"),
        (3, "test", "Bau"),
        (3, "remove", "Bau"),
    ):
        done = program("alert", *words)
        assert (done.code, "next: " in done.err) == (code, True), (words, done.err)
    assert [each["name"] for each in program("alert", "list", "--json").lines] == ["Bau"]
