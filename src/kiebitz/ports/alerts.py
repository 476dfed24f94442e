"""Alerts: saved searches, their matches, and the deliveries of them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from kiebitz.model.alert import ClaimedDelivery, Delivery, FeedEntry, Match, SavedSearch

# (a search, when its oldest waiting match was found) -> when its waiting matches are to be told
Due = Callable[[SavedSearch, datetime], datetime]


class Alerts(Protocol):
    """Matches are remembered exactly once, and are told at least once. When a call returns, its effect survives the
    death of the machine.

    A match waits until ``bundle`` makes deliveries of it, one for each channel of its search. A delivery is claimed by one
    process at a time. If that process dies, the claim lapses and the delivery is handed out again under the same id: so
    what is told twice is only what was sent and not yet settled.
    """

    async def put(self, search: SavedSearch) -> None:
        """Write by id. Raises Conflict if another search has the name."""
        ...

    async def get(self, id_or_name: str) -> SavedSearch:
        """Raises NotFound."""
        ...

    async def searches(self) -> list[SavedSearch]:
        """All of them, by name."""
        ...

    async def remove(self, search_id: str) -> None:
        """With its matches and deliveries. Idempotent."""
        ...

    async def record(self, matches: Sequence[Match], *, position: int = 0) -> int:
        """Append to the feeds, in this order; returns how many were new. A (search, paper, version) that was recorded
        before is ignored, and so is one of a search that is gone. ``position``: how far the feed of texts has been
        matched; it only grows. All or nothing.
        """
        ...

    async def position(self) -> int:
        """As recorded last; 0 in the beginning."""
        ...

    async def feed(self, search_id: str, *, after: int = 0, limit: int = 100, newest: bool = False) -> list[FeedEntry]:
        """Matches behind a sequence number, each once and in order; ``newest``: the last ones instead of the first."""
        ...

    async def bundle(self, now: datetime, due: Due) -> int:
        """Make deliveries of what waits and is due; returns how many. A match is in one delivery per channel, for ever;
        a delivery has at most MOST_OF_A_DELIVERY matches. The matches of a search without channels wait for nobody.
        """
        ...

    async def claim(self, now: datetime, *, limit: int, until: datetime) -> list[ClaimedDelivery]:
        """Take pending deliveries of enabled searches whose time has come, the longest due first. Each is invisible to
        others until it is settled, or until ``until``. Counts a try.
        """
        ...

    async def settle(self, token: str, *, error: str = "", next_at: datetime | None = None) -> None:
        """It was sent; or, with an error, it is tried again at ``next_at``; or, without that, it has failed. Raises
        StaleLease if the claim has lapsed and somebody else has taken the delivery, or if it is gone.
        """
        ...

    async def deliveries(self, search_id: str, *, limit: int = 100) -> list[Delivery]:
        """The newest first."""
        ...

    async def revive(self, search_id: str, now: datetime) -> int:
        """Send failed deliveries once more, tries forgotten; returns how many."""
        ...

    async def close(self) -> None: ...
