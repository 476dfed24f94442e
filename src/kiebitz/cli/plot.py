"""A time series as one line of text: a block per moment, its height the value."""

import sys
from collections.abc import Sequence
from itertools import pairwise

BLOCKS = "▁▂▃▄▅▆▇█"
PLAIN = "_.-:=+*#"  # where the terminal cannot show blocks


def sparkline(values: Sequence[float], width: int, marks: str = BLOCKS) -> str:
    """At most ``width`` characters: neighbours share one, as their mean. The lowest is zero, the highest the maximum."""
    means = _means(values, max(width, 1))
    top = max(means, default=0.0)
    if top <= 0:
        return marks[0] * len(means)
    return "".join(marks[_height(mean / top, len(marks))] for mean in means)


def _means(values: Sequence[float], count: int) -> list[float]:
    if len(values) <= count:
        return [float(value) for value in values]
    edges = [number * len(values) // count for number in range(count + 1)]
    return [sum(values[start:end]) / (end - start) for start, end in pairwise(edges)]


def _height(part: float, heights: int) -> int:
    """Only nothing is drawn as nothing."""
    return 0 if part <= 0 else min(max(round(part * (heights - 1)), 1), heights - 1)


def marks_of(encoding: str | None) -> str:
    try:
        BLOCKS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return BLOCKS


def plot(lines: Sequence[tuple[str, Sequence[float]]], columns: int) -> list[str]:
    """A sparkline for each name, with its last and its highest value, no wider than ``columns``."""
    marks = marks_of(sys.stdout.encoding)
    names = max((len(name) for name, _ in lines), default=0)
    drawn = []
    for name, values in lines:
        tail = f"now {values[-1]:.5g}, most {max(values):.5g}" if values else "nothing yet"
        room = columns - names - len(tail) - 6
        drawn.append(f"  {name:{names}}  {sparkline(values, room, marks)}  {tail}"[:columns])
    return drawn
