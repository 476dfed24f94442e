import random
from itertools import pairwise

import pytest

from kiebitz.crawl import politeness
from kiebitz.crawl.politeness import backoff, given_up, next_round, pause, remembered, rest


@pytest.fixture
def rng() -> random.Random:
    return random.Random(1)


@pytest.mark.parametrize(
    ("delay", "robots", "asked"),
    [
        (1.0, None, 1.0),
        (1.0, 5.0, 5.0),  # robots.txt wins if it asks for more
        (3.0, 0.5, 3.0),
        (0.0, None, 0.0),
        (1.0, 200.0, 200.0),
        (90.0, 200.0, 200.0),  # our own delay has no limit
    ],
)
def test_a_pause_is_never_shorter_than_asked_for_and_little_longer(
    delay: float, robots: float | None, asked: float, rng: random.Random
) -> None:
    pauses = [pause(delay, robots, rng) for _ in range(500)]
    assert min(pauses) >= asked
    assert max(pauses) <= asked * 1.2


def test_pauses_differ_so_that_hosts_are_not_visited_in_step(rng: random.Random) -> None:
    assert len({pause(1.0, None, rng) for _ in range(100)}) == 100


def test_backing_off_takes_four_times_longer_each_time_up_to_an_hour(rng: random.Random) -> None:
    for tries, least in [(1, 10.0), (2, 40.0), (3, 160.0), (9, 3600.0), (500, 3600.0)]:
        waits = [backoff(tries, 10.0, rng) for _ in range(200)]
        assert min(waits) >= least
        assert max(waits) <= least * 1.2


def test_a_host_rests_after_each_round_of_five_strikes_and_longer_each_time(rng: random.Random) -> None:
    rests = {strikes: rest(strikes, 10.0, rng) for strikes in range(26)}
    rested = [strikes for strikes, seconds in rests.items() if seconds]
    assert rested == [5, 10, 15, 20, 25]
    assert all(rests[later] > rests[earlier] * 3 for earlier, later in pairwise(rested))


def test_a_failure_of_the_whole_host_counts_for_a_round() -> None:
    assert [next_round(strikes) for strikes in (0, 1, 4, 5, 9, 10)] == [5, 5, 5, 10, 10, 15]


def test_a_host_is_given_up_after_its_rounds() -> None:
    assert [strikes for strikes in range(20) if given_up(strikes, 3)] == [15, 16, 17, 18, 19]


def test_strikes_are_forgotten_when_the_host_was_left_alone_for_long() -> None:
    assert remembered(7, 0.0) == 7
    assert remembered(7, -30.0) == 7
    assert remembered(15, politeness.MAX_REST - 1) == 15
    assert remembered(15, politeness.MAX_REST) == 0
