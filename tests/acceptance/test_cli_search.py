"""From a run to what people find, with the real program: read, search, suggest, text, index."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.lab.demo import demo_seeds
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests import hostile_documents as hostile
from tests.acceptance.conftest import program_for
from tests.pdf_pages import document as pdf_of
from tests.program import Program, until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def towns() -> Iterator[RunningLab]:
    with running_lab(Blueprint(demo=True)) as lab:
        yield lab


@pytest.fixture(scope="module")
def read(towns: RunningLab, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """On a home in which two towns were run, which reads and indexes too: only to be searched."""
    made = program_for(towns, tmp_path_factory.mktemp("read") / "home")
    for number, url in enumerate(demo_seeds()[:2]):
        assert made("source", "add", url, "--name", f"Stadt {number}").code == 0
    done = made("run", "--all")
    assert done.code == 0, done.err
    assert re.search(r"\d+ texts read \(.*read.*\), \d+ indexed", done.out), done.out
    assert "next: kiebitz" in done.out
    return made


def test_a_run_is_searchable_when_it_ends_and_a_hit_tells_its_page_and_passage(read: Program) -> None:
    done = read("search", "Baugenehmigung", "--json", "--limit", "5")
    assert done.code == 0, done.err
    answer = done.json
    assert answer["total"] >= len(answer["hits"]) == 5
    assert answer["cursor"]
    for hit in answer["hits"]:
        passage = hit["passages"][0]
        marks = [passage["text"][start:end] for start, end in passage["marks"]]
        assert any("genehmigung" in mark.lower() for mark in marks), hit
    gazettes = read("search", "Baugenehmigung", "--kind", "gazette", "--json").json["hits"]
    assert gazettes
    assert all(hit["passages"][0]["page"] >= 1 and hit["type"] == "pdf" for hit in gazettes)
    assert all(hit["published"] and hit["source"].startswith("Stadt ") for hit in gazettes)


def test_pages_of_results_follow_each_other_without_repeating(read: Program) -> None:
    seen: list[str] = []
    cursor: tuple[str, ...] = ()
    while True:
        answer = read("search", "Gemeinderat", "--json", "--limit", "7", *cursor).json
        seen += [hit["id"] for hit in answer["hits"]]
        if not answer["cursor"]:
            break
        cursor = ("--cursor", answer["cursor"])
    assert len(seen) == len(set(seen)) > 7


def test_facets_count_and_filters_narrow(read: Program) -> None:
    answer = read("search", "Sitzung", "--facets", "--json").json
    facets = {name: {each["value"]: each["count"] for each in values} for name, values in answer["facets"].items()}
    assert {"Stadt 0", "Stadt 1"} >= set(facets["source"]) != set()
    assert "gazette" in facets["kind"]
    for name, count in facets["source"].items():
        assert read("search", "Sitzung", "--source", name, "--json").json["total"] == count
    newest = read("search", "Sitzung", "--sort", "date", "--since", "2026-06", "--json").json["hits"]
    days = [hit["published"] for hit in newest if hit["published"]]
    assert days == sorted(days, reverse=True)
    assert days[-1] >= "2026-06-01"


def test_people_see_titles_dates_sources_pages_and_no_colours_in_a_pipe(read: Program) -> None:
    done = read("search", "Bebauungsplan", "--facets", "--limit", "3")
    assert done.code == 0, done.err
    assert re.search(r"^1\. \S", done.out, re.MULTILINE)
    assert re.search(r"20\d\d-\d\d-\d\d · Stadt \d · gazette · pdf", done.out)
    assert "page 1: " in done.out
    assert "\x1b" not in done.out
    assert re.search(r"^kind: +\S", done.out, re.MULTILINE)
    following = re.search(r"^next: kiebitz (?:--home \S+ )?search Bebauungsplan --cursor (\S+)", done.out, re.MULTILINE)
    assert following
    assert read("search", "Bebauungsplan", "--cursor", following[1]).code == 0


def test_nothing_found_is_no_error_and_says_what_to_do(read: Program) -> None:
    done = read("search", "Xylophonquartett")
    assert (done.code, done.out.splitlines()[0]) == (0, "nothing found")
    assert read("search", "Xylophonquartett", "--json").json["hits"] == []


@pytest.mark.parametrize("query", ['"', "((((", "title:", "AND OR NOT", "\x1b[31m", "a" * 5000, "..", "*", "~"])
def test_whatever_is_typed_is_answered(read: Program, query: str) -> None:
    done = read("search", "--json", "--", query)
    assert done.code == 0, done.err
    assert done.json["total"] >= 0


def test_a_minus_before_a_word_leaves_out_what_has_it(read: Program) -> None:
    every = read("search", "Sitzung", "--json").json["total"]
    without = read("search", "Sitzung", "-Haushaltssatzung", "--json").json["total"]
    assert 0 < without < every


def test_bad_options_say_so(read: Program) -> None:
    assert read("search", "x", "--limt", "5").code == 3
    assert read("search", "x", "--since", "gestern").code == 3
    assert read("search", "x", "--limit", "0").code == 2
    assert read("search").code == 2


def test_suggestions_begin_with_what_is_typed(read: Program) -> None:
    found = read("suggest", "bebau", "--json").json["suggestions"]
    assert found
    assert all("bebau" in each.lower() for each in found)
    assert read("suggest", "bebau").out.splitlines() == found


def test_the_text_of_a_url_is_shown_with_its_pages(read: Program) -> None:
    url = read("search", "Baugenehmigung", "--kind", "gazette", "--json").json["hits"][0]["url"]
    shown = read("text", url)
    assert shown.code == 0, shown.err
    assert shown.out.startswith("--- page 1\n")
    assert "state:        read, 1 pages" in shown.err
    answer = read("text", url, "--json").json
    assert (answer["kind"], answer["state"], answer["pages"][0]["number"]) == ("gazette", "read", 1)
    unknown = read("text", "https://nowhere.example/", "--json")
    assert unknown.code == 4
    assert "kiebitz" in unknown.json["error"]["hint"]


def test_a_file_is_read_without_a_home(tmp_path: Path) -> None:
    bare = Program(tmp_path / "home")
    file = tmp_path / "blatt.pdf"
    file.write_bytes(pdf_of([hostile.simple(), hostile.simple("Zweite Seite.")]))
    assert hostile.SENTENCE in bare("text", str(file)).out
    assert bare("text", str(file), "--page", "2").out == "--- page 2\nZweite Seite.\n"
    file.write_bytes(hostile.encrypted(b"geheim"))
    assert bare("text", str(file), "--json").json["state"] == "encrypted"
    assert bare("text").code == bare("text", str(tmp_path)).code == 3
    assert not bare.home.exists()


def test_the_index_tells_its_state_and_is_verified_compacted_and_rebuilt(read: Program) -> None:
    status = read("index", "status", "--json").json
    texts = sum(status["texts"].values())
    assert status["papers"] == texts > 30
    assert (status["behind"], status["jobs"]["waiting"], status["dead"]) == (0, 0, [])
    assert read("index", "verify", "--json").json == {"sound": True, "faults": []}
    before = read("search", "Baugenehmigung", "--json", "--limit", "50").json
    assert read("index", "compact", "--json").json["after"]["papers"] == texts
    assert read("index", "rebuild", "--json").json["papers"] == texts
    after = read("search", "Baugenehmigung", "--json", "--limit", "50").json
    assert {hit["id"] for hit in before["hits"]} == {hit["id"] for hit in after["hits"]}
    assert read("index", "verify").out == "nothing is wrong\n"
    assert "papers" in read("index", "status").out


def test_without_an_index_each_verb_names_the_next_step(tmp_path: Path) -> None:
    bare = Program(tmp_path / "home")
    for verb in (("search", "x"), ("suggest", "x"), ("index", "verify"), ("index", "compact")):
        done = bare(*verb, "--json")
        assert done.code == 4, verb
        assert "kiebitz read" in done.json["error"]["hint"]
    assert not bare.home.exists()
    empty = bare("read", "--json")
    assert (empty.code, empty.json["texts"], empty.json["dead"]) == (0, 0, 0)


def test_a_crawl_leaves_reading_for_later_unless_asked(towns: RunningLab, tmp_path: Path) -> None:
    program = program_for(towns, tmp_path / "home")
    crawl = ("crawl", towns.seeds[0], "--max-pages", "6", "--json")
    assert program(*crawl).code == 0
    assert not (program.home / "texts.db").exists()
    assert program("search", "Rathaus").code == 4
    assert program(*crawl, "--recrawl", "--read").code == 0
    assert program("search", "Rathaus", "--json").json["total"] >= 1


def test_a_watching_reader_makes_a_run_searchable_while_it_lives(towns: RunningLab, tmp_path: Path) -> None:
    program = program_for(towns, tmp_path / "home")
    assert program("source", "add", demo_seeds()[2], "--name", "Dritte").code == 0
    with program.running("read", "--watch", "--json") as watching:
        assert program("run", "Dritte", "--no-read").code == 0

        def found() -> bool:
            done = program("search", "Baugenehmigung", "--kind", "gazette", "--json")
            return done.code == 0 and done.json["total"] > 0

        until(found, 60)
        watching.interrupt()
        done = watching.wait()
    assert done.code == 0, done.err
    assert done.json["indexed"] == done.json["texts"] > 0
