"""A request the frontier knows: what to fetch, and what became of it.

A request is a method, a canonical URL and a body; it is unique per host across runs. Instants on the
crawl path are seconds since 1970 (float), because one is made per page; records use aware datetimes.
"""

from dataclasses import dataclass
from enum import IntEnum
from hashlib import blake2b
from typing import NamedTuple


class State(IntEnum):
    PENDING = 0
    LEASED = 1
    DONE = 2
    UNCHANGED = 3
    DEFERRED = 4
    FAILED = 5
    SKIPPED = 6

    @property
    def label(self) -> str:
        return self.name.lower()


WAITING = (State.PENDING, State.DEFERRED)
ENDED = (State.DONE, State.UNCHANGED, State.FAILED, State.SKIPPED)

# One link as it travels from a page to the frontier: (host, url, text, body, reason). A tuple, because
# pages have sixty of them. ``body`` is None for GET and form data for POST; with a ``reason`` the
# request is recorded as skipped and never fetched.
Link = tuple[str, str, str, bytes | None, str]


def request_key(url: str, body: bytes | None = None) -> int:
    """64 bits (signed, as databases like them) that identify a request within its host."""
    digest = blake2b(url.encode(), digest_size=8)
    if body is not None:
        digest.update(b"\nPOST\n" + body)
    return int.from_bytes(digest.digest(), "big", signed=True)


@dataclass(slots=True)
class Due:
    """A leased request: what a visit needs to fetch it."""

    key: int
    url: str
    depth: int
    tries: int
    body: bytes | None = None
    parent: str = ""
    text: str = ""
    etag: str = ""
    modified: str = ""
    digest: bytes = b""
    hops: int = 0  # redirects that led here
    content_type: str = ""  # of the last content


class Capture(NamedTuple):
    """Where a stored copy lies: one gzip-member pair (response, request) in a WARC bundle."""

    at: float
    bundle: str
    offset: int
    length: int


@dataclass(slots=True)
class Outcome:
    """What became of one leased request. ``next_at`` matters for deferred ones only."""

    key: int
    state: State
    at: float
    reason: str = ""
    status: int = 0
    tries: int = 0
    next_at: float = 0.0
    etag: str = ""
    modified: str = ""
    digest: bytes = b""
    size: int = 0
    content_type: str = ""
    capture: Capture | None = None


class RequestRecord(NamedTuple):
    """A frontier row as people and APIs read it."""

    url: str
    host: str
    run: str
    state: State
    reason: str
    status: int
    depth: int
    tries: int
    next_at: float
    visited_at: float
    method: str
    parent: str
    text: str
    etag: str
    modified: str
    digest: bytes
    size: int
    content_type: str


class RequestQuery(NamedTuple):
    """Which rows to read: by run, host, state, exact URL; in (host, key) order, after a cursor."""

    run: str = ""
    host: str = ""
    url: str = ""
    states: tuple[State, ...] = ()
    after: tuple[str, int] | None = None
    limit: int = 1000
