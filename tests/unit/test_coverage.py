"""Which issues are held, which are missing, and how a source is doing."""

from datetime import UTC, date, datetime, timedelta

import pytest

from kiebitz.model.document import Document, document_id
from kiebitz.model.source import Source, source_id
from kiebitz.watch.coverage import Health, coverage_of, health_of
from kiebitz.watch.rhythm import Rhythm, rhythm_of

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def document(text: str, name: str = "") -> Document:
    url = f"http://stadt.example/dateien/{name or document_id(text)}"
    return Document(
        document_id(url), url, "", text, "s", True, NOW, NOW, NOW, 1, 200, "application/pdf", 10, "00" * 32
    )  # fmt: skip


def weekly(count: int, last: date = date(2026, 5, 29)) -> list[Document]:
    days = [last - timedelta(weeks=count - number) for number in range(1, count + 1)]
    return [document(f"Amtsblatt Nr. {n}/2026 vom {day:%d.%m.%Y}") for n, day in enumerate(days, start=1)]


def source(**changes: object) -> Source:
    url = "http://stadt.example/"
    return Source(source_id(url), "Stadt", (url,), last_crawled=NOW, **changes)  # type: ignore[arg-type]


def test_gaps_in_the_numbering_are_seen() -> None:
    held = [document(f"Amtsblatt Nr. {number}/2026") for number in range(1, 32) if number not in (12, 19)]
    (year,) = coverage_of(held).years
    assert (year.year, year.numbers[0], year.numbers[-1], year.missing) == (2026, 1, 31, (12, 19))


def test_the_first_year_may_begin_anywhere_and_the_others_begin_with_one() -> None:
    held = [document(f"Amtsblatt Nr. {number}/2024") for number in (20, 21, 23)]
    held += [document(f"Amtsblatt Nr. {number}/2025") for number in (2, 3)]
    first, second = coverage_of(held).years
    assert (first.missing, second.missing) == ((22,), (1,))


def test_double_issues_cover_both_numbers_and_special_ones_none() -> None:
    held = [document("Amtsblatt Nr. 1/2026"), document("Amtsblatt Nr. 2/3 2026"), document("Amtsblatt Nr. 4/2026")]
    held.append(document("Sonderausgabe Nr. 1/2026"))
    (year,) = coverage_of(held).years
    assert (year.numbers, year.missing, year.others) == ((1, 2, 3, 4), (), 1)


def test_a_special_issue_in_the_series_fills_its_number_and_a_supplement_does_not() -> None:
    held = [document(f"Amtsblatt Nr. {number}/2026") for number in (1, 2, 5)]
    held += [document("Sonderausgabe: Amtsblatt Nr. 3/2026"), document("Beilage zum Amtsblatt Nr. 4/2026")]
    (year,) = coverage_of(held).years
    assert (year.missing, year.others) == ((4,), 2)


def test_the_file_name_speaks_where_the_link_does_not() -> None:
    (year,) = coverage_of([document("Download", "amtsblatt_2026_07.pdf")]).years
    assert (year.year, year.numbers) == (2026, (7,))


def test_documents_without_a_number_are_counted() -> None:
    held = coverage_of([document("Bekanntmachung zur Wahl", "wahl.pdf")])
    assert (held.documents, held.unnumbered, held.years) == (1, 1, ())


def test_a_rhythm_needs_some_dates() -> None:
    start = date(2026, 1, 2)
    assert rhythm_of([start, start + timedelta(7)]) is None
    assert rhythm_of([start + timedelta(7 * week) for week in range(6)]) == Rhythm(7.0, 7)


@pytest.mark.parametrize(
    ("weeks_ago", "health"), [(0, Health.HEALTHY), (1, Health.HEALTHY), (2, Health.LATE), (6, Health.SILENT)]
)
def test_a_source_that_stops_publishing_is_late_then_silent(weeks_ago: int, health: Health) -> None:
    held = coverage_of(weekly(10, date(2026, 5, 29) - timedelta(weeks=weeks_ago)))
    assert health_of(source(), held, NOW.date())[0] is health


def test_a_source_whose_last_look_failed_is_broken_and_says_why() -> None:
    broken = source(last_error="empty: nothing looks like a gazette", last_error_at=NOW)
    assert health_of(broken, coverage_of(weekly(10)), NOW.date()) == (
        Health.BROKEN,
        "empty: nothing looks like a gazette",
    )
    mended = source(last_error="dns", last_error_at=NOW - timedelta(days=7))
    assert health_of(mended, coverage_of(weekly(10)), NOW.date())[0] is Health.HEALTHY


def test_a_source_that_was_never_looked_at_is_new() -> None:
    fresh = Source(source_id("http://x.example/"), "X", ("http://x.example/",))
    assert health_of(fresh, coverage_of([]), NOW.date())[0] is Health.NEW
