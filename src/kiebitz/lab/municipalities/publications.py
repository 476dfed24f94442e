"""Which publications are out on a day. A paper's calendar begins in 2016 and is only ever continued, so that numbers stay."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from random import Random
from typing import NamedTuple
from zlib import crc32

from kiebitz.lab.calendars import FIRST_DAY
from kiebitz.lab.demo.notices import news_item
from kiebitz.lab.municipalities.places import Municipality, Periodical
from kiebitz.lab.municipalities.styles import Arrangement, Pace
from kiebitz.model.issue import IssueKind

_BEGINNING = date(2016, 1, 1)
_FRIDAY, _SATURDAY = 4, 5
_ODD = ((0.04, IssueKind.SPECIAL), (0.07, IssueKind.SUPPLEMENT), (0.08, IssueKind.CORRECTION))
_SUBJECTS = (
    "Bebauungsplan Nr. {n} „{street}“ – öffentliche Auslegung",
    "Allgemeinverfügung zur Sperrung der {street}",
    "Widmung der {street}",
    "Baugenehmigung für ein Vorhaben in der {street} {n}",
    "Satzung über die Erhebung von Beiträgen für die {street}",
    "Einladung zur {n}. Sitzung des Gemeinderats",
    "Einladung zur Versammlung der Jagdgenossenschaft",
    "Haushaltssatzung {year}",
    "Umlegungsverfahren „{street}“",
    "Planfeststellung zum Ausbau der {street}",
)


class Publication(NamedTuple):
    """One document. ``serial`` counts the documents of its paper from its first day; ``number`` starts anew each year."""

    paper: int
    serial: int
    number: int
    day: date
    kind: IssueKind
    subject: str = ""  # of a single notice

    @property
    def key(self) -> tuple[int, int]:
        return self.paper, self.serial


def publications(town: Municipality, since: date, until: date, seed: int = 1) -> list[Publication]:
    """What ``town`` publishes from ``since`` to ``until``, both included, newest first. Older than its archive is nothing."""
    found = [
        publication
        for index, paper in enumerate(town.papers)
        for publication in _archive(town, index, paper, until, seed)
        if publication.day >= since
    ]
    return sorted(found, key=lambda publication: (publication.day, *publication.key), reverse=True)


def _archive(town: Municipality, index: int, paper: Periodical, until: date, seed: int) -> Iterator[Publication]:
    """Oldest first, beginning with the oldest that the archive held on the first day."""
    horizon = max(until, FIRST_DAY).year + 1
    return (publication for publication in _kept(town, index, paper, horizon, seed) if publication.day <= until)


@lru_cache(256)
def _kept(town: Municipality, index: int, paper: Periodical, horizon: int, seed: int) -> tuple[Publication, ...]:
    every = list(_all(town, index, paper, date(horizon, 12, 31), seed))
    start = sum(publication.day <= FIRST_DAY for publication in every) - paper.size
    return tuple(every[start:])


def _all(town: Municipality, index: int, paper: Periodical, until: date, seed: int) -> Iterator[Publication]:
    serial = number = year = 0
    for day in issue_days(paper.pace, until, f"{seed} {town.host} {index}"):
        number = number + 1 if day.year == year else 1
        year = day.year
        if town.arrangement is Arrangement.NOTICES:
            rng = Random(f"{seed} {town.host} {index} {day}")
            yield Publication(index, serial, number, day, IssueKind.REGULAR, _subject(rng, town, day))
            serial += 1
            continue
        kind = _kind(f"{seed} {town.host} {index} {day}")
        own = IssueKind.SPECIAL if kind is IssueKind.SPECIAL else IssueKind.REGULAR
        yield Publication(index, serial, number, day, own)
        serial += 1
        if kind in (IssueKind.SUPPLEMENT, IssueKind.CORRECTION):
            yield Publication(index, serial, number, day, kind)
            serial += 1


def _kind(key: str) -> IssueKind:
    drawn = crc32(key.encode()) / 2**32
    return next((kind for limit, kind in _ODD if drawn < limit), IssueKind.REGULAR)


def _subject(rng: Random, town: Municipality, day: date) -> str:
    if rng.random() < 0.2:
        return news_item(rng, town.streets, day)[0]
    street = rng.choice(town.streets)
    return rng.choice(_SUBJECTS).format(n=rng.randrange(2, 80), street=street, year=day.year + 1)


def issue_days(pace: Pace, until: date, key: str) -> Iterator[date]:
    """The days on which a paper appears. Two papers of one pace have different weekdays; ``key`` names the paper."""
    rng = Random(f"pace {key}")
    weekday, parity = rng.randrange(5), rng.randrange(2)
    if pace is Pace.AS_NEEDED:
        yield from _as_needed(rng, until)
        return
    if pace in (Pace.FIRST_FRIDAY, Pace.MID_MONTH):
        yield from _monthly(pace, until)
        return
    if pace is Pace.TWICE_A_WEEK:
        weekday %= 2  # Monday and Thursday, or Tuesday and Friday
    start = _BEGINNING + timedelta(days=(weekday - _BEGINNING.weekday()) % 7)
    if pace is Pace.FORTNIGHTLY:
        yield from _every(14, start + timedelta(weeks=parity), until)
        return
    for day in _every(7, start, until):
        yield day
        if pace is Pace.TWICE_A_WEEK and (second := day + timedelta(days=3)) <= until:
            yield second


def _every(step: int, start: date, until: date) -> Iterator[date]:
    return (start + timedelta(days=gone) for gone in range(0, (until - start).days + 1, step))


def _monthly(pace: Pace, until: date) -> Iterator[date]:
    """The first Friday; or the fifteenth, and the Monday after it if it is on a weekend."""
    for count in range((until.year - _BEGINNING.year + 1) * 12):
        first = date(_BEGINNING.year + count // 12, count % 12 + 1, 1)
        day = first + timedelta(days=(_FRIDAY - first.weekday()) % 7)
        if pace is Pace.MID_MONTH:
            middle = first.replace(day=15)
            day = middle + timedelta(days=7 - middle.weekday() if middle.weekday() >= _SATURDAY else 0)
        if day <= until:
            yield day


def _as_needed(rng: Random, until: date) -> Iterator[date]:
    day = _BEGINNING + timedelta(days=rng.randrange(3, 20))
    while day <= until:
        yield day
        day += timedelta(days=rng.randrange(14, 34))
        if day.weekday() >= _SATURDAY:
            day += timedelta(days=2)
