"""What people type, read as a tree."""

from datetime import date
from time import process_time

import pytest

from kiebitz.model.query import (
    Between,
    Either,
    Every,
    Everything,
    Fuzzy,
    Node,
    Not,
    Phrase,
    Prefix,
    Within,
    Word,
)
from kiebitz.search.parse import parse
from kiebitz.search.speak import speak

TODAY = date(2026, 11, 16)
A, B, C = Word("a"), Word("b"), Word("c")


def year(number: int) -> tuple[date, date]:
    return date(number, 1, 1), date(number, 12, 31)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", Everything()),
        ("Bauantrag", Word("Bauantrag")),
        ("a b", Every((A, B))),
        ("a AND b", Every((A, B))),
        ("a UND b", Every((A, B))),
        ("a OR b", Either((A, B))),
        ("a ODER b", Either((A, B))),
        ("a b OR c", Every((A, Either((B, C))))),
        ("a AND b OR c", Either((Every((A, B)), C))),
        ("(a b) OR c", Either((Every((A, B)), C))),
        ("a -b", Every((A, Not(B)))),
        ("a NOT b", Every((A, Not(B)))),
        ("NICHT a", Not(A)),
        ("a AND NOT b", Every((A, Not(B)))),
        ("a -(b c)", Every((A, Not(Every((B, C)))))),
        ("und oder nicht", Every((Word("und"), Word("oder"), Word("nicht")))),
        ('"a b"', Phrase("a b")),
        ("„a b“ c", Every((Phrase("a b"), C))),
        ("“a b”", Phrase("a b")),
        ("»a b«", Phrase("a b")),
        ('"a"', A),
        ("bebau*", Prefix("bebau")),
        ("wort~", Fuzzy("wort", 1)),
        ("wort~2", Fuzzy("wort", 2)),
        ("wort~999", Fuzzy("wort", 2)),
        ("wort~0", Word("wort")),
        ("§ 34 BauGB", Every((Phrase("§ 34"), Word("BauGB")))),
        ("63-123/2026", Word("63-123/2026")),
        ("Az.: 63-1/2", Every((Word("Az"), Word("63-1/2")))),
        ("unbekannt:wert", Word("unbekannt:wert")),
    ],
)
def test_what_is_typed_becomes_a_tree(text: str, tree: Node) -> None:
    assert parse(text, TODAY) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("titel:Plan", Within("title", Word("Plan"))),
        ("TITEL:Plan", Within("title", Word("Plan"))),
        ("title:bau*", Within("title", Prefix("bau"))),
        ('titel:"a b"', Within("title", Phrase("a b"))),
        ("titel:(a b)", Every((Within("title", A), Within("title", B)))),
        ("-titel:a", Not(Within("title", A))),
        ("überschrift:a", Within("headings", A)),
        ("quelle:Kirchfeld", Within("source", Word("Kirchfeld"))),
        ('quelle:"Amtsblatt für Berlin"', Within("source", Phrase("Amtsblatt für Berlin"))),
        ("sprache:Deutsch", Within("language", Word("de"))),
        ("typ:PDF", Within("type", Word("pdf"))),
        ("art:bebauungsplan", Within("kind", Word("bebauungsplan"))),
        ("titel: Plan", Every((Word("titel"), Word("Plan")))),
        ("jahr:2026", Between(*year(2026))),
        ("jahr:2024..2026", Between(date(2024, 1, 1), date(2026, 12, 31))),
        ("datum:2026-03", Between(date(2026, 3, 1), date(2026, 3, 31))),
    ],
)
def test_fields_have_german_names_too(text: str, tree: Node) -> None:
    assert parse(text, TODAY) == tree


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024..2026", date(2024, 1, 1), date(2026, 12, 31)),
        ("2026..2024", date(2024, 1, 1), date(2026, 12, 31)),
        ("2026-03..", date(2026, 3, 1), None),
        ("..2020", None, date(2020, 12, 31)),
        ("1.2.2026..3.2.2026", date(2026, 2, 1), date(2026, 2, 3)),
        ("2026-02-01…2026-02-03", date(2026, 2, 1), date(2026, 2, 3)),
        ("seit März 2026", date(2026, 3, 1), None),
        ("seit März", date(2026, 3, 1), None),
        ("seit Dezember", date(2025, 12, 1), None),
        ("seit gestern", date(2026, 11, 15), None),
        ("ab 2024", date(2024, 1, 1), None),
        ("vor 2020", None, date(2019, 12, 31)),
        ("nach dem 12.3.2026", date(2026, 3, 13), None),
        ("bis 12.3.2026", None, date(2026, 3, 12)),
        ("bis zum 12. März 2026", None, date(2026, 3, 12)),
        ("im Mai 2026", date(2026, 5, 1), date(2026, 5, 31)),
        ("im Jahr 2026", *year(2026)),
        ("in 2026", *year(2026)),
        ("von März 2024 bis Mai 2024", date(2024, 3, 1), date(2024, 5, 31)),
        ("since 2024", date(2024, 1, 1), None),
    ],
)
def test_spans_of_time_are_filters(text: str, first: date | None, last: date | None) -> None:
    assert parse(text, TODAY) == Between(first, last)
    assert parse(f"Plan {text}", TODAY) == Every((Word("Plan"), Between(first, last)))


