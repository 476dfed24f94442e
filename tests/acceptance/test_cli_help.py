"""The program explains itself, and serves a web to try it on."""

import json
import re
from pathlib import Path

import pytest

from kiebitz import __version__
from kiebitz.cli.main import VERBS
from tests.program import Program


@pytest.fixture
def bare(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize(
    "verb", [(verb,) for verb in VERBS] + [("export", "documents"), ("export", "jsonl"), ("lab", "serve")]
)
def test_every_verb_explains_itself(bare: Program, verb: tuple[str, ...]) -> None:
    done = bare(*verb, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"{' '.join(verb)} " in plain(done.out)
    assert not bare.home.exists()


def test_the_help_lists_all_verbs_and_every_answering_verb_has_json(bare: Program) -> None:
    shown = plain(bare("--help").out)
    for verb in VERBS:
        assert re.search(rf"\b{verb}\b", shown), verb
    for option in (
        "--depth",
        "--scope",
        "--max-pages",
        "--max-per-host",
        "--delay",
        "--include",
        "--exclude",
        "--recrawl",
    ):
        assert option in plain(bare("crawl", "-h").out)


def test_the_version_is_printed(bare: Program) -> None:
    assert bare("--version").out == f"kiebitz {__version__}\n"


@pytest.mark.parametrize(
    "wrong",
    [("frobnicate",), ("crawl", "--frobnicate"), ("crawl", "--depth", "deep"), ("show",), ("runs", "--limit", "0")],
)
def test_wrong_usage_is_explained_on_standard_error(bare: Program, wrong: tuple[str, ...]) -> None:
    done = bare(*wrong)
    assert (done.code, done.out) == (2, "")
    assert "Usage:" in done.err
    assert "--help" in done.err or "-h" in done.err
    assert not bare.home.exists()


def test_the_lab_announces_itself_and_ends_when_it_is_told(bare: Program) -> None:
    with bare.running("lab", "serve", "--hosts", "2", "--pages", "3", "--json") as lab:
        info = json.loads(lab.first_line())
        crawling = Program(bare.home, {"KIEBITZ_RESOLVE": info["resolve"]})
        done = crawling("crawl", *info["seeds"], "--depth", "0", "--delay", "0", "--json")
        lab.terminate()
        ended = lab.wait(10)
    assert done.json["pages"] == 1
    assert (ended.code, ended.out, ended.err) == (0, "", "")


def test_the_lab_tells_people_how_to_crawl_it(bare: Program) -> None:
    with bare.running("lab", "serve", "--demo") as lab:
        lines = [lab.first_line() for _ in range(4)]
        lab.interrupt()
        ended = lab.wait(10)
    assert lines[1].startswith("  export KIEBITZ_RESOLVE='")
    assert lines[2].startswith("  kiebitz crawl http://")
    assert (ended.code, ended.err) == (0, "")
