"""Feeds and sitemaps of a municipality: RSS with enclosures, Atom, JSON Feed with links in the text; and news feeds."""

import json
from collections.abc import Sequence
from html import escape

from kiebitz.lab.calendars import FIRST_DAY, noon
from kiebitz.lab.exchange import Reply, http_date
from kiebitz.lab.municipalities.decoys import Decoy, decoys
from kiebitz.lab.municipalities.listing import Listed
from kiebitz.lab.municipalities.ordinary import NEWS, news
from kiebitz.lab.municipalities.places import Municipality

KINDS = (
    ("/rss/amtsblatt.xml", "application/rss+xml"),
    ("/atom/veroeffentlichungen.xml", "application/atom+xml"),
    ("/feed.json", "application/feed+json"),
)
NEWS_FEED = "/aktuelles/feed.rss"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def feed_of(town: Municipality) -> tuple[str, str]:
    """Address and type of the feed that names the documents."""
    return KINDS[town.style % 3]


def feed_link(path: str, media: str, title: str) -> str:
    return f'<link rel="alternate" type="{media}" title="{escape(title)}" href="{path}">'


def feed_reply(town: Municipality, items: Sequence[Listed]) -> Reply:
    path, media = feed_of(town)
    writers = {KINDS[0][0]: _rss, KINDS[1][0]: _atom, KINDS[2][0]: _json}
    return Reply(writers[path](town, items).encode(), content_type=f"{media}; charset=utf-8")


def news_feed(town: Municipality) -> Reply:
    """Press releases only."""
    entries = "".join(_news_entries(town, range(1, NEWS + 1)))
    return Reply(
        _channel(town, "Aktuelle Meldungen", entries).encode(), content_type="application/rss+xml; charset=utf-8"
    )


def sitemap(town: Municipality, path: str, items: Sequence[Listed], pages: Sequence[str]) -> Reply | None:
    """One town has a single sitemap, the other an index of two. ``pages``: paths of ordinary pages."""
    root = f"http://{town.host}"
    files = [item.address.url for item in items]
    if files:
        others = decoys(town)
        files += [root + d.path for group in (others.forms, others.minutes, others.service) for d in group]
    parts = {"/sitemap-seiten.xml": [root + page for page in pages], "/sitemap-dateien.xml": files}
    if town.style % 2 or not files:
        return _xml(_urlset(parts["/sitemap-seiten.xml"] + files)) if path == "/sitemap.xml" else None
    if path == "/sitemap.xml":
        inside = "".join(f"<sitemap><loc>{root}{name}</loc></sitemap>" for name in parts)
        return _xml(f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inside}</sitemapindex>')
    return _xml(_urlset(parts[path])) if path in parts else None


def _urlset(places: Sequence[str]) -> str:
    inside = "".join(f"<url><loc>{escape(place)}</loc></url>" for place in places)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inside}</urlset>'


def _xml(text: str) -> Reply:
    return Reply((_DECLARATION + text).encode(), content_type="application/xml")


def _rss(town: Municipality, items: Sequence[Listed]) -> str:
    entries = [
        f"<item><title>{escape(item.label)}</title><link>http://{town.host}/aktuelles/</link>"
        f'<guid isPermaLink="false">amtsblatt-{item.publication.serial}</guid>'
        f"<pubDate>{http_date(noon(item.publication.day))}</pubDate>"
        f'<enclosure url="{escape(item.address.url)}" length="4000" type="application/pdf"/></item>'
        for item in items
    ]
    entries[2:2] = [*_news_entries(town, range(1, 4)), _form_entry(town, decoys(town).forms[0])]
    return _channel(town, f"Amtsblatt und Meldungen der Stadt {town.name}", "".join(entries))


def _channel(town: Municipality, title: str, entries: str) -> str:
    head = f"<title>{escape(title)}</title><link>http://{town.host}/</link><description>Neues aus dem Rathaus</description>"
    return f'{_DECLARATION}<rss version="2.0"><channel>{head}{entries}</channel></rss>'


def _news_entries(town: Municipality, numbers: range) -> list[str]:
    found = []
    for number in numbers:
        title, text, _ = news(town, number)
        found.append(
            f"<item><title>{escape(title)}</title><link>http://{town.host}/aktuelles/meldung-{number}</link>"
            f"<description>{escape(text)}</description></item>"
        )
    return found


def _form_entry(town: Municipality, form: Decoy) -> str:
    return (
        f"<item><title>Neu im Formularcenter: {escape(form.text)}</title><link>http://{town.host}/buergerservice/formulare</link>"
        f'<enclosure url="http://{town.host}{form.path}" length="900" type="application/pdf"/></item>'
    )


def _atom(town: Municipality, items: Sequence[Listed]) -> str:
    entries = "".join(
        f"<entry><title>{escape(item.label)}</title><id>tag:{town.host},2026:{item.publication.serial}</id>"
        f"<updated>{noon(item.publication.day).isoformat()}</updated>"
        f'<link rel="enclosure" type="application/pdf" href="{escape(item.address.url)}"/>'
        f"<summary>Ausgabe vom {item.publication.day:%d.%m.%Y}</summary></entry>"
        for item in items
    )
    title, text, _ = news(town, 1)
    entries += (
        f"<entry><title>{escape(title)}</title><id>tag:{town.host},2026:meldung-1</id><updated>{noon(FIRST_DAY).isoformat()}</updated>"
        f'<link rel="alternate" href="http://{town.host}/aktuelles/meldung-1"/><summary>{escape(text)}</summary></entry>'
    )
    head = f"<title>Veröffentlichungen der Stadt {escape(town.name)}</title><id>http://{town.host}/</id>"
    return f'{_DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom">{head}{entries}</feed>'


def _json(town: Municipality, items: Sequence[Listed]) -> str:
    form = decoys(town).forms[0]
    entries = [
        {
            "id": f"{item.publication.serial}",
            "title": item.label,
            "date_published": noon(item.publication.day).isoformat(),
            "content_html": f'<p>Die Ausgabe finden Sie <a href="{escape(item.address.target)}">hier</a>.</p>',
        }
        for item in items
    ]
    link = f'<a href="{form.path}">{escape(form.text)}</a>'
    entries.append({"id": "formular", "title": "Neues Formular", "content_html": f"<p>Neu: {link}</p>"})
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": f"Amtsblatt der Stadt {town.name}",
        "items": entries,
    }
    return json.dumps(feed, ensure_ascii=False)
