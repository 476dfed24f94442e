from datetime import date

import pytest

from kiebitz.crawl import links as module
from kiebitz.crawl.links import LinkReader
from kiebitz.crawl.scope import ScopeRules
from kiebitz.crawl.traps import TrapRules
from kiebitz.model.request import Link
from kiebitz.model.run import Plan, Scope
from kiebitz.standards.html import parse

ORIGIN = "https://stadt.example"
PAGE = f"{ORIGIN}/rat/start.html?seite=2"
HTML = "text/html; charset=utf-8"


class Reader:
    """Reads pages of a run as a visit does."""

    def __init__(self, scope: Scope = Scope.ANY, seed: str = PAGE) -> None:
        self.reader = LinkReader(ScopeRules(Plan((seed,), scope, depth=9)), TrapRules(date(2026, 11, 15)))

    def found(self, html: str | bytes, url: str = PAGE, content_type: str = HTML, forbidden: str = "\0") -> list[Link]:
        content = html.encode() if isinstance(html, str) else html
        tree = parse(content, content_type)
        return self.reader.read(url, 1, tree, lambda target: "robots" if forbidden in target else "")

    def urls(self, html: str | bytes, url: str = PAGE, content_type: str = HTML) -> list[str]:
        return [link[1] for link in self.found(html, url, content_type)]


def urls(html: str | bytes, url: str = PAGE, content_type: str = HTML) -> list[str]:
    return Reader().urls(html, url, content_type)


# ---------------------------------------------------------------------- where a link leads


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("sitzung.html", f"{ORIGIN}/rat/sitzung.html"),
        ("./sitzung.html", f"{ORIGIN}/rat/sitzung.html"),
        ("../amt/", f"{ORIGIN}/amt/"),
        ("../../../amt", f"{ORIGIN}/amt"),
        ("/amt/../rat", f"{ORIGIN}/rat"),
        ("//www.stadt.example/x", "https://www.stadt.example/x"),
        ("?seite=3", f"{ORIGIN}/rat/start.html?seite=3"),
        ("?um=12:30", f"{ORIGIN}/rat/start.html?um=12:30"),
        ("plan?um=12:30", f"{ORIGIN}/rat/plan?um=12:30"),
        ("plan.html#mitte", f"{ORIGIN}/rat/plan.html"),
        (" \n/mit/rand ", f"{ORIGIN}/mit/rand"),
        ("http://Stadt.EXAMPLE:80/x?utm_source=y", "http://stadt.example/x"),
        ("HTTPS://stadt.example/x", f"{ORIGIN}/x"),
        ("https:x.html", f"{ORIGIN}/rat/x.html"),
        ("straße?ä=1&amp;b=2", f"{ORIGIN}/rat/stra%C3%9Fe?%C3%A4=1&b=2"),
        (r"\amt\x", f"{ORIGIN}/amt/x"),
    ],
)
def test_a_link_leads_where_a_browser_would_go(href: str, target: str) -> None:
    assert urls(f'<a href="{href}">x</a>') == [target]


@pytest.mark.parametrize(
    "href",
    [
        "",
        "#oben",
        "mailto:rat@stadt.example",
        "MAILTO:rat@stadt.example",
        "javascript:void(0)",
        "tel:+49",
        "data:text/html,x",
        "ftp://stadt.example/x",
        "http://",
        "https://[::1",
        "about:blank",
    ],
)
def test_what_leads_nowhere_is_no_link(href: str) -> None:
    assert urls(f'<a href="{href}">x</a><a>y</a><a name="z">z</a>') == []


def test_base_says_where_relative_links_start() -> None:
    html = '<head><base href="/amt/" target="_top"><base href="/second/"></head><a href="x">x</a><a href="?q">q</a>'
    assert urls(html) == [f"{ORIGIN}/amt/x", f"{ORIGIN}/amt/?q"]


def test_base_may_lead_to_another_host() -> None:
    html = '<head><base href="//www.stadt.example/a/b?c"></head><a href="x">x</a><a href="/y">y</a><a href="//z.example">z</a>'
    assert urls(html) == ["https://www.stadt.example/a/x", "https://www.stadt.example/y", "https://z.example/"]


