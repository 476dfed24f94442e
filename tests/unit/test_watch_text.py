"""The lines of a page that matter."""

import pytest

from kiebitz.standards.html import parse
from kiebitz.watch.text import LINES, lines_of, steady


def lines(body: str) -> tuple[str, ...]:
    return lines_of(parse(f"<!doctype html><title>x</title><body>{body}".encode(), "text/html; charset=utf-8"))


def test_the_content_is_read_by_blocks_and_the_furniture_is_not() -> None:
    page = """
    <header><p>Gemeinde Lindenau</p></header><nav><ul><li><a href=/a>Start</a></ul></nav>
    <div class="cookie-consent"><p>Wir verwenden</p></div>
    <main><h1>Amtsblatt</h1><p>Das Blatt erscheint <b>jeden</b> Freitag.<br>Es ist kostenlos.</p>
    <ul><li>Auslage im Rathaus</li></ul><div class="anzeige-box werbung"><p>Kauft Schuhe</p></div></main>
    <aside><p>Veranstaltungen</p></aside><footer>Impressum</footer>"""
    assert lines(page) == ("Amtsblatt", "Das Blatt erscheint jeden Freitag.", "Es ist kostenlos.", "Auslage im Rathaus")


@pytest.mark.parametrize(
    "noise",
    [
        "Sonntag, 15. November 2026, 14:03 Uhr",
        "Heute ist der 15.11.2026",
        "Es ist 14:03:22 Uhr",
        "Sie sind der 48.213. Besucher",
        "Besucher heute: 213",
        "004821",
        "Seitenaufrufe: 99",
        "Namenstag: Leopold",
        "Wetter in Lindenau: 7 °C, bedeckt",
        "Zuletzt aktualisiert am 14.11.2026",
        "12 Gäste online",
        "423 Downloads",
        "Seite erzeugt in 0,023 Sekunden",
        "Diese Seite verwendet Cookies",
    ],
)
def test_what_changes_by_itself_is_no_line(noise: str) -> None:
    assert steady(noise) == ""


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("Der Rat tagt am 3. Dezember 2026 im Saal.", "Der Rat tagt am 3. Dezember 2026 im Saal."),
        ("Haushaltssatzung (PDF, 1,2 MB)", "Haushaltssatzung (PDF, )"),
        ("Bebauungsplan Nr. 12 liegt aus", "Bebauungsplan Nr. 12 liegt aus"),
        ("Vorgang a8f3c1d2e4b5f6a7b8c9", "Vorgang"),
    ],
)
def test_a_line_keeps_what_a_reader_would_miss(line: str, kept: str) -> None:
    assert steady(line) == kept


def test_a_page_without_end_gives_a_bounded_number_of_lines() -> None:
    assert len(lines("".join(f"<p>Zeile {number} ist neu" for number in range(10_000)))) == LINES


def test_hidden_and_unclosed_elements_do_no_harm() -> None:
    assert lines("<p hidden>weg<p>da<div><span>auch da<script>var x</script>") == ("da", "auch da")
    assert lines("") == ()
