"""Blobs in a folder: an object is a file at the path that is its key.

A put writes a draft beside the objects, flushes it and renames it, so that a crash leaves either the old object or the
new one, and perhaps a draft that nobody sees and that is swept after a day. Conditions are checked under a file lock,
which all processes share. The tilde in the names of our own folders is not a letter of keys, so they cannot meet.

The etag is made of the file's time, size and inode, because hashing a bundle to learn its etag would read all of it.
It changes with every write: each gets a time later than the one it replaces, to the nanosecond.
"""

import asyncio
import fcntl
import os
import secrets
import shutil
import stat
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from kiebitz.adapters.local.disk import flush, flush_folder, make_folder, translated
from kiebitz.errors import Conflict, InputError, NotFound
from kiebitz.ports.blobs import BlobInfo, check_key, check_prefix, check_range, is_segment

STALE_SECONDS = 86_400
_COPY_BYTES = 1 << 20


class FolderBlobs:
    def __init__(self, root: Path) -> None:
        self._root = root.absolute()
        self._drafts = self._root / "~drafts"
        self._locks = self._root / "~locks"
        self._flushed: set[Path] = set()  # folders whose own name is known to be on the disk
        with translated(self._root):
            make_folder(self._drafts)
            make_folder(self._locks)
            self._sweep()

    async def put(self, key: str, data: bytes | Path, *, if_absent: bool = False, if_match: str = "") -> BlobInfo:
        check_key(key)
        return await asyncio.to_thread(self._put, key, data, if_absent, if_match)

    async def get(self, key: str, *, start: int = 0, length: int | None = None) -> bytes:
        check_key(key)
        check_range(start, length)
        return await asyncio.to_thread(self._get, key, start, length)

    async def info(self, key: str) -> BlobInfo | None:
        check_key(key)
        return await asyncio.to_thread(self._info, key)

    async def list(self, prefix: str = "") -> AsyncIterator[BlobInfo]:
        folder, beginning = check_prefix(prefix)
        levels = [iter(await asyncio.to_thread(_entries, self._root, folder, beginning))]
        while levels:
            entry = next(levels[-1], None)
            if entry is None:
                levels.pop()
            elif isinstance(entry, BlobInfo):
                yield entry
            else:
                levels.append(iter(await asyncio.to_thread(_entries, self._root, entry, "")))

    async def delete(self, key: str) -> None:
        check_key(key)
        await asyncio.to_thread(self._delete, key)

    async def close(self) -> None:
        pass

    def _put(self, key: str, data: bytes | Path, if_absent: bool, if_match: str) -> BlobInfo:
        target = self._root / key
        with translated(self._root):
            adopted = data if isinstance(data, Path) and self._adoptable(data) else None
            draft = adopted or self._draft(data)
            try:
                self._make_folder(target.parent)
                with self._locked(key):
                    _check(key, self._info(key), if_absent, if_match)
                    placed = _place(draft, target)
            except BaseException:
                if adopted is None:
                    draft.unlink(missing_ok=True)
                raise
        return _blob_info(key, placed)

    def _adoptable(self, path: Path) -> bool:
        """Can the file itself become the object? It must be ours alone and a rename away."""
        try:
            found = path.lstat()
            if stat.S_ISDIR(path.stat().st_mode):
                raise InputError(f"not a file: {path}")
        except FileNotFoundError as error:
            raise InputError(f"there is no file {path}") from error
        if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
            return False
        probe = self._drafts / secrets.token_hex(16)
        try:
            os.link(path, probe)  # two mounts of one device cannot rename either, and only trying tells
        except OSError:
            return False
        probe.unlink()
        with path.open("rb") as handle:
            flush(handle.fileno())
        return True

    def _draft(self, data: bytes | Path) -> Path:
        draft = self._drafts / secrets.token_hex(16)
        try:
            with draft.open("xb") as handle:
                if isinstance(data, Path):
                    with data.open("rb") as original:
                        shutil.copyfileobj(original, handle, _COPY_BYTES)
                else:
                    handle.write(data)
                handle.flush()
                flush(handle.fileno())
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        return draft

    def _make_folder(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise InputError(f"{folder.relative_to(self._root)} is an object and cannot be a folder") from error
        # Whoever made the folder may not have flushed its name yet, so everybody does it once.
        while folder not in self._flushed and folder != self._root:
            flush_folder(folder.parent)
            self._flushed.add(folder)
            folder = folder.parent

    @contextmanager
    def _locked(self, key: str) -> Iterator[None]:
        bucket = self._locks / blake2b(key.encode(), digest_size=1).hexdigest()
        descriptor = os.open(bucket, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _get(self, key: str, start: int, length: int | None) -> bytes:
        with translated(self._root):
            try:
                with (self._root / key).open("rb") as handle:
                    handle.seek(start)
                    return handle.read(-1 if length is None else length)
            except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
                raise NotFound(f"there is no blob {key}") from error

    def _info(self, key: str) -> BlobInfo | None:
        with translated(self._root):
            try:
                found = (self._root / key).lstat()
            except (FileNotFoundError, NotADirectoryError):
                return None
            return _blob_info(key, found) if stat.S_ISREG(found.st_mode) else None

    def _delete(self, key: str) -> None:
        target = self._root / key
        with translated(self._root), self._locked(key):
            if self._info(key) is not None:
                target.unlink()
                flush_folder(target.parent)

    def _sweep(self) -> None:
        oldest = time.time() - STALE_SECONDS
        for draft in list(self._drafts.iterdir()):
            with suppress(FileNotFoundError):  # its writer, or another sweeper, was faster
                if draft.lstat().st_mtime < oldest:
                    draft.unlink()


def _check(key: str, known: BlobInfo | None, if_absent: bool, if_match: str) -> None:
    if if_absent and known is not None:
        raise Conflict(f"the blob {key} exists")
    if if_match and (known is None or known.etag != if_match):
        raise Conflict(f"the blob {key} is not the one that was expected", hint="read it again")


def _place(draft: Path, target: Path) -> os.stat_result:
    """Called under the key's lock."""
    moment = time.time_ns()
    with suppress(FileNotFoundError):
        moment = max(moment, target.lstat().st_mtime_ns + 1)
    os.utime(draft, ns=(moment, moment))
    placed = draft.lstat()
    try:
        draft.rename(target)
    except IsADirectoryError as error:
        raise InputError(f"{target.name} is a folder of other objects and cannot be one itself") from error
    flush_folder(target.parent)
    return placed


def _entries(root: Path, folder: str, beginning: str) -> list[BlobInfo | str]:
    """The objects in a folder, and its folders as keys, in the order of all the keys below."""
    found: list[tuple[str, BlobInfo | str]] = []
    with translated(root):
        try:
            names = [path.name for path in (root / folder).iterdir()]
        except (FileNotFoundError, NotADirectoryError):
            return []
        for name in filter(is_segment, names):
            if not name.startswith(beginning):
                continue
            key = f"{folder}/{name}" if folder else name
            with suppress(FileNotFoundError):  # deleted since
                entry = (root / key).lstat()
                if stat.S_ISDIR(entry.st_mode):
                    found.append((f"{key}/", key))
                elif stat.S_ISREG(entry.st_mode):
                    found.append((key, _blob_info(key, entry)))
    return [entry for _, entry in sorted(found, key=lambda pair: pair[0])]


def _blob_info(key: str, found: os.stat_result) -> BlobInfo:
    return BlobInfo(key, found.st_size, f"{found.st_mtime_ns:x}-{found.st_size:x}-{found.st_ino:x}")
