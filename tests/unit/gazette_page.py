"""A page of a made-up town, given to the collector: what the tests about layouts share."""

from datetime import date

from kiebitz.collect.page import collect_page
from kiebitz.model.candidate import Collection

TODAY = date(2026, 5, 10)
PAGE = "https://www.musterstadt.de/rathaus/amtsblatt/"
MENU = """
<header><a href="/"><img src="/logo.png" alt="Logo"></a></header>
<nav><ul><li><a href="/rathaus/">Rathaus</a></li><li><a href="/rathaus/amtsblatt/">Amtsblatt</a></li>
<li><a href="/formulare/">Formulare</a></li><li><a href="/termine/2026/">Termine 2026</a></li></ul></nav>
"""
FOOT = """
<footer><a href="/impressum">Impressum</a> <a href="/datenschutz.pdf">Datenschutz (PDF)</a>
<a href="https://www.facebook.com/musterstadt">Facebook</a></footer>
"""


def collect(main: str, url: str = PAGE, title: str = "Amtsblatt - Musterstadt", head: str = "") -> Collection:
    """The page with this content between menu and footer."""
    markup = f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{MENU}<main>{main}</main>{FOOT}</body></html>"
    return collect_page(url, markup.encode(), "text/html; charset=utf-8", TODAY)


def documents(collection: Collection) -> list[str]:
    """The last part of each address, in the page's order."""
    return [verdict.candidate.url.rpartition("/")[2] for verdict in collection.documents]


def leads(collection: Collection, kind: str) -> list[str]:
    return [follow.url.rpartition("musterstadt.de")[2] for follow in collection.follow if follow.kind == kind]
