"""Which processes of this machine are alive: each holds a lock on a file of its own, which dies with it."""

import fcntl
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

SUFFIX = ".alive"


class Presence:
    """A process's own name, and the names of the dead. The lock is the kernel's, so SIGKILL frees it too."""

    def __init__(self, folder: Path, runs: Iterable[str] = ()) -> None:
        """``runs``: what the process works on, for others to see."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._file: BinaryIO | None = None
        while self._file is None:
            self.holder = secrets.token_hex(6)
            self._file = _locked(folder / (self.holder + SUFFIX), create=True)
        self._file.write(" ".join(runs).encode())
        self._file.flush()

    def dead(self) -> Iterator[str]:
        """Names whose process is gone. Each is ours alone while the caller cleans up after it, then forgotten."""
        for path in sorted(self._folder.glob("*" + SUFFIX)):
            file = _locked(path, create=False)
            if file is None:
                continue
            with file:
                yield path.name.removesuffix(SUFFIX)
                path.unlink(missing_ok=True)

    @staticmethod
    def alive(folder: Path) -> int:
        """How many processes hold a lock there now."""
        count = 0
        for path in folder.glob("*" + SUFFIX):
            file = _locked(path, create=False)
            if file is None:
                count += path.exists()
            else:
                file.close()
        return count

    @staticmethod
    def working(folder: Path) -> set[str]:
        """The runs that living processes work on."""
        runs: set[str] = set()
        for path in folder.glob("*" + SUFFIX):
            file = _locked(path, create=False)
            if file is not None:
                file.close()
            elif path.exists():
                runs.update(path.read_text().split())
        return runs

    def close(self, *, clean: bool) -> None:
        """Leave. Unless all was put away (``clean``), the name stays, so that somebody cleans up as after a crash."""
        if self._file is not None:
            if clean:
                (self._folder / (self.holder + SUFFIX)).unlink(missing_ok=True)
            self._file.close()
            self._file = None


def _locked(path: Path, *, create: bool) -> BinaryIO | None:
    """The file, opened and locked, or None if somebody holds it or it is gone."""
    try:
        file = path.open("ab" if create else "rb")
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.stat(path).st_ino == os.fstat(file.fileno()).st_ino:  # noqa: PTH116 -- not removed since it was opened
            return file
    except (BlockingIOError, FileNotFoundError):
        pass
    file.close()
    return None