def test_an_unusable_base_is_ignored() -> None:
    assert urls('<head><base target="_top"><base href="javascript:x"></head><a href="x">x</a>') == [f"{ORIGIN}/rat/x"]


def test_a_byte_order_mark_hides_no_base() -> None:
    html = '\ufeff<!doctype html><html><head><base href="/amt/"></head><body><a href="ä">x</a>'
    assert urls(html) == [f"{ORIGIN}/amt/%C3%A4"]
    assert urls(html[1:].encode("utf-16"), content_type="text/html") == [f"{ORIGIN}/amt/%C3%A4"]


def test_frames_and_maps_are_links_too() -> None:
    html = '<a href="a">a</a><map><area href="b" shape="rect"></map><iframe src="c"></iframe>'
    assert urls(html) == [f"{ORIGIN}/rat/{name}" for name in "abc"]


def test_a_frameset_leads_to_its_frames() -> None:
    html = '<html><head></head><frameset cols="1,2"><frame src="menue.htm"><frame src="/inhalt.htm"></frameset></html>'
    assert urls(html) == [f"{ORIGIN}/rat/menue.htm", f"{ORIGIN}/inhalt.htm"]


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=neu.html", "neu.html"),
        ("0;URL='neu.html'", "neu.html"),
        ('5 ; Url = "neu.html" ', "neu.html"),
        ("1.5,neu.html", "neu.html"),
        ("0 neu.html", "neu.html"),
        ("0;url=neu.html?a=1;b=2", "neu.html?a=1;b=2"),
        ("300", ""),
        (" 300 ", ""),
        ("300;", ""),
        ("300; url=", ""),
        ("300; url=''", ""),
        ("5neu.html", ""),
        ("", ""),
        ("neu.html", ""),
    ],
)
def test_a_page_that_refreshes_leads_where_it_says_and_one_that_reloads_itself_nowhere(
    content: str, target: str
) -> None:
    html = f"<head><meta http-equiv='Refresh' content='{content.replace(chr(39), '&#39;')}'></head>"
    assert urls(html) == ([f"{ORIGIN}/rat/{target}"] if target else [])


def test_a_page_that_is_not_utf_8_is_read_in_its_own_encoding() -> None:
    html = '<a href="/stra\xdfe?\xe4">Stra\xdfe \x96 \x84\xc4mter\x93</a>'.encode("latin-1")
    for content_type in ("text/html; charset=windows-1252", "text/html; charset=iso-8859-1", "text/html"):
        ((_, url, text, _, _),) = Reader().found(html, content_type=content_type)
        assert url == f"{ORIGIN}/stra%C3%9Fe?%C3%A4"
        assert text == "Straße – „Ämter“"


@pytest.mark.parametrize("html", [b"", b"\0\0", b"<", b"<a href", "<a href=x".encode("utf-16"), b"\xff\xfe\xff" * 9])
def test_any_bytes_can_be_read(html: bytes) -> None:
    assert urls(html) == []


# ---------------------------------------------------------------------- what is known of a link


def test_the_text_of_a_link_is_what_a_person_reads_on_one_line() -> None:
    html = """<a href="1">Amtsblatt
        <b>Nr.&nbsp;5</b> <i>(PDF)</i></a><a href="2" title="Titel"><img src="x.png"></a><a href="3"></a>"""
    assert [link[2] for link in Reader().found(html)] == ["Amtsblatt Nr. 5 (PDF)", "Titel", ""]


def test_long_texts_are_cut() -> None:
    html = f'<a href="1">{"Wort " * 500}</a><a href="2" title="{"t" * 900}"></a>'
    assert [len(link[2]) for link in Reader().found(html)] == [module.TEXT, module.TEXT]


def test_a_link_knows_its_host_and_that_it_is_fetched_with_get() -> None:
    ((host, url, _, body, reason),) = Reader().found('<a href="https://[2001:db8::1]:8443/x">x</a>')
    assert (host, url, body, reason) == ("[2001:db8::1]", "https://[2001:db8::1]:8443/x", None, "")


