"""Sites that are down for a while: deferred, then had without anybody's help; what is gone says so and can be retried."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.acceptance.bad_sources import DOMAIN, NOWHERE, Ask, Reply, Site, Web, always, gazette, served
from tests.program import Program

HOST = f"stadt.{DOMAIN}"
URL = f"http://{HOST}/amtsblatt/"
RETRY = 0.3
QUICK = {"KIEBITZ_DELAY": "0", "KIEBITZ_RETRY_DELAY": str(RETRY), "KIEBITZ_FIRST_BYTE_SECONDS": "1"}
IMPATIENT = {"patience": "0"}  # a run does not wait for the next try


def down(ask: Ask) -> Reply:
    return NOWHERE if ask.path == "/robots.txt" else Reply("Wartung", status=503)


def asleep(ask: Ask) -> Reply:
    return NOWHERE if ask.path == "/robots.txt" else Reply("", wait=5)


@pytest.fixture
def web() -> Iterator[Web]:
    with served({HOST: gazette(3)}) as made:
        yield made


@pytest.fixture
def program(web: Web, tmp_path: Path) -> Program:
    made = Program(tmp_path / "home", {**QUICK, "KIEBITZ_RESOLVE": web.resolve, "KIEBITZ_PATIENCE": "20"})
    assert made("source", "add", URL, "--name", "Stadt", "--schedule", "every 1h").code == 0
    return made


@pytest.mark.slow
@pytest.mark.parametrize(("mood", "reason"), [(down, "http 503"), (asleep, "first byte")])
def test_a_site_that_is_down_is_deferred_and_later_had(web: Web, program: Program, mood: Site, reason: str) -> None:
    web.sites[HOST] = mood
    began = datetime.now(UTC).isoformat()
    first = program("run", "Stadt", "--json", **IMPATIENT).json
    assert (first["state"], first["deferred"], first["failed"], first["documents"]) == ("running", 1, 0, 0)
    assert reason in first["error"]
    (row,) = program("urls", "--state", "deferred", "--json").lines
    assert (row["url"], row["tries"]) == (URL, 1)
    assert reason in row["reason"]
    assert row["next_at"] > began
    assert program("coverage", "--json").json["state"] == "broken"

    web.sites[HOST] = gazette(3)
    time.sleep(RETRY * 1.2)
    second = program("run", "--all", "--json").json
    assert second["run"] == first["run"], "the same run goes on"
    assert (second["state"], second["deferred"], second["failed"]) == ("finished", 0, 0)
    assert second["new_documents"] == 3
    assert program("coverage", "--json").json["state"] == "healthy"
    assert "over" in program("source", "show", "Stadt").out
    assert len(web.seen(HOST)) in (1 + 3, 2 + 3)  # a request that was given up may not be in the log yet


@pytest.mark.slow
def test_a_run_that_is_patient_sees_the_site_come_back_by_itself(web: Web, program: Program) -> None:
    web.sites[HOST] = down
    with program.running("run", "Stadt", "--json") as running:
        deadline = time.monotonic() + 20
        while not web.seen(HOST) and time.monotonic() < deadline:
            time.sleep(0.02)
        web.sites[HOST] = gazette(3)
        done = running.wait()
    assert (done.json["state"], done.json["new_documents"], done.json["error"]) == ("finished", 3, "")
    assert program("coverage", "--json").json["state"] == "healthy"


@pytest.mark.slow
def test_nobody_answering_is_deferred_too(web: Web, program: Program) -> None:
    web.close()
    first = program("run", "Stadt", "--json", **IMPATIENT).json
    assert (first["state"], first["deferred"]) == ("running", 1)
    assert "refused" in first["error"]
    assert "nobody answers" in program("source", "show", "Stadt").out
    web.open()
    time.sleep(RETRY * 1.5)
    assert program("run", "Stadt", "--json").json["new_documents"] == 3


@pytest.mark.slow
def test_a_site_that_stays_down_fails_in_the_end_and_is_asked_only_so_often(web: Web, program: Program) -> None:
    web.sites[HOST] = down
    done = program("run", "Stadt", "--json", max_tries="2").json
    assert (done["state"], done["deferred"], done["failed"]) == ("finished", 0, 1)
    assert len(web.seen(HOST)) == 2
    (row,) = program("urls", "--state", "failed", "--json").lines
    assert (row["reason"], row["tries"]) == ("http 503", 2)
    web.sites[HOST] = gazette(3)
    assert program("run", "Stadt", "--json").json["new_documents"] == 3


@pytest.mark.slow
def test_a_page_that_is_gone_fails_with_its_reason_and_a_retry_has_it_again(web: Web, program: Program) -> None:
    web.sites[HOST] = always(Reply("weg", status=410))
    gone = program("run", "Stadt", "--json").json
    assert (gone["state"], gone["failed"], gone["new_documents"]) == ("finished", 1, 0)
    assert "http 410" in gone["error"]
    assert len(web.seen(HOST)) == 1, "what is gone is not tried again"
    (row,) = program("urls", "--state", "failed", "--json").lines
    assert (row["url"], row["reason"], row["status"], row["next_at"]) == (URL, "http 410", 410, None)
    assert program("runs", "--json").json["failed"] == 1

    web.sites[HOST] = gazette(3)
    assert program("retry", "--json").json == {"run": gone["run"], "retried": 1}
    mended = program("run", "Stadt", "--json").json
    assert (mended["run"], mended["failed"], mended["new_documents"]) == (gone["run"], 0, 3)
    assert not program("urls", "--state", "failed", "--json").lines
    assert program("coverage", "--json").json["state"] == "healthy"


@pytest.mark.slow
def test_one_document_that_is_gone_does_not_hold_up_the_others(web: Web, program: Program) -> None:
    good = gazette(3)
    web.sites[HOST] = lambda ask: Reply("weg", status=410) if "00002" in ask.path else good(ask)
    first = program("run", "Stadt", "--json").json
    assert (first["documents"], first["failed"]) == (2, 1)
    assert program("coverage", "--json").json["years"][0]["missing"] == [2]
    web.sites[HOST] = good
    assert program("retry", "--json").json["retried"] == 1
    assert program("run", "Stadt", "--json").json["documents"] == 3
    assert program("coverage", "--json").json["missing"] == 0


@pytest.mark.slow
def test_what_is_due_includes_what_was_deferred(web: Web, program: Program) -> None:
    web.sites[HOST] = down
    assert program("run", "Stadt", "--json", **IMPATIENT).json["deferred"] == 1
    web.sites[HOST] = gazette(3)
    time.sleep(RETRY * 1.5)
    done = program("run", "--due", "--json")
    assert [line["new_documents"] for line in done.lines] == [3]


@pytest.mark.slow
def test_a_run_that_waits_says_when_it_tries_again(web: Web, program: Program) -> None:
    web.sites[HOST] = down
    began = datetime.now(UTC).isoformat()
    assert program("run", "Stadt", "--json", **IMPATIENT).json["next_try"] > began


@pytest.mark.slow
def test_a_retried_run_of_a_source_goes_on_as_one(web: Web, program: Program) -> None:
    web.sites[HOST] = always(Reply("weg", status=410))
    assert program("run", "Stadt", "--json").json["failed"] == 1
    web.sites[HOST] = gazette(3)
    assert "run Stadt" in program("retry").out
    refused = program("crawl")
    assert refused.code == 3
    assert "belongs to a source" in refused.err
    assert "/" not in {entry.target for entry in web.seen(HOST)}, "the menu is none of its business"
