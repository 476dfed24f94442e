"""Where more of the same may be: years, months, pages, forms, feeds."""

from tests.unit.gazette_page import collect, leads


def test_year_pages() -> None:
    found = collect(
        "<h1>Amtsblatt</h1><a href='2024/'>2024</a> <a href='2025/'>Jahrgang 2025</a> <a href='/wetter'>Wetter</a>"
    )
    assert leads(found, "year") == ["/rathaus/amtsblatt/2024/", "/rathaus/amtsblatt/2025/"]
    assert found.state == "leads-on"


def test_years_of_other_things_are_not_followed() -> None:
    assert "/termine/2026/" not in [follow.url for follow in collect("<p>Text</p>").follow]


def test_months_pages_and_archives() -> None:
    found = collect(
        "<a href='?m=1'>Januar</a> <a href='/archiv'>Ältere Ausgaben</a>"
        "<div class='pagination'><a href='?page=2'>2</a> <a href='?page=3'>weiter</a></div>"
    )
    assert leads(found, "month") == ["/rathaus/amtsblatt/?m=1"]
    assert leads(found, "next") == ["/rathaus/amtsblatt/?page=2", "/rathaus/amtsblatt/?page=3"]
    assert "/archiv" in leads(found, "archive")


def test_the_page_may_name_its_successor() -> None:
    assert leads(collect("<p>x</p>", head="<link rel='next' href='?seite=2'>"), "next") == [
        "/rathaus/amtsblatt/?seite=2"
    ]


def test_a_menu_of_years_is_tried_option_by_option_newest_first() -> None:
    found = collect(
        "<form action='/suche'><input type='hidden' name='typ' value='ab'><select name='jahr'><option value=''>Jahr</option>"
        "<option value='7'>2024</option><option value='8'>2025</option></select><button name='go' value='1'>Suchen</button></form>"
    )
    assert leads(found, "option") == ["/suche?typ=ab&go=1&jahr=8", "/suche?typ=ab&go=1&jahr=7"]


def test_a_post_form_of_years_keeps_its_hidden_inputs() -> None:
    found = collect(
        "<form method='post' action='/suche'><input type='hidden' name='t' value='x'>"
        "<select name='jahr'><option>2024</option><option>2025</option></select></form>"
    )
    assert [follow.body for follow in found.follow if follow.kind == "option"] == [b"t=x&jahr=2025", b"t=x&jahr=2024"]


def test_a_menu_of_districts_is_not_enumerated() -> None:
    found = collect("<form action='/s'><select name='ort'><option>Nord</option><option>Süd</option></select></form>")
    assert not leads(found, "option")


def test_feeds_are_found_and_those_of_comments_left_alone() -> None:
    found = collect(
        "<a href='/rss.xml'>RSS</a>",
        head="<link rel='alternate' type='application/rss+xml' href='/feed/'>"
        "<link rel='alternate' type='application/rss+xml' href='/comments/feed/' title='Kommentare'>",
    )
    assert leads(found, "feed") == ["/feed/", "/rss.xml"]


def test_a_menu_entry_leads_to_the_gazette() -> None:
    found = collect("<p>Willkommen</p>", url="https://www.musterstadt.de/", title="Musterstadt")
    assert leads(found, "archive") == ["/rathaus/amtsblatt/"]
