"""Heads that are too large, too many, or not HTTP."""

from kiebitz.lab.exchange import HTML, head
from kiebitz.lab.misbehaviour.bodies import OK
from kiebitz.lab.misbehaviour.case import Case
from kiebitz.lab.misbehaviour.host import BadHost, raw

TYPE = ("Content-Type", HTML)
LENGTH = ("Content-Length", str(len(OK)))


def hosts() -> list[BadHost]:
    base = "http://headers.example"
    whole = head(200, TYPE, LENGTH)
    start, fields = whole.split(b"\r\n", 1)
    too_much = "limit|size|header"
    table = {
        "/riesig": raw(200, head(200, TYPE, LENGTH, ("X-Riesig", "x" * (1 << 20))) + OK),
        "/viele": raw(200, head(200, TYPE, LENGTH, *((f"X-Feld-{n}", "x" * 30) for n in range(5000))) + OK),
        "/kekse": raw(200, head(200, TYPE, LENGTH, *(("Set-Cookie", f"keks{n}=1") for n in range(300))) + OK),
        "/kaputt": raw(200, start + b"\r\nOhne Doppelpunkt\r\n: ohne Name\r\nNull: a\0b\r\n" + fields + OK),
        "/gefaltet": raw(200, start + b"\r\nX-Lang: eins\r\n zwei\r\n" + fields + OK),
        "/nur-lf": raw(200, whole.replace(b"\r\n", b"\n") + OK),
        "/kein-status": raw(0, b"Hallo, hier ist kein HTTP.\r\n\r\n" + OK),
        "/status-unsinn": raw(0, b"HTTP/1.1 abc OK\r\n" + fields + OK),
        "/zwei-laengen": raw(200, head(200, TYPE, ("Content-Length", "5"), LENGTH) + OK),
        "/negative-laenge": raw(200, head(200, TYPE, ("Content-Length", "-5")) + OK),
        "/hinweise": raw(200, b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" + whole + OK),
        "/ohne-phrase": raw(200, b"HTTP/1.1 200\r\n" + fields + OK),
    }
    either = "done|failed|skipped"
    cases = [
        Case(f"{base}/riesig", "skipped|failed", too_much, bytes_at_most=2 << 20),
        Case(f"{base}/viele", "skipped|failed", too_much),
        Case(f"{base}/kekse", "done", text="Alles gut"),
        Case(f"{base}/kaputt", either),
        Case(f"{base}/gefaltet", "done", text="Alles gut"),
        Case(f"{base}/nur-lf", either),
        Case(f"{base}/kein-status", "failed"),
        Case(f"{base}/status-unsinn", "failed"),
        Case(f"{base}/zwei-laengen", either),
        Case(f"{base}/negative-laenge", either),
        Case(f"{base}/hinweise", "done", text="Alles gut"),
        Case(f"{base}/ohne-phrase", "done", text="Alles gut"),
    ]
    return [BadHost("headers.example", table, cases)]
