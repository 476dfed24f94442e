"""One libcurl handle and the exchange that is on it now.

What never changes is set once; each exchange sets only what differs from the last one on this handle, because setting
options is a good part of what a request costs. libcurl's callbacks must not raise: they note a reason and refuse.
"""

import asyncio
import contextlib
import os
import socket
from io import BytesIO
from typing import Any, NamedTuple

import pycurl

from kiebitz.errors import AddressRefused, LimitExceeded, Unreachable
from kiebitz.fetch.guard import Guard
from kiebitz.model.response import Call, Judge
from kiebitz.ports.resolver import Endpoint
from kiebitz.standards.http_headers import parse_head

CONNECT_SECONDS = 10.0
IDLE_SECONDS = 60  # libcurl closes what idles longer whenever it looks for a connection
DRAIN_BYTES = 16 << 10  # an unwanted body up to this size is read and dropped: a new connection costs more
_REFUSE = 0  # a short count: libcurl ends the transfer
_STATIC: tuple[tuple[int, Any], ...] = (
    (pycurl.NOSIGNAL, 1),
    (pycurl.FOLLOWLOCATION, 0),
    (pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS),
    (pycurl.PROXY, ""),
    (pycurl.NOPROXY, "*"),
    (pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_2TLS),
    (pycurl.HTTP_CONTENT_DECODING, 0),
    (pycurl.PATH_AS_IS, 1),
    (pycurl.BUFFERSIZE, 128 << 10),
    (pycurl.SSL_VERIFYPEER, 1),
    (pycurl.SSL_VERIFYHOST, 2),
    (pycurl.CONNECTTIMEOUT_MS, int(CONNECT_SECONDS * 1000)),
    (pycurl.MAXAGE_CONN, IDLE_SECONDS),
)


class Site(NamedTuple):
    """What all URLs of one origin share."""

    host: str
    port: int
    is_secure: bool
    authority: bytes


class Order(NamedTuple):
    """One attempt: the call, the address we may use for it, and the time that is left."""

    call: Call
    site: Site
    endpoint: Endpoint
    fields: list[bytes]
    milliseconds: int


