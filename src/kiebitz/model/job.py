"""A job is work on something already stored: extract, index, notify."""

from typing import NamedTuple

MAX_TRIES = 5  # unless a queue is told otherwise; after the last one a job is a dead letter


class Job(NamedTuple):
    """``key`` makes it idempotent: a queue holds at most one job of a key, ended ones included."""

    queue: str
    key: str
    payload: str  # JSON, small; content is referred to, not carried
    not_before: float = 0.0


class LeasedJob(NamedTuple):
    job: Job
    token: str
    tries: int  # this one included


class DeadJob(NamedTuple):
    job: Job
    tries: int
    error: str
    at: float
