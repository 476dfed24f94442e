"""The bad sources: what each host serves, and how a careful program ends with it."""

import gzip
from typing import NamedTuple

from tests.acceptance.bad_sources import (
    DOMAIN,
    Ask,
    Reply,
    Site,
    always,
    endless,
    gazette,
    issues,
    page,
    pages,
    pdf,
    redirect,
)

ENTRY = "/amtsblatt/"
ESCAPE = "\x1b]0;owned\x07\x1b[31m\u202eFDP.exe\u202c\x9b2J"


class Case(NamedTuple):
    """``tried`` is the state that ``source try`` answers, ``says`` what the reason must contain in ``try`` and ``run``.

    ``requests`` and ``sent`` (bytes) are the most that a run may ask for, robots.txt included. ``budget`` 0: as it comes.
    """

    site: Site
    tried: str
    says: str = ""
    run_says: str = ""  # where a run says it in other words
    requests: int = 3
    sent: int = 2_000_000
    state: str = "broken"
    budget: int = 0


def xml(text: str, kind: str = "application/rss+xml") -> Reply:
    return Reply(text, kind)


def rss(items: str, head: str = "") -> str:
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>Amtsblatt</title>{head}{items}</channel></rss>'


def item(n: int) -> str:
    return f"<item><title>Amtsblatt Nr. {n}/2026</title><link>/dateien/amtsblatt_{n}_2026.pdf</link></item>"


def _laughs() -> str:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return f'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "lol">{entities}]><rss><channel><title>&l9;</title></channel></rss>'


def _paged(number: int) -> Reply:
    """Every page has an issue and a next one."""
    link = f"<li><a href='/dateien/amtsblatt_{number}_2026.pdf'>Amtsblatt Nr. {number}/2026 (PDF)</a></li>"
    return page(f"<ul>{link}</ul><div class=pagination><a href='?seite={number + 1}'>nächste Seite</a></div>")


def _empty_paged(number: int) -> Reply:
    return page(f"<p>Text {number}</p><div class=pagination><a href='?seite={number + 1}'>nächste Seite</a></div>")


def _years(ask: Ask) -> Reply:
    """Each year's page offers all years again, under new addresses."""
    token = abs(hash(ask.target)) % 100_000
    links = "".join(f"<li><a href='?jahr={year}&s={token}'>Jahrgang {year}</a></li>" for year in range(1945, 10_000))
    return page(f"<ul>{links}</ul>")


def _form(method: str, submit: str, extra: str = "") -> Reply:
    options = "".join(f"<option value={year}>{year}</option>" for year in range(2026, 2020, -1))
    return page(
        f"<form method={method} action='/aktion'>{extra}<select name=jahr>{options}</select>"
        f"<input type=submit name=tun value='{submit}'></form>"
    )


def _button(label: str, action: str = "/aktion") -> str:
    hidden, pressed = "<input type=hidden name=id value=4711>", f"<button type=submit name=tun value=1>{label}</button>"
    return f"<form method=post action='{action}'>{hidden}{pressed}</form>"


def _choices(number: int) -> Reply:
    options = "".join(f"<option value={n}>Ausgabe {n}/2026</option>" for n in range(number))
    return page(f"<form action='/suche'><select name=ausgabe>{options}</select><input type=submit></form>")


LOGIN = page(
    "<form method=post action=/anmelden><input name=user><input type=password name=pw><button>Anmelden</button></form>",
    title="Anmeldung",
)
SITEMAPS = "".join(f"<sitemap><loc>http://maps.{DOMAIN}/sitemap-{n}.xml</loc></sitemap>" for n in range(50_000))
INDEX = (
    f'<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{SITEMAPS}</sitemapindex>'
)
SELF = (
    '<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    f"<sitemap><loc>http://selfmap.{DOMAIN}{ENTRY}</loc></sitemap></sitemapindex>"
)
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 100

BOMB = gzip.compress(rss(" " * 50_000_000).encode())
HOSTILE = "".join(
    f"<li><a href='/d/amtsblatt_{n}_2026.pdf'>Amtsblatt Nr. {n}/2026 {ESCAPE}</a></li>" for n in (1, 2, 3)
)


def listing(reply: Reply) -> Site:
    """This page, and a PDF for every address that ends like one."""
    return lambda ask: pdf(ask.path) if ask.path.endswith(".pdf") else reply


