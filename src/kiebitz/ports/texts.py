"""Texts: what was read of each document and page."""

from collections.abc import Sequence
from typing import Protocol

from kiebitz.model.text import TextState
from kiebitz.model.text_record import KnownText, TextEntry, TextRecord


class Texts(Protocol):
    """Records by id, and a feed of their changes. When a call returns, its effect survives the death of the machine.

    Every change gets the next sequence number, across processes; whoever has read the feed up to a number and asks for what
    comes after it misses nothing. Of several changes of one id the feed holds the last.
    """

    async def put(self, records: Sequence[TextRecord]) -> int:
        """Write by id, in this order; returns how many were changes. All or nothing.

        A record whose ``crawled_at`` is older than the known one changes nothing; one that differs in ``crawled_at`` only
        is no change, but the new time is kept. What was deleted comes back only by a younger record.
        """
        ...

    async def get(self, text_id: str) -> TextRecord:
        """Raises NotFound; also for what was deleted."""
        ...

    async def after(self, sequence: int, *, limit: int = 100) -> list[TextEntry]:
        """The feed behind this number, in order."""
        ...

    async def last(self) -> int:
        """The newest sequence number; 0 in the beginning."""
        ...

    async def known(self, ids: Sequence[str]) -> dict[str, KnownText]:
        """Those of the ids that were ever put, deleted ones included."""
        ...

    async def in_state(self, state: TextState, *, after: str = "", limit: int = 100) -> list[TextRecord]:
        """Records in this state, ordered by id; ``after`` is the last id of the page before."""
        ...

    async def counts(self) -> dict[str, int]:
        """How many records are in each state, without those that no record is in."""
        ...

    async def similar(self, bands: Sequence[bytes]) -> list[tuple[str, bytes, str]]:
        """(id, signature, cluster) of records that share a band with these, each once, the oldest first.

        A band that very many share answers with its first few: the work is bounded.
        """
        ...

    async def delete(self, ids: Sequence[str]) -> None:
        """The texts are gone, and the feed says so. Idempotent."""
        ...

    async def close(self) -> None: ...


MOST_OF_A_BAND = 8
