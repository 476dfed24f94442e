"""Redirects that lead nowhere, in circles, or where no crawler may go."""

from dataclasses import dataclass

from kiebitz.lab.exchange import Answer, Ask, Reply, redirect
from kiebitz.lab.misbehaviour.case import Case
from kiebitz.lab.misbehaviour.host import BadHost, always, page

LONG_CHAIN = 40
SHORT_CHAIN = 3

# From a path to where it leads and, if that is a URL a crawler can write down, how it writes it.
PRIVATE = {
    "/loopback": ("http://127.0.0.1/", "http://127.0.0.1/"),
    "/loopback-netz": ("http://127.8.9.10/geheim", "http://127.8.9.10/geheim"),
    "/null": ("http://0.0.0.0/", "http://0.0.0.0/"),
    "/wolke": ("http://169.254.169.254/latest/meta-data/", "http://169.254.169.254/latest/meta-data/"),
    "/zehner": ("http://10.0.0.1/", "http://10.0.0.1/"),
    "/zwoelfer": ("http://172.16.0.1/", "http://172.16.0.1/"),
    "/heimnetz": ("http://192.168.1.1/", "http://192.168.1.1/"),
    "/sechs": ("http://[::1]/", "http://[::1]/"),
    "/sechs-eingebettet": ("http://[::ffff:127.0.0.1]/a", "http://[::ffff:7f00:1]/a"),
    "/sechs-lokal": ("http://[fe80::1]/", "http://[fe80::1]/"),
    "/sechs-privat": ("http://[fd00::1]/", "http://[fd00::1]/"),
    "/dezimal": ("http://2130706433/dezimal", "http://127.0.0.1/dezimal"),
    "/hex": ("http://0x7f.1/hex", "http://127.0.0.1/hex"),
    "/oktal": ("http://0177.0.0.01/oktal", "http://127.0.0.1/oktal"),
    "/breit": ("http://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1/breit", "http://127.0.0.1/breit"),
    "/name": ("http://user@127.0.0.1:8080/", "http://127.0.0.1:8080/"),
    "/datei": ("file:///etc/passwd", ""),
    "/gopher": ("gopher://127.0.0.1:6379/_INFO", ""),
    "/dict": ("dict://127.0.0.1:11211/stat", ""),
    "/javascript": ("javascript:alert(1)", ""),
}


@dataclass(slots=True)
class Canary:
    """A listening port on 127.0.0.1 that nobody may ever reach; the server fills it in and counts who does."""

    port: int = 0


def hosts(canary: Canary) -> list[BadHost]:
    return [_loop(), _partner(), _private(canary)]


def _loop() -> BadHost:
    base = "http://loop.example"

    def chain(ask: Ask, _before: int) -> Answer:
        _, name, step = ask.path.split("/")
        end = LONG_CHAIN if name == "lang" else SHORT_CHAIN
        return page("Am Ziel", "Die Kette ist zu Ende.") if int(step) >= end else redirect(f"/{name}/{int(step) + 1}")

    def growing(ask: Ask, _before: int) -> Answer:
        return redirect(f"{ask.path}/weiter")

    table = {
        "/selbst": always(redirect("/selbst")),
        "/hin": always(redirect("/her", 301)),
        "/her": always(redirect("/hin", 301)),
        "/paar": always(redirect("http://loop2.example/paar", 301)),
        "/ohne-ziel": always(Reply(b"", 302)),
        "/kaputtes-ziel": always(Reply(b"", 302, fields=(("Location", "http://[::bad/"),))),
        "/wachsend": growing,
        **{f"/kurz/{step}": chain for step in range(1, SHORT_CHAIN + 1)},
        **{f"/lang/{step}": chain for step in range(1, LONG_CHAIN + 1)},
    }
    endless = "redirect|limit"
    return BadHost(
        "loop.example",
        table,
        [
            Case(f"{base}/kurz/1", "done"),
            Case(f"{base}/lang/1", "done|failed|skipped", endless),
            Case(f"{base}/lang/{LONG_CHAIN}", "", unasked=True),
            Case(f"{base}/selbst", "failed|skipped|done", endless),
            Case(f"{base}/hin", "failed|skipped|done", endless),
            Case(f"{base}/wachsend", "done|failed|skipped", endless + "|trap"),
            Case(f"{base}/wachsend{'/weiter' * LONG_CHAIN}", "", unasked=True),
            Case(f"{base}/paar", "done", "redirect"),
            Case(f"{base}/ohne-ziel", "failed|skipped|done"),
            Case(f"{base}/kaputtes-ziel", "failed|skipped|done"),
        ],
        others=growing,
    )


def _partner() -> BadHost:
    return BadHost("loop2.example", {"/paar": always(redirect("http://loop.example/paar", 301))})


def _private(canary: Canary) -> BadHost:
    """The page that redirects is done; its target is a request of its own, and refused."""
    base = "http://private.example"
    table = {path: always(redirect(target)) for path, (target, _) in PRIVATE.items()}

    def to_canary(_ask: Ask, _before: int) -> Answer:
        return redirect(f"http://127.0.0.1:{canary.port}/canary")

    cases = [Case(f"{base}{path}", "done|failed|skipped") for path, (_, seen) in PRIVATE.items() if not seen]
    for path, (_, seen) in PRIVATE.items():
        if seen:
            cases += [Case(f"{base}{path}", "done", "redirect"), Case(seen, "skipped", "address|scope", unasked=True)]
    cases.append(Case(f"{base}/kanarienvogel", "done", "redirect"))
    return BadHost("private.example", {**table, "/kanarienvogel": to_canary}, cases)
