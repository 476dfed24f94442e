"""Documents: one record per URL of a file worth keeping."""

from collections.abc import Sequence
from typing import Protocol

from kiebitz.model.document import Document


class Documents(Protocol):
    """Records by id (uuid3 of the URL). When a call returns, its effect survives the death of the machine."""

    async def record(self, documents: Sequence[Document]) -> int:
        """Write what was downloaded; returns how many contents were new for their URL.

        New id: stored with one version. Known id, same sha256: ``visited_on``, ``tries``, ``status``, ``valid`` and,
        if an issue is given, ``issue`` and ``link_text`` are updated.
        Known id, another sha256: the record becomes the new one with its version appended. ``first_seen`` never
        changes. Recording the same again changes nothing (so a repeated settle is harmless). All or nothing.
        """
        ...

    async def get(self, document_id: str) -> Document:
        """Raises NotFound."""
        ...

    async def by_content(self, sha256: str) -> list[Document]:
        """Documents whose current content this is, ordered by id."""
        ...

    async def list(self, *, source: str = "", after: str = "", limit: int = 1000) -> list[Document]:
        """Ordered by id; ``after`` is the last id of the page before; ``source`` narrows."""
        ...

    async def count(self, *, source: str = "") -> int: ...

    async def close(self) -> None: ...