CASES: dict[str, Case] = {
    "pdf": Case(always(pdf()), "not-a-page", "not a web page but a file", "could not be read as a web page"),
    "image": Case(always(Reply(PNG, "image/png")), "not-a-page", "not a web page but", "type"),
    "zip": Case(always(Reply(b"PK\x03\x04" + b"\0" * 50, "application/zip")), "not-a-page", "not a web page", "type"),
    "json": Case(always(Reply('{"a": 1}', "application/json")), "not-a-page", "but application/json", "type"),
    "text": Case(
        always(Reply("Amtsblatt", "text/plain")), "not-a-page", "no markup", "could not be read as a web page"
    ),
    "empty": Case(always(Reply("")), "not-a-page", "the answer is empty"),
    "nocontent": Case(always(Reply("", status=204)), "not-a-page", "the answer is empty"),
    "notfound": Case(always(Reply("weg", status=404)), "unreachable", "404"),
    "gone": Case(always(Reply("weg", status=410)), "unreachable", "410"),
    "error": Case(always(Reply("oh", status=500)), "unreachable", "500", requests=8),
    "loop": Case(
        lambda ask: redirect("/b/" if ask.path == ENTRY else ENTRY),
        "unreachable",
        "redirect",
        "redirect loop",
        requests=15,
    ),
    "selfloop": Case(always(redirect(ENTRY)), "unreachable", "redirect", requests=15),
    "private": Case(pages({ENTRY: redirect("http://127.0.0.1:9/x")}), "unreachable", "may not connect", "address"),
    "metadata": Case(pages({ENTRY: redirect("http://169.254.169.254/x")}), "unreachable", "may not connect", "address"),
    "tenthousand": Case(
        listing(page(issues(10_000))), "documents", requests=110, sent=12_000_000, state="healthy", budget=100
    ),
    "tenthousandothers": Case(
        always(page("".join(f"<p><a href='/seite/{n}'>Seite über Thema {n}</a></p>" for n in range(10_000)), "Stadt")),
        "empty",
        "no link on the page looks like a gazette",
    ),
    "options": Case(pages({ENTRY: _choices(10_000)}, page("<p>nichts</p>")), "leads-on", "lead on", requests=65),
    "large": Case(always(page("<p>Amtsblatt</p>" * 1_300_000)), "not-a-page", "larger than", "size", sent=25_000_000),
    "deep": Case(always(page("<div>" * 200_000)), "not-a-page", "nested"),
    "laughs": Case(always(xml(_laughs())), "not-a-page", "could expand without end"),
    "gzipbomb": Case(
        always(Reply(BOMB, "application/rss+xml", fields=(("Content-Encoding", "gzip"),))),
        "unreachable",
        "unfolds to more than",
        "ratio",
    ),
    "gzipfeed": Case(always(Reply(BOMB, "application/rss+xml")), "not-a-page", "not well-formed", "type"),
    "manyitems": Case(
        listing(xml(rss("".join(map(item, range(1, 100_001)))))),
        "documents",
        requests=60,
        sent=12_000_000,
        state="healthy",
        budget=50,
    ),
    "selffeed": Case(
        always(xml(rss("", f"<atom:link xmlns:atom='http://www.w3.org/2005/Atom' rel='next' href='{ENTRY}?page=2'/>"))),
        "empty",
        "no link",
    ),
    "maps": Case(always(xml(INDEX, "application/xml")), "leads-on", "lead on", requests=15, sent=50_000_000, budget=10),
    "selfmap": Case(always(xml(SELF, "application/xml")), "empty", "no link"),
    "login": Case(always(LOGIN), "login", "asks for a password"),
    "endless": Case(endless(_paged), "documents", requests=410, state="healthy"),
    "endlessempty": Case(endless(_empty_paged), "leads-on", "lead on", requests=40),
    "years": Case(_years, "leads-on", "lead on", requests=15, sent=8_000_000, budget=10),
    "escapes": Case(
        listing(page(f"<ul>{HOSTILE}</ul>", f"Amtsblatt {ESCAPE}")), "documents", state="healthy", requests=8
    ),
    "good": Case(gazette(), "documents", requests=6, state="healthy"),
}
# What must never be sent: each of these changes something.
BUTTONS = (
    _button("Abmelden", "/logout")
    + _button("Amtsblatt Nr. 2/2026 löschen", "/dateien/amtsblatt_2_2026.pdf")
    + _button("Newsletter abbestellen")
)
DELETING_LINKS = (
    "<ul><li><a href='/admin/delete?id=3&file=amtsblatt_3_2026.pdf'>Amtsblatt Nr. 3/2026 löschen</a></li>"
    "<li><a href='/logout?next=/amtsblatt_4_2026.pdf'>Abmelden</a></li></ul>"
)
HARMFUL: dict[str, Site] = {
    "postdelete": pages({ENTRY: _form("post", "Alle löschen")}, page("<p>nichts</p>")),
    "postsubscribe": pages({ENTRY: _form("post", "Newsletter bestellen")}, page("<p>nichts</p>")),
    "buttons": listing(page(issues(1) + BUTTONS)),
    "deletinglinks": listing(page(issues(1) + DELETING_LINKS)),
}
NO_DOCUMENTS: dict[str, Site] = {
    "elsewhere": pages({ENTRY: page(issues(3), head=f"<base href='http://nobody.{DOMAIN}/x/'>")})
}


def host_of_case(name: str) -> str:
    return f"{name}.{DOMAIN}"


def url_of(name: str) -> str:
    return f"http://{host_of_case(name)}{ENTRY}"


def sites() -> dict[str, Site]:
    cases: dict[str, Site] = {name: case.site for name, case in CASES.items()}
    return {host_of_case(name): site for name, site in {**cases, **HARMFUL, **NO_DOCUMENTS}.items()}
