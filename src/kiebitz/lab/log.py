"""The access log of the lab: what every request was, when its answer began and ended, and what that says of the client.

Times are of the monotonic clock of the machine, so that a test in another process can compare them with its own.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, NamedTuple


class Entry(NamedTuple):
    start: float  # the request had arrived whole
    end: float  # the last byte of the answer was written, or the peer had left
    wall: float  # ``start`` as seconds since 1970
    host: str
    address: str
    method: str
    target: str
    agent: str
    connection: int
    status: int  # 0: no status line was sent
    sent: int  # bytes on the wire, head included
    complete: bool  # False: the peer left before the end
    etag: str = ""  # If-None-Match as sent
    since: str = ""  # If-Modified-Since as sent

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.target}"


class AccessLog:
    """In memory, and line by line in a file if one is given."""

    def __init__(self, file: Path | None = None) -> None:
        self.entries: list[Entry] = []
        self.connections = 0
        self._wall = time.time() - time.monotonic()
        self._file: IO[str] | None = file.open("w", buffering=1) if file else None

    def wall(self, moment: float) -> float:
        return moment + self._wall

    def add(self, entry: Entry) -> None:
        self.entries.append(entry)
        if self._file:
            self._file.write(to_line(entry))

    def clear(self) -> None:
        self.entries.clear()
        self.connections = 0

    def stats(self) -> dict[str, object]:
        return {
            "requests": len(self.entries),
            "connections": self.connections,
            "bytes": sum(entry.sent for entry in self.entries),
            "hosts": len({entry.host for entry in self.entries}),
            "statuses": {str(status): count for status, count in Counter(e.status for e in self.entries).items()},
        }

    def close(self) -> None:
        if self._file:
            self._file.close()
            self._file = None


def to_line(entry: Entry) -> str:
    return json.dumps(entry._asdict(), ensure_ascii=False) + "\n"


def from_lines(lines: Iterable[str]) -> list[Entry]:
    return [Entry(**json.loads(line)) for line in lines if line.strip()]


def smallest_gaps(entries: Iterable[Entry]) -> dict[str, float]:
    """For each host asked more than once: the shortest time from the end of an answer to the next request."""
    last: dict[str, float] = {}
    gaps: dict[str, float] = {}
    for entry in sorted(entries):
        if entry.host in last:
            gap = entry.start - last[entry.host]
            gaps[entry.host] = min(gap, gaps.get(entry.host, gap))
        last[entry.host] = max(entry.end, last.get(entry.host, entry.end))
    return gaps


def most_at_once(entries: Iterable[Entry], key: Callable[[Entry], str]) -> dict[str, int]:
    """For each host (or address, as ``key`` says): how many requests were being answered at the same time, at most."""
    moments: list[tuple[float, int, str]] = []
    for entry in entries:
        moments += [(entry.start, 1, key(entry)), (entry.end, -1, key(entry))]
    now: Counter[str] = Counter()
    most: dict[str, int] = {}
    for _, step, name in sorted(moments):  # at the same instant an end (-1) comes before a start
        now[name] += step
        most[name] = max(most.get(name, 0), now[name])
    return most


def repeated(entries: Iterable[Entry]) -> dict[str, int]:
    """URLs asked for more than once, robots.txt aside."""
    counts = Counter(entry.url for entry in entries if entry.target != "/robots.txt")
    return {url: count for url, count in counts.items() if count > 1}
