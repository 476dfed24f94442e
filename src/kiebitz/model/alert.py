"""Saved searches, what they matched, and what is told about it.

A match is one version of one paper that fits one saved search: it is remembered once, whatever is read again. A delivery
is a set of matches on its way to one receiver; its id is made of that set, so that a receiver can tell a repetition.
"""

from __future__ import annotations

from enum import Enum
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID, uuid5

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from kiebitz.model.hit import Paper

AT_ONCE = ""  # the schedule of a search that waits for nothing
MOST_OF_A_DELIVERY = 200  # matches; more of them are more deliveries


class SavedSearch(NamedTuple):
    """``filters``: by facet, any of the values. ``channels``: where it is told; none means only in its feed."""

    id: str  # a UUID
    name: str
    query: str
    created_at: datetime
    filters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    channels: tuple[str, ...] = ()
    schedule: str = AT_ONCE  # or the times of a digest, as in crontab
    enabled: bool = True


class Match(NamedTuple):
    """The paper as it was when it matched: a feed must not change because the paper did."""

    search: str
    paper: str
    version: str
    url: str
    title: str
    found_at: datetime
    excerpt: str = ""
    source: str = ""
    kind: str = ""
    published: date | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        return self.search, self.paper, self.version

    @property
    def id(self) -> str:
        """The same for ever: readers of feeds go by it."""
        return str(uuid5(UUID(self.search), f"{self.paper}\n{self.version}"))


class FeedEntry(NamedTuple):
    sequence: int
    match: Match


class DeliveryState(Enum):
    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"


class Delivery(NamedTuple):
    """``next_at``: from then on it may be tried."""

    id: str
    search: str
    channel: str
    matches: int
    created_at: datetime
    state: DeliveryState = DeliveryState.PENDING
    tries: int = 0
    next_at: datetime | None = None
    error: str = ""


class ClaimedDelivery(NamedTuple):
    """A delivery that was claimed: whoever holds the token carries it out. ``tries`` includes this one."""

    token: str
    delivery: Delivery
    search: SavedSearch
    matches: tuple[Match, ...]


def delivery_id(search: str, channel: str, matches: Sequence[tuple[str, str]]) -> str:
    """Of the (paper, version) pairs, in any order."""
    digest = sha256()
    for part in (search, channel, *(part for pair in sorted(matches) for part in pair)):
        digest.update(len(part).to_bytes(4) + part.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


def version_of(paper: Paper) -> str:
    """Of what a reader sees; when it was fetched and how it was classified makes no new version."""
    digest = sha256()
    texts = (paper.title, paper.description, *paper.keywords, *paper.headings, *(page.text for page in paper.pages))
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8) + content)
    return digest.hexdigest()[:32]
