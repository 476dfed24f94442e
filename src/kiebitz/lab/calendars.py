"""The calendar of the lab: it stands still until somebody moves it, so that a seed and a day name one exact web."""

from datetime import UTC, date, datetime, time, timedelta

FIRST_DAY = date(2026, 11, 15)


class Calendar:
    def __init__(self, today: date = FIRST_DAY) -> None:
        self.today = today

    def advance(self, days: int) -> None:
        self.today += timedelta(days=days)


def noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)
