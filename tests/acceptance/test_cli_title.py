"""``kiebitz title``: one answer per line, in order, whatever the lines hold."""

import json
import subprocess

from tests.program import COMMAND, environment


def title(given: bytes, *options: str) -> str:
    done = subprocess.run(
        [*COMMAND, "title", *options], input=given, env=environment(), capture_output=True, timeout=60, check=True
    )
    return done.stdout.decode()


def test_titles_are_answered_in_order_as_lines_of_json() -> None:
    given = "Amtsblatt Nr. 12/2026 vom 20. März 2026\n\n1. Sonderausgabe 2020\nAmtsblatt Mai 2025\r\nAusgabe Oktober"
    assert [json.loads(line) for line in title(given.encode(), "--json").splitlines()] == [
        {"number": 12, "year": 2026, "date": "2026-03-20", "kind": "regular"},
        {"number": None, "year": None, "date": None, "kind": "regular"},
        {"number": 1, "year": 2020, "date": None, "kind": "special"},
        {"number": None, "year": 2025, "date": "2025-05", "kind": "regular"},
        {"number": None, "year": None, "date": None, "kind": "regular"},
    ]


def test_people_see_a_table() -> None:
    header, row = title(b"Amtsblatt Nr. 12/2026\n").splitlines()
    assert header.split("\t") == ["number", "year", "date", "kind", "title"]
    assert row.split("\t") == ["12", "2026", "", "regular", "Amtsblatt Nr. 12/2026"]


def test_no_titles_are_no_answers() -> None:
    assert title(b"", "--json") == ""


def test_an_endless_line_and_broken_bytes_are_one_title_each() -> None:
    given = b"Nr. 5/2020 " + b"x" * 1_000_000 + b"\nNr. 6/2020 \xff\xfe\n" + b"y" * 65535 + b"\nNr. 7/2020"
    answers = [json.loads(line)["number"] for line in title(given, "--json").splitlines()]
    assert answers == [5, 6, None, 7]
