import pytest

from kiebitz.extract.html import read_html
from kiebitz.extract.page_dates import iso_date
from kiebitz.model.text import Text, TextState
from tests.shared_data import SHARED, needs_shared

URL = "https://stadt.example/amtsblatt/"
PAGE = """<!DOCTYPE html><html lang="de-DE"><head><title>Amtsblatt &ndash; Stadt</title>
<meta name="description" content="Alle  Ausgaben"><meta name="keywords" content="Amtsblatt, Bekanntmachung,Amtsblatt">
<link rel="canonical" href="/amtsblatt?utm_source=x"><meta property="article:published_time" content="2026-03-12T08:00:00+0100">
<script>var text = "im Skript";</script></head><body class="has-menu">
<header><nav><a href="/">Start</a><a href="/kontakt">Kontakt</a></nav></header>
<div id="cookie-banner">Wir verwenden Cookies</div>
<main><h1>Amtsblatt der Stadt</h1><p>Hier finden Sie <b>alle</b> Ausgaben<br>des Jahres.</p>
<ul class="nav-tabs-content"><li><a href="1.pdf">Nr. 1</a></li><li><a href="2.pdf">Nr. 2</a></li></ul>
<table><tr><td>Nr. 3</td><td>12.03.2026</td></tr><tr><td>Nr. 4</td><td>19.03.2026</td></tr></table>
<h2>Archiv</h2>weitere<div>Jahre</div>danach</main>
<footer>Impressum</footer></body></html>"""


def read(page: str) -> Text:
    return read_html(page.encode(), "text/html; charset=utf-8", URL)


def test_the_main_text_is_read_line_by_line_without_the_furniture() -> None:
    text = read(PAGE)
    assert text.state is TextState.READ
    assert [line.text for line in text.lines] == [
        "Amtsblatt der Stadt", "Hier finden Sie alle Ausgaben", "des Jahres.", "Nr. 1", "Nr. 2",
        "Nr. 3 12.03.2026", "Nr. 4 19.03.2026", "Archiv", "weitere", "Jahre", "danach",
    ]  # fmt: skip


def test_what_the_page_says_of_itself_is_kept() -> None:
    text = read(PAGE)
    assert (text.title, text.description) == ("Amtsblatt – Stadt", "Alle Ausgaben")
    assert text.keywords == ("Amtsblatt", "Bekanntmachung")
    assert text.headings == ("Amtsblatt der Stadt", "Archiv")
    assert text.canonical_url == "https://stadt.example/amtsblatt"
    assert (text.language, text.published) == ("de", "2026-03-12T08:00:00+01:00")


def test_a_page_that_is_only_a_list_of_links_keeps_it() -> None:
    links = "".join(f"<li><a href='{n}.pdf'>Amtsblatt Nr. {n}/2026</a></li>" for n in range(1, 41))
    text = read(f"<html><body><div class='wrapper'><ul>{links}</ul></div></body></html>")
    assert len(text.lines) == 40


def test_a_page_of_nothing_but_a_menu_is_read_as_it_is() -> None:
    text = read(
        "<html><body><nav><a href=a>Bekanntmachungen des Landkreises</a><a href=b>Ausschreibungen</a></nav></body></html>"
    )
    assert "Bekanntmachungen" in text.plain


def test_a_wrapper_named_like_a_menu_is_not_taken_for_one() -> None:
    paragraph = "<p>Der Rat der Stadt hat in seiner Sitzung den Bebauungsplan beschlossen und öffentlich ausgelegt.</p>"
    assert "Bebauungsplan" in read(f"<html><body><div class='page menu open'>{paragraph * 3}</div></body></html>").plain


@pytest.mark.parametrize(
    ("head", "body", "published", "modified"),
    [
        ('<script type="application/ld+json">{"@graph":[{"datePublished":"2026-02-03","dateModified":"2026-02-05T10:00:00Z"}]}</script>', "", "2026-02-03", "2026-02-05T10:00:00Z"),
        ("", '<time datetime="2026-01-09">9. Januar</time>', "2026-01-09", ""),
        ("", "<p>Stand: 4. Mai 2026</p>", "2026-05-04", ""),
        ("", "<p>veröffentlicht am 4.5.2026, zuletzt geändert am 06.05.2026</p>", "2026-05-04", "2026-05-06"),
        ('<meta name="date" content="12.03.2026">', "", "2026-03-12", ""),
        ('<meta name="date" content="bald">', "<p>ohne Datum</p>", "", ""),
        ("", "".join(f"<li>Amtsblatt Nr. {n} vom {n}.3.2026</li>" for n in range(1, 20)), "", ""),
        ('<script type="application/ld+json">' + "[" * 5000 + "</script>", "", "", ""),
    ],
)  # fmt: skip
def test_dates_come_from_metadata_json_time_or_text(head: str, body: str, published: str, modified: str) -> None:
    text = read(
        f"<html><head>{head}</head><body><main>{body}<p>Text der Seite, lang genug um zu zählen.</p></main></body></html>"
    )
    assert (text.published, text.modified) == (published, modified)


def test_what_is_no_day_of_the_calendar_is_no_date() -> None:
    assert iso_date("2026-02-31") == ""
    assert iso_date("2026-02-28T25:00") == "2026-02-28T25:00" or iso_date("2026-02-28T25:00").startswith("2026-02-28")


def test_the_language_is_detected_where_the_page_does_not_say_it() -> None:
    german = "<p>Der Rat der Stadt hat den Plan und die Satzung in der Sitzung beschlossen.</p>"
    assert read(f"<html><body>{german}</body></html>").language == "de"


def test_a_canonical_url_that_is_none_is_left_out() -> None:
    assert (
        read('<html><head><link rel="canonical" href="javascript:alert(1)"></head><body>x</body></html>').canonical_url
        == ""
    )


def test_another_encoding_is_read() -> None:
    page = "<html><head><meta charset='iso-8859-1'></head><body><p>Straße und Größe</p></body></html>".encode("latin-1")
    assert read_html(page, "text/html", URL).plain == "Straße und Größe"


def test_an_empty_page_is_empty() -> None:
    assert read("<html><body></body></html>").state is TextState.EMPTY


@needs_shared
def test_lists_of_real_gazette_pages_are_not_lost() -> None:
    pages = SHARED / "gazettes" / "pages"
    index = read_html((pages / "berlin_amtsblatt_index_2021.html").read_bytes(), "text/html", URL)
    assert all(f"Nr. {number} S." in index.plain for number in range(23, 29))
    listed = read_html((pages / "rec_strausberg_wordpress_mixed.html").read_bytes(), "text/html", URL)
    assert len(listed.lines) > 50
