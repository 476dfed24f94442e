"""Hosts without end: calendars, session ids, paths that grow, filters that multiply. Each has a few real pages, too."""

import re
from hashlib import blake2b
from urllib.parse import parse_qsl, urlencode

from kiebitz.lab.exchange import Answer, Ask, Reply
from kiebitz.lab.misbehaviour.case import Trap
from kiebitz.lab.misbehaviour.host import Answerer, BadHost, html, page

REAL_PAGES = 5
PATIENCE = 600  # requests to one trap, real pages and robots.txt included
FILTERS = {
    "farbe": ("rot", "gruen", "blau", "gelb", "weiss"),
    "groesse": ("s", "m", "l", "xl"),
    "marke": ("alpha", "beta", "gamma"),
    "ort": ("nord", "sued", "west"),
    "sortierung": ("preis", "name", "datum"),
}
_MONTH = re.compile(r"/kalender/(\d{4})/(\d{1,2})(?:/(\d{1,2}))?$")
_SESSION = re.compile(r";jsessionid=[0-9A-F]+|(?<=[?&])(?:PHPSESSID|sid)=[0-9a-f]+&?")


def hosts() -> list[BadHost]:
    return [
        _trap("calendar.example", "^trap", _calendar),
        _trap("session.example", "", _session),
        _trap("deep.example", "^trap", _deep),
        _trap("queries.example", "^trap", _queries),
    ]


def _trap(name: str, reason: str, others: Answerer) -> BadHost:
    wanted = tuple(f"http://{name}/verein/{number}" for number in range(1, REAL_PAGES + 1))
    start = f"http://{name}/"
    return BadHost(name, {"/": others}, traps=[Trap(start, PATIENCE, wanted, reason)], others=others)


def _real(ask: Ask) -> Reply | None:
    found = re.match(r"/verein/(\d+)$", ask.path)
    return page(f"Verein {found[1]}", "Eine wirkliche Seite.") if found and 1 <= int(found[1]) <= REAL_PAGES else None


def _real_links() -> list[str]:
    return [f"/verein/{number}" for number in range(1, REAL_PAGES + 1)]


def _calendar(ask: Ask, _before: int) -> Answer:
    """Every month has a next and a previous one, for ever, as path and as query; every day has a page."""
    found = _MONTH.match(ask.path)
    if found:
        year, month = int(found[1]), int(found[2])
    elif ask.path == "/termine":
        asked = dict(parse_qsl(ask.query))
        year, month = _number(asked.get("jahr")) or 2026, _number(asked.get("monat")) or 11
    elif ask.path == "/":
        return page(
            "Kalender", "Termine der Gemeinde", [*_real_links(), "/kalender/2026/11", "/termine?jahr=2026&monat=11"]
        )
    else:
        return _real(ask) or Reply(b"", 404)
    links = []
    for step in (-1, 1):
        y, m = divmod(year * 12 + month - 1 + step, 12)
        links += [f"/kalender/{y:04d}/{m + 1:02d}", f"/termine?jahr={y}&monat={m + 1}"]
    if found and not found[3]:
        links += [f"/kalender/{year:04d}/{month:02d}/{day:02d}" for day in range(1, 29)]
    return page(f"Termine {month}/{year}", f"Keine Termine. {ask.target}", links)


def _session(ask: Ask, before: int) -> Answer:
    """Every answer has a session of its own and writes it into all its links."""
    clean = _SESSION.sub("", ask.target).rstrip("?&")
    fresh = blake2b(f"{ask.target} {before}".encode(), digest_size=16).hexdigest()
    plain = clean.partition("?")[0]
    real = _real_links()
    if plain != "/" and plain not in real:
        return Reply(b"", 404)
    links = [f"{path};jsessionid={fresh.upper()}" for path in real]
    links += [f"{path}?PHPSESSID={fresh}" for path in real] + [f"{path}?sid={fresh}" for path in ["/", *real]]
    return Reply(html("Sitzung", f"Seite {plain}", [*real, *links]).encode())


def _deep(ask: Ask, _before: int) -> Answer:
    """Relative links that should have been absolute: each page is one level deeper than the last."""
    real = _real(ask)
    if real:
        return real
    return page("Tiefer", ask.path, [*_real_links(), "a/b/", "bilder/alt/", "index/", "../a/b/"])


def _queries(ask: Ask, _before: int) -> Answer:
    """Every filter can be set and taken away again: the combinations multiply, in any order."""
    real = _real(ask)
    if real:
        return real
    chosen = parse_qsl(ask.query)
    links = ["/suche?" + urlencode([*chosen, (name, value)]) for name, values in FILTERS.items() for value in values]
    links += ["/suche?" + urlencode(chosen[:at] + chosen[at + 1 :]) for at in range(len(chosen))]
    return page("Suche", ask.query, [*_real_links(), *links])


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
