"""A time series as one line of text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiebitz.cli.plot import BLOCKS, PLAIN, marks_of, plot, sparkline

values = st.lists(st.floats(0, 1e12), max_size=600)


def test_the_highest_value_is_the_highest_block_and_nothing_is_the_lowest() -> None:
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7], 80) == BLOCKS
    assert sparkline([0, 0, 0], 80) == "▁▁▁"
    assert sparkline([5, 5], 80) == "██"
    assert sparkline([], 80) == ""


def test_a_little_beside_much_is_still_seen() -> None:
    assert sparkline([1, 0, 10_000], 80) == "▂▁█"


def test_what_does_not_fit_is_averaged() -> None:
    assert sparkline([0, 0, 2, 4, 7, 7], 3) == "▁▄█"
    assert len(sparkline(range(500), 60)) == 60


@given(values, st.integers(-5, 200))
def test_a_line_is_never_wider_than_there_is_room(given: list[float], width: int) -> None:
    line = sparkline(given, width)
    assert len(line) == min(len(given), max(width, 1))
    assert set(line) <= set(BLOCKS)


@given(values, st.integers(1, 300))
def test_a_plot_is_never_wider_than_the_terminal(given: list[float], columns: int) -> None:
    assert all(len(line) <= columns for line in plot([("URLs/s", given), ("queue", given)], columns))


def test_a_plot_says_the_last_and_the_highest_value_beside_each_line() -> None:
    first, second = plot([("URLs/s", [1.25, 50.0, 12.5]), ("hosts", [])], 80)
    assert first.startswith("  URLs/s  ")
    assert first.endswith("now 12.5, most 50")
    assert second.split() == ["hosts", "nothing", "yet"]


@pytest.mark.parametrize(
    ("encoding", "marks"), [("utf-8", BLOCKS), ("ascii", PLAIN), ("latin-1", PLAIN), (None, PLAIN), ("?", PLAIN)]
)
def test_a_terminal_that_cannot_show_blocks_gets_plain_marks(encoding: str | None, marks: str) -> None:
    assert marks_of(encoding) == marks
