"""The feed of a saved search as RSS 2.0 or Atom (RFC 4287), the newest first.

An item's id is that of its match, for ever. Titles and excerpts are crawled, so hostile: what XML 1.0 cannot hold is left
out, the rest is escaped, and only http and https become links.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape

from kiebitz.model.alert import FeedEntry, Match, SavedSearch

_NOT_XML: dict[int, str] = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), "")
_NOT_XML |= dict.fromkeys(map(ord, "\t\n\r\x85"), " ")


def rss(search: SavedSearch, entries: Sequence[FeedEntry], now: datetime) -> str:
    items = "".join(_item(entry.match) for entry in reversed(entries))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0">\n<channel>\n'
        f"<title>{_plain(search.name)}</title>\n<link>urn:uuid:{_plain(search.id)}</link>\n"
        f"<description>{_plain(_asked(search))}</description>\n"
        f"<lastBuildDate>{_rfc822(_updated(search, entries))}</lastBuildDate>\n"
        f"<pubDate>{_rfc822(now)}</pubDate>\n<generator>Kiebitz</generator>\n{items}</channel>\n</rss>\n"
    )


def atom(search: SavedSearch, entries: Sequence[FeedEntry], now: datetime) -> str:
    del now  # an Atom feed says when it has changed, not when it was written
    items = "".join(_entry(entry.match) for entry in reversed(entries))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<title>{_plain(search.name)}</title>\n<subtitle>{_plain(_asked(search))}</subtitle>\n"
        f"<id>urn:uuid:{_plain(search.id)}</id>\n<updated>{_rfc3339(_updated(search, entries))}</updated>\n"
        f"<author><name>Kiebitz</name></author>\n<generator>Kiebitz</generator>\n{items}</feed>\n"
    )


FORMATS: dict[str, Callable[[SavedSearch, Sequence[FeedEntry], datetime], str]] = {"rss": rss, "atom": atom}


def _item(match: Match) -> str:
    link = f"<link>{_plain(match.url)}</link>\n" if _is_link(match.url) else ""
    return (
        f"<item>\n<title>{_plain(_title(match))}</title>\n{link}"
        f"<description>{_plain(escape(_said(match)))}</description>\n"  # twice: readers take it for HTML
        f'<guid isPermaLink="false">urn:uuid:{match.id}</guid>\n'
        f"<pubDate>{_rfc822(match.found_at)}</pubDate>\n</item>\n"
    )


def _entry(match: Match) -> str:
    link = f'<link rel="alternate" href="{_plain(match.url)}"/>\n' if _is_link(match.url) else ""
    return (
        f'<entry>\n<title type="text">{_plain(_title(match))}</title>\n{link}<id>urn:uuid:{match.id}</id>\n'
        f"<updated>{_rfc3339(match.found_at)}</updated>\n"
        f'<summary type="text">{_plain(_said(match))}</summary>\n</entry>\n'
    )


def _plain(text: str) -> str:
    return escape(text.translate(_NOT_XML))


def _is_link(url: str) -> bool:
    return url.startswith(("http://", "https://"))


def _title(match: Match) -> str:
    return match.title.strip() or match.url or "(no title)"


def _said(match: Match) -> str:
    facts = (match.source, match.kind, match.published.isoformat() if match.published else "", match.excerpt)
    return " · ".join(filter(None, facts))


def _asked(search: SavedSearch) -> str:
    filters = (f"{facet}: {' or '.join(values)}" for facet, values in search.filters)
    return "; ".join([search.query or "everything", *filters])


def _updated(search: SavedSearch, entries: Sequence[FeedEntry]) -> datetime:
    return entries[-1].match.found_at if entries else search.created_at


def _rfc822(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def _rfc3339(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
