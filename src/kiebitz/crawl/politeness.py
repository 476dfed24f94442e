"""When to knock again: the delay between requests, backing off, and giving a host up.

A strike is a failed request; a host-wide failure (no name, no connection, no robots.txt) counts for a whole round. After
a round of strikes without a success the host rests, each time longer; after the last round its requests fail. Strikes
are forgotten when the host was left alone for longer than any rest: another run begins anew.
"""

import random

ROUND = 5
MAX_REST = 3600.0
JITTER = 0.2


def pause(delay: float, robots_delay: float | None, rng: random.Random) -> float:
    """Seconds between two requests: never less than asked for, a little more at random."""
    wanted = max(delay, robots_delay or 0.0)
    return wanted * (1 + JITTER * rng.random())


def backoff(tries: int, first: float, rng: random.Random) -> float:
    """Seconds before the next try after ``tries`` failed ones: four times longer each time, jittered."""
    return min(first * 4.0 ** (tries - 1), MAX_REST) * (1 + JITTER * rng.random())


def rest(strikes: int, first: float, rng: random.Random) -> float:
    """Seconds a host rests after its strikes; none within a round."""
    rounds = strikes // ROUND
    return backoff(rounds, first, rng) if rounds and strikes % ROUND == 0 else 0.0


def given_up(strikes: int, rounds: int) -> bool:
    return strikes >= ROUND * rounds


def next_round(strikes: int) -> int:
    """Strikes after a failure that concerns the whole host."""
    return (strikes // ROUND + 1) * ROUND


def remembered(strikes: int, seconds: float) -> int:
    """Strikes that still count when the host might have been visited again ``seconds`` ago."""
    return strikes if seconds < MAX_REST else 0
