"""Sources from end to end: tried before anything is saved, run, run again, and a week later."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.lab.demo import demo_seeds
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests.program import Done, kiebitz

PDFS = 162


@pytest.fixture(scope="module")
def towns() -> Iterator[RunningLab]:
    with running_lab(Blueprint(demo=True)) as lab:
        yield lab


def program(lab: RunningLab, home: Path, *args: str) -> Done:
    return kiebitz(home, *args, env={"KIEBITZ_RESOLVE": lab.resolve, "KIEBITZ_DELAY": "0.01"})


def served(lab: RunningLab, after: int) -> list[str]:
    """What was downloaded, robots.txt apart."""
    return [entry.url for entry in lab.log(after) if entry.status == 200 and entry.target != "/robots.txt"]


@pytest.mark.slow
def test_a_source_is_tried_without_anything_being_saved(towns: RunningLab, tmp_path: Path) -> None:
    home = tmp_path / "home"
    before = len(towns.log())
    tried = program(towns, home, "source", "try", "http://www.birkenfelde.example/amtsblatt/", "--json")
    assert tried.code == 0
    answer = tried.json
    assert answer["state"] == "documents"
    assert len(answer["documents"]) == 26
    newest = answer["documents"][0]
    assert (newest["number"], newest["year"], newest["date"]) == (23, 2026, "2026-11-13")
    assert newest["reasons"]
    assert {"url", "title", "number", "year", "date", "score", "reasons"} <= newest.keys()
    assert [each["kind"] for each in answer["follow"]] == ["year", "year"]
    assert answer["rejected"]
    assert answer["requests"] == len(towns.log()) - before <= 12
    assert not [url for url in served(towns, before) if url.endswith(".pdf")]
    assert not home.exists()
    people = program(towns, home, "source", "try", "http://www.birkenfelde.example/amtsblatt/")
    assert "Amtsblatt Nr. 23/2026" in people.out
    assert "next: kiebitz source add" in people.out


@pytest.mark.slow
def test_a_source_that_cannot_be_reached_or_is_no_page_says_so(towns: RunningLab, tmp_path: Path) -> None:
    nobody = program(towns, tmp_path / "home", "source", "try", "http://127.0.0.1/", "--json")
    assert (nobody.code, nobody.json["state"]) == (7, "unreachable")
    seen = program(
        towns, tmp_path / "home", "source", "try", "http://www.birkenfelde.example/amtsblatt/2026/", "--json"
    )
    pdf = seen.json["documents"][0]["url"]
    file = program(towns, tmp_path / "home", "source", "try", pdf, "--json")
    assert (file.code, file.json["state"]) == (0, "not-a-page")


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_every_document_is_taken_once_and_later_only_what_is_new(towns: RunningLab, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for url in demo_seeds():
        assert program(towns, home, "source", "add", url).code == 0
    assert program(towns, home, "run").code == 3
    start = len(towns.log())
    first = program(towns, home, "run", "--due", "--json")
    assert first.code == 0, first.err
    assert sum(line["new_documents"] for line in first.lines) == PDFS
    downloads = served(towns, start)
    assert len(downloads) == len(set(downloads))

    start = len(towns.log())
    again = program(towns, home, "run", "--all", "--json")
    assert {line["outcome"] for line in again.lines} == {"nothing new"}
    assert not served(towns, start)
    assert "no source is due" in program(towns, home, "run", "--due").out

    towns.advance(7)
    start = len(towns.log())
    later = program(towns, home, "run", "--all", "--json")
    new = sum(line["new_documents"] for line in later.lines)
    assert 0 < new < len(served(towns, start)) < PDFS
    assert program(towns, home, "status", "--json").json["documents"] == PDFS + new
    held = program(towns, home, "coverage", "--json").lines
    assert {line["state"] for line in held} == {"healthy"}
    assert sum(line["documents"] for line in held) == PDFS + new
    assert not sum(line["missing"] for line in held)
    shown = program(towns, home, "source", "show", later.lines[0]["source"], "--json").json
    assert shown["last_crawled"]


@pytest.mark.slow
def test_a_source_that_is_down_or_unknown_says_why(towns: RunningLab, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert program(towns, home, "source", "add", "http://127.0.0.1/", "--name", "Nirgendwo").code == 0
    done = program(towns, home, "run", "Nirgendwo", "--json")
    assert done.code == 0
    assert "address" in done.json["outcome"]
    assert "address" in program(towns, home, "source", "show", "Nirgendwo", "--json").json["last_error"]
    unknown = program(towns, home, "run", "Nirgendwa")
    assert unknown.code == 4
    assert "Nirgendwo" in unknown.err
