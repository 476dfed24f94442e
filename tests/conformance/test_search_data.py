"""The judged data of the search is sound: what refers to something finds it, and the halves do not overlap."""

import csv
import json
from collections import Counter
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[1] / "data" / "search"
HALVES = ("tune", "held")
LINKING = ("", "s", "es", "n", "en", "er", "e")


@cache
def records(name: str) -> list[dict[str, Any]]:
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@cache
def compounds(half: str) -> list[dict[str, str]]:
    with (DATA / f"compounds_{half}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def repeated(names: list[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def parts_spell(word: str, parts: list[str]) -> bool:
    """Whether the parts, with linking elements or hyphens between them, give the word."""
    if not word or not parts:
        return not word and not parts
    if not word.startswith(parts[0]):
        return False
    rest = word[len(parts[0]) :]
    return any(
        rest.startswith(link) and parts_spell(rest[len(link) :].removeprefix("-"), parts[1:]) for link in LINKING
    )


@pytest.mark.parametrize("half", HALVES)
def test_every_compound_is_spelled_by_its_parts(half: str) -> None:
    wrong = [row["word"] for row in compounds(half) if not parts_spell(row["word"].lower(), row["parts"].split("+"))]
    assert wrong == []
    assert {row["set"] for row in compounds(half)} == {half}
    assert {row["seen"] for row in compounds(half)} == {"gazette", "known"}


def test_a_word_is_in_one_half_once() -> None:
    assert repeated([row["word"].lower() for half in HALVES for row in compounds(half)]) == []


def test_the_word_list_is_large_enough_and_has_words_that_are_not_split() -> None:
    whole = {half: [row for row in compounds(half) if "+" not in row["parts"]] for half in HALVES}
    assert sum(len(compounds(half)) for half in HALVES) >= 450
    assert sum(map(len, whole.values())) >= 110
    assert len(compounds("held")) >= 300
    assert len(whole["held"]) >= 70


def test_every_document_is_complete_and_its_address_is_invented() -> None:
    assert (DATA / "corpus.jsonl").stat().st_size <= 1_500_000
    assert repeated([document["id"] for document in records("corpus")]) == []
    assert repeated([document["url"] for document in records("corpus")]) == []
    for document in records("corpus"):
        assert all(document[field].strip() for field in ("title", "text", "source", "kind"))
        assert document["url"].split("/")[2].endswith(".example")
        assert document["language"] in {"de", "en"}
        date.fromisoformat(document["published"])


def test_no_text_has_a_line_end_hyphen_left() -> None:
    marks = {"\ufffe", "\uffff", "\u00ad", "\ufffd"}
    assert [document["id"] for document in records("corpus") if marks & set(document["text"] + document["title"])] == []


def test_the_corpus_has_every_kind_of_document() -> None:
    counts = Counter(document["id"][:2] for document in records("corpus"))
    assert counts.keys() == {"be", "nt", "ti", "ma", "en", "di"}
    assert counts["be"] >= 80
    assert counts["nt"] + counts["ti"] + counts["ma"] >= 150
    assert min(counts["en"], counts["di"]) >= 60


def test_a_query_is_in_one_half_once() -> None:
    queries = [query for half in HALVES for query in records(f"queries_{half}")]
    assert repeated([query["id"] for query in queries]) == []
    assert repeated([query["query"] for query in queries]) == []
    assert all(query["intent"].strip() and query["form"] for query in queries)
    assert len(queries) >= 90
    for half in HALVES:
        assert {query["set"] for query in records(f"queries_{half}")} == {half}
        assert len(records(f"queries_{half}")) >= 60


@pytest.mark.parametrize("half", HALVES)
def test_judgements_join_a_query_of_their_half_and_a_document_once(half: str) -> None:
    queries = {query["id"] for query in records(f"queries_{half}")}
    documents = {document["id"] for document in records("corpus")}
    judgements = records(f"judgements_{half}")
    assert {row["query"] for row in judgements} == queries
    assert {row["document"] for row in judgements} <= documents
    assert repeated([f"{row['query']} {row['document']}" for row in judgements]) == []


@pytest.mark.parametrize("half", HALVES)
def test_every_grade_is_in_range_and_has_a_reason_unless_it_is_zero(half: str) -> None:
    for row in records(f"judgements_{half}"):
        assert row["grade"] in {0, 1, 2, 3}
        assert bool(row["reason"].strip()) == bool(row["grade"]), row


@pytest.mark.parametrize("half", HALVES)
def test_every_query_has_something_useful_to_find(half: str) -> None:
    useful = {row["query"] for row in records(f"judgements_{half}") if row["grade"] >= 2}
    assert useful == {query["id"] for query in records(f"queries_{half}")}
