from html.parser import HTMLParser
from itertools import pairwise

import pytest

from kiebitz.lab.exchange import Ask, Reply, Script
from kiebitz.lab.graph import Graph, SpotKind
from kiebitz.lab.graph.site import GraphSite
from kiebitz.lab.graph.truth import FETCHED
from kiebitz.standards.url import join


class Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.base = ""
        self.hrefs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href")
        if tag == "base":
            self.base = href or ""
        elif tag == "a" and href is not None:
            self.hrefs.append(href)


def links_on(url: str, body: bytes) -> set[str]:
    """What the crawler makes of the links of a page."""
    anchors = Anchors()
    anchors.feed(body.decode())
    base = (join(url, anchors.base) or url) if anchors.base else url
    found = set()
    for href in anchors.hrefs:
        target = join(base, href)
        if target:
            found.add(target)
    return found


def split(url: str) -> tuple[str, str]:
    host, slash, path = url.removeprefix("http://").partition("/")
    return host, slash + path


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph(seed=7, hosts=12, pages=100)


def test_the_same_seed_makes_the_same_web(graph: Graph) -> None:
    again = Graph(seed=7, hosts=12, pages=100)
    other = Graph(seed=8, hosts=12, pages=100)
    urls = sorted(graph.urls(*FETCHED))
    assert urls == sorted(again.urls(*FETCHED))
    assert graph.digests(urls) == again.digests(urls)
    assert graph.digests(urls) != other.digests(urls)


def test_every_kind_of_url_is_recognised(graph: Graph) -> None:
    for kind in (*FETCHED, SpotKind.ISLAND, SpotKind.REDIRECT, SpotKind.MISSING, SpotKind.FORBIDDEN):
        urls = graph.urls(kind)
        assert urls, kind
        assert {graph.kind(url) for url in urls} == {kind}
    assert graph.kind("http://h0001.example/nirgends") is SpotKind.UNKNOWN
    assert graph.kind("http://h0013.example/") is SpotKind.UNKNOWN
    assert graph.kind("http://h0001.example/seite-007.html") is SpotKind.UNKNOWN


def test_everything_but_islands_and_the_forbidden_is_reachable(graph: Graph) -> None:
    reachable = graph.reachable(graph.start)
    assert reachable == graph.urls(*FETCHED)
    assert not reachable & graph.urls(SpotKind.ISLAND)
    visited = graph.visited(graph.start)
    assert not visited & graph.forbidden()
    assert visited >= graph.urls(SpotKind.MISSING)
    assert len(graph.urls(SpotKind.PAGE, SpotKind.DOCUMENT, SpotKind.ISLAND)) == 12 * 100


def test_it_is_reachable_from_any_host_within_that_host(graph: Graph) -> None:
    home = "http://h0005.example/"
    within = graph.reachable(home, hosts={"h0005.example"})
    assert within == {url for url in graph.urls(*FETCHED) if url.startswith(home)}


def test_depth_counts_links_and_not_redirects(graph: Graph) -> None:
    assert graph.visited(graph.start, depth=0) == {graph.start}
    levels = [graph.visited(graph.start, depth=depth) for depth in range(9)]
    assert all(lower < upper for lower, upper in pairwise(levels[:3]))
    assert levels[-1] == graph.visited(graph.start)
    redirects = {url for url in levels[2] if graph.kind(url) is SpotKind.REDIRECT}
    allowed = {graph.redirect(url) for url in redirects} - graph.forbidden()
    assert redirects
    assert allowed <= levels[2]


def test_the_links_on_a_page_are_those_of_the_truth(graph: Graph) -> None:
    for url in sorted(graph.urls(SpotKind.PAGE, SpotKind.ISLAND))[::3]:
        found = links_on(url, graph.page(*split(url)))
        place = graph._place(url)
        assert place
        told = {f"http://{graph.layout.name(target.host)}{target.path}" for target in graph._leads_to(*place)}
        assert found | {url} == told | {url}


def test_pages_have_a_plausible_number_of_links(graph: Graph) -> None:
    for url in sorted(graph.urls(SpotKind.PAGE))[::5]:
        anchors = Anchors()
        anchors.feed(graph.page(*split(url)).decode())
        assert 8 <= len(anchors.hrefs) <= 100, url


def test_copies_have_the_bytes_of_their_original(graph: Graph) -> None:
    copies = graph.duplicates()
    assert copies
    for copy, original in copies.items():
        assert graph.page(*split(copy)) == graph.page(*split(original))


def test_some_documents_are_published_by_many_hosts(graph: Graph) -> None:
    digests = graph.digests(graph.urls(SpotKind.DOCUMENT))
    assert 1 < len(set(digests.values())) < len(digests)


def test_slow_hosts_change_nothing_but_time() -> None:
    quick = Graph(seed=7, hosts=40, pages=20)
    slow = Graph(seed=7, hosts=40, pages=20, dripping=0.1)
    assert not quick.dripping
    assert len(slow.dripping) == 4
    assert "h0001.example" not in slow.dripping
    urls = sorted(quick.urls(*FETCHED))[::9]
    assert quick.digests(urls) == slow.digests(urls)
    others = set(quick.hosts) - slow.dripping
    without = slow.reachable(slow.start, hosts=others)
    assert without == {url for url in quick.urls(*FETCHED) if split(url)[0] in others}


def test_the_site_answers_what_the_truth_says(graph: Graph) -> None:
    expected = {
        **{kind: {200} for kind in (*FETCHED, SpotKind.ISLAND, SpotKind.FORBIDDEN)},
        SpotKind.MISSING: {404, 410},
        SpotKind.REDIRECT: {301, 302, 303, 307, 308},
    }
    for kind, statuses in expected.items():
        for url in sorted(graph.urls(kind))[::7]:
            host, target = split(url)
            reply = GraphSite(graph, host).answer(Ask("GET", host, target, {}))
            assert isinstance(reply, Reply)
            assert reply.status in statuses, url
            if kind is SpotKind.REDIRECT:
                assert join(url, dict(reply.fields)["Location"]) == graph.redirect(url)


def test_robots_rules_differ_between_hosts(graph: Graph) -> None:
    texts = {}
    for host in graph.hosts:
        reply = GraphSite(graph, host).answer(Ask("GET", host, "/robots.txt", {}))
        assert isinstance(reply, Reply)
        texts[host] = (reply.status, reply.body)
    assert texts["h0008.example"][0] == 404
    assert b"Crawl-delay: 0.1" in texts["h0007.example"][1]
    assert graph.crawl_delay("h0007.example") == 0.1
    assert graph.crawl_delay("h0001.example") == 0
    assert not any(url.startswith("http://h0008.") for url in graph.forbidden())


def test_a_dripping_host_plays_a_script(graph: Graph) -> None:
    site = GraphSite(graph, "h0002.example", drip_seconds=1)
    assert isinstance(site.answer(Ask("GET", "h0002.example", "/", {})), Script)
    assert isinstance(site.answer(Ask("GET", "h0002.example", "/robots.txt", {})), Reply)


@pytest.mark.parametrize(("hosts", "pages"), [(1, 1), (1, 5), (3, 2), (300, 3)])
def test_small_and_odd_sizes_are_whole_too(hosts: int, pages: int) -> None:
    graph = Graph(seed=1, hosts=hosts, pages=pages)
    assert graph.reachable(graph.start) == graph.urls(*FETCHED)
