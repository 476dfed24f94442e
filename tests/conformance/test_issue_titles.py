"""Real titles, labelled by hand before the reader was tuned: how many are read right. The floors only rise."""

import json
from pathlib import Path
from typing import Any

from kiebitz.collect.issue import read_issue
from tests.shared_data import SHARED, needs_shared

LABELLED = Path(__file__).parents[1] / "data" / "issue_titles_labelled.jsonl"
ALL = SHARED / "gazettes" / "issue_titles.jsonl"
NUMBERED_FLOOR = 5007  # of 5,068 titles; the other 61 state no number


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]


def test_the_sample_is_what_the_measure_needs() -> None:
    known = cases()
    assert len(known) == 400
    assert sum(case["number"] is not None and case["year"] is not None for case in known) == 379


def test_number_and_year_are_right_wherever_both_are_stated() -> None:
    stated = [case for case in cases() if case["number"] is not None and case["year"] is not None]
    wrong = []
    for case in stated:
        issue = read_issue(case["title"])
        if (issue.number, issue.last_number, issue.year) != (case["number"], case["last_number"], case["year"]):
            wrong.append((case["title"], issue))
    right = 1 - len(wrong) / len(stated)
    assert right == 1.0, wrong  # at least 0.98 is wanted; floors only rise


def test_nothing_is_made_up() -> None:
    """What a title does not state stays open: number, year and date."""
    for case in cases():
        issue = read_issue(case["title"])
        read = {"number": issue.number, "last_number": issue.last_number, "year": issue.year, "date": issue.when}
        assert {name for name, value in read.items() if case[name] is None and value is not None} == set(), case[
            "title"
        ]


def test_dates_and_kinds_are_right() -> None:
    wrong = [case for case in cases() if _date_and_kind(case["title"]) != (case["date"], case["kind"])]
    assert not wrong


def _date_and_kind(title: str) -> tuple[str | None, str]:
    issue = read_issue(title)
    return issue.when, issue.kind.value


@needs_shared
def test_the_titles_nobody_labelled_keep_their_numbers() -> None:
    titles = [json.loads(line)["title"] for line in ALL.read_text("utf-8").splitlines()]
    numbered = sum(read_issue(title).number is not None for title in titles)
    assert numbered >= NUMBERED_FLOOR
