"""Every kind of rhythm is learned, few looks are wasted, and nothing waits for more than a week."""

from datetime import UTC, date, datetime, time
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiebitz.watch.arrivals import Find, History
from kiebitz.watch.forecast import ZONE, next_look
from tests.unit.papers import CALENDARS, DAY, Paper, by_weeks, paper, watched

MOST = {"twice a week": 0.48, "irregular": 0.52}  # looks a day


@pytest.mark.parametrize("name", CALENDARS)
def test_after_eight_weeks_issues_are_found_within_a_day(name: str) -> None:
    start = date(2026, 3, 3)
    outcome = watched(paper(name, 1, date(2025, 6, 1), date(2026, 9, 1)), start, learn=56, measure=84)
    assert outcome.in_time >= 0.95 * outcome.issues > 0
    assert outcome.looks / outcome.days <= MOST.get(name, 0.3)


def test_over_a_mix_of_papers_a_third_of_daily_looks_is_enough_also_across_the_year() -> None:
    start = date(2025, 11, 20)
    made = [paper(name, 2, date(2025, 5, 1), date(2026, 4, 20)) for name in CALENDARS]
    outcomes = [watched(each, start, learn=56, measure=84) for each in made]
    assert sum(each.in_time for each in outcomes) >= 0.97 * sum(each.issues for each in outcomes)
    assert sum(each.looks for each in outcomes) <= sum(each.days for each in outcomes) / 3


def test_an_upload_that_is_always_days_after_the_printed_date_is_learned() -> None:
    given = paper("weekly", 3, date(2025, 6, 1), date(2026, 7, 1), late=3)
    outcome = watched(given, date(2026, 1, 6), learn=28, measure=84)
    assert outcome.in_time == outcome.issues
    assert outcome.looks / outcome.days <= 0.25


def test_a_paper_without_dates_is_learned_from_what_looks_have_seen() -> None:
    dated = paper("fortnightly", 4, date(2026, 1, 1), date(2026, 9, 1))
    outcome = watched(Paper([(None, moment) for _, moment in dated.issues]), date(2026, 1, 6), learn=56, measure=112)
    assert outcome.in_time >= 0.95 * outcome.issues > 0
    assert outcome.looks / outcome.days <= 0.5


def test_a_new_rhythm_is_soon_believed() -> None:
    rng = Random(5)
    old = by_weeks(rng, date(2025, 1, 1), date(2026, 2, 1), weekday=4)
    new = by_weeks(rng, date(2026, 2, 1), date(2026, 8, 1), weekday=1)
    issues: list[tuple[date | None, datetime]] = [(day, datetime.combine(day, time(10), ZONE)) for day in [*old, *new]]
    outcome = watched(Paper(issues), date(2026, 1, 5), learn=56, measure=84)
    assert outcome.in_time == outcome.issues
    assert outcome.looks / outcome.days <= 0.35


MOMENTS = st.datetimes(datetime(1995, 1, 1), datetime(2080, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
PRINTED = st.none() | st.dates(date(1900, 1, 1), date(2099, 12, 31))
ZONES = st.sampled_from([ZONE, UTC, ZoneInfo("Pacific/Auckland"), ZoneInfo("America/St_Johns")])


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(PRINTED, MOMENTS), max_size=30),
    st.lists(MOMENTS, max_size=20),
    MOMENTS,
    st.integers(0, 40),
    ZONES,
)
def test_whatever_happened_the_next_look_is_later_and_within_eight_days(
    finds: list[tuple[date | None, datetime]],
    looks: list[datetime],
    last: datetime,
    weeks: int,
    zone: ZoneInfo,
) -> None:
    regular = [((last - week * 7 * DAY).date(), last - DAY) for week in range(weeks)]
    history = History(tuple(Find(*each) for each in (*finds, *regular)), tuple(looks))
    forecast = next_look(history, last, zone)
    assert last < forecast.at <= last + 8 * DAY
    assert forecast.why
