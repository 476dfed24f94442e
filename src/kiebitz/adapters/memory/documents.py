"""Documents in memory."""

from collections.abc import Sequence

from kiebitz.errors import NotFound
from kiebitz.model.document import Document, recorded


class MemoryDocuments:
    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}

    async def record(self, documents: Sequence[Document]) -> int:
        changed: dict[str, Document] = {}  # apart until all are done, because it is all or nothing
        new_contents = 0
        for seen in documents:
            known = changed.get(seen.id) or self._documents.get(seen.id)
            changed[seen.id], new = recorded(known, seen)
            new_contents += new
        self._documents.update(changed)
        return new_contents

    async def get(self, document_id: str) -> Document:
        if document_id not in self._documents:
            raise NotFound(f"there is no document {document_id!r}")
        return self._documents[document_id]

    async def by_content(self, sha256: str) -> list[Document]:
        found = [document for document in self._documents.values() if document.sha256 == sha256]
        return sorted(found, key=lambda document: document.id)

    async def count(self, *, source: str = "") -> int:
        return sum(not source or document.source == source for document in self._documents.values())

    async def list(self, *, source: str = "", after: str = "", limit: int = 1000) -> list[Document]:
        found = [d for d in self._documents.values() if d.id > after and (not source or d.source == source)]
        return sorted(found, key=lambda document: document.id)[:limit]

    async def close(self) -> None:
        pass
