"""The truth about bad manners, as data: how a correct crawler ends with each URL of a misbehaving host."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """``state`` (whole) and ``reason`` (anywhere in it) are regular expressions.

    Where several ends are correct, the expression says so; an empty state means that the URL need not be known at all.
    ``text`` must be in the page as a reader sees it; ``unasked`` means that the URL must never be requested;
    ``bytes_at_most`` bounds what the server got rid of in one answer.
    """

    url: str
    state: str
    reason: str = ""
    text: str = ""
    unasked: bool = False
    bytes_at_most: int = 0

    def accepts(self, state: str, reason: str) -> bool:
        return re.fullmatch(self.state, state) is not None and re.search(self.reason, reason) is not None

    @property
    def host(self) -> str:
        return self.url.split("/")[2]

    @property
    def target(self) -> str:
        return "/" + self.url.split("/", 3)[3]


@dataclass(frozen=True, slots=True)
class Trap:
    """A host without end. A crawl from ``start`` ends by itself, after at most so many requests, having done ``wanted``.

    ``reason`` is what at least one URL of the host is skipped for; empty if rewriting the URLs is a correct way, too.
    """

    start: str
    requests_at_most: int
    wanted: tuple[str, ...]
    reason: str = ""
