"""Sightings: what was seen of the sources, and how it changed."""

from collections.abc import Sequence
from typing import Protocol

from kiebitz.model.sight import Change, PageSight, Sight


class Sightings(Protocol):
    """By source. When a call returns, its effect survives the death of the machine."""

    async def record(self, source: str, sights: Sequence[PageSight]) -> None:
        """Keep what pages showed, with all verdicts: one sight per page, the newest. Idempotent. All or nothing."""
        ...

    async def pages(self, source: str, *, run: str = "", after: str = "", limit: int = 100) -> list[PageSight]:
        """Ordered by page; ``run`` narrows to what that run saw, ``after`` is the last page of the list before."""
        ...

    async def conclude(self, source: str, sight: Sight, change: Change | None) -> None:
        """Make ``sight`` the current one and append ``change``, together. Idempotent: the same run concludes once.

        A sight that is older than the current one changes nothing: runs may end in another order than they began.
        """
        ...

    async def current(self, source: str) -> Sight | None: ...

    async def changes(self, source: str, *, limit: int = 100, before: str = "") -> list[Change]:
        """Newest first; ``before`` is the run of the last change of the list before."""
        ...

    async def forget(self, source: str) -> None:
        """Everything of this source. Idempotent."""
        ...

    async def close(self) -> None: ...
