"""A town whose page is an empty shell: a script draws the list of issues from JSON. It runs in a thread of the test."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kiebitz.adapters.browser.chromium import find_chromium
from kiebitz.errors import MissingExtra
from kiebitz.lab.pdf import write_pdf

HOST = "www.schellenau.example"
PAGE = f"http://{HOST}/amtsblatt"
SHELL = b"""<!doctype html><html lang=de><head><title>Amtsblatt</title></head><body><div id="app"></div>
<script src="/app.js"></script><script src="/geheim/zaehler.js"></script></body></html>"""
SCRIPT = b"""
fetch('/ausgaben.json', {headers: {'X-Requested-With': 'app'}}).then(answer => answer.json()).then(issues => {
    document.getElementById('app').innerHTML = '<h1>Amtsblatt der Stadt Schellenau</h1><ul>' + issues.map(issue =>
        `<li><a href="/pdf/${issue}.pdf">Amtsblatt Nr. ${issue}/2026 vom ${issue}.03.2026 (PDF)</a></li>`).join('') + '</ul>';
});
"""
ENDLESS = b"<!doctype html><div id=app></div><script>while (true) {}</script>"


def _needed() -> str:
    try:
        find_chromium("")
    except MissingExtra as error:
        return f"{error}; {error.hint}"
    return ""


needs_chromium = pytest.mark.skipif(bool(_needed()), reason=_needed() or "there is one")


@dataclass
class DrawnSite:
    """``issues`` may grow; ``asked`` are the paths, with the status of the answer."""

    issues: list[int] = field(default_factory=lambda: [1, 2, 3])
    asked: list[tuple[str, int]] = field(default_factory=list)
    port: int = 0

    @property
    def resolve(self) -> str:
        return f"*.example=127.0.0.1:{self.port}"

    def paths(self, status: int = 200) -> list[str]:
        return [path for path, code in self.asked if code == status]

    def answer(self, path: str) -> tuple[int, str, bytes]:
        if path == "/robots.txt":
            return 200, "text/plain", b"User-agent: *\nDisallow: /geheim/\n"
        if path == "/amtsblatt":
            return 200, "text/html; charset=utf-8", SHELL
        if path == "/endlos":
            return 200, "text/html; charset=utf-8", ENDLESS
        if path == "/app.js":
            return 200, "text/javascript", SCRIPT
        if path == "/ausgaben.json":
            return 200, "application/json", json.dumps(self.issues).encode()
        number = path.removeprefix("/pdf/").removesuffix(".pdf")
        if number.isdecimal() and int(number) in self.issues:
            return 200, "application/pdf", write_pdf("Amtsblatt", [f"Amtsblatt Nr. {number}"])
        return 404, "text/plain", b"no"


@contextmanager
def drawn_site() -> Iterator[DrawnSite]:
    site = DrawnSite()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, content_type, body = site.answer(self.path)
            etag = f'"{hash(body) & 0xFFFFFF}"'
            if self.headers.get("If-None-Match") == etag:
                status, body = 304, b""
            site.asked.append((self.path, status))
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("ETag", etag)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """The test asks ``asked``."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def processes_of(folder: Path) -> list[str]:
    """Command lines of processes whose temporary files are in the folder: the browser's and its driver's."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            line, environ = (entry / "cmdline").read_bytes(), (entry / "environ").read_bytes()
        except OSError:
            continue
        if str(folder).encode() in line or f"TMPDIR={folder}".encode() in environ:
            found.append(line.replace(b"\0", b" ").decode(errors="replace")[:120])
    return found
