"""The local disk: what it takes to make bytes survive the machine, and its errors as ours.

Shared by every adapter that writes files. An OSError becomes ours here and nowhere else; the path that was meant is in
the message, so that people know which folder to look at.
"""

import errno
import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

from kiebitz.errors import DiskFull, HomeError, HomeUnwritable

_FULL = {errno.ENOSPC, errno.EDQUOT}
_UNUSABLE = {
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOENT,
    errno.EEXIST,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
}


def flush(descriptor: int) -> None:
    """Return when what was written to the file survives the death of the machine."""
    if sys.platform == "darwin":
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)  # there, fsync stops at the drive's own cache
    else:
        os.fsync(descriptor)


def flush_folder(folder: Path) -> None:
    """Return when the folder's entries (files created, renamed, removed) survive the death of the machine."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Create the folder and what is missing above it; their names survive the death of the machine."""
    missing = list(takewhile(lambda path: not path.exists(), (folder, *folder.parents)))
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        flush_folder(path.parent)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _translate(path, error) from error


def _translate(path: Path, error: OSError) -> HomeError:
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return DiskFull(
            f"no space left for {path}", hint="free some space and run the same command again; nothing was lost"
        )
    if error.errno in _UNUSABLE:
        return HomeUnwritable(f"cannot use {path}: {reason}", hint="check the folder's owner and rights, or use --home")
    return HomeError(f"cannot read or write {path}: {reason}", hint="check the disk; nothing was recorded")
