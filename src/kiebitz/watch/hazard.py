"""How likely an issue is on a day, learned from the days on which issues came.

Several ways to keep a calendar compete: the weekday, the days since the last issue, both together, every second week, the
first Friday of a month, the fifteenth, or no order at all. Each counts how often an issue came on the days it holds alike,
and is believed as far as it would have foretold the past (its marginal likelihood, so that a fine one must earn its
fineness). Older issues count less, so that a new rhythm is soon believed.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import accumulate
from math import exp, inf, lgamma, log
from typing import NamedTuple

from kiebitz.watch.arrivals import Arrival
from kiebitz.watch.templates import FAMILIES, WEEKDAYS

MOST_ARRIVALS = 60
MOST_DAYS = 800
AHEAD = 40  # days for which templates are laid out
HALF = 14.0  # issues, after which an issue counts half
DOUBT = 0.25  # average days in every count, so that nothing is impossible
LONGEST_GAP = 45
SATURDAY = 5
WEEKDAYS_ALONE = 2  # its place below
OFTEN = 0.2  # a weekday with this share of issues is named
IRREGULAR = "irregular"

Key = Callable[[int, int], Hashable]  # of a day, and the days since the issue before


class Custom(NamedTuple):
    name: str
    key: Key
    tallies: dict[Hashable, tuple[float, float]]  # days, issues
    belief: float  # a logarithm at first, then a share


class Past(NamedTuple):
    """The days since the first issue: how many came on each (a share if the day is not sure), and what the day counts."""

    first: int
    issues: list[float]
    weights: list[float]
    gaps: list[int]

    def tally(self, days: Iterable[int]) -> tuple[float, float]:
        """What these days count, and the issues that came on them."""
        places = [day - self.first for day in days if 0 <= day - self.first < len(self.issues)]
        counted = sum(self.weights[place] for place in places)
        return counted, sum(self.weights[place] * self.issues[place] for place in places)


KEYS: tuple[tuple[str, Key], ...] = (
    (IRREGULAR, lambda _day, _gap: 0),
    (
        IRREGULAR,
        lambda day, gap: (min((gap + 3) // 7, 6), (day - 1) % 7 >= SATURDAY),
    ),  # not soon again, not on a weekend
    ("weekdays", lambda day, _gap: (day - 1) % 7),
    ("gaps", lambda _day, gap: min(gap, LONGEST_GAP)),
    ("weekdays and weeks", lambda day, gap: ((day - 1) % 7, min((gap + 3) // 7, 6))),
)


class Hazard:
    """Learned from arrivals in order of time; days from ``since`` to ``until`` without one were without one."""

    def __init__(self, arrivals: Sequence[Arrival], since: int, until: int) -> None:
        recent = [each for each in arrivals if until - MOST_DAYS <= each.last <= until][-MOST_ARRIVALS:]
        self.count = len(recent)
        self.newest = max(each.last for each in recent) if recent else max(min(since, until), until - MOST_DAYS)
        past = _past(recent, recent[0].last if recent else self.newest, until)
        everything = past.tally(range(past.first, until + 1))
        self.average = (everything[1] + 0.5) / (everything[0] + 7)
        self._customs = _weighed(_customs(past, everything, self.average))

    def at(self, day: int) -> float:
        """The probability of an issue on the day, if none has come since the newest."""
        gap = day - self.newest
        return sum(custom.belief * self._rate(custom, custom.key(day, gap)) for custom in self._customs)

    @property
    def name(self) -> str:
        """What the custom says that is believed most."""
        custom = max(self._customs, key=lambda each: each.belief)
        if custom.name == "gaps":
            gap = max(custom.tallies, key=lambda key: custom.tallies[key][1])
            return f"an issue every {gap} days"
        if custom.name == "weekdays":
            return _named_weekdays(custom)
        if custom.name == "weekdays and weeks":
            return f"{_named_weekdays(self._customs[WEEKDAYS_ALONE])}, about every {1 / self.average:.0f} days"
        return custom.name

    def _rate(self, custom: Custom, key: Hashable) -> float:
        days, issues = custom.tallies.get(key, (0.0, 0.0))
        return (issues + DOUBT * self.average) / (days + DOUBT)


def _past(arrivals: Sequence[Arrival], newest: int, until: int) -> Past:
    first = newest + 1
    issues = [0.0] * max(until - newest, 0)
    ends = set()
    for arrival in arrivals[1:]:
        days = range(max(arrival.first, first), arrival.last + 1)
        for day in days:
            issues[day - first] = min(issues[day - first] + 1 / len(days), 1.0)
        ends.add(arrival.last)
    gaps, later = [], []
    for day in range(first, until + 1):
        gaps.append(day - newest)
        if day in ends:
            newest = day
        later.append(day in ends)
    after = list(accumulate(reversed(later), initial=0))[-2::-1] if later else []
    return Past(first, issues, [0.5 ** (count / HALF) for count in after], gaps)


def _customs(past: Past, everything: tuple[float, float], average: float) -> list[Custom]:
    customs = [_custom(past, average, name, key) for name, key in KEYS]
    for family in FAMILIES:
        templates = family(past.first, past.first + len(past.issues) + AHEAD)
        best = max(templates, key=lambda template: _fit(past.tally(template.days), everything, average))
        custom = _custom(past, average, best.name, _within(best.days))
        customs.append(custom._replace(belief=custom.belief - log(len(templates))))
    return customs


def _within(days: frozenset[int]) -> Key:
    return lambda day, _gap: day in days


def _custom(past: Past, average: float, name: str, key: Key) -> Custom:
    tallies: dict[Hashable, tuple[float, float]] = {}
    for place, (some, weight, gap) in enumerate(zip(past.issues, past.weights, past.gaps, strict=True)):
        at = key(past.first + place, gap)
        days, issues = tallies.get(at, (0.0, 0.0))
        tallies[at] = (days + weight, issues + weight * some)
    return Custom(name, key, tallies, sum(_likelihood(days, issues, average) for days, issues in tallies.values()))


def _fit(own: tuple[float, float], everything: tuple[float, float], average: float) -> float:
    """How well a template foretells: its days against all others."""
    others = everything[0] - own[0], everything[1] - own[1]
    if own[1] <= average * own[0]:
        return -inf  # fewer issues than on any day: it would foretell by what does not happen
    return _likelihood(*own, average) + _likelihood(*others, average)


def _likelihood(days: float, issues: float, average: float) -> float:
    """The logarithm, if nothing but the average was known before."""
    yes, no = DOUBT * average, DOUBT * (1 - average)
    before = lgamma(yes) + lgamma(no) - lgamma(DOUBT)
    return (
        lgamma(yes + max(issues, 0.0)) + lgamma(no + max(days - issues, 0.0)) - lgamma(DOUBT + max(days, 0.0)) - before
    )


def _weighed(customs: list[Custom]) -> list[Custom]:
    best = max(custom.belief for custom in customs)
    shares = [exp(custom.belief - best) for custom in customs]
    return [custom._replace(belief=share / sum(shares)) for custom, share in zip(customs, shares, strict=True)]


def _named_weekdays(weekdays: Custom) -> str:
    total = sum(issues for _, issues in weekdays.tallies.values()) or 1.0
    named = [day for day in range(7) if weekdays.tallies.get(day, (0.0, 0.0))[1] / total >= OFTEN]
    return " and ".join(f"{WEEKDAYS[day]}s" for day in named) or IRREGULAR
