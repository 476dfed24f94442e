"""A visit is a fenced lease on one host; a settlement is what it brings back."""

from dataclasses import dataclass, field
from typing import NamedTuple

from kiebitz.model.request import Due, Link, Outcome

# (epoch, counter, nonce): the counter grows with every lease of the host, the nonce tells two
# frontiers restored from one back-up apart, the epoch is raised when a back-up is restored.
Token = tuple[int, int, int]


class Robots(NamedTuple):
    """What an origin's robots.txt said: by RFC 9309, ``status`` decides if ``text`` counts."""

    origin: str
    fetched_at: float
    status: int  # HTTP status; 0: unreachable
    text: str


@dataclass(slots=True)
class Visit:
    host: str
    run: str
    token: Token
    until: float
    requests: list[Due]
    ready_at: float = 0.0  # politeness: not before this moment
    failures: int = 0  # consecutive failed requests at this host
    address: str = ""
    robots: dict[str, Robots] = field(default_factory=dict)


@dataclass(slots=True)
class Found:
    """The links of one page. They are added at ``depth`` unless the frontier knows them already.

    A redirect is a page with one link: its target, at the redirect's own depth, one ``hops`` further.
    """

    parent: str
    depth: int
    links: list[Link]
    hops: int = 0


@dataclass(slots=True)
class Settlement:
    """Outcomes of a visit. Unless ``keep``, it ends the lease; requests without outcome are pending again."""

    host: str
    run: str
    token: Token
    outcomes: list[Outcome] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    robots: list[Robots] = field(default_factory=list)
    ready_at: float = 0.0
    failures: int = 0
    address: str = ""
    keep: bool = False


class BundleMark(NamedTuple):
    """How much of an open bundle the frontier refers to; a restart truncates it to this length."""

    name: str
    length: int


@dataclass(slots=True)
class Grant:
    """What ``lease`` gives. ``wake_at``: when more may be due (None: nothing waits).

    ``contended``: there was nothing to give, and a lease of somebody stands in the way of work that waits.
    """

    visits: list[Visit]
    wake_at: float | None
    contended: bool = False


# What an operator may do to a run in the frontier.


class Activate(NamedTuple):
    """Open the run for leasing, or change its limits (0: none)."""

    max_pages: int = 0
    max_per_host: int = 0


class Halt(NamedTuple):
    """Lease nothing more of this run; what is pending stays pending."""


class Finish(NamedTuple):
    """Close the run: whatever still waits is skipped with this reason."""

    reason: str


class Retry(NamedTuple):
    """Send requests of the run back to pending, with their tries forgotten."""

    query_states: tuple[int, ...]
    host: str = ""
    url: str = ""


Control = Activate | Halt | Finish | Retry
