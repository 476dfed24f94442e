"""The contract of the index."""

import asyncio
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from kiebitz.model.hit import PageText
from kiebitz.model.query import Everything, Search, Word
from kiebitz.ports.index import Index
from tests.contract.awaited import awaited
from tests.contract.index_papers import ADAPTERS, PAPERS, Opener, found, paper


@pytest.fixture(scope="module", params=ADAPTERS, ids=lambda opener: opener.__name__)
def opener(request: pytest.FixtureRequest) -> Opener:
    made: Opener = request.param
    return made


@pytest.fixture
def empty(opener: Opener, tmp_path: Path) -> Iterator[Index]:
    index = opener(tmp_path)
    yield index
    asyncio.run(index.close())


async def fill(index: Index) -> None:
    await index.add(PAPERS)
    await index.commit(7)


@pytest.fixture
def index(empty: Index) -> Index:
    asyncio.run(fill(empty))
    return empty


@pytest.fixture(scope="module")
def library(opener: Opener, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """The same papers, for tests that only read."""
    made = opener(tmp_path_factory.mktemp("library"))
    asyncio.run(fill(made))
    yield made
    asyncio.run(made.close())


@awaited
async def test_an_empty_index_finds_nothing(empty: Index) -> None:
    assert await empty.position() == 0
    assert await found(empty, "plan") == []
    assert await empty.suggest("pla") == []
    assert (await empty.status()).papers == 0
    assert await empty.verify() == []


@awaited
async def test_what_was_added_shows_with_the_commit_and_not_before(empty: Index) -> None:
    await empty.add(PAPERS)
    assert await found(empty, "feuerwehr") == []
    await empty.commit(3)
    assert await found(empty, "feuerwehr") == ["fire"]
    assert await empty.position() == 3
    status = await empty.status()
    assert (status.papers, status.position) == (len(PAPERS), 3)


@awaited
async def test_a_paper_that_is_added_again_is_replaced(index: Index) -> None:
    for round_ in range(3):
        await index.add([paper("fire", f"Die Feuerwehr übt zum {round_}. Mal.")])
    await index.add([paper("plan", "Etwas anderes.")])
    await index.commit(8)
    assert await found(index, "feuerwehr") == ["fire"]
    assert await found(index, "freiwillige") == []
    assert "plan" not in await found(index, "bebauungsplan")
    assert (await index.status()).papers == len(PAPERS)


@awaited
async def test_what_is_deleted_is_gone_with_the_commit(index: Index) -> None:
    await index.delete(["fire", "gazette", "never there"])
    assert await found(index, "feuerwehr") == ["fire"]
    await index.commit(8)
    await index.delete(["fire"])
    await index.commit(9)
    assert await found(index, "feuerwehr") == []
    assert await found(index, "grundsteuer") == []
    assert (await index.status()).papers == len(PAPERS) - 2
    await index.add([paper("fire", "Die Feuerwehr ist wieder da.")])
    await index.commit(10)
    assert await found(index, "feuerwehr") == ["fire"]


@awaited
async def test_the_exact_form_ranks_before_other_forms_and_parts(library: Index) -> None:
    assert (await found(library, "bebauungsplan"))[:2] == ["plan", "plural"]
    assert (await found(library, "plan"))[0] == "plain"
    assert set(await found(library, "plan")) == {"plain", "plan", "plural"}
    assert await found(library, "building permit") == ["english"]


@awaited
async def test_a_compound_does_not_match_only_one_of_its_parts(library: Index) -> None:
    assert "plain" not in await found(library, "bebauungsplan")
    assert await found(library, "satzung") == ["gazette"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("strassensperrung", {"road"}),
        ("hauptstrasse", {"road"}),
        ('"Bebauungsplan Nr. 12"', {"plan"}),
        ('"Nr. Bebauungsplan"', set()),
        ("feuerw*", {"fire"}),
        ("feuerwhr~", {"fire"}),
        ("title:sommerfest", {"plain"}),
        ("title:sommer", {"plain"}),
        ("source:Altdorf", {"plural", "plain"}),
        ("plan source:Altdorf", {"plural", "plain"}),
        ("2026..2026", {"plan", "road", "gazette"}),
        ("plan 2024..2025", {"plural", "plain"}),
        ("feuerwehr OR sommer", {"fire", "plain"}),
        ("plan -sommer -bebauungsplan", set()),
        ("url:fire", {"fire"}),
        ("type:pdf", {"plan", "gazette"}),
        ("year:2025", {"plural"}),
    ],
)
@awaited
async def test_each_kind_of_query_finds_what_it_should(library: Index, text: str, ids: set[str]) -> None:
    assert set(await found(library, text)) == ids


@awaited
async def test_what_is_only_excluded_leaves_the_rest(library: Index) -> None:
    assert set(await found(library, "-plan")) == {"fire", "road", "english", "gazette"}


@awaited
async def test_papers_with_all_words_come_before_those_with_most(library: Index) -> None:
    ids = await found(library, "bebauungsplan rat beschlossen feuerwehr")
    assert ids == ["plan"]
    ids = await found(library, "feuerwehr freiwillige sommer")
    assert ids[0] == "fire"
    assert "plan" not in ids


