"""A source whose page is drawn by a script, by the real program: with a browser, and without one."""

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.lab.municipalities import SCRIPTED
from kiebitz.lab.running import running_lab
from kiebitz.lab.world import Blueprint
from tests.acceptance.drawn_site import HOST, PAGE, DrawnSite, drawn_site, needs_chromium, processes_of
from tests.program import Program, until

pytestmark = [pytest.mark.slow]
linux = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at processes in /proc")


@pytest.fixture
def site() -> Iterator[DrawnSite]:
    with drawn_site() as served:
        yield served


@pytest.fixture
def folder() -> Iterator[Path]:
    """For temporary files of the program and its browser; with a short path, because sockets are among them."""
    with tempfile.TemporaryDirectory(prefix="kb", ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.fixture
def program(site: DrawnSite, folder: Path, tmp_path: Path) -> Program:
    env = {"KIEBITZ_RESOLVE": site.resolve, "KIEBITZ_DELAY": "0.01", "TMPDIR": str(folder)}
    return Program(tmp_path / "home", env)


@needs_chromium
def test_a_page_that_a_script_draws_yields_its_documents_and_later_the_new_one(
    site: DrawnSite, program: Program, folder: Path
) -> None:
    assert program("source", "add", PAGE, "--name", "Schellenau").code == 0
    first = program("run", "Schellenau", "--json")
    assert first.code == 0, first.err
    assert first.json["new_documents"] == 3, first.json
    assert {"/pdf/1.pdf", "/pdf/2.pdf", "/pdf/3.pdf"} <= set(site.paths())
    assert "/geheim/zaehler.js" not in site.paths(404)  # robots.txt forbids it, so it was never asked for

    site.issues.append(4)
    site.asked.clear()
    second = program("run", "Schellenau", "--json")
    assert second.json["new_documents"] == 1, second.json
    assert "/amtsblatt" in site.paths(304)  # the shell is the same as ever
    assert "/pdf/4.pdf" in site.paths()
    assert first.err == second.err == ""
    assert processes_of(folder) == []
    assert list(folder.iterdir()) == []

    stored = program("show", PAGE)
    assert stored.code == 0
    assert "pdf" not in stored.out  # what is kept is the answer of the server


@needs_chromium
def test_the_municipalities_of_the_lab_that_need_a_browser_are_collected_in_full(tmp_path: Path) -> None:
    with running_lab(Blueprint(municipalities=0, scripted=True)) as lab:
        program = Program(tmp_path / "home", {"KIEBITZ_RESOLVE": lab.resolve, "KIEBITZ_DELAY": "0.01"})
        for town in SCRIPTED:
            assert program("source", "add", f"http://{town.host}/", "--name", town.name).code == 0
        done = {line["source"]: line["new_documents"] for line in program("run", "--all", "--json").lines}
    assert done == {town.name: sum(paper.size for paper in town.papers) for town in SCRIPTED}


@needs_chromium
def test_a_trial_shows_what_the_script_draws(program: Program) -> None:
    tried = program("source", "try", PAGE, "--json")
    assert tried.code == 0, tried.err
    assert tried.json["state"] == "documents", tried.json["reason"]
    assert [each["number"] for each in tried.json["documents"]] == [1, 2, 3]
    assert not program.home.exists()


def test_without_a_browser_the_source_says_what_it_needs(site: DrawnSite, program: Program) -> None:
    assert program("source", "add", PAGE, "--name", "Schellenau").code == 0
    turned_off = program("run", "Schellenau", "--json", browser="off")
    assert turned_off.code == 0
    assert "needs-browser" in turned_off.json["outcome"]
    assert "turned off" in turned_off.json["outcome"]
    missing = program("run", "Schellenau", "--json", browser="/nowhere/chromium")
    assert "/nowhere/chromium" in missing.json["outcome"]
    assert "/nowhere/chromium" in program("source", "show", "Schellenau", "--json").json["last_error"]
    assert "/app.js" not in site.paths()
    tried = program("source", "try", PAGE, "--json", browser="off").json
    assert (tried["state"], tried["documents"]) == ("needs-browser", [])
    assert "turned off" in tried["reason"]


def test_the_doctor_knows_whether_there_is_a_browser(program: Program) -> None:
    found = {line["subject"]: line for line in program("doctor", "--json", browser="off").lines}
    assert found["browser"]["ok"]
    assert "turned off" in found["browser"]["detail"]
    named = {line["subject"]: line for line in program("doctor", "--json", browser="/nowhere/chromium").lines}
    assert not named["browser"]["ok"]


@needs_chromium
def test_a_script_without_end_costs_one_page_and_is_told(site: DrawnSite, program: Program) -> None:
    endless, good = f"http://{HOST}/endlos", f"http://www.anderswo.example{PAGE[len('http://' + HOST) :]}"
    assert program("source", "add", endless, "--name", "Endlos").code == 0
    assert program("source", "add", good, "--name", "Gut").code == 0
    done = {line["source"]: line for line in program("run", "--all", "--json").lines}
    assert "keeps the page busy" in done["Endlos"]["outcome"]
    assert done["Gut"]["new_documents"] == 3


@needs_chromium
@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda number: number.name)
def test_no_browser_outlives_the_program(program: Program, folder: Path, number: signal.Signals) -> None:
    assert program("source", "add", f"http://{HOST}/endlos", "--name", "Endlos").code == 0
    with program.running("run", "Endlos", "--json") as running:
        until(lambda: any("--type=renderer" in line for line in processes_of(folder)))
        os.kill(running.process.pid, number)
        running.process.communicate(timeout=20)
    until(lambda: not processes_of(folder), 15)
