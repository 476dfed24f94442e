"""Five fields and a zone: what they mean, also when the clocks change."""

from datetime import UTC, datetime

import pytest

from kiebitz.errors import InputError
from kiebitz.standards.cron import cron


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def following(text: str, after: str, count: int) -> list[str]:
    found, moment = [], utc(after)
    for _ in range(count):
        moment = cron(text).next_after(moment)
        found.append(moment.strftime("%Y-%m-%d %H:%M"))
    return found


def test_the_default_is_sunday_at_one_in_berlin() -> None:
    weekly = "0 13 * * 0 Europe/Berlin"
    assert following(weekly, "2026-03-15 12:00", 3) == ["2026-03-22 12:00", "2026-03-29 11:00", "2026-04-05 11:00"]


@pytest.mark.parametrize(
    ("fields", "times"),
    [
        ("*/20 9-10 * * *", ["2026-01-01 09:00", "2026-01-01 09:20", "2026-01-01 09:40", "2026-01-01 10:00"]),
        ("50/5 0 * * *", ["2026-01-01 00:50", "2026-01-01 00:55", "2026-01-02 00:50"]),
        ("0 6 * jun,DEC *", ["2026-06-01 06:00", "2026-06-02 06:00"]),
        ("0 6 * * mon-fri", ["2026-01-01 06:00", "2026-01-02 06:00", "2026-01-05 06:00"]),
        ("0 6 * * 7", ["2026-01-04 06:00", "2026-01-11 06:00"]),
        ("0 6 * * sat-sun", ["2026-01-03 06:00", "2026-01-04 06:00", "2026-01-10 06:00"]),
        ("0 6 * * 5-7", ["2026-01-02 06:00", "2026-01-03 06:00", "2026-01-04 06:00"]),
        ("0 0 31 * *", ["2026-01-31 00:00", "2026-03-31 00:00", "2026-05-31 00:00"]),
        ("0 0 29 2 *", ["2028-02-29 00:00", "2032-02-29 00:00"]),
        ("0 0 29 2 */7", ["2032-02-29 00:00", "2060-02-29 00:00"]),  # both: the weekday begins with a star
        ("0 0 13 * 5", ["2026-01-02 00:00", "2026-01-09 00:00", "2026-01-13 00:00"]),  # either
        ("@weekly", ["2026-01-04 00:00", "2026-01-11 00:00"]),
        ("@monthly", ["2026-02-01 00:00", "2026-03-01 00:00"]),
    ],
)
def test_fields_mean_what_they_mean_to_cron(fields: str, times: list[str]) -> None:
    assert following(f"{fields} UTC", "2026-01-01 00:00", len(times)) == times


def test_a_time_that_is_skipped_in_spring_happens_at_the_next_valid_moment_and_once() -> None:
    """On 2026-03-29 the clock goes from 02:00 to 03:00, which is 01:00 in UTC."""
    assert following("30 2 * * * Europe/Berlin", "2026-03-28 12:00", 3) == [
        "2026-03-29 01:00",
        "2026-03-30 00:30",
        "2026-03-31 00:30",
    ]
    assert following("0,30 2,3 29 3 * Europe/Berlin", "2026-03-28 12:00", 2) == ["2026-03-29 01:00", "2026-03-29 01:30"]


def test_a_time_that_is_repeated_in_autumn_happens_once() -> None:
    """On 2026-10-25 the clock goes from 03:00 to 02:00, which is 01:00 in UTC."""
    assert following("30 2 * * * Europe/Berlin", "2026-10-24 12:00", 2) == ["2026-10-25 00:30", "2026-10-26 01:30"]
    assert following("30 2 * * * Europe/Berlin", "2026-10-25 00:45", 1) == ["2026-10-26 01:30"]
    assert following("30 2 * * * Europe/Berlin", "2026-10-25 01:15", 1) == ["2026-10-26 01:30"]


def test_a_day_that_a_zone_never_had_ends_when_the_next_begins() -> None:
    """Samoa crossed the date line: after the 29th of December 2011 came the 31st."""
    assert following("0 12 30 12 * Pacific/Apia", "2011-12-29 12:00", 1) == ["2011-12-30 10:00"]


def test_seconds_do_not_lead_to_the_same_minute_again() -> None:
    assert cron("* * * * * UTC").next_after(utc("2026-01-01 00:00:59.9")) == utc("2026-01-01 00:01")
    with pytest.raises(ValueError, match="zone"):
        cron("* * * * *").next_after(datetime(2026, 1, 1))  # noqa: DTZ001


def test_the_normal_form_has_the_zone() -> None:
    assert str(cron("  0  13 * * SUN ")) == "0 13 * * sun Europe/Berlin"
    assert str(cron("@daily Asia/Tokyo")) == "0 0 * * * Asia/Tokyo"
    assert str(cron(str(cron("@daily")))) == str(cron("@daily"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not 0 words"),
        ("0 13 * *", "not 4 words"),
        ("0 13 * * 0 Europe/Berlin now", "not 7 words"),
        ("60 * * * *", "minute '60' is not between 0 and 59"),
        ("0 24 * * *", "hour '24'"),
        ("0 0 0 * *", "day '0'"),
        ("0 0 * 13 *", "month '13'"),
        ("0 0 * * 8", "weekday '8'"),
        ("0 0 * * son", "weekday 'son'"),
        ("5-1 * * * *", "empty range"),
        ("*/0 * * * *", "empty range"),
        ("1,,2 * * * *", "'' is no minute"),
        ("-1 * * * *", "'-1' is no minute"),
        ("1.5 * * * *", "'1.5' is no minute"),
        ("٣ * * * *", "is no minute"),
        ("0 0 30 2 *", "no such day"),
        ("0 0 31 4,6 *", "no such day"),
        ("* " * 600, "longer than"),
        ("0 0 * * * Mars/Olympus", "unknown time zone"),
        ("0 0 * * * ../../etc/passwd", "unknown time zone"),
        ("0 0 * * * Europe", "unknown time zone"),
    ],
)
def test_what_is_no_schedule_is_refused_with_the_field(text: str, message: str) -> None:
    with pytest.raises(InputError, match="bad schedule") as refused:
        cron(text)
    assert message in str(refused.value)
    assert refused.value.hint


def test_a_misspelt_zone_is_suggested() -> None:
    with pytest.raises(InputError) as refused:
        cron("0 0 * * * Europe/Berln")
    assert "Europe/Berlin" in refused.value.hint
