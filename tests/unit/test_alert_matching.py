"""Matching new papers with saved searches, by the real analysis and the real engine."""

from datetime import UTC, date, datetime
from functools import cache
from uuid import NAMESPACE_URL, uuid5

import pytest

from kiebitz.adapters.memory.alerts import MemoryAlerts
from kiebitz.adapters.memory.clock import ManualClock
from kiebitz.deploy.alerting.excerpt import LONGEST, Excerpts, words_of
from kiebitz.deploy.alerting.matching import Alerter, Instruments, instruments, match_batch
from kiebitz.model.alert import SavedSearch, version_of
from kiebitz.model.hit import PageText, Paper
from kiebitz.search.parse import parse
from tests.contract.awaited import awaited

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TOOLS = cache(instruments)


def paper(name: str, text: str, **fields: object) -> Paper:
    made = Paper(name, f"https://stadt.example/{name}", f"Nr. {name}", (PageText(1, text),), language="de")
    return made._replace(**fields)  # type: ignore[arg-type]


def search(query: str, name: str = "", **fields: object) -> SavedSearch:
    made = SavedSearch(str(uuid5(NAMESPACE_URL, name or query)), name or query, query, NOW)
    return made._replace(**fields)  # type: ignore[arg-type]


PAPERS = [
    paper("1", "Der Bebauungsplan Nr. 7 wird geändert.", source="Köln", kind="gazette", published=date(2026, 2, 1)),
    paper("2", "Die Änderung der Satzung über Hunde.", source="Köln", published=date(2025, 2, 1)),
    paper("3", "Die Bebauungspläne liegen aus.", source="Aachen", kind="gazette"),
]


def found(query: str, papers: list[Paper] = PAPERS, **fields: object) -> list[str]:
    return [match.paper for match in match_batch(papers, [search(query, "any", **fields)], TOOLS(), NOW)]


@pytest.mark.parametrize(
    ("query", "papers"),
    [
        ("bebauungsplan", ["1", "3"]),
        ("bebauungsplan satzung", []),
        ("bebauungsplan geändert", ["1"]),
        ("bebauungsplan OR satzung", ["1", "2", "3"]),
        ('"Satzung über Hunde"', ["2"]),
        ("bebauungsplan -geändert", ["3"]),
        ("2026..2026", ["1"]),
        ("source:Köln", ["1", "2"]),
        ("", ["1", "2", "3"]),
    ],
)
def test_a_saved_search_finds_what_fits_it_and_is_never_widened(query: str, papers: list[str]) -> None:
    assert found(query) == papers


def test_filters_hold() -> None:
    assert found("bebauungsplan", filters=(("source", ("Aachen", "Bonn")),)) == ["3"]
    assert found("", filters=(("source", ("Köln",)), ("kind", ("gazette",)))) == ["1"]


def test_near_duplicates_match_by_themselves_and_of_one_id_the_last_counts() -> None:
    twins = [paper(name, "Der Bebauungsplan", cluster="c") for name in ("a", "b")]
    assert found("bebauungsplan", twins) == ["a", "b"]
    assert found("bebauungsplan", [twins[0], paper("a", "Nichts davon.")]) == []


def test_a_match_says_where_it_was_found() -> None:
    text = "Vorwort. " * 60 + "Der Entwurf des Bebauungsplans liegt aus."
    (match,) = match_batch([paper("1", text)], [search("bebauungsplan")], TOOLS(), NOW)
    assert "Bebauungsplans liegt aus" in match.excerpt
    assert match.excerpt.startswith("… ")
    assert (match.title, match.found_at) == ("Nr. 1", NOW)


def test_hostile_papers_and_queries_are_matched_like_others() -> None:
    hostile = paper("\ud800", "Plan \ud83d \x00 \u202e", title="\udfff\x1b[31m", url="https://x/\ud800")
    (match,) = match_batch([hostile], [search("plan")], TOOLS(), NOW)
    for text in (match.paper, match.title, match.url, match.excerpt):
        text.encode()
    for query in ("(" * 5_000, "a" * 100_000, "\x00", "\ud800", "~*", '"', "NOT", "title:", "0..9999999"):
        found(query)


def test_an_excerpt_is_short_and_its_words_are_those_that_were_asked_for() -> None:
    assert list(words_of(parse('Hund "zwei Worte" -Katze title:Bebauungspläne', NOW.date())))[:2] == [
        "hund",
        "zwei worte",
    ]
    assert "katze" not in list(words_of(parse("Hund -Katze", NOW.date())))
    endless = Excerpts(paper("1", "x" * 1_000_000 + " hund " + "y" * 1_000_000))
    assert len(endless.showing(["hund"])) <= LONGEST
    assert len(endless.showing(["x"])) <= LONGEST
    assert Excerpts(Paper("1", "u", "t", ())).showing(["hund"]) == ""


def test_a_version_is_of_what_a_reader_sees() -> None:
    one = PAPERS[0]
    assert version_of(one) == version_of(one._replace(crawled_at=NOW, source="x", cluster="y"))
    assert version_of(one) != version_of(one._replace(title="x"))
    assert version_of(one._replace(keywords=("a", "b"))) != version_of(one._replace(keywords=("ab",)))


@awaited
async def test_a_batch_that_comes_again_adds_nothing() -> None:
    alerts, clock = MemoryAlerts(), ManualClock()
    await alerts.put(search("bebauungsplan"))
    await alerts.put(search("satzung", enabled=False))
    alerter = Alerter(alerts, clock, TOOLS)
    assert await alerter.seen(PAPERS[:2], 2) == 1
    assert await alerter.seen(PAPERS, 3) == 1, "the first one is known already"
    await alerts.put(search("änderung"))
    assert await alerter.seen(PAPERS, 3) == 0, "a rebuild of the index tells nobody"
    assert await alerter.seen([PAPERS[0]._replace(title="Nr. 1, berichtigt")], 4) == 1, "a new version is news"
    assert [entry.match.paper for entry in await alerts.feed(search("bebauungsplan").id)] == ["1", "3", "1"]
    assert await alerts.feed(search("satzung").id) == []


@awaited
async def test_without_saved_searches_nothing_is_analysed_and_the_position_moves_on() -> None:
    def never() -> Instruments:
        pytest.fail("there was nobody to ask")

    alerts = MemoryAlerts()
    assert await Alerter(alerts, ManualClock(), never).seen(PAPERS, 3) == 0
    assert await alerts.position() == 3
