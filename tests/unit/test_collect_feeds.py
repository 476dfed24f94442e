"""Feeds: RSS, Atom and JSON Feed become candidates; nothing in them can expand."""

import json

import pytest

from kiebitz.collect.feeds import is_feed, read_feed
from kiebitz.collect.page import collect_page
from tests.unit.gazette_page import TODAY

URL = "https://www.musterstadt.de/feed/"
RSS = """<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Musterstadt</title>
<item><title>Amtsblatt Nr. 3/2026</title><link>https://www.musterstadt.de/news/77</link>
<enclosure url="https://www.musterstadt.de/f/3-26.pdf" type="application/pdf" length="1"/><pubDate>Wed, 06 May 2026 12:43:15 GMT</pubDate></item>
<item><title>Amtsblatt Nr. 2/2026</title><description>&lt;p&gt;Zum &lt;a href="/f/2-26.pdf"&gt;Download&lt;/a&gt;&lt;/p&gt;</description></item>
<item><title>Stadtfest am 12. Mai</title><link>https://www.musterstadt.de/news/78</link></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Amtsblatt</title><entry><title>Amtsblatt 4/2026</title>
<link href="/news/4"/><link rel="enclosure" type="application/pdf" href="/f/4.pdf"/><published>2026-05-01</published></entry></feed>"""


def found(content: str, media: str = "application/rss+xml") -> list[str]:
    collection = collect_page(URL, content.encode(), media, TODAY)
    return [verdict.candidate.url.removeprefix("https://www.musterstadt.de") for verdict in collection.documents]


def test_rss_with_enclosures_and_links_in_descriptions() -> None:
    assert found(RSS) == ["/news/77", "/f/3-26.pdf", "/f/2-26.pdf"]


def test_a_feed_is_known_by_its_content() -> None:
    assert is_feed(RSS.encode(), "text/xml")
    assert is_feed(ATOM.encode(), "")
    assert not is_feed(
        b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'></html>", "application/xhtml+xml"
    )


def test_the_date_of_an_entry_is_kept() -> None:
    candidates = read_feed(URL, RSS.encode(), "text/xml").candidates
    assert candidates[0].published == "Wed, 06 May 2026 12:43:15 GMT"


def test_atom() -> None:
    assert found(ATOM, "application/atom+xml") == ["/news/4", "/f/4.pdf"]


def test_atom_with_markup_inside() -> None:
    inside = (
        "<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><a href='/f/5.pdf'>PDF</a></div></content>"
    )
    assert "/f/5.pdf" in found(ATOM.replace("<published>", f"{inside}<published>"), "application/atom+xml")


def test_json_feed() -> None:
    item = {
        "title": "Amtsblatt 5/2026",
        "url": "https://www.musterstadt.de/news/5",
        "attachments": [{"url": "/f/5.pdf"}],
    }
    text = json.dumps(
        {"version": "https://jsonfeed.org/version/1.1", "title": "Amtsblatt", "items": [item, "x", {"title": 3}]}
    )
    assert found(text, "application/feed+json") == ["/news/5", "/f/5.pdf"]


def test_a_press_feed_yields_nothing() -> None:
    assert not found(RSS.replace("Amtsblatt Nr.", "Konzert").replace("3-26.pdf", "x.ics").replace("2-26.pdf", "y.ics"))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel>&b;</channel></rss>',
            "document type",
        ),
        ("<rss><channel><item>", "not well-formed"),
        ('{"version": "https://jsonfeed.org/version/1", "items": ' + "[" * 100_000, "not well-formed"),
        ('{"version": "https://jsonfeed.org/version/1"}', "no items"),
    ],
)
def test_what_cannot_be_read_has_a_reason(content: str, reason: str) -> None:
    collection = collect_page(URL, content.encode(), "application/rss+xml", TODAY)
    assert collection.state == "not-a-page"
    assert reason in collection.reason


def test_entries_are_bounded() -> None:
    items = "".join(f"<item><title>Amtsblatt {n}</title><link>/f/{n}.pdf</link></item>" for n in range(5_000))
    collection = collect_page(URL, f"<rss><channel>{items}</channel></rss>".encode(), "application/rss+xml", TODAY)
    assert len(collection.documents) + len(collection.rejected) == 2_000
    assert "more than 2,000 entries" in collection.notes[0]