@pytest.mark.parametrize(
    "text", ["ab 12 Jahren", "in Berlin", "vor Ort", "bis bald", "seit jeher", "im Verfahren 2", "nach 20260"]
)
def test_what_is_no_date_for_certain_is_words(text: str) -> None:
    assert parse(text, TODAY) == Every(tuple(Word(word) for word in text.split()))


@pytest.mark.parametrize(
    "text",
    [
        "AND",
        "OR OR",
        "-",
        "--",
        "NOT",
        "()",
        "(",
        ")",
        '"',
        "„",
        "*",
        "~",
        "\0",
        "\u202e",
        "\ud800",
        ":",
        "...",
        "NOT ( OR )",
        "+",
        "\\",
        "[]{}^$",
    ],
)
def test_signs_without_words_ask_for_nothing(text: str) -> None:
    assert parse(text, TODAY) == Everything()


def test_what_cannot_be_seen_is_left_out() -> None:
    assert parse("Bau\u200bplan\u202e \ud83dWald\0See", TODAY) == Every((Word("Bauplan"), Word("Wald"), Word("See")))


@pytest.mark.parametrize("text", ["(a b", "a b)", '"a b', "a) (b", "((a) b", ") a ( b"])
def test_unbalanced_signs_do_no_harm(text: str) -> None:
    assert parse(text, TODAY) == Every((A, B))


HOSTILE = ["(" * 10_000 + "a" + ")" * 10_000, "(a OR " * 2_000, "wort " * 200_000, '"' * 5_000, "-" * 5_000, "a~" * 5_000, "seit " * 5_000,
           "2024.." * 5_000, "titel:" * 5_000, "9" * 100_000, "a" * 1_000_000, "(a+)+$" * 1_000, "\u0308" * 5_000, "NOT " * 5_000]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8])
def test_hostile_text_is_read_at_once_and_stays_small(text: str) -> None:
    begin = process_time()
    tree = parse(text, TODAY)
    assert process_time() - begin < 0.2
    assert len(speak(tree)) < 3_000


@pytest.mark.parametrize(
    "text",
    [
        "a b",
        "a OR b",
        "a -b",
        '"a b" c*',
        "titel:a wort~2",
        "(a b) OR c",
        "a NOT (b c)",
        "2024-01-01..2026-12-31 a",
        "63-1/2",
    ],
)
def test_a_tree_is_spoken_as_text_that_means_the_same(text: str) -> None:
    tree = parse(text, TODAY)
    again = parse(speak(tree), TODAY)
    assert speak(again) == speak(tree)
