"""Every layout of a gazette from end to end: the program is given an entry URL and nothing else."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.lab.municipalities.truth import TrueMunicipality
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests.program import Done, kiebitz

CHROMIUM = next(filter(shutil.which, ("chromium", "chromium-browser", "google-chrome")), None)
LAYOUTS = {
    "flat": "one list, as in Bochum",
    "years": "a page for each year, as in Göttingen",
    "search": "a search form with a list of years, as in Bremen",
    "post": "download forms that are sent by POST",
    "feed": "only a feed carries the documents",
    "sitemap": "only the sitemap names them",
    "token": "addresses that change with every view",
    "news": "the issue is one page deeper",
    "foreign": "documents on another host",
}


@pytest.fixture(scope="module")
def lab() -> Iterator[RunningLab]:
    with running_lab(Blueprint(municipalities=50, scripted=True, noise=True)) as lab:
        yield lab


@pytest.fixture(scope="module")
def towns(lab: RunningLab) -> dict[str, TrueMunicipality]:
    """The smallest town of each layout."""
    by_size = sorted(lab.truth(), key=lambda town: -len(town.documents))
    return {town.layout: town for town in by_size}


def program(lab: RunningLab, home: Path, *args: str) -> Done:
    done = kiebitz(home, *args, env={"KIEBITZ_RESOLVE": lab.resolve, "KIEBITZ_DELAY": "0.005"})
    assert done.code == 0, done.err
    return done


def contents(lab: RunningLab, home: Path) -> list[str]:
    return sorted(line["sha256"] for line in program(lab, home, "export", "jsonl").lines)


def collected(lab: RunningLab, home: Path, town: TrueMunicipality) -> dict[str, object]:
    """What the first run over the town says; what it took is exactly the truth."""
    program(lab, home, "source", "add", town.entry[0], "--name", town.name)
    first: dict[str, object] = program(lab, home, "run", town.name, "--no-read", "--json").json
    assert contents(lab, home) == sorted(document.sha256 for document in town.documents)
    return first


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout)
def test_a_layout_is_collected_whole_once_and_without_decoys(
    layout: str, lab: RunningLab, towns: dict[str, TrueMunicipality], tmp_path: Path
) -> None:
    town, home = towns[layout], tmp_path / "home"
    first = collected(lab, home, town)
    assert first["new_documents"] == len(town.documents)
    assert not first["error"]
    again = program(lab, home, "run", town.name, "--no-read", "--json").json
    assert (again["new_documents"], again["changed"], again["error"]) == (0, False, "")
    assert len(contents(lab, home)) == len(town.documents)
    held = program(lab, home, "coverage", town.name, "--json").json
    assert held["state"] in ("healthy", "late", "silent")
    assert held["documents"] == len(town.documents)


@pytest.mark.slow
def test_the_numbers_and_years_that_a_town_states_are_held(
    lab: RunningLab, towns: dict[str, TrueMunicipality], tmp_path: Path
) -> None:
    town, home = towns["table"], tmp_path / "home"
    collected(lab, home, town)
    known = {line["sha256"]: line["issue"] for line in program(lab, home, "export", "jsonl").lines}
    for document in town.documents:
        issue = known[document.sha256]
        assert (issue["number"], issue["year"]) == (document.number, document.year), document.label
        assert issue["date"] == document.date.isoformat()


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt-get install chromium")
def test_a_page_that_a_script_draws_is_collected_through_the_browser(lab: RunningLab, tmp_path: Path) -> None:
    town = next(town for town in lab.truth() if town.layout == "scripted")
    collected(lab, tmp_path / "home", town)


@pytest.mark.slow
def test_without_a_browser_the_source_says_what_is_missing(lab: RunningLab, tmp_path: Path) -> None:
    town, home = next(town for town in lab.truth() if town.layout == "scripted"), tmp_path / "home"
    env = {"KIEBITZ_RESOLVE": lab.resolve, "KIEBITZ_DELAY": "0.005", "KIEBITZ_BROWSER": "off"}
    kiebitz(home, "source", "add", town.entry[0], "--name", town.name, env=env)
    done = kiebitz(home, "run", town.name, "--no-read", "--json", env=env).json
    assert "needs-browser" in done["error"]
    held = kiebitz(home, "coverage", town.name, "--json", env=env).json
    assert (held["state"], held["documents"]) == ("broken", 0)
