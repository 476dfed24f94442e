"""One connection of the lab: HTTP/1.1 by hand on an asyncio protocol, because a test web must never be the bottleneck.

It reads requests (keep-alive, pipelined, with bodies of known length), asks the site of their Host field, and writes
the reply at once or lets a script play. It trusts its clients no further than a test needs.
"""

import asyncio
import socket
import struct
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import cast

from kiebitz.lab.exchange import Ask, Reply, Script, Website, encode, http_date
from kiebitz.lab.log import AccessLog, Entry

HEAD_LIMIT = 64 << 10
BODY_LIMIT = 16 << 20
_RESET = struct.pack("ii", 1, 0)


@dataclass(slots=True)
class Door:
    """What the connections of one listening address share. ``stranger`` answers for names that nobody has."""

    address: str
    sites: dict[str, Website]
    stranger: Website
    log: AccessLog
    tasks: asyncio.TaskGroup
    open: "set[Connection]" = field(default_factory=set)
    _date: tuple[int, str] = (0, "")

    def date(self) -> str:
        now = int(time.time())
        if self._date[0] != now:
            self._date = (now, http_date(datetime.fromtimestamp(now, UTC)))
        return self._date[1]


class Connection(asyncio.Protocol):
    __slots__ = ("_buffer", "_door", "_drained", "_number", "_script", "_sent", "_transport")

    def __init__(self, door: Door) -> None:
        self._door = door
        self._buffer = b""
        self._script: asyncio.Task[None] | None = None
        self._drained: asyncio.Future[None] | None = None
        self._sent = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are not subclasses
        self._door.log.connections += 1
        self._number = self._door.log.connections
        self._door.open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc  # a client that leaves in whatever way is nobody's error here
        self._door.open.discard(self)
        if self._script:
            self._script.cancel()
        if self._drained and not self._drained.done():
            self._drained.cancel()

    def pause_writing(self) -> None:
        self._drained = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        if self._drained and not self._drained.done():
            self._drained.set_result(None)
        self._drained = None

    def data_received(self, data: bytes) -> None:
        self._buffer = self._buffer + data if self._buffer else data
        if self._script is None:
            self._proceed()

    # -- what a script may do ---------------------------------------------------------------------

    async def send(self, data: bytes) -> None:
        self._transport.write(data)
        self._sent += len(data)
        if self._drained:
            await self._drained
        else:
            await asyncio.sleep(0)  # an endless body must not starve the others

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def close(self) -> None:
        self._transport.close()

    def abort(self) -> None:
        sock = self._transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._transport.abort()

    # -- requests ---------------------------------------------------------------------------------

    def _proceed(self) -> None:
        """Answer what is complete in the buffer, until a script takes over or the connection ends."""
        while not self._transport.is_closing():
            ask = self._take()
            if ask is None:
                return
            start = time.monotonic()
            site = self._door.sites.get(ask.host, self._door.stranger)
            answer = site.answer(ask)
            if isinstance(answer, Script):
                self._sent = 0
                self._script = self._door.tasks.create_task(self._play(ask, answer, start))
                return
            self._write(ask, answer, start)

    def _take(self) -> Ask | None:
        """One whole request off the buffer, or None if there is none yet."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if self._buffer and not self._buffer[:1].isalpha():
                self._refuse(400)  # somebody speaks TLS to us
            elif len(self._buffer) > HEAD_LIMIT:
                self._refuse(431)
            return None
        ask = _parse(self._buffer[:end])
        if ask is None:
            self._refuse(400)
            return None
        length = ask.fields.get("content-length", "0")
        size = int(length) if length.isdecimal() else BODY_LIMIT + 1
        if size > BODY_LIMIT:
            self._refuse(413)
            return None
        rest = end + 4 + size
        if len(self._buffer) < rest:
            return None
        ask.body = self._buffer[end + 4 : rest]
        self._buffer = self._buffer[rest:]
        return ask

    def _write(self, ask: Ask, reply: Reply, start: float) -> None:
        status, data = encode(ask, reply, self._door.date())
        self._transport.write(data)
        self._record(ask, status, start, len(data), complete=True)
        self._end(ask)

    async def _play(self, ask: Ask, script: Script, start: float) -> None:
        complete = False
        try:
            await script.play(self)
            complete = True
        finally:
            self._script = None
            self._record(ask, script.status, start, self._sent, complete=complete)
        self._end(ask)
        self._proceed()

    def _end(self, ask: Ask) -> None:
        if ask.fields.get("connection", "").lower() == "close":
            self._transport.close()

    def _refuse(self, status: int) -> None:
        ask = Ask("GET", "", "", {})
        self._transport.write(
            encode(ask, Reply(status=status, fields=(("Connection", "close"),)), self._door.date())[1]
        )
        self._transport.close()

    def _record(self, ask: Ask, status: int, start: float, sent: int, *, complete: bool) -> None:
        fields, log = ask.fields, self._door.log
        log.add(
            Entry(
                start,
                time.monotonic(),
                log.wall(start),
                ask.host,
                self._door.address,
                ask.method,
                ask.target,
                fields.get("user-agent", ""),
                self._number,
                status,
                sent,
                complete,
                fields.get("if-none-match", ""),
                fields.get("if-modified-since", ""),
            )
        )


def _parse(data: bytes) -> Ask | None:
    first, *lines = data.decode("latin-1").split("\r\n")
    parts = first.split(" ")
    if len(parts) != 3 or not parts[2].startswith("HTTP/1."):
        return None
    fields: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            return None
        fields[name.lower()] = value.strip()
    host = fields.get("host", "").lower().partition(":")[0]
    return Ask(parts[0], host, parts[1], fields)
