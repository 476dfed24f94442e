"""A request on the wire and what came back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

# (status, content type, announced length or -1) -> "" to take the body, or the reason to stop.
Judge = Callable[[int, str, int], str]


class Limits(NamedTuple):
    """What one exchange may cost us."""

    max_bytes: int = 64 << 20
    first_byte_seconds: float = 20.0
    total_seconds: float = 120.0
    header_bytes: int = 64 << 10
    ratio: int = 200
    layers: int = 2


@dataclass(slots=True)
class Call:
    """One HTTP exchange; redirects are the caller's business."""

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    judge: Judge | None = None
    limits: Limits = Limits()  # noqa: RUF009 -- immutable
    truncate: bool = False  # a body larger than the limit is cut there, not an error


@dataclass(slots=True)
class Response:
    """``head`` and ``raw`` are the bytes as sent (transfer coding removed); ``content`` is decoded."""

    url: str
    status: int
    head: bytes  # status line and header fields, without the empty line
    raw: bytes
    content: bytes
    headers: dict[str, str]  # lower-case names; repeated fields joined with ", "
    request_head: bytes
    address: str
    seconds: float
    stopped: str = ""  # the judge's reason, if it did not want the body
