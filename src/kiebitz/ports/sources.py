"""Sources: the websites that are watched."""

from typing import Protocol

from kiebitz.model.source import Source


class Sources(Protocol):
    """Records by id; names are unique. When a call returns, its effect survives the death of the machine."""

    async def put(self, source: Source) -> None:
        """Create or replace by id. Raises Conflict if another source has the name."""
        ...

    async def get(self, id_or_name: str) -> Source:
        """Raises NotFound."""
        ...

    async def list(self, *, after: str = "", limit: int = 1000) -> list[Source]:
        """Ordered by name; ``after`` is the last name of the page before."""
        ...

    async def remove(self, source_id: str) -> None:
        """Idempotent."""
        ...

    async def close(self) -> None: ...
