"""When the next look is and why then, case by case; what was observed goes before what is printed."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from time import process_time

import pytest

from kiebitz.model.document import Document, document_id
from kiebitz.model.issue import Issue
from kiebitz.watch.arrivals import Arrival, Find, History, arrivals_of, hour_of
from kiebitz.watch.forecast import ZONE, Forecast, forecast_of, next_look
from kiebitz.watch.templates import Template, cycles, days_of_months, weekdays_of_months
from tests.unit.papers import DAY, NIGHT_LOOK, days, workday


def looked(last: str, printed: Iterable[date], looks: Iterable[str] = ()) -> Forecast:
    """What is forecast after a look that worked, when all issues were there at the first look."""
    moments = [datetime.fromisoformat(each).replace(tzinfo=ZONE) for each in (*looks, last)]
    finds = tuple(Find(day, moments[0] - NIGHT_LOOK) for day in printed)
    return next_look(History(finds, tuple(moments)), moments[-1])


FRIDAYS = [date(2026, 1, 2) + 7 * number * DAY for number in range(20)]  # up to 15 May


def spoken(forecast: Forecast) -> str:
    return f"{forecast.at.astimezone(ZONE):%a %d %b %H:%M}"


def test_a_weekly_paper_is_looked_at_on_the_evening_of_its_day_and_the_reason_says_so() -> None:
    forecast = looked("2026-05-16T12:00", FRIDAYS)
    assert spoken(forecast) == "Fri 22 May 20:00"
    assert forecast.at.tzinfo is UTC
    assert forecast.why == "Fridays; Fri 2026-05-22 is 99% likely"


def test_what_is_overdue_is_looked_for_daily_then_more_rarely_but_at_least_weekly() -> None:
    moment, pauses = datetime(2026, 5, 22, 20, 1, tzinfo=ZONE), []
    history = History(tuple(Find(day, datetime(2026, 5, 16, tzinfo=UTC)) for day in FRIDAYS), (moment,))
    first = next_look(history, moment)
    assert spoken(first) == "Sat 23 May 20:00"
    assert first.why == "Fridays; overdue since Fri 2026-05-22"
    for _ in range(16):
        forecast = next_look(history, moment)
        pauses.append((forecast.at.astimezone(ZONE).date() - moment.astimezone(ZONE).date()).days)
        moment = forecast.at + NIGHT_LOOK
        history = History(history.finds, (*history.looks, moment))
    assert pauses[:3] == [1, 1, 1]
    assert max(pauses[:8]) <= 3
    assert 3 < max(pauses) <= 7


@pytest.mark.parametrize(
    ("printed", "expected", "named"),
    [
        ([date(2026, 1, 2) + 14 * number * DAY for number in range(10)], "Fri 22 May", "14 days|second Friday"),
        ([date(2025 + n // 12, n % 12 + 1, 15) for n in range(17)], "Mon 15 Jun", "15. of a month"),
        (
            [d for d in days(date(2024, 4, 1), date(2026, 5, 9)) if d.weekday() == 4 and d.day < 8],
            "Fri 05 Jun",
            "first Friday",
        ),
    ],
)
def test_the_day_that_stands_out_is_reached_with_weekly_looks_before_it(
    printed: list[date], expected: str, named: str
) -> None:
    looks: list[str] = []
    last = "2026-05-16T12:00"
    for _ in range(10):
        forecast = looked(last, printed, looks)
        if "likely" in forecast.why:
            break
        looks, last = [*looks, last], forecast.at.astimezone(ZONE).strftime("%Y-%m-%dT%H:%M:30")
    assert spoken(forecast) == f"{expected} 20:00"
    assert any(name in forecast.why for name in named.split("|"))


def test_a_look_in_the_morning_of_the_day_leaves_the_evening_unless_the_issue_is_there() -> None:
    assert spoken(looked("2026-05-22T09:00", FRIDAYS)) == "Fri 22 May 20:00"
    assert spoken(looked("2026-05-22T09:00", [*FRIDAYS, date(2026, 5, 22)])) == "Fri 29 May 20:00"


def test_a_look_that_did_not_work_is_repeated_the_next_day_then_more_rarely() -> None:
    good = datetime(2026, 5, 16, 20, 1, tzinfo=ZONE)
    history = History(tuple(Find(day, good) for day in FRIDAYS), (good,))
    soon = next_look(history, good + DAY)
    assert (spoken(soon), soon.why) == ("Mon 18 May 20:00", "the last look did not work")
    much_later = good + 60 * DAY
    assert next_look(history, much_later).at - much_later > 5 * DAY


def test_the_hour_is_learned_where_looks_were_frequent() -> None:
    looks, finds = [], []
    for day in FRIDAYS[-8:]:
        morning = datetime.combine(day, time(6), ZONE)
        looks += [morning + timedelta(hours=hours) for hours in range(0, 13, 3)]
        finds.append(Find(day, morning + timedelta(hours=3) - NIGHT_LOOK))
    history = History(tuple(finds), tuple(looks))
    assert hour_of(history, ZONE) == 9
    assert hour_of(History(tuple(finds), tuple(looks[4::5])), ZONE) == 20


def test_what_was_observed_goes_before_what_is_printed() -> None:
    evening = [datetime(2026, 5, day, 20, 1, tzinfo=ZONE) for day in (18, 19, 20)]
    seen = evening[2] - NIGHT_LOOK
    history = History((Find(date(2026, 5, 14), seen),), tuple(evening))
    day = date(2026, 5, 20).toordinal()
    assert arrivals_of(history, ZONE, 20) == [Arrival(day, day)]
    undated = History((Find(None, seen),), (evening[0], evening[2]))
    assert arrivals_of(undated, ZONE, 20) == [Arrival(day - 1, day)]


def test_an_archive_that_is_taken_later_keeps_its_dates() -> None:
    evening = [datetime(2026, 5, day, 20, 1, tzinfo=ZONE) for day in (19, 20)]
    old = date(2019, 3, 1)
    found = arrivals_of(History((Find(old, evening[1] - NIGHT_LOOK),), tuple(evening)), ZONE, 20)
    assert found == [Arrival(old.toordinal(), old.toordinal())]


def document(number: int, day: date, issue: Issue | None) -> Document:
    url, seen = f"http://stadt.example/{number}.pdf", datetime(2026, 5, 16, 12, tzinfo=UTC)
    text = f"Amtsblatt vom {day:%d.%m.%Y}"
    return Document(document_id(url), url, "", text, "s", True, seen, seen, seen, 1, 200, "", 1, "", issue=issue)


@pytest.mark.parametrize("known", [True, False])
def test_ten_thousand_documents_take_no_time(known: bool) -> None:
    dates = [date(2026, 5, 15) - 7 * number * DAY for number in range(1000)] * 10
    held = [document(n, day, Issue(date=day) if known else None) for n, day in enumerate(dates)]
    last = datetime(2026, 5, 16, 12, 1, tzinfo=UTC)
    spent = []
    for _ in range(3):
        started = process_time()
        forecast = forecast_of(held, [last], last)
        spent.append(process_time() - started)
    assert min(spent) < 0.1  # 0.05 on a quiet machine
    assert spoken(forecast) == "Fri 22 May 20:00"


def test_undated_documents_are_put_on_the_weekday_that_explains_them_all() -> None:
    looks, finds = [], []
    for number, day in enumerate(FRIDAYS[:8]):
        evening = datetime.combine(day, time(20, 1), ZONE)
        before, after = (1, 2) if number % 2 else (3, 0)  # seen on the day itself, or two days later
        looks += [evening - before * DAY, evening + after * DAY]
        finds.append(Find(None, evening + after * DAY - NIGHT_LOOK))
    expected = [Arrival(day.toordinal(), day.toordinal()) for day in FRIDAYS[:8]]
    assert arrivals_of(History(tuple(finds), tuple(looks)), ZONE, 20) == expected


def test_the_templates_are_the_calendars_they_are_named_after() -> None:
    first, until = date(2026, 1, 1), date(2026, 12, 31)
    span = first.toordinal(), until.toordinal()

    def named(family: Iterable[Template], name: str) -> list[set[date]]:
        found = [{date.fromordinal(day) for day in template.days} for template in family if template.name == name]
        return [{day for day in each if first <= day <= until} for each in found]

    (fridays,) = named(weekdays_of_months(*span), "the first Friday of a month")
    assert fridays == {day for day in days(first, until) if day.weekday() == 4 and day.day <= 7}
    (last,) = named(weekdays_of_months(*span), "the last Monday of a month")
    assert last == {day for day in days(first, until) if day.weekday() == 0 and (day + 7 * DAY).month != day.month}
    exact, before, after = named(days_of_months(*span), "around the 15. of a month")
    assert exact == {date(2026, month, 15) for month in range(1, 13)}
    assert date(2026, 2, 13) in before  # the fifteenth is a Sunday
    assert date(2026, 2, 16) in after
    assert after == {workday(day) for day in exact}
    (second, other) = named(cycles(*span), "every second Friday")
    assert second | other == {day for day in days(first, until) if day.weekday() == 4}
    assert not second & other
