"""At most one ``up`` per home: a lock that the kernel frees when its holder dies."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kiebitz.adapters.local.disk import make_folder, translated
from kiebitz.errors import Locked


@contextmanager
def only_one(home: Path) -> Iterator[None]:
    """Raises Locked if another process is inside for this home."""
    path = home / "up.lock"
    with translated(path):
        make_folder(home)
        file = path.open("ab")
    with file:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Locked(
                f"another `kiebitz up` works on {home}", hint="use that one, stop it, or choose another --home"
            ) from error
        yield
