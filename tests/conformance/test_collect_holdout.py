"""Made-up pages in the style of many systems, labelled before the collector was run on them.

No weight is learned from them. Each set was measured once before its faults were looked at (``tests/data/holdout``); since
then it only guards against going back.
"""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kiebitz.collect.page import collect_page
from kiebitz.standards.url import canonical

HOLDOUT = Path(__file__).parents[1] / "data" / "holdout"
TODAY = date(2026, 5, 10)
FLOOR = 0.99
SETS = ("first", "second", "third", "fourth", "fifth")


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HOLDOUT / "labels.jsonl").read_text("utf-8").splitlines()]


def addresses(links: list[str]) -> set[str]:
    return {link if "#" in link else canonical(link) for link in links}


def judged(row: dict[str, Any]) -> tuple[int, int, int]:
    """Documents found, wrong ones, missed ones."""
    content = (HOLDOUT / row["file"]).read_bytes()
    found = collect_page(row["url"], content, "text/html", TODAY).documents
    urls = {verdict.candidate.url for verdict in found}
    expected, neutral = addresses(row["expected_links"]), addresses(row.get("neutral_links", []))
    return len(urls & expected), len(urls - expected - neutral), len(expected - urls)


@pytest.mark.parametrize("part", SETS)
def test_documents_are_found_and_decoys_are_not(part: str) -> None:
    counts = [judged(row) for row in rows() if row["set"] == part]
    right, wrong, missed = (sum(column) for column in zip(*counts, strict=True))
    assert right / (right + wrong) >= FLOOR
    assert right / (right + missed) >= FLOOR
    pages = len(counts)
    assert sum(r / (r + w) if r + w else 1.0 for r, w, _ in counts) / pages >= FLOOR
    assert sum(r / (r + m) if r + m else 1.0 for r, _, m in counts) / pages >= FLOOR


def test_pages_without_documents_yield_nothing() -> None:
    negative = [row for row in rows() if not row["expected_links"]]
    assert len(negative) >= 50
    assert [row["file"] for row in negative if judged(row)[1]] == []


def test_every_page_is_labelled() -> None:
    assert {row["file"] for row in rows()} == {f"pages/{path.name}" for path in (HOLDOUT / "pages").iterdir()}
