"""The feeds of saved searches: valid XML whatever was crawled, each match once, ids for ever."""

from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from uuid import UUID
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiebitz.deploy.alerting.feed import FORMATS, atom, rss
from kiebitz.model.alert import FeedEntry, Match, SavedSearch

AT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
SEARCH = SavedSearch(
    "6ba7b811-9dad-11d1-80b4-00c04fd430c8", "Bau & <Plan>", "a OR b", AT, filters=(("kind", ("gazette", "notice")),)
)
ATOM = "{http://www.w3.org/2005/Atom}"


def match(paper: str, **fields: object) -> Match:
    made = Match(SEARCH.id, paper, "v1", f"https://stadt.example/{paper}?a=1&b=2", f"Nr. {paper}", AT)
    return made._replace(**fields)  # type: ignore[arg-type]


def entries(*matches: Match) -> list[FeedEntry]:
    return [FeedEntry(number, found) for number, found in enumerate(matches, 1)]


def test_rss_has_each_match_once_the_newest_first() -> None:
    found = entries(match("1", published=date(2026, 2, 1), source="Köln"), match("2"))
    channel = ET.fromstring(rss(SEARCH, found, AT)).find("channel")
    assert channel is not None
    assert channel.findtext("title") == "Bau & <Plan>"
    assert channel.findtext("description") == "a OR b; kind: gazette or notice"
    items = channel.findall("item")
    assert [item.findtext("title") for item in items] == ["Nr. 2", "Nr. 1"]
    assert items[0].findtext("link") == "https://stadt.example/2?a=1&b=2"
    assert items[1].findtext("description") == "Köln · 2026-02-01"
    assert parsedate_to_datetime(items[0].findtext("pubDate") or "") == AT
    assert [item.findtext("guid") for item in items] == [f"urn:uuid:{entry.match.id}" for entry in reversed(found)]


def test_atom_has_what_the_standard_asks_for() -> None:
    root = ET.fromstring(atom(SEARCH, entries(match("1")), AT))
    for name in ("id", "title", "updated", "author", "entry"):
        assert root.find(ATOM + name) is not None
    (entry,) = root.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}updated") == "2026-03-01T12:30:00.000Z"
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == "https://stadt.example/1?a=1&b=2"
    UUID((entry.findtext(f"{ATOM}id") or "").removeprefix("urn:uuid:"))


def test_the_id_of_a_match_depends_on_search_paper_and_version_only() -> None:
    assert match("1").id == match("1", title="other", found_at=datetime.now(UTC)).id
    assert len({match("1").id, match("2").id, match("1", version="v2").id}) == 3


def test_an_html_reader_sees_text_and_no_script_link() -> None:
    hostile = match("1", title="<script>alert(1)</script>", excerpt="<img onerror=x>", url="javascript:alert(1)")
    item = ET.fromstring(rss(SEARCH, entries(hostile), AT)).find("channel/item")
    assert item is not None
    assert item.find("link") is None
    assert item.findtext("description") == "&lt;img onerror=x&gt;"
    assert "javascript:" not in atom(SEARCH, entries(hostile), AT)


@pytest.mark.parametrize("form", FORMATS)
@given(title=st.text(st.characters()), excerpt=st.text(st.characters()), url=st.text(st.characters()))
def test_any_text_makes_valid_xml(form: str, title: str, excerpt: str, url: str) -> None:
    search = SEARCH._replace(name=title or "x", query=excerpt)
    hostile = match("1", title=title, excerpt=f"]]>{excerpt}", url=f"https://x/{url}")
    text = FORMATS[form](search, entries(hostile, match("2")), AT)
    root = ET.fromstring(text.encode("utf-8"))
    assert len([each for each in root.iter() if each.tag in {"item", f"{ATOM}entry"}]) == 2


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_feed_is_a_feed(form: str) -> None:
    ET.fromstring(FORMATS[form](SEARCH, [], AT))