@awaited
async def test_filters_hold_and_facets_are_counted(library: Index) -> None:
    everything = await library.search(Search(Everything(), facets=True))
    facets = dict(everything.facets)
    assert everything.total == len(PAPERS)
    assert facets["source"] == (("Altdorf", 2), ("Neustadt", 2))
    assert dict(facets["year"]) == {"2026": 3, "2025": 1, "2024": 1}
    assert dict(facets["language"]) == {"de": 6, "en": 1}
    filters = (("source", ("Altdorf", "Neustadt")), ("year", ("2024", "2026")))
    narrowed = await library.search(Search(Everything(), filters=filters, facets=True))
    assert {hit.id for hit in narrowed.hits} == {"plan", "plain"}
    assert dict(narrowed.facets)["source"] == (("Altdorf", 1), ("Neustadt", 1))


@awaited
async def test_a_hit_tells_all_about_its_paper(library: Index) -> None:
    (hit, *_) = (await library.search(Search(Word("Bebauungsplan")))).hits
    given = PAPERS[0]
    for name in ("id", "url", "title", "source", "kind", "type", "domain", "language", "published", "crawled_at"):
        assert getattr(hit, name) == getattr(given, name), name
    assert hit.score > 0
    (passage, *_) = hit.passages
    assert [passage.text[a:b] for a, b in passage.marks] == ["Bebauungsplan"]
    assert [hit.title[a:b] for a, b in hit.title_marks] == ["Bebauungsplan"]


@pytest.mark.parametrize(("text", "page"), [("friedhof", 2), ("grundst*", 3), ("burgermeister~2", 1), ("steuern", 3)])
@awaited
async def test_a_hit_knows_its_page(library: Index, text: str, page: int) -> None:
    from kiebitz.search.parse import parse

    (hit, *_) = (await library.search(Search(parse(text, date(2026, 1, 1))))).hits
    assert hit.id == "gazette"
    assert hit.passages[0].page == page
    assert hit.passages[0].marks


@awaited
async def test_the_newest_come_first_by_date(library: Index) -> None:
    dated = [hit.id for hit in (await library.search(Search(Everything(), sort="date"))).hits]
    assert dated[:5] == ["road", "gazette", "plan", "plural", "plain"]
    assert set(dated[5:]) == {"fire", "english"}


@pytest.mark.parametrize("sort", ["relevance", "date"])
@awaited
async def test_pages_follow_each_other_while_papers_are_added(empty: Index, sort: str) -> None:
    await empty.add([paper(f"n{n}", "Sitzung des Rates " * (1 + n % 4), published=date(2026, 1, 1)) for n in range(25)])
    await empty.commit(1)
    whole = await empty.search(Search(Word("Sitzung"), limit=25, sort=sort))
    seen: list[str] = []
    cursor = ""
    for page in range(9):
        results = await empty.search(Search(Word("Sitzung"), limit=3, sort=sort, cursor=cursor))
        seen += [hit.id for hit in results.hits]
        assert results.total >= 25
        await empty.add([paper(f"late{page}", "Sitzung des Rates " * 3, published=date(2026, 1, 2))])
        await empty.commit(2 + page)
        cursor = results.cursor
        if not cursor:
            break
    assert seen == [hit.id for hit in whole.hits]
    assert (await empty.search(Search(Word("Sitzung")))).total == 34


@pytest.mark.parametrize("cursor", ["x", "bm90aGluZw", "W10", "é", "A" * 5000, "WzEsMiwzLDQsNV0"])
@awaited
async def test_a_cursor_that_is_not_ours_does_no_harm(library: Index, cursor: str) -> None:
    results = await library.search(Search(Word("feuerwehr"), cursor=cursor))
    assert results.total == 1


@awaited
async def test_words_and_titles_are_suggested(library: Index) -> None:
    assert "feuerwehr" in [text.lower() for text in await library.suggest("feuerw")]
    assert "Bebauungsplan Nr. 12" in await library.suggest("bebau")
    assert await library.suggest("") == []
    assert len(await library.suggest("b", limit=2)) <= 2


@awaited
async def test_a_word_that_was_mistyped_is_corrected(library: Index) -> None:
    results = await library.search(Search(Word("Feuerwher"), text="Feuerwher"))
    assert (results.total, results.correction) == (0, "Feuerwehr")
    assert (await library.search(Search(Word("Feuerwehr"), text="Feuerwehr"))).correction == ""


@awaited
async def test_compacting_changes_nothing_that_is_found(index: Index) -> None:
    await index.delete(["fire", "plural"])
    await index.add([paper("plan", "Ein neuer Text über den Haushalt.")])
    await index.commit(9)
    before = {text: set(await found(index, text)) for text in ("haushalt", "plan", "friedhof", "-xyz", "2026..2026")}
    await index.compact()
    assert {text: set(await found(index, text)) for text in before} == before
    assert await index.position() == 9
    assert await index.verify() == []
    (hit, *_) = (await index.search(Search(Word("Friedhofssatzung")))).hits
    assert hit.passages[0].page == 2


@pytest.mark.parametrize(
    "text",
    [
        "\ud800",
        "a\0b",
        "x" * 70_000,
        "((((",
        '"',
        "a" * 300 + "~2",
        "title:",
        "*",
        "~",
        "NOT",
        "\u202e\u200f",
        "§§ §",
        "ß" * 200,
    ],
)
@awaited
async def test_odd_texts_are_indexed_and_searched_without_an_error(empty: Index, text: str) -> None:
    odd = paper(
        f"odd{text[:50]}", text, text, source=text, keywords=(text,), pages=(PageText(0, text), PageText(1, text))
    )
    await empty.add([odd])
    await empty.commit(1)
    await found(empty, text)
    await found(empty, f"source:{text}", filters=(("source", (text,)),), facets=True)
    await empty.suggest(text)
    assert (await empty.status()).papers == 1
    assert (await empty.search(Search(Everything()))).hits[0].id == odd.id
