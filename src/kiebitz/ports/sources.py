"""Sources: the websites that are watched."""

from typing import Protocol

from kiebitz.model.source import Look, Source


class Sources(Protocol):
    """Records by id; names are unique. When a call returns, its effect survives the death of the machine.

    A source is stored as it is given: ``kiebitz.sources.definition`` says what a sound one is.
    """

    async def put(self, source: Source) -> None:
        """Create or replace by id. Raises Conflict if another source has the name.

        Of what runs have found (``last_*``, ``next_*``, ``looks``) the newer is kept, so that an edit does not undo a look of
        the same moment.
        """
        ...

    async def note(self, source_id: str, look: Look) -> Source:
        """Record that a run has looked, and when it says to look next; nothing else of the source is touched.

        The forecast of the newest look stays; of the looks that worked the newest are kept. Idempotent, in any order.
        Raises NotFound.
        """
        ...

    async def get(self, id_or_name: str) -> Source:
        """An id goes before a name. Raises NotFound."""
        ...

    async def list(self, *, after: str = "", limit: int = 1000) -> list[Source]:
        """Ordered by name; ``after`` is the last name of the page before."""
        ...

    async def remove(self, source_id: str) -> None:
        """Idempotent."""
        ...

    async def close(self) -> None: ...
