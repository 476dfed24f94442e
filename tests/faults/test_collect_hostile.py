"""Pages that are too much, or none at all: bounded work and a clear reason."""

import time

import pytest

from kiebitz.collect.page import collect_page
from kiebitz.model.candidate import Collection
from tests.unit.gazette_page import PAGE, TODAY

PATIENCE = 20.0  # seconds on a slow, shared machine; two are usual


def collect(markup: str | bytes, media: str = "text/html") -> Collection:
    content = markup.encode() if isinstance(markup, str) else markup
    started = time.perf_counter()
    found = collect_page(PAGE, content, media, TODAY)
    assert time.perf_counter() - started < PATIENCE
    return found


def test_ten_thousand_links() -> None:
    links = "".join(f"<li><a href='/f/{n}.pdf'>Amtsblatt Nr. {n % 99}/2025</a></li>" for n in range(10_000))
    assert len(collect(f"<main><ul>{links}</ul></main>").documents) == 10_000


def test_more_links_than_anybody_reads() -> None:
    found = collect("<main>" + "".join(f"<a href='/x/{n}'>x</a>" for n in range(25_000)))
    assert "more than 20,000 links" in found.notes[0]


def test_one_link_twenty_thousand_times() -> None:
    assert len(collect("<main><div>" + "<a href='/x'></a>" * 20_000).rejected) == 1


def test_a_form_with_ten_thousand_options() -> None:
    options = "".join(f"<option value='{n}'>Amtsblatt {1950 + n % 77}</option>" for n in range(10_000))
    found = collect(f"<form action='/s'><select name='y'>{options}</select></form>")
    assert len(found.follow) == 60
    assert found.follow[0].text == "Amtsblatt 2026"
    assert "10,000 choices" in found.notes[0]


def test_five_thousand_forms() -> None:
    form = "<form method='post' action='/d'><input type='hidden' name='i' value='{}'><button>Amtsblatt 1/2025</button></form>"
    assert "more than 2,000 forms" in collect("".join(form.format(n) for n in range(5_000))).notes[0]


@pytest.mark.parametrize("tag", ["div", "span", "section", "b"])
def test_nesting_without_end_is_refused_before_it_is_parsed(tag: str) -> None:
    found = collect(f"<{tag}>" * 100_000 + "<a href='/f/1.pdf'>Amtsblatt 1/2025</a>")
    assert (found.state, found.reason) == ("not-a-page", "the page is nested more than 5,000 elements deep")


def test_deep_but_bearable_nesting_is_read() -> None:
    assert collect("<div>" * 4_000 + "<a href='/f/1.pdf'>Amtsblatt 1/2025</a>").documents


@pytest.mark.parametrize("piece", ["1", "1.", "12/", "2025-", "Amtsblatt ", "März ", "(", "&lt;", "\u0308", "%"])
def test_endless_texts(piece: str) -> None:
    collect(
        f"<main><p>{piece * 50_000}<a href='/f/1.pdf?{'a=1&' * 5_000}' title='{piece * 1_000}'>{piece * 50_000}</a></main>"
    )


def test_scripts_full_of_quotes() -> None:
    collect("<p>x</p><script>" + '"' * 300_000 + ".pdf" + "'a" * 300_000 + "</script>")


@pytest.mark.parametrize(
    ("content", "media", "reason"),
    [
        (b"%PDF-1.7", "text/html", "a file"),
        (b"\x89PNG\r\n", "image/png", "a file"),
        (b"\0\0\0\0", "text/html", "a file"),
        (b'{"a": 1}', "application/json", "application/json"),
        (b"nur Text", "text/html", "no markup"),
        (b"", "", "the answer is empty"),
        (b" \r\n\t", "text/html", "the answer is empty"),
    ],
)
def test_what_is_no_web_page_says_so(content: bytes, media: str, reason: str) -> None:
    found = collect(content, media)
    assert found.state == "not-a-page"
    assert reason in found.reason
    assert not found.documents
    assert not found.follow


def test_a_login_page() -> None:
    form = "<form method='post'><input name='user'><input type='password' name='p'><button>Anmelden</button></form>"
    assert collect(f"<title>Anmeldung</title>{form}").state == "login"


def test_a_page_drawn_by_a_script() -> None:
    assert collect("<body><div id='root'></div><script src='/app.js'></script>").state == "needs-browser"


def test_a_page_about_something_else() -> None:
    found = collect_page(
        "https://www.musterstadt.de/", b"<h1>Willkommen</h1><a href='/wetter'>Wetter</a>", "text/html", TODAY
    )
    assert found.state == "empty"
    assert [follow.kind for follow in found.follow] == ["sitemap"]
