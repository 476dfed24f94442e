"""Receivers of alerts on loopback: a web server that takes webhooks, and a mail server that takes mail."""

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Posted:
    path: str
    headers: dict[str, str]  # lower-case names
    body: bytes


Answer = Callable[[Posted], tuple[int, dict[str, str]]]


def take_all(_posted: Posted) -> tuple[int, dict[str, str]]:
    return 204, {}


@dataclass
class WebhookReceiver:
    port: int
    posted: list[Posted] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"


@contextmanager
def webhooks(answer: Answer = take_all) -> Iterator[WebhookReceiver]:
    """``answer`` is asked after the request was noted, in the request's own thread."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            posted = Posted(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            receiver.posted.append(posted)
            status, headers = answer(posted)
            try:
                self.send_response(status)
                for name, value in {**headers, "Content-Length": "0"}.items():
                    self.send_header(name, value)
                self.end_headers()
            except OSError:  # the sender was killed
                self.close_connection = True

        def log_message(self, *_arguments: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 64
        daemon_threads = True

        def handle_error(self, *_arguments: Any) -> None:
            """A connection may end at any time: senders are killed."""

    server = Server(("127.0.0.1", 0), Handler)
    receiver = WebhookReceiver(server.server_address[1])
    with _serving(server):
        yield receiver


@dataclass
class MailReceiver:
    port: int
    mails: list[tuple[str, str, bytes]] = field(default_factory=list)  # (from, to, content)
    logins: int = 0

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"


@contextmanager
def mailbox(rcpt: str = "250 ok") -> Iterator[MailReceiver]:
    """A server that speaks as much SMTP as a client needs; ``rcpt`` is what it says to a recipient."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self._say("220 mail.example ESMTP")
            sender = receiver = ""
            for line in iter(self.rfile.readline, b""):
                word = line.decode().strip()
                verb = word[:4].upper()
                if verb == "EHLO":
                    self._say("250-mail.example\r\n250 AUTH PLAIN")
                elif verb == "AUTH":
                    box.logins += 1
                    self._say("235 ok")
                elif verb == "MAIL":
                    sender = word.partition(":")[2].split()[0].strip("<>")
                    self._say("250 ok")
                elif verb == "RCPT":
                    receiver = word.partition(":")[2].split()[0].strip("<>")
                    self._say(rcpt)
                elif verb == "DATA":
                    self._say("354 go on")
                    box.mails.append((sender, receiver, self._content()))
                    self._say("250 taken")
                elif verb == "QUIT":
                    self._say("221 bye")
                    return
                else:
                    self._say("250 ok")

        def _content(self) -> bytes:
            lines = iter(self.rfile.readline, b".\r\n")
            return b"".join(lines)

        def _say(self, words: str) -> None:
            self.wfile.write(words.encode() + b"\r\n")

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    server = Server(("127.0.0.1", 0), Handler)
    box = MailReceiver(server.server_address[1])
    with _serving(server):
        yield box


@contextmanager
def _serving(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
