"""Where something was found, what is shown of it, and what may have been meant."""

from datetime import date
from time import process_time

import pytest

from kiebitz.search.correct import correction
from kiebitz.search.highlight import PASSAGE, marks, passages
from kiebitz.search.parse import parse

TODAY = date(2026, 11, 16)
TEXT = (
    "Der Bebauungsplan Nr. 12 „Am See“ wird geändert. Die Planänderung der Gemeinde; Bebauungspläne. Öffentliche Auslegung nach "
    "§ 34 BauGB im Verfahren 63-123/2026, Haus 12a. Sperrung der Straße und eine Straßensperrung, A\u0308nderung, Stra\u00adße. Building permits."
)


def found(query: str, field: str = "content") -> list[str]:
    return [TEXT[start:end] for start, end in marks(TEXT, parse(query, TODAY), field=field)]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("Plan", ["Bebauungsplan", "Planänderung", "Bebauungspläne"]),
        ("Bebauungsplan", ["Bebauungsplan", "Bebauungspläne"]),
        ("bebauungsplan", ["Bebauungsplan", "Bebauungspläne"]),
        ("Aenderung", ["Planänderung", "A\u0308nderung"]),
        ("Straßensperrung", ["Straßensperrung"]),
        ('"öffentlichen Auslegung"', ["Öffentliche Auslegung"]),
        ('"Auslegung öffentliche"', []),
        ("bebau*", ["Bebauungsplan", "Bebauungspläne"]),
        ("Bebaungsplan~", ["Bebauungsplan"]),
        ("Bebaungsplan", []),
        ("§ 34", ["§ 34"]),
        ("63-123/2026", ["63-123/2026"]),
        ("123", ["123"]),
        ("12a", ["12a"]),
        ("Strasse", ["Straße", "Straßensperrung", "Stra\u00adße"]),
        ("permit", ["permits"]),
        ("-Plan See", ["See"]),
        ("der See", ["See"]),
        ("Plan OR See", ["Bebauungsplan", "See", "Planänderung", "Bebauungspläne"]),
        ("2024..2026", []),
        ("", []),
    ],
)
def test_every_kind_of_query_is_marked(query: str, words: list[str]) -> None:
    assert found(query) == words


def test_only_the_field_that_was_asked_is_marked() -> None:
    assert found("titel:Plan") == []
    assert found("titel:See", field="title") == ["See"]
    assert found("titel:See Haus", field="title") == ["See", "Haus"]


def test_a_passage_shows_the_densest_place_and_its_marks_fit() -> None:
    text = (
        "Nur ein Plan. "
        + "Fülltext ohne Belang. " * 200
        + "Hier wird der Plan der Straße am See\nausgelegt. "
        + "Noch mehr Text. " * 200
    )
    (passage,) = passages(text, parse("Plan Straße See", TODAY), page=7)
    assert passage.page == 7
    assert [passage.text[start:end] for start, end in passage.marks] == ["Plan", "Straße", "See"]
    assert len(passage.text) <= PASSAGE
    assert "\n" not in passage.text
    assert passage.text.split()[0] in text.split()


def test_passages_do_not_overlap_and_stand_in_order() -> None:
    text = ("Plan " + "x " * 400) * 5
    shown = passages(text, parse("Plan", TODAY), limit=3)
    assert len(shown) == 3
    assert all(len(passage.marks) == 1 for passage in shown)


def test_without_a_mark_the_beginning_is_shown() -> None:
    (passage,) = passages("Anfang " * 100, parse("nichts", TODAY))
    assert passage.text.startswith("Anfang Anfang")
    assert passage.marks == ()
    assert passages("   ", parse("nichts", TODAY)) == ()


@pytest.mark.parametrize(
    "text",
    ["a" * 300_000, "Plan " * 60_000, "\ud800\0" * 100_000, "ä\u0308" * 100_000, "Plan" + " " * 200_000 + "Plan"],
    ids=len,
)
def test_odd_texts_are_marked_in_linear_time(text: str) -> None:
    begin = process_time()
    node = parse('Plan "Plan Plan Plan" Pl* Plam~2', TODAY)
    for passage in passages(text, node, limit=2):
        assert all(0 <= start < end <= len(passage.text) for start, end in passage.marks)
    assert process_time() - begin < 3


WORDS = {"bebauungsplan": 40, "bebauung": 9, "friedhof": 12, "satzung": 30, "satzungen": 5, "strasse": 50, "gebuehr": 7}


def corrected(text: str) -> str:
    return correction(
        text,
        lambda word: WORDS.get(word, 0),
        lambda letters: [item for item in WORDS.items() if item[0].startswith(letters)],
    )


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("Bebaungsplan", "Bebauungsplan"),
        ("Frietdhof Satzung", "Friedhof Satzung"),
        ("FREIDHOF", "FRIEDHOF"),
        ("titel:Satzugn -Friedhof", "titel:Satzung -Friedhof"),
        ("eBbauungsplan", "Bebauungsplan"),
        ("Straße", ""),
        ("völlig anders", ""),
        ("", ""),
        ("\ud800\0(((", ""),
    ],
)
def test_a_likelier_query_is_proposed(text: str, better: str) -> None:
    assert corrected(text) == better
