"""A real disk of a few kilobytes: a tmpfs in a mount namespace of its own, which nobody else sees and which leaves no trace."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SPACE = ("unshare", "--user", "--map-root-user", "--mount", "--propagation", "private")


@dataclass(frozen=True)
class SmallDisk:
    folder: Path  # where it is mounted; outside the namespace an empty folder
    within: tuple[str, ...]  # the command that runs others inside the namespace

    def run(self, *command: str) -> str:
        return subprocess.run([*self.within, *command], capture_output=True, text=True, check=True).stdout

    def resize(self, size: str) -> None:
        self.run("mount", "-o", f"remount,rw,size={size}", str(self.folder))

    def make_read_only(self) -> None:
        self.run("mount", "-o", "remount,ro", str(self.folder))

    def make_writable(self) -> None:
        self.run("mount", "-o", "remount,rw", str(self.folder))

    def contents(self, folder: Path) -> dict[str, str]:
        """Digest of every file below the folder."""
        lines = self.run("find", str(folder), "-type", "f", "-exec", "sha256sum", "{}", "+").splitlines()
        return {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}


def unavailable() -> str:
    """Why there can be no such disk here, or nothing."""
    try:
        done = subprocess.run([*SPACE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
    except FileNotFoundError:
        return "there is no unshare on this system"
    return done.stderr.decode().strip() or "no namespaces" if done.returncode else ""


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[SmallDisk]:
    folder.mkdir()
    command = [*SPACE, "sh", "-c", 'mount -t tmpfs -o "size=$2" none "$1" && echo mounted && exec cat', "sh"]
    with subprocess.Popen(
        [*command, str(folder), size], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as keeper:  # as long as it reads, the namespace lives
        assert keeper.stdout is not None
        assert keeper.stdout.readline() == "mounted\n"
        inside = ("nsenter", "--target", str(keeper.pid), "--user", "--mount", "--preserve-credentials")
        yield SmallDisk(folder, inside)
        assert keeper.stdin is not None
        keeper.stdin.close()
