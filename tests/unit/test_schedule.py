"""Schedules of a source, and the agenda made of them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiebitz.errors import InputError
from kiebitz.model.source import Source, source_id
from kiebitz.sources.agenda import Reason, agenda, turn_of
from kiebitz.sources.schedule import schedule_of

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)  # a Wednesday
URL = "https://stadt.example/amtsblatt"
SOURCE = Source(source_id(URL), "Stadt", (URL,), created_at=NOW - timedelta(days=30))


@pytest.mark.parametrize(
    ("text", "normal", "hours"),
    [
        ("every 6h", "every 6 hours", 6),
        ("Every  2  days", "every 2 days", 48),
        ("every day", "every 1 day", 24),
        ("every 90 min", "every 90 minutes", 1.5),
        ("every 1w", "every 1 week", 168),
        ("every 1 hour", "every 1 hour", 1),
    ],
)
def test_intervals_are_read_and_have_a_normal_form(text: str, normal: str, hours: float) -> None:
    interval = schedule_of(text)
    assert str(interval) == normal
    assert str(schedule_of(normal)) == normal
    assert interval.next_after(NOW) == NOW + timedelta(hours=hours)


@pytest.mark.parametrize(
    "text", ["", "daily", "every", "every 0h", "every -1h", "every 3 moons", "every 999999 weeks", "auto now", "6h"]
)
def test_what_is_no_schedule_is_refused_with_examples(text: str) -> None:
    with pytest.raises(InputError, match="bad schedule") as refused:
        schedule_of(text)
    assert "every 6h" in refused.value.hint


@given(
    st.sampled_from(["every 7m", "every 3 days", "auto", "@hourly"]), st.integers(0, 4 * 10**9), st.integers(0, 10**6)
)
def test_every_kind_goes_forward(text: str, seconds: int, later: int) -> None:
    schedule = schedule_of(text)
    moment = datetime.fromtimestamp(seconds, UTC)
    assert schedule.next_after(moment) > moment
    assert schedule.next_after(moment) <= schedule.next_after(moment + timedelta(seconds=later))


def test_a_source_that_was_never_crawled_is_due_since_it_is_there() -> None:
    turn = turn_of(SOURCE, NOW)
    assert (turn.at, turn.reason, turn.is_due(NOW)) == (SOURCE.created_at, Reason.NEVER_CRAWLED, True)
    assert turn_of(replace(SOURCE, created_at=None), NOW).at == NOW


def test_a_turn_that_was_missed_is_due() -> None:
    turn = turn_of(replace(SOURCE, last_crawled=NOW - timedelta(days=10)), NOW)
    assert turn.at == datetime(2026, 11, 15, 12, tzinfo=UTC)
    assert turn.is_due(NOW)
    assert turn.why == "0 13 * * 0 Europe/Berlin"


def test_auto_is_weekly_as_long_as_no_rhythm_is_known_and_says_so() -> None:
    turn = turn_of(replace(SOURCE, schedule="auto", last_crawled=NOW), NOW)
    assert turn.at == datetime(2026, 11, 22, 12, tzinfo=UTC)
    assert turn.reason is Reason.AUTO
    assert "no rhythm is known yet" in turn.why
    assert "0 13 * * 0 Europe/Berlin" in turn.why


def test_auto_goes_by_the_forecast_of_the_last_run_and_no_other_schedule_does() -> None:
    crawled = replace(SOURCE, last_crawled=NOW, next_look=NOW + timedelta(days=2), next_why="Fridays")
    turn = turn_of(replace(crawled, schedule="auto"), NOW)
    assert (turn.at, turn.reason, turn.why) == (NOW + timedelta(days=2), Reason.AUTO, "auto: Fridays")
    assert turn.is_due(NOW + timedelta(days=2))
    assert turn_of(replace(crawled, schedule="every 6h"), NOW).at == NOW + timedelta(hours=6)


def test_a_forecast_from_before_the_last_look_is_not_used() -> None:
    stale = replace(SOURCE, schedule="auto", last_crawled=NOW, next_look=NOW - timedelta(days=2), next_why="Fridays")
    assert "no rhythm is known yet" in turn_of(stale, NOW).why


def test_the_agenda_is_in_the_order_of_time_and_ends_with_those_that_never_come() -> None:
    crawled = replace(SOURCE, last_crawled=NOW)
    plan = agenda(
        [
            replace(crawled, name="off", enabled=False),
            replace(crawled, name="broken", schedule="whenever"),
            replace(crawled, name="weekly"),
            replace(crawled, name="hourly", schedule="every hour"),
            replace(SOURCE, name="new"),
        ],
        NOW,
    )
    assert [(turn.source.name, turn.reason.value) for turn in plan] == [
        ("new", "never crawled"),
        ("hourly", "interval"),
        ("weekly", "cron"),
        ("broken", "bad schedule"),
        ("off", "disabled"),
    ]
    assert [turn.at is None for turn in plan] == [False, False, False, True, True]
