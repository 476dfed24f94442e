"""The time series of a run: how it is thinned out, and how fast the run was between two samples."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiebitz.model.run import MOST_SAMPLES, Sample, pace, step_of, thinned

HOUR = 3600.0
samples = st.builds(Sample, st.floats(0, 1e7), st.integers(0, 1 << 40), st.integers(0, 1000), st.integers(0, 1 << 40))


def at(seconds: float, fetched: int = 0) -> Sample:
    return Sample(seconds, fetched, 0, 0)


@pytest.mark.parametrize(
    ("seconds", "step"), [(0, 0.25), (124.9, 0.25), (125, 0.5), (499.9, 1.0), (500, 2.0), (24 * HOUR, 256.0)]
)
def test_the_step_doubles_whenever_there_would_be_more_than_the_most(seconds: float, step: float) -> None:
    assert step_of(seconds) == step


def test_thinning_out_keeps_the_last_of_each_step_in_order() -> None:
    assert thinned([]) == []
    assert thinned([at(3.0), at(1.0, 1), at(1.2, 2), at(2.0)]) == [at(1.2, 2), at(2.0), at(3.0)]
    second_by_second = [at(number + 0.5, number) for number in range(1000)]
    kept = thinned(second_by_second)
    assert kept == second_by_second[1::2]


def test_a_series_sampled_every_second_is_never_longer_than_the_most_nor_forgets_its_end() -> None:
    series: list[Sample] = []
    for number in range(5 * MOST_SAMPLES):
        series = thinned([*series, at(number, number)])
        assert len(series) <= MOST_SAMPLES
        assert series[-1] == at(number, number)
    assert len(series) > MOST_SAMPLES / 2
    assert max(after.seconds - before.seconds for before, after in pairwise(series)) <= 2 * step_of(series[-1].seconds)


@given(st.lists(samples, max_size=50))
def test_thinning_out_invents_nothing_and_thinning_again_changes_nothing(given: list[Sample]) -> None:
    kept = thinned(given)
    assert set(kept) <= set(given)
    assert [sample.seconds for sample in kept] == sorted({sample.seconds for sample in kept})
    assert thinned(kept) == kept
    if given:
        newest = max(sample.seconds for sample in given)
        assert kept[-1].seconds >= newest - step_of(newest)


def test_the_pace_is_what_was_fetched_since_the_sample_before() -> None:
    assert pace([]) == []
    assert pace([at(2, 10), at(4, 50), at(5, 50)]) == [5.0, 20.0, 0.0]


def test_two_samples_close_together_make_no_leap() -> None:
    assert pace([at(0.5, 4), at(1.0, 10), at(2.0, 20), at(2.01, 30)]) == [8.0, 10.0, 10.0, pytest.approx(20 / 1.01)]


def test_neither_a_retry_nor_a_first_moment_makes_an_impossible_pace() -> None:
    assert pace([at(0, 5), at(1, 9), at(2, 3)]) == [0.0, 4.0, 0.0]


@given(st.lists(samples, max_size=50))
def test_every_sample_has_a_pace_that_is_not_below_zero(given: list[Sample]) -> None:
    series = thinned(given)
    rates = pace(series)
    assert len(rates) == len(series)
    assert all(rate >= 0 for rate in rates)
