"""Nothing is sent, taken or followed that may change something on a site."""

import pytest

from kiebitz.collect.harm import address_acts
from tests.unit.gazette_page import collect, documents

YEARS = "<select name='jahr'><option value='2026'>2026</option><option value='2025'>2025</option></select>"
SITE = "https://www.musterstadt.de"


def posts(markup: str) -> list[str]:
    """What would be sent or asked for, apart from the page's own menu."""
    found = collect(markup)
    asked = [f"{verdict.candidate.url} {verdict.candidate.body!r}" for verdict in found.documents]
    asked += [f"{follow.url} {follow.body!r}" for follow in found.follow]
    return [entry for entry in asked if "/aktion" in entry or "=" in entry]


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    "rest",
    [
        "<input type=submit name=tun value='Alle löschen'>",
        "<button>Newsletter bestellen</button>",
        "<input type=submit value='Abmelden'>",
        "<button title='Eintrag entfernen'><img src=x.png></button>",
        "<button aria-label='Jetzt abstimmen'></button>",
        "<input type=hidden name=action value=delete><button>OK</button>",
        "<input type=hidden name=newsletter value=1><button>OK</button>",
        "<textarea name=nachricht></textarea><button>Absenden</button>",
        "<input type=email name=mail><button>Absenden</button>",
        "<button>Anzeigen</button><button>Löschen</button>",
    ],
)
def test_a_form_of_years_that_may_change_something_is_not_sent(method: str, rest: str) -> None:
    assert posts(f"<form method={method} action='/aktion'>{YEARS}{rest}</form>") == []


@pytest.mark.parametrize("action", ["/warenkorb", "/kontakt/", "/suche/logout", "/x?do=unsubscribe", "/Delete.aspx"])
def test_a_form_whose_address_says_that_it_changes_something_is_not_sent(action: str) -> None:
    found = collect(f"<form method=post action='{action}'>{YEARS}<button>OK</button></form>")
    assert not [follow for follow in found.follow if follow.kind == "option"]
    assert any("may change something" in note for note in found.notes)


@pytest.mark.parametrize("label", ["Anzeigen", "Suchen", "Absenden", "Jahr auswählen", "Los", "Filtern"])
def test_a_form_of_years_that_only_shows_them_is_sent(label: str) -> None:
    found = collect(f"<form method=post action='/amtsblatt/'>{YEARS}<button>{label}</button></form>")
    assert [follow.body for follow in found.follow if follow.kind == "option"] == [b"jahr=2026", b"jahr=2025"]


@pytest.mark.parametrize(
    "button",
    [
        "<button name=tun value=1>Amtsblatt Nr. 2/2026 löschen</button>",
        "<button name=delete value=1>Amtsblatt Nr. 2/2026</button>",
        "<button formaction='/aktion/entfernen'>Amtsblatt Nr. 2/2026</button>",
        "<input type=submit formaction='/aktion/2' value='Amtsblatt Nr. 2/2026 bestellen'>",
        "<input type=submit value='Amtsblatt Nr. 2/2026 kaufen'>",
        "<button>Amtsblatt Nr. 2/2026 abonnieren</button>",
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_button_that_may_change_something_is_no_document(button: str, method: str) -> None:
    hidden = "<input type=hidden name=id value=4711>"
    assert posts(f"<form method={method} action='/aktion/amtsblatt_2_2026.pdf'>{hidden}{button}</form>") == []


def test_a_link_that_posts_a_deletion_back_is_no_document() -> None:
    state = "<input type=hidden name=__VIEWSTATE value='bG9lc2NoZW4='>"
    links = (
        "<p><a href=\"javascript:__doPostBack('grid$ctl01','')\">Amtsblatt Nr. 1/2026</a></p>"
        "<p><a href=\"javascript:__doPostBack('grid$ctl02','')\">Amtsblatt Nr. 2/2026 löschen</a></p>"
        "<p><a href=\"javascript:__doPostBack('grid','Delete$3')\">Amtsblatt Nr. 3/2026</a></p>"
    )
    other = "<input type=submit name=nl value='Newsletter abonnieren'>"
    found = collect(f"<form method=post action='/Amtsblatt.aspx'>{state}{links}{other}</form>")
    assert [verdict.candidate.text for verdict in found.documents] == ["Amtsblatt Nr. 1/2026"]


@pytest.mark.parametrize(
    "attributes",
    [
        "href='/admin/delete?id=3&file=amtsblatt_3_2026.pdf'",
        "href='/logout?next=/amtsblatt_3_2026.pdf'",
        "href='/l%C3%B6schen/amtsblatt_3_2026.pdf'",
        "href='/blatt.php?aktion=l%C3%B6schen&datei=amtsblatt_3_2026.pdf'",
        "href='/deleteFile.do?name=amtsblatt_3_2026.pdf'",
        "href='/amtsblatt_3_2026.pdf' data-method='delete'",
        "href='/amtsblatt_3_2026.pdf' onclick=\"return confirm('Wirklich?')\"",
        "href='/amtsblatt_3_2026.pdf' hx-delete='/x'",
    ],
)
def test_a_link_that_may_change_something_is_neither_taken_nor_followed(attributes: str) -> None:
    found = collect(
        f"<ul><li><a href='/ab/1.pdf'>Amtsblatt Nr. 1/2026</a></li><li><a {attributes}>Amtsblatt Nr. 3/2026</a></li></ul>"
    )
    assert documents(found) == ["1.pdf"]
    assert not [follow for follow in found.follow if "3_2026" in follow.url]
    assert any("may change something" in note for note in found.notes)


def test_what_a_link_says_counts_where_its_address_agrees() -> None:
    rows = (
        "<li><a href='/newsletter/amtsblatt'>Amtsblatt-Newsletter abonnieren</a></li>"
        "<li><a href='/ab/2.pdf'>Amtsblatt Nr. 2/2026: Abfall richtig melden</a></li>"
    )
    found = collect(f"<ul>{rows}</ul>")
    assert documents(found) == ["2.pdf"]
    assert "newsletter" not in str(found)


@pytest.mark.parametrize(
    "path",
    [
        "/bekanntmachungen/bestellung-eines-wahlleiters.pdf",
        "/bekanntmachungen/bestellung-eines-wahlleiters",
        "/dateien/loeschung-einer-baulast.pdf",
        "/newsletter/amtsblatt_3_2026.pdf",
        "/kontakt/amtsblatt/2026/",
        "/stadt-senden/amtsblatt/",
        "/download.php?file=abmelden.pdf",
        "/aktuelles/so-koennen-sie-ihren-hund-abmelden",
        "/volksabstimmung/bekanntmachung",
    ],
)
def test_words_of_titles_are_no_actions(path: str) -> None:
    assert not address_acts(SITE + path)


def test_a_notice_about_an_appointment_is_a_document() -> None:
    rows = "".join(
        f"<li><a href='/b/bestellung-{n}.pdf'>Bekanntmachung über die Bestellung eines Wahlleiters vom {n}.3.2026</a></li>"
        for n in (1, 2, 3)
    )
    found = collect(f"<ul>{rows}</ul>", url=f"{SITE}/bekanntmachungen/", title="Bekanntmachungen")
    assert len(found.documents) == 3