def test_links_out_of_scope_are_not_recorded() -> None:
    html = '<a href="a">a</a><a href="https://anders.example/">b</a><a href="http://stadt.example/c">c</a>'
    assert Reader(Scope.HOST).urls(html) == [f"{ORIGIN}/rat/a", "http://stadt.example/c"]


def test_traps_and_what_robots_forbid_are_recorded_with_their_reason() -> None:
    html = f'<a href="/{"x/y/" * 30}">a</a><a href="/intern/b">b</a><a href="https://dorf.example/intern/">c</a>'
    found = Reader().found(html, forbidden="/intern/")
    assert [(text, reason) for _, _, text, _, reason in found] == [
        ("a", "trap: deep path"),
        ("b", "robots"),
        ("c", ""),  # another origin has robots of its own
    ]


# ---------------------------------------------------------------------- what was handled before


def test_a_link_is_found_once_however_it_is_written() -> None:
    html = f'<a href="x">1</a><a href="/rat/x">2</a><a href="{ORIGIN}/rat/x#y">3</a><a href="../rat/x">4</a>'
    reader = Reader()
    assert [link[2] for link in reader.found(html)] == ["1"]
    assert reader.found(html) == []
    assert reader.found('<a href="//stadt.example/rat/x">5</a>', f"{ORIGIN}/other") == []


def test_the_same_relative_link_leads_elsewhere_from_another_folder() -> None:
    reader = Reader()
    html = '<a href="x">x</a><a href="?tag=1">t</a><a href="plan?um=12:30">p</a><a href="https:y">y</a>'
    assert reader.urls(html, f"{ORIGIN}/a/1") == [
        f"{ORIGIN}/a/{name}" for name in ("x", "1?tag=1", "plan?um=12:30", "y")
    ]
    assert reader.urls(html, f"{ORIGIN}/a/2") == [f"{ORIGIN}/a/2?tag=1"]
    assert reader.urls(html, f"{ORIGIN}/b/1") == [
        f"{ORIGIN}/b/{name}" for name in ("x", "1?tag=1", "plan?um=12:30", "y")
    ]


def test_the_same_link_leads_elsewhere_from_another_origin() -> None:
    reader = Reader()
    html = '<a href="/x">x</a><a href="//gleich.example/y">y</a>'
    assert reader.urls(html) == [f"{ORIGIN}/x", "https://gleich.example/y"]
    assert reader.urls(html, "https://dorf.example/") == ["https://dorf.example/x"]
    assert reader.urls(html, "http://dorf.example/") == ["http://dorf.example/x", "http://gleich.example/y"]


def test_a_base_to_another_host_does_not_mix_up_what_was_handled() -> None:
    reader = Reader()
    assert reader.urls('<head><base href="https://dorf.example/"></head><a href="/x">x</a>') == [
        "https://dorf.example/x"
    ]
    assert reader.urls('<a href="/x">x</a>') == [f"{ORIGIN}/x"]


def test_what_was_forgotten_is_found_again() -> None:
    reader = Reader()
    html = '<a href="/x">x</a><a href="y">y</a><a href="https://anders.example/">z</a>'
    first = reader.found(html)
    assert len(first) == 3
    reader.reader.forget()
    assert reader.found(html) == first


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ABSOLUTE", 50)
    monkeypatch.setattr(module, "HREFS_PER_ORIGIN", 20)
    monkeypatch.setattr(module, "ORIGINS", 3)
    reader = Reader()
    for number in range(40):
        html = "".join(f'<a href="{number}/{each}">x</a><a href="/{number}/{each}">y</a>' for each in range(10))
        assert len(reader.urls(html, f"https://h{number % 5}.example/f/")) == 20
        assert len(reader.reader._absolute) <= 50
        assert len(reader.reader._local) <= 3
        assert all(len(hrefs) <= 20 for hrefs in reader.reader._local.values())
