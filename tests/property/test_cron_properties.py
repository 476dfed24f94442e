"""Cron against a clock that is simply watched, minute by minute."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from kiebitz.standards.cron import Cron, cron

MINUTE = timedelta(minutes=1)
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "UTC")
# Near a change of the clocks in each zone, and some plain days.
DAYS = ("2026-03-28", "2026-10-24", "2026-03-07", "2026-10-31", "2026-04-04", "2026-10-03", "2026-02-14", "2011-12-29")


def values(low: int, high: int) -> st.SearchStrategy[str]:
    number = st.integers(low, high)
    spans = st.tuples(number, number).map(lambda pair: f"{min(pair)}-{max(pair)}")
    steps = st.integers(1, high).map(lambda step: f"*/{step}")
    parts = st.lists(number.map(str) | spans | steps, min_size=1, max_size=3)
    return st.just("*") | parts.map(",".join)


def crons(months: st.SearchStrategy[str]) -> st.SearchStrategy[Cron]:
    days = st.one_of(st.just("*"), st.integers(1, 28).map(str), st.just("*/2"))
    fields = st.tuples(values(0, 59), values(0, 23), days, months, values(0, 7), st.sampled_from(ZONES))
    return fields.map(" ".join).map(cron)


moments = st.datetimes(datetime(1975, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def wall_of(at: datetime, zone: ZoneInfo) -> datetime:
    return at.astimezone(zone).replace(tzinfo=None)


@given(crons(values(1, 12)), moments, st.timedeltas(timedelta(0), timedelta(days=40)))
def test_the_next_time_is_later_monotone_and_fits_the_fields(each: Cron, moment: datetime, gap: timedelta) -> None:
    at = each.next_after(moment)
    assert at > moment
    assert at <= each.next_after(moment + gap)
    wall = wall_of(at, each.zone)
    skipped = wall - wall_of(at - MINUTE, each.zone) > MINUTE
    assert each.fits(wall) or skipped
    assert cron(str(each)) == each
    if moment + gap < at:
        assert each.next_after(moment + gap) == at  # nothing lies between


def watched(each: Cron, moment: datetime, until: datetime) -> datetime | None:
    """The first minute at which the clock shows a time of ours for the first time, or has just skipped one."""
    at = moment.replace(second=0, microsecond=0) + MINUTE
    while at <= until:
        wall, before = wall_of(at, each.zone), wall_of(at - MINUTE, each.zone)
        passed = [before + MINUTE * n for n in range(1, int((wall - before) / MINUTE))]
        if (each.fits(wall) and not wall.fold) or any(map(each.fits, passed)):
            return at
        at += MINUTE
    return None


@settings(max_examples=60)
@given(crons(st.just("*")), st.sampled_from(DAYS), st.integers(0, 2880 * 60))
def test_watching_the_clock_leads_to_the_same_time(each: Cron, day: str, seconds: int) -> None:
    moment = datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(seconds=seconds)
    until = moment + timedelta(days=2)
    seen = watched(each, moment, until)
    at = each.next_after(moment)
    assert at == seen if seen else at > until
