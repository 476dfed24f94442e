"""What a site of the lab is asked, and what it may answer: a plain reply, or a script that plays on the wire.

Good manners are replies: data, framed by the connection. Bad manners are scripts: they write the bytes themselves.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from functools import lru_cache
from http import HTTPStatus
from typing import Protocol

HTML = "text/html; charset=utf-8"
PLAIN = "text/plain; charset=utf-8"
PDF = "application/pdf"
Field = tuple[str, str]
_PHRASES = {status.value: status.phrase for status in HTTPStatus}


@dataclass(slots=True)
class Ask:
    """One request as it came in. ``target`` is the path with its query, not decoded."""

    method: str
    host: str
    target: str
    fields: dict[str, str]
    body: bytes = b""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]


@dataclass(slots=True)
class Reply:
    """A well-behaved answer. With a validator it is answered by 304 when the asker already has it."""

    body: bytes = b""
    status: int = 200
    content_type: str = HTML
    fields: tuple[Field, ...] = ()
    etag: str = ""
    modified: str = ""


class Wire(Protocol):
    """The open connection, as a script sees it. A script is cancelled when the peer leaves."""

    async def send(self, data: bytes) -> None:
        """Write and wait until the peer can take more."""
        ...

    async def pause(self, seconds: float) -> None: ...

    def close(self) -> None:
        """End the connection after what was sent."""
        ...

    def abort(self) -> None:
        """End it at once, with a reset."""
        ...


@dataclass(slots=True)
class Script:
    """``status`` is what the access log shows; 0 if no status line is ever sent."""

    status: int
    play: Callable[[Wire], Awaitable[None]]


Answer = Reply | Script


class Website(Protocol):
    """One host of the lab."""

    def answer(self, ask: Ask) -> Answer: ...

    def forget(self) -> None:
        """Start anew: whatever the site counted is zero again."""
        ...


def head(status: int, *fields: Field) -> bytes:
    """The status line and the header fields, with the empty line."""
    lines = [
        f"HTTP/1.1 {status} {_PHRASES.get(status, 'Odd')}",
        *(f"{name}: {value}" for name, value in fields),
        "",
        "",
    ]
    return "\r\n".join(lines).encode("latin-1")


def encode(ask: Ask, reply: Reply, date: str) -> tuple[int, bytes]:
    """The status and the bytes of a reply to this ask."""
    status = 304 if _is_fresh(ask, reply) else reply.status
    phrase = _PHRASES.get(status, "Odd")
    text = f"HTTP/1.1 {status} {phrase}\r\nDate: {date}\r\n"
    if reply.etag:
        text += f"ETag: {reply.etag}\r\n"
    if reply.modified:
        text += f"Last-Modified: {reply.modified}\r\n"
    for name, value in reply.fields:
        text += f"{name}: {value}\r\n"
    if status in (204, 304):
        return status, (text + "\r\n").encode("latin-1")
    if reply.content_type:
        text += f"Content-Type: {reply.content_type}\r\n"
    start = (text + f"Content-Length: {len(reply.body)}\r\n\r\n").encode("latin-1")
    return status, start if ask.method == "HEAD" else start + reply.body


def _is_fresh(ask: Ask, reply: Reply) -> bool:
    if reply.status != 200:
        return False
    wanted = ask.fields.get("if-none-match")
    if wanted is not None:
        return bool(reply.etag) and (wanted.strip() == "*" or reply.etag in wanted)
    since = ask.fields.get("if-modified-since")
    return bool(since and reply.modified) and _is_since(reply.modified, since or "")


@lru_cache(4096)
def _is_since(modified: str, since: str) -> bool:
    try:
        return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
    except ValueError:
        return False


def http_date(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def redirect(location: str, status: int = 302) -> Reply:
    body = f'<!doctype html><title>weiter</title><p><a href="{location}">weiter</a>'.encode()
    return Reply(body, status, fields=(("Location", location),))


def missing(status: int = 404) -> Reply:
    return Reply(f"<!doctype html><title>{status}</title><p>Diese Seite gibt es nicht.".encode(), status)


def delayed(reply: Reply, seconds: float, ask: Ask) -> Script:
    """The same reply, later."""
    status, data = encode(ask, reply, http_date(datetime.now(UTC)))

    async def play(wire: Wire) -> None:
        await wire.pause(seconds)
        await wire.send(data)

    return Script(status, play)
