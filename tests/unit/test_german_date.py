"""Dates as Germans, English people and file names write them."""

import time
from datetime import date

import pytest

from kiebitz.model.issue import Precision
from kiebitz.standards.german_date import find_dates, full_year

TWELFTH = date(2026, 3, 12)


@pytest.mark.parametrize(
    "text",
    [
        "12. März 2026",
        "12.März 2026",
        "12. Maerz 2026",
        "12. Ma\u0308rz 2026",
        "12. MÄRZ 2026",
        "12. Mrz. 26",
        "12. Mär. 2026",
        "Donnerstag, den 12. März 2026",
        "vom 12 März 2026",
        "12. März '26",
        "12.03.2026",
        "12.3.26",
        "12. 3. 2026",
        "12.\u00a003.\u00a02026",
        "12/03/2026",
        "12-03-2026",
        "12_03_2026",
        "12032026",
        "2026-03-12",
        "2026-3-12",
        "2026_03_12",
        "2026.03.12",
        "2026/03/12",
        "20260312",
        "2026-03-12T10:15:00Z",
        "12 March 2026",
        "12th of March 2026",
        "March 12, 2026",
        "Mar. 12th, 2026",
        "Amtsblatt_2026-03-12.pdf",
        "et-12.03.26.pdf",
    ],
)
def test_a_day_is_found_in_every_spelling(text: str) -> None:
    (found,) = find_dates(text)
    assert (found.date, found.precision) == (TWELFTH, Precision.DAY)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("März 2026", date(2026, 3, 1)),
        ("amtsblatt_massen_maerz_2026", date(2026, 3, 1)),
        ("hn_nov25_b", date(2025, 11, 1)),
        ("Dez._24", date(2024, 12, 1)),
        ("Mai '21", date(2021, 5, 1)),
        ("Juli/August 2025", date(2025, 7, 1)),
        ("Dezember bis Januar 2020", date(2020, 12, 1)),
        ("massen_2011_september", date(2011, 9, 1)),
        ("03_März_2026", date(2026, 3, 1)),  # a day, or the number of the issue
        ("Jänner 2020", date(2020, 1, 1)),
        ("October 2020", date(2020, 10, 1)),
    ],
)
def test_a_month_is_a_date_of_less_precision(text: str, first: date) -> None:
    (found,) = find_dates(text)
    assert (found.date, found.precision) == (first, Precision.MONTH)


@pytest.mark.parametrize(
    "text", ["KW 12/2026", "KW12-2026", "12. KW 2026", "KW 12/26", "2026-KW12", "Kalenderwoche 12, 2026"]
)
def test_a_week_begins_on_its_monday(text: str) -> None:
    (found,) = find_dates(text.replace(",", ""))
    assert (found.date, found.precision) == (date(2026, 3, 16), Precision.WEEK)


def test_two_weeks_begin_with_the_first() -> None:
    (found,) = find_dates("KW 51/52 2020")
    assert found.date == date(2020, 12, 14)
    assert find_dates("KW 12/13") == [], "two weeks, or one of 2013"


@pytest.mark.parametrize(
    "text",
    [
        "31. Februar 2026",
        "31.02.2026",
        "2026-13-01",
        "2026-02-30",
        "20261301",
        "99999999",
        "KW 54/2026",
        "KW 53/2021",
        "12.03.3026",
        "192.168.10.12",
        "1.12.3.2026",
        "2019_26_3781_3956",
        "0331 123456",
        "Nr. 12/2026",
        "Mai",
        "im Mai",
        "Jan Müller",
        "Maiglöckchen 2020",
        "12.03.",
        "24-04-26",
        "",
    ],
)
def test_what_is_no_date_is_not_reported(text: str) -> None:
    assert find_dates(text) == []


def test_a_known_year_completes_what_was_written_without_one() -> None:
    found = {text: find_dates(text, year=2020) for text in ("12. Mrz.", "Mai", "KW 23", "12.03.", "23. KW", "31. Juni")}
    assert [(each.date, each.precision) for each in found["12. Mrz."]] == [(date(2020, 3, 12), Precision.DAY)]
    assert [(each.date, each.precision) for each in found["Mai"]] == [(date(2020, 5, 1), Precision.MONTH)]
    assert [each.date for each in found["KW 23"]] == [each.date for each in found["23. KW"]] == [date(2020, 6, 1)]
    assert [each.date for each in found["12.03."]] == [date(2020, 3, 12)]
    assert found["31. Juni"] == []
    assert [each.date.year for each in find_dates("12.03.2019", year=2020)] == [2019]


def test_spans_are_those_of_the_text_and_in_its_order() -> None:
    text = "Mai 2020, erschienen am 3.5.2020, gültig ab 1. Juni 2020"
    assert [text[slice(*each.span)] for each in find_dates(text)] == ["Mai 2020", "3.5.2020", "1. Juni 2020"]


def test_two_digits_of_a_year_are_between_1950_and_2049() -> None:
    assert [full_year(text) for text in ("00", "26", "49", "50", "99", "1998")] == [2000, 2026, 2049, 1950, 1999, 1998]


@pytest.mark.parametrize(
    "piece", ["1", "1.", "12.03.", "2026-", "mai", "mai ", "juli/", "kw 1", "'", " ", "\u0308", "20260312"]
)
def test_the_time_grows_with_the_text_only(piece: str) -> None:
    started = time.process_time()
    find_dates(piece * (50_000 // len(piece)), year=2020)
    assert time.process_time() - started < 4
