"""Blobs: bundles, documents, index parts, reports."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple, Protocol

from kiebitz.errors import InputError

_SEGMENT = re.compile(r"[A-Za-z0-9._+-]{1,200}")
_KEY_LENGTH = 800


class BlobInfo(NamedTuple):
    key: str
    size: int
    etag: str  # changes with every write of different content, perhaps also of the same


class Blobs(Protocol):
    """Immutable-by-convention objects under keys like ``documents/ab/abcdef``.

    A key is one or more segments of ``[A-Za-z0-9._+-]`` joined by ``/``, no segment ``.`` or ``..``, each of at most
    200 characters and 800 in all; anything else raises InputError. So may a key that would be both object and folder
    (``a`` beside ``a/b``): a file system has no room for it.
    A reader sees an object whole or not at all; when a put returns, it survives the death of the machine.
    """

    async def put(self, key: str, data: bytes | Path, *, if_absent: bool = False, if_match: str = "") -> BlobInfo:
        """Write an object. A Path is a file whose content is taken over; the file may be gone afterwards.

        ``if_absent``: raises Conflict if the key exists. ``if_match``: raises Conflict unless its etag is this one
        (also if the key is absent). Of concurrent conditional puts exactly one succeeds, across processes.
        """
        ...

    async def get(self, key: str, *, start: int = 0, length: int | None = None) -> bytes:
        """The bytes, or the part of them that exists in [start, start+length). Raises NotFound.

        A negative ``start`` or ``length`` raises InputError.
        """
        ...

    async def info(self, key: str) -> BlobInfo | None:
        """Size and etag, or None."""
        ...

    def list(self, prefix: str = "") -> AsyncIterator[BlobInfo]:
        """Objects whose key starts with the prefix, in key order; what is put or deleted meanwhile may be seen or not.

        The prefix may end within a segment; what stands before its last ``/`` must be a key.
        """
        ...

    async def delete(self, key: str) -> None:
        """Remove the object. Idempotent."""
        ...

    async def close(self) -> None: ...


def is_segment(text: str) -> bool:
    return _SEGMENT.fullmatch(text) is not None and text not in {".", ".."}


def check_key(key: str) -> str:
    """The key, or InputError. Every adapter asks this first, so that no key leads out of its store."""
    if len(key) > _KEY_LENGTH or not all(map(is_segment, key.split("/"))):
        raise InputError(f"not a blob key: {key[:100]!r}", hint="segments of [A-Za-z0-9._+-] joined by /")
    return key


def check_prefix(prefix: str) -> tuple[str, str]:
    """The prefix as (folder, beginning of a segment), or InputError."""
    folder, slash, beginning = prefix.rpartition("/")
    if slash:
        check_key(folder)
    return folder, beginning


def check_range(start: int, length: int | None) -> None:
    if start < 0 or (length is not None and length < 0):
        raise InputError(f"not a range of bytes: start {start}, length {length}")
