"""Blobs in memory. A file that is put is removed, so that nobody learns to rely on it afterwards."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from kiebitz.errors import Conflict, InputError, NotFound
from kiebitz.ports.blobs import BlobInfo, check_key, check_prefix, check_range


class MemoryBlobs:
    def __init__(self) -> None:
        self._blobs: dict[str, tuple[BlobInfo, bytes]] = {}
        self._writes = 0

    async def put(self, key: str, data: bytes | Path, *, if_absent: bool = False, if_match: str = "") -> BlobInfo:
        check_key(key)
        content = await asyncio.to_thread(_read, data) if isinstance(data, Path) else data
        known = await self.info(key)
        if if_absent and known is not None:
            raise Conflict(f"the blob {key} exists")
        if if_match and (known is None or known.etag != if_match):
            raise Conflict(f"the blob {key} is not the one that was expected", hint="read it again")
        self._writes += 1
        info = BlobInfo(key, len(content), str(self._writes))
        self._blobs[key] = (info, content)
        if isinstance(data, Path):
            await asyncio.to_thread(data.unlink, missing_ok=True)
        return info

    async def get(self, key: str, *, start: int = 0, length: int | None = None) -> bytes:
        check_key(key)
        check_range(start, length)
        if key not in self._blobs:
            raise NotFound(f"there is no blob {key}")
        _, content = self._blobs[key]
        return content[start:] if length is None else content[start : start + length]

    async def info(self, key: str) -> BlobInfo | None:
        check_key(key)
        info, _ = self._blobs.get(key, (None, b""))
        return info

    async def list(self, prefix: str = "") -> AsyncIterator[BlobInfo]:
        check_prefix(prefix)
        for key in sorted(self._blobs):
            if key.startswith(prefix) and key in self._blobs:
                yield self._blobs[key][0]

    async def delete(self, key: str) -> None:
        check_key(key)
        self._blobs.pop(key, None)

    async def close(self) -> None:
        pass


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, IsADirectoryError) as error:
        raise InputError(f"there is no file {path}") from error
