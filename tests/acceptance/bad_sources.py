"""A web of pages that nobody should watch, on loopback: each host is one bad source, every request is logged.

It is a plain threaded server, because a test changes the mood of a host while the program runs in another process.
"""

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import NamedTuple

ADDRESS = "127.3.0.1"
DOMAIN = "bad.example"
MOST_BODY = 1 << 20


class Ask(NamedTuple):
    host: str
    method: str
    target: str
    body: bytes = b""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


class Reply(NamedTuple):
    body: bytes | str = b""
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    fields: tuple[tuple[str, str], ...] = ()
    wait: float = 0.0  # seconds before anything is said

    @property
    def content(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


class Seen(NamedTuple):
    """One line of the access log."""

    host: str
    method: str
    target: str
    status: int
    sent: int  # bytes of the body that were taken
    body: bytes = b""


Site = Callable[[Ask], Reply]
NOWHERE = Reply("nichts", status=404)


class Web:
    """The hosts by name; ``sites`` may be changed at any time."""

    def __init__(self, sites: dict[str, Site], tls: ssl.SSLContext | None = None) -> None:
        self.sites = sites
        self.log: list[Seen] = []
        self._tls = tls
        self._port = 0
        self._server: ThreadingHTTPServer | None = None

    @property
    def resolve(self) -> str:
        return f"*.{DOMAIN}={ADDRESS}:{self._port}"

    def open(self) -> None:
        """Listen; after a ``close`` on the same port."""
        server = ThreadingHTTPServer((ADDRESS, self._port), _handler(self))
        server.daemon_threads = True
        server.block_on_close = False
        if self._tls:
            server.socket = self._tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        self._port = server.server_address[1]
        self._server = server
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        """Nobody listens any more: connections are refused."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def seen(self, host: str, *, robots: bool = False) -> list[Seen]:
        """What was asked of a host, robots.txt apart."""
        return [entry for entry in self.log if entry.host == host and (robots or entry.target != "/robots.txt")]


@contextmanager
def served(sites: dict[str, Site], tls: ssl.SSLContext | None = None) -> Iterator[Web]:
    web = Web(sites, tls)
    web.open()
    try:
        yield web
    finally:
        web.close()


def _handler(web: Web) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 30

        def do_GET(self) -> None:
            length = min(int(self.headers.get("Content-Length") or 0), MOST_BODY)
            host = (self.headers.get("Host") or "").partition(":")[0]
            ask = Ask(host, self.command, self.path, self.rfile.read(length))
            site = web.sites.get(host)
            robots = ask.path == "/robots.txt"
            reply = site(ask) if site else NOWHERE
            if robots and reply.status == 200 and not reply.content.startswith(b"User-agent"):
                reply = NOWHERE
            sent = self._say(reply)
            web.log.append(Seen(host, ask.method, ask.target, reply.status, sent, ask.body))

        do_POST = do_GET  # noqa: N815

        def _say(self, reply: Reply) -> int:
            """How many bytes of the body the other side was willing to take."""
            if reply.wait:
                threading.Event().wait(reply.wait)
            content, sent = reply.content, 0
            try:
                self.send_response(reply.status)
                if reply.content_type:
                    self.send_header("Content-Type", reply.content_type)
                if reply.status != 204:
                    self.send_header("Content-Length", str(len(content)))
                for name, value in reply.fields:
                    self.send_header(name, value)
                self.end_headers()
                for start in range(0, len(content), 1 << 16):
                    self.wfile.write(content[start : start + (1 << 16)])
                    sent = min(start + (1 << 16), len(content))
            except OSError:  # it hung up, as it should with some of these
                self.close_connection = True
            return sent

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- http.server's name
            """The log is ours."""

    return Handler


# ---------------------------------------------------------------------------------------------- what hosts say


def always(reply: Reply) -> Site:
    return lambda _ask: reply


def pages(table: dict[str, Reply], others: Reply = NOWHERE) -> Site:
    return lambda ask: table.get(ask.target) or table.get(ask.path) or others


def page(main: str, title: str = "Amtsblatt der Stadt", head: str = "") -> Reply:
    return Reply(
        f"<!doctype html><html lang=de><head><title>{title}</title>{head}</head>"
        f"<body><nav><a href=/>Start</a></nav><main><h1>{title}</h1>{main}</main></body></html>"
    )


def redirect(target: str) -> Reply:
    return Reply("", status=302, fields=(("Location", target),))


def pdf(text: str = "1") -> Reply:
    return Reply(f"%PDF-1.4\n% {text}\n%%EOF\n", "application/pdf")


def issues(count_of: int, folder: str = "/dateien") -> str:
    rows = (
        f"<li><a href='{folder}/amtsblatt_{n:05}_2026.pdf'>Amtsblatt Nr. {n}/2026 vom {1 + n % 28}. Mai 2026 (PDF)</a></li>"
        for n in range(count_of, 0, -1)
    )
    return f"<ul>{''.join(rows)}</ul>"


def gazette(count_of: int = 3) -> Site:
    """A good source, for before and after."""
    listed = page(issues(count_of))

    def site(ask: Ask) -> Reply:
        if ask.path.endswith(".pdf"):
            return pdf(ask.path)
        return listed if ask.path == "/amtsblatt/" else NOWHERE

    return site


def endless(make: Callable[[int], Reply]) -> Site:
    """A new page for every request."""
    numbers = count(1)

    def site(ask: Ask) -> Reply:
        if ask.path.endswith(".pdf"):
            return pdf(ask.path)
        return NOWHERE if ask.path == "/robots.txt" else make(next(numbers))

    return site