class Transfer:
    __slots__ = (
        "_body", "_fields", "_guard", "_judge", "_max_bytes", "_max_head", "_method", "_milliseconds", "_opened", "_pin",
        "_room", "_setopt", "_size", "address", "answer_by", "ca_file", "curl", "cut", "endpoint", "failure", "future", "head", "headers",
        "is_connected", "lines", "message", "patience", "status", "stopped",
    )  # fmt: skip

    def __init__(self, guard: Guard, user_agent: str) -> None:
        self._guard = guard
        self.curl = pycurl.Curl()
        self.curl.transfer = self
        self._setopt = self.curl.setopt
        for option, value in (
            *_STATIC,
            (pycurl.USERAGENT, user_agent),
            (pycurl.HEADERFUNCTION, self._on_header),
            (pycurl.OPENSOCKETFUNCTION, self._on_open),
            (pycurl.SOCKOPTFUNCTION, self._on_opened),
            (pycurl.PREREQFUNCTION, self._on_request),
        ):
            self._setopt(option, value)
        self._pin = self._method = self.ca_file = ""
        self._fields: list[bytes] = []
        self._max_bytes = self._milliseconds = -1
        self._opened: socket.socket | None = None
        self._judge: Judge | None = None
        self._body = BytesIO()
        self.future: asyncio.Future[int] | None = None
        self.clear()

    def prepare(self, order: Order) -> None:
        call, site, endpoint, fields, milliseconds = order
        setopt = self._setopt
        limits = call.limits
        self._judge = call.judge
        self._max_head = limits.header_bytes
        self.endpoint = endpoint
        self.patience = limits.first_byte_seconds
        self._body = BytesIO()
        self._room = limits.max_bytes
        setopt(pycurl.WRITEFUNCTION, self._write_what_fits if call.truncate else self._body.write)
        setopt(pycurl.URL, call.url)
        pin = _pin(site, endpoint)
        if pin != self._pin:
            self._set_pin(pin)
        if fields is not self._fields:
            setopt(pycurl.HTTPHEADER, fields)
            self._fields = fields
        # 0: the length announced does not matter
        max_bytes = 0 if call.truncate or call.method == "HEAD" else limits.max_bytes
        if max_bytes != self._max_bytes:
            setopt(pycurl.MAXFILESIZE_LARGE, max_bytes)
            self._max_bytes = max_bytes
        if milliseconds != self._milliseconds:
            setopt(pycurl.TIMEOUT_MS, milliseconds)
            self._milliseconds = milliseconds
        if call.method != "GET" or self._method != "GET":
            self._set_method(call)

    def trust(self, ca_file: str) -> None:
        """Set when a handle first meets https: looking for the certificates costs time."""
        self._setopt(pycurl.CAINFO, ca_file)
        self.ca_file = ca_file

    @property
    def has_answered(self) -> bool:
        return bool(self.lines) or self.status > 0

    def body(self) -> bytes:
        return self._body.getvalue()

    def clear(self) -> None:
        """Let go of everything that belongs to the last exchange."""
        self._judge = None
        self._body.close()  # libcurl still holds its write method, and that the page
        self._max_head = 0
        self._size = self._room = 0
        self.cut = False
        self.lines: list[bytes] = []
        self.head = b""
        self.headers: dict[str, str] = {}
        self.status = 0
        self.stopped = self.address = self.message = ""
        self.failure: Exception | None = None
        self.is_connected = False
        self.endpoint = Endpoint("", 0)
        self.answer_by = self.patience = 0.0
        self._forget_socket()

    def close(self) -> None:
        self.curl.transfer = None
        self.curl.close()
        self._forget_socket()

    def _set_pin(self, pin: str) -> None:
        if pin:
            self._setopt(pycurl.CONNECT_TO, [pin])
        else:
            self.curl.unsetopt(pycurl.CONNECT_TO)  # an empty list would leave the last one in force
        self._pin = pin

    def _set_method(self, call: Call) -> None:
        if call.method == "HEAD":
            self._setopt(pycurl.NOBODY, 1)
        elif call.method == "POST":
            self._setopt(pycurl.POST, 1)
            self._setopt(pycurl.POSTFIELDS, call.body or b"")
        else:
            self._setopt(pycurl.HTTPGET, 1)
        self._method = call.method

    def _on_header(self, line: bytes) -> int | None:
        self._size += len(line)
        if self._size > self._max_head:
            self.failure = LimitExceeded("headers", f"more than {self._max_head} bytes of header fields")
            return _REFUSE
        if self.status:  # trailers
            return None
        if len(line) > 2 or line not in {b"\r\n", b"\n"}:
            self.lines.append(line)
            return None
        head = b"".join(self.lines).rstrip(b"\r\n")
        self.lines.clear()
        status, headers = parse_head(head)
        if 100 <= status < 200:  # not the answer yet
            return None
        self.status, self.headers, self.head = status, headers, head
        return None if self._judge is None else self._ask(self._judge)

    def _write_what_fits(self, data: bytes) -> int:
        """The beginning is enough: a short count ends the transfer."""
        self._body.write(data[: self._room])
        self.cut = len(data) > self._room
        written = min(len(data), self._room)
        self._room -= written
        return written

    def _ask(self, judge: Judge) -> int | None:
        announced = self.headers.get("content-length", "")
        is_known = announced.isdecimal() and len(announced) < 19 and "transfer-encoding" not in self.headers
        length = int(announced) if is_known else -1
        try:
            self.stopped = judge(self.status, self.headers.get("content-type", ""), length)
        except Exception as error:  # noqa: BLE001 (libcurl would swallow it; fetch raises it)
            self.failure = error
            return _REFUSE
        return _REFUSE if self.stopped and not 0 <= length <= DRAIN_BYTES else None

    def _on_open(self, _purpose: int, address: Any) -> Any:
        """A new connection, with the address that it will really have."""
        family, kind, protocol, where = address
        if family not in {socket.AF_INET, socket.AF_INET6} or not self._may_use(where[0], where[1]):
            return pycurl.SOCKET_BAD
        try:
            self._opened = socket.socket(family, kind, protocol)
        except OSError as error:
            self.failure = Unreachable("no socket", f"no socket could be opened: {error}")
            return pycurl.SOCKET_BAD
        return self._opened

    def _on_opened(self, descriptor: int, _purpose: int) -> int:
        """By now libcurl has its own copy of the descriptor; no child process needs it."""
        self._forget_socket()
        with contextlib.suppress(OSError):
            os.set_inheritable(descriptor, False)
        return 0

    def _on_request(self, address: str, _local: str, port: int, _local_port: int) -> int:
        """Before each request, on reused connections too, which ``_on_open`` never sees."""
        self.address = address
        self.is_connected = True
        return 0 if self._may_use(address, port) else 1

    def _may_use(self, address: str, port: int) -> bool:
        chosen = self.endpoint
        if address == chosen.address and port == chosen.port:  # the guard has passed it for this exchange
            return True
        reason = self._guard.check(Endpoint(address, port))
        if reason:
            self.failure = AddressRefused(reason, f"{address}:{port} is not a place we may connect to")
        return not reason

    def _forget_socket(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None


def _pin(site: Site, endpoint: Endpoint) -> str:
    """Any host and port of the URL go to the endpoint; nothing if the URL says so itself."""
    address = f"[{endpoint.address}]" if ":" in endpoint.address else endpoint.address
    if address == site.host and endpoint.port == site.port:
        return ""
    return f"::{address}:{endpoint.port}"
