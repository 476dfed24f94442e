"""The frontier: who may be visited, when, by whom."""

from collections.abc import Sequence
from typing import Protocol

from kiebitz.model.request import Capture, Link, RequestQuery, RequestRecord
from kiebitz.model.run import Counts
from kiebitz.model.visit import BundleMark, Control, Grant, Settlement, Visit


class Frontier(Protocol):
    """Requests, hosts and leases.

    A request belongs to the host of its URL and is unique there by key (URL and body) across runs. One run
    owns it at a time. Instants are wall-clock seconds of the adapter's clock.

    Atomic: every call takes effect whole or not at all, in call order. Durable: what a call did survives
    the death of the process when the call returns, and the death of the machine when ``sync`` returns.
    After a crash the frontier is what it was after some earlier call, never something between.
    """

    async def add(self, run: str, links: Sequence[Link], *, depth: int = 0, parent: str = "") -> int:
        """Give links to a run; returns how many became pending.

        A link that the run owns already is ignored. One that an older run owns and nobody has leased now changes
        hands: pending again (or skipped, if it has a reason), tries forgotten, validators and digest kept. (A run is
        older if the frontier heard of it earlier; so two runs never take a request from each other in turns.) The older
        run's figures lose it if it was waiting, and keep it if it had ended.
        """
        ...

    async def lease(self, runs: Sequence[str], holder: str, *, hosts: int, batch: int, seconds: float) -> Grant:
        """Lease up to ``hosts`` hosts of active runs that have requests due, each with up to ``batch`` of them.

        A leased host is invisible until its lease is settled or lapses; then its requests are pending again.
        At most ``per_address`` (given to the adapter) hosts of one known address are leased at once. A run's
        ``max_pages`` and a host's ``max_per_host`` count fetched (done or unchanged) and leased requests; none beyond
        them is given out. Requests are given in order of depth, then of the time they were added.
        Earliest-due hosts come first.
        """
        ...

    async def renew(self, visits: Sequence[Visit], *, seconds: float) -> list[Visit]:
        """Extend leases from now; returns the visits whose lease is lost. Renewing never revives one."""
        ...

    async def settle(self, settlements: Sequence[Settlement], mark: BundleMark | None = None) -> None:
        """Record outcomes, links, robots, host state and the bundle's length, in one step.

        Raises StaleLease with the tokens that are not (or no longer) held; then nothing was applied.
        A settlement's outcomes may name only requests of its visit; others are ignored.
        Found links follow the rule of ``add``. Unless ``keep``, the lease ends.
        """
        ...

    async def sync(self) -> None:
        """Return when all that was settled survives the death of the machine."""
        ...

    async def control(self, run: str, command: Control) -> int:
        """Activate, halt, finish a run, or retry requests of it; returns the number of requests touched."""
        ...

    async def abandon(self, holder: str) -> int:
        """End every lease of a holder known to be dead; returns how many."""
        ...

    async def counts(self, run: str) -> Counts:
        """Absolute figures of the run: by state, documents and bytes fetched. Unknown run: zeros."""
        ...

    async def read(self, query: RequestQuery) -> list[tuple[tuple[str, int], RequestRecord]]:
        """Rows with their cursor, ordered by (host, key). A lapsed lease still reads as leased until leased anew."""
        ...

    async def captures(self, host: str, key: int) -> list[Capture]:
        """Stored copies of a request, oldest first."""
        ...

    async def marks(self) -> dict[str, int]:
        """Recorded length by bundle name, of bundles not yet sealed."""
        ...

    async def seal(self, bundle: str) -> None:
        """Forget the mark of a bundle that now lies in the blobs whole. Idempotent."""
        ...

    async def close(self) -> None: ...
