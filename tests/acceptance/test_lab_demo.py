from datetime import timedelta

import ada_url
import pytest
from selectolax.lexbor import LexborHTMLParser

from kiebitz.lab.calendars import FIRST_DAY, Calendar
from kiebitz.lab.demo import TOWNS, TownSite, demo_seeds
from kiebitz.lab.demo.gazette import address, issues
from kiebitz.lab.demo.site import BROKEN_LINK
from kiebitz.lab.demo.towns import ArchiveStyle
from kiebitz.lab.exchange import Ask, Reply, Script
from kiebitz.lab.graph import Graph
from kiebitz.lab.world import Blueprint, World


def walk(calendar: Calendar, seed: int = 1) -> dict[str, Reply]:
    """All the demo's URLs that links lead to, answered (without the slow towns' waiting)."""
    sites = {town.host: TownSite(town, seed, calendar) for town in TOWNS}
    found: dict[str, Reply] = {}
    waiting = demo_seeds()
    while waiting:
        url = waiting.pop()
        if url in found:
            continue
        parts = ada_url.URL(url)
        reply = sites[parts.hostname]._reply(parts.pathname, parts.search.removeprefix("?"))
        found[url] = reply
        if reply.content_type.startswith("text/html") and reply.status == 200:
            charset = reply.content_type.partition("charset=")[2]
            tree = LexborHTMLParser(reply.body.decode(charset))
            waiting += [ada_url.URL(link.attributes["href"] or "", url).href for link in tree.css("a[href]")]
    return found


@pytest.fixture(scope="module")
def demo() -> dict[str, Reply]:
    return walk(Calendar())


def test_it_has_about_400_pages_and_150_documents(demo: dict[str, Reply]) -> None:
    documents = [url for url, reply in demo.items() if reply.content_type == "application/pdf"]
    pages = [url for url, reply in demo.items() if reply.content_type.startswith("text/html")]
    assert 130 <= len(documents) <= 190
    assert 350 <= len(pages) <= 450
    assert len(demo_seeds()) == len(TOWNS) == 12
    assert {town.archive for town in TOWNS} == set(ArchiveStyle)


def test_exactly_one_link_is_broken(demo: dict[str, Reply]) -> None:
    assert [url for url, reply in demo.items() if reply.status != 200] == [f"http://{TOWNS[1].host}{BROKEN_LINK}"]


def test_one_linked_page_is_forbidden(demo: dict[str, Reply]) -> None:
    assert [url for url in demo if "/intern/" in url] == [f"http://{TOWNS[0].host}/intern/dienstplan"]
    robots = TownSite(TOWNS[0], 1, Calendar())._reply("/robots.txt", "")
    assert b"Disallow: /intern/" in robots.body


def test_every_issue_is_linked_and_is_a_pdf(demo: dict[str, Reply]) -> None:
    for town in TOWNS:
        out = issues(town, FIRST_DAY)
        assert 10 <= len(out) <= 26
        assert len({address(town, issue) for issue in out}) == len(out)
        assert len({issue.label for issue in out}) == len(out)
        for issue in out:
            reply = demo[f"http://{town.host}{address(town, issue)}"]
            assert reply.body.startswith(b"%PDF-")
            assert issue.label.encode("cp1252") in reply.body


def test_the_year_pages_span_more_than_one_year() -> None:
    for town in TOWNS:
        if town.archive is ArchiveStyle.YEARS:
            assert len({issue.day.year for issue in issues(town, FIRST_DAY)}) > 1


def test_umlauts_arrive_in_every_charset(demo: dict[str, Reply]) -> None:
    town = next(town for town in TOWNS if town.charset == "iso-8859-1")
    home = demo[f"http://{town.host}/"]
    assert town.name.encode("iso-8859-1") in home.body
    assert "charset=iso-8859-1" in home.content_type


def test_the_same_seed_and_day_make_the_same_web(demo: dict[str, Reply]) -> None:
    again = walk(Calendar())
    assert {url: reply.etag for url, reply in again.items()} == {url: reply.etag for url, reply in demo.items()}
    other = walk(Calendar(), seed=2)
    assert {url: reply.etag for url, reply in other.items()} != {url: reply.etag for url, reply in demo.items()}


def test_after_a_week_some_towns_have_published_and_nothing_else_has_changed(demo: dict[str, Reply]) -> None:
    calendar = Calendar()
    calendar.advance(7)
    later = walk(calendar)
    new = {url for url in later if url not in demo}
    assert new
    assert all(later[url].content_type == "application/pdf" for url in new)
    towns = {url.split("/")[2] for url in new}
    assert 3 <= len(towns) < 12
    changed = {url for url in demo if later[url].etag != demo[url].etag}
    assert {url.split("/")[2] for url in changed} == towns
    for url in changed:
        assert later[url].modified != demo[url].modified


def test_over_a_year_every_town_publishes() -> None:
    for town in TOWNS:
        assert len(issues(town, FIRST_DAY + timedelta(days=365))) > len(issues(town, FIRST_DAY))


def test_one_town_is_slow() -> None:
    slow = next(town for town in TOWNS if town.slow_seconds)
    answer = TownSite(slow, 1, Calendar()).answer(Ask("GET", slow.host, "/", {}))
    assert isinstance(answer, Script)


def test_what_is_not_there_is_not_found() -> None:
    site = TownSite(TOWNS[1], 1, Calendar())
    for path, query in [
        ("/x", ""),
        ("/aktuelles/99", ""),
        ("/aktuelles/", "seite=9"),
        ("/amtsblatt/1999/", ""),
        ("/rathaus/x", ""),
    ]:
        assert site._reply(path, query).status == 404


def test_a_world_is_what_its_plan_says() -> None:
    assert World(Blueprint()).sites == {}
    world = World(Blueprint(hosts=3, pages=5, demo=True))
    assert len(world.sites) == 3 + 12
    assert world.seeds == ["http://h0001.example/", *demo_seeds()]
    assert isinstance(Blueprint(hosts=3).graph, Graph)
