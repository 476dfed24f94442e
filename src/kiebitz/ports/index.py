"""The index: full text, by parts."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from kiebitz.model.hit import Paper, Results
from kiebitz.model.query import Search


class IndexStatus(NamedTuple):
    papers: int
    parts: int
    bytes: int
    position: int
    schema: int


class Index(Protocol):
    """Papers by id, searched as text. One writer, by lease; any number of readers, in this and in other processes.

    ``add`` and ``delete`` show nothing until ``commit`` returns; then every reader that reloads sees all of it. After a
    crash the index is as some commit left it, with that commit's position, so that what came after is added again. Adding
    a paper again replaces it: nothing is found twice.
    """

    async def add(self, papers: Sequence[Paper]) -> None: ...

    async def delete(self, ids: Sequence[str]) -> None:
        """Idempotent."""
        ...

    async def commit(self, position: int) -> None:
        """Everything added so far is durable and visible; ``position`` says how far the feed was read. Raises StaleLease
        if somebody else has become the writer.
        """
        ...

    async def position(self) -> int:
        """Of the last commit; 0 in the beginning."""
        ...

    async def search(self, search: Search) -> Results:
        """Never raises for any search that the parser made."""
        ...

    async def suggest(self, text: str, *, limit: int = 8) -> list[str]:
        """Words and titles that begin with what is being typed, the most frequent first."""
        ...

    async def status(self) -> IndexStatus: ...

    async def verify(self) -> list[str]:
        """What is wrong with the files, in plain words; empty if nothing is."""
        ...

    async def compact(self) -> None:
        """Merge parts, and drop what was deleted."""
        ...

    async def close(self) -> None: ...
