"""A correction by the operator becomes a rule, and the next look obeys it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.bad_sources import DOMAIN, Ask, Reply, Web, issues, page, pdf, served
from tests.program import Program

HOST = f"regeln.{DOMAIN}"
URL = f"http://{HOST}/amtsblatt/"
FORM = f"http://{HOST}/formulare/hundesteuer.pdf"
FIRST = f"http://{HOST}/dateien/amtsblatt_00001_2026.pdf"


def site(ask: Ask) -> Reply:
    if ask.path.endswith(".pdf"):
        return pdf(ask.path)
    return page(issues(3) + f"<p><a href='{FORM}'>Formular Hundesteuer</a></p>")


@pytest.fixture
def web() -> Iterator[Web]:
    with served({HOST: site}) as made:
        yield made


@pytest.fixture
def program(web: Web, tmp_path: Path) -> Program:
    made = Program(tmp_path / "home", {"KIEBITZ_DELAY": "0", "KIEBITZ_RESOLVE": web.resolve})
    assert made("source", "add", URL, "--name", "Stadt").code == 0
    return made


def tried(program: Program, what: str = "Stadt") -> set[str]:
    return {each["url"] for each in program("source", "try", what, "--json").json["documents"]}


@pytest.mark.slow
def test_links_groups_and_patterns_are_corrected_and_the_trial_shows_it(program: Program) -> None:
    assert FIRST in tried(program)
    assert FORM not in tried(program)
    done = program("source", "edit", "Stadt", "--take", FORM, "--leave", FIRST)
    assert done.code == 0, done.err
    assert f"1. take link {FORM}" in done.out
    assert "source try" in done.out
    found = program("source", "try", "Stadt", "--json").json
    assert found["source"] == "Stadt"
    assert FORM in {each["url"] for each in found["documents"]}
    assert any("rule of the source" in reason for each in found["rejected"] for reason in each["reasons"])
    assert tried(program, URL) == tried(program), "its address is enough"
    group = found["documents"][0]["group"]
    assert program("source", "edit", "Stadt", "--clear-rules", "--leave-group", group).code == 0
    assert not tried(program) - {FORM}
    assert program("source", "edit", "Stadt", "--clear-rules", "--leave-pattern", r"_0000[12]_").code == 0
    assert len(tried(program)) == 1


@pytest.mark.slow
def test_the_next_run_obeys(web: Web, program: Program) -> None:
    assert program("source", "edit", "Stadt", "--take", FORM, "--leave-pattern", "_00001_").code == 0
    assert program("run", "Stadt", "--json").json["new_documents"] == 3
    asked = {entry.target for entry in web.seen(HOST)}
    assert "/formulare/hundesteuer.pdf" in asked
    assert "/dateien/amtsblatt_00001_2026.pdf" not in asked


@pytest.mark.slow
def test_a_rule_is_taken_away_by_its_number_or_its_text_and_a_new_one_replaces_its_contrary(program: Program) -> None:
    def rules(*args: str) -> list[str]:
        found: list[str] = program("source", "edit", "Stadt", *args, "--json").json["rules"]
        return found

    assert rules("--leave", FIRST, "--leave-pattern", "x") == [f"leave link {FIRST}", "leave pattern x"]
    assert rules("--take", FIRST) == [f"take link {FIRST}", "leave pattern x"]
    assert rules("--drop-rule", "2") == [f"take link {FIRST}"]
    assert "1. take link" in program("source", "show", "Stadt").out
    assert rules("--drop-rule", f"take link {FIRST}") == []
    for wrong in ("1", "0", "take link https://x.example/"):
        assert program("source", "edit", "Stadt", "--drop-rule", wrong).code == 4


@pytest.mark.slow
def test_a_pattern_that_could_take_for_ever_is_refused_wherever_it_comes_from(program: Program, tmp_path: Path) -> None:
    bad = program("source", "edit", "Stadt", "--leave-pattern", r"(a+)\1", "--json")
    assert bad.code == 3
    assert "not allowed" in bad.json["error"]["message"]
    table = tmp_path / "list.csv"
    table.write_text(
        'name,url,rules\nGut,https://gut.example/a,leave pattern (a+)+$\nSchlecht,https://x.example/,"leave pattern (?=a)"\n'
    )
    taken = program("source", "import", str(table), "--json")
    assert taken.code == 3
    assert taken.json["added"] == ["Gut"]
    assert "not allowed" in taken.json["refused"][0]["reason"]


@pytest.mark.slow
def test_a_trial_keeps_to_the_budget_of_the_source(web: Web, program: Program) -> None:
    assert program("source", "edit", "Stadt", "--budget", "1").code == 0
    assert program("source", "try", "Stadt", "--json").json["requests"] == 1
    unknown = program("source", "try", "Stat")
    assert unknown.code == 4
    assert "Stadt" in unknown.err
    assert len(web.log) == 1
