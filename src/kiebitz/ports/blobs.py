"""Blobs: bundles, documents, index parts, reports."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class BlobInfo:
    key: str
    size: int
    etag: str  # changes with every write of different content


class Blobs(Protocol):
    """Immutable-by-convention objects under keys like ``documents/ab/abcdef``.

    A key is one or more segments of ``[A-Za-z0-9._+-]`` joined by ``/``, no segment ``.`` or ``..``; anything else raises
    InputError. A reader sees an object whole or not at all; when a put returns, it survives the death of the machine.
    """

    async def put(self, key: str, data: bytes | Path, *, if_absent: bool = False, if_match: str = "") -> BlobInfo:
        """Write an object. A Path is a file whose content is taken over; the file may be gone afterwards.

        ``if_absent``: raises Conflict if the key exists. ``if_match``: raises Conflict unless its etag is this one
        (also if the key is absent). Of concurrent conditional puts exactly one succeeds, across processes.
        """
        ...

    async def get(self, key: str, *, start: int = 0, length: int | None = None) -> bytes:
        """The bytes, or the part of them that exists in [start, start+length). Raises NotFound."""
        ...

    async def info(self, key: str) -> BlobInfo | None:
        """Size and etag, or None."""
        ...

    def list(self, prefix: str = "") -> AsyncIterator[BlobInfo]:
        """Objects whose key starts with the prefix, in key order."""
        ...

    async def delete(self, key: str) -> None:
        """Remove the object. Idempotent."""
        ...

    async def close(self) -> None: ...
