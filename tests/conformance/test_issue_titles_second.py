"""Titles that played no part in building the reader: a second sample of real ones, and odd ones full of other numbers."""

import json
from pathlib import Path
from typing import Any

import pytest

from kiebitz.collect.issue import read_issue

DATA = Path(__file__).parents[1] / "data"
FIRST = DATA / "issue_titles_labelled.jsonl"
SECOND = DATA / "issue_titles_second.jsonl"
ODD = DATA / "issue_titles_odd.jsonl"


def cases(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_no_title_is_in_both_samples() -> None:
    first, second = ({case["title"] for case in cases(file)} for file in (FIRST, SECOND))
    assert len(second) == 400
    assert not first & second


def test_number_and_year_are_right_wherever_both_are_stated() -> None:
    stated = [case for case in cases(SECOND) if case["number"] is not None and case["year"] is not None]
    assert len(stated) == 383
    wrong = []
    for case in stated:
        issue = read_issue(case["title"])
        read = (issue.number, issue.letter, issue.last_number, issue.year)
        if read != (case["number"], case["letter"], case["last_number"], case["year"]):
            wrong.append((case["title"], read))
    assert not wrong  # at least 0.98 is wanted; floors only rise


def test_nothing_is_made_up_and_dates_are_right() -> None:
    for case in cases(SECOND):
        issue = read_issue(case["title"])
        assert (issue.when, issue.kind.value) == (case["date"], case["kind"]), case["title"]
        if case["number"] is None:
            assert (issue.number, issue.last_number) == (None, None), case["title"]
        if case["year"] is None:
            assert issue.year is None, case["title"]


@pytest.mark.parametrize("case", cases(ODD), ids=lambda case: case["title"])
def test_an_odd_title_yields_the_number_it_states_or_none(case: dict[str, Any]) -> None:
    issue = read_issue(case["title"])
    assert (issue.number, issue.last_number) == (case["number"], case["last_number"])
