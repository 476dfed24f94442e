"""Every layout of a gazette page that we know of, as small as it can be, with decoys beside it."""

import pytest

from kiebitz.collect.page import collect_page
from tests.unit.gazette_page import TODAY, collect, documents

DECOYS = """
<h2>Weitere Downloads</h2><ul>
<li><a href="/dl/antrag.pdf">Antrag auf Wohngeld</a></li>
<li><a href="/dl/flyer_2025.pdf">Flyer Stadtfest 2025</a></li>
<li><a href="/dl/niederschrift_2025-03-12.pdf">Niederschrift vom 12.03.2025</a></li>
<li><a href="/dl/satzung_2024.pdf">Hundesteuersatzung 2024</a></li></ul>
"""


def test_a_flat_list() -> None:
    found = collect(
        "<h1>Amtsblatt</h1><ul>"
        "<li><a href='/f/ab1.pdf'>Amtsblatt Nr. 1/2026</a></li>"
        "<li><a href='/f/ab2.pdf'>Amtsblatt Nr. 2/2026</a></li>"
        f"<li><a href='/f/termine.pdf'>Erscheinungstermine 2026</a></li></ul>{DECOYS}"
    )
    assert documents(found) == ["ab1.pdf", "ab2.pdf"]
    issue = found.documents[0].issue
    assert issue is not None
    assert (issue.number, issue.year) == (1, 2026)


def test_a_table_whose_row_says_it() -> None:
    rows = "".join(
        f"<tr><td>{n}/2025</td><td>{n:02}.0{n}.2025</td><td><a href='/f/{n}x.pdf'>hier</a></td></tr>" for n in (1, 2, 3)
    )
    assert documents(collect(f"<h1>Amtsblatt</h1><table>{rows}</table>{DECOYS}")) == ["1x.pdf", "2x.pdf", "3x.pdf"]


def test_a_row_with_two_links_describes_both() -> None:
    rows = "".join(
        f"<tr><td>Amtsblatt Nr. {n}/2025</td><td><a href='/f/{n}a.pdf'>PDF</a></td><td><a href='/f/{n}b.pdf'>Beilage</a></td></tr>"
        for n in (1, 2, 3)
    )
    assert documents(collect(f"<table>{rows}</table>")) == [f"{n}{part}.pdf" for n in (1, 2, 3) for part in "ab"]


@pytest.mark.parametrize("word", ["Download", "hier", "PDF", "herunterladen", "Hier klicken"])
def test_links_that_say_nothing(word: str) -> None:
    rows = "".join(
        f"<p>Amtsblatt {n} vom 0{n}.03.2025 <a href='/output/download.php?fid={n}.7'>{word}</a></p>" for n in (1, 2, 3)
    )
    assert len(collect(rows + DECOYS).documents) == 3


def test_month_names_under_a_year() -> None:
    months = "".join(f"<a href='/f/{n}-25.pdf'>{name}</a> " for n, name in enumerate(("Januar", "Februar", "März"), 1))
    assert len(collect(f"<h1>Amtsblätter</h1><h3>2025</h3>{months}{DECOYS}").documents) == 3


def test_thumbnails_without_text() -> None:
    pictures = "".join(f"<a href='/files/amtsblatt_0{n}25_b.pdf'><img src='/t{n}.jpg' alt=''></a>" for n in (1, 2, 3))
    assert len(collect(pictures + DECOYS).documents) == 3


def test_cards_with_their_own_heading() -> None:
    cards = "".join(
        f"<article><h3>Ausgabe {n}/2025</h3><p>PDF, 3 MB</p><a class='btn' href='/f/{n}00.pdf'>Ansehen</a></article>"
        for n in (1, 2, 3)
    )
    assert len(collect(f"<h1>Amtsblatt</h1>{cards}{DECOYS}").documents) == 3


def test_accordions_are_read_without_a_visit() -> None:
    years = "".join(
        f"<details><summary>{year}</summary><a href='/f/{year}-1.pdf'>Ausgabe 1</a><a href='/f/{year}-2.pdf'>Ausgabe 2</a></details>"
        for year in (2024, 2025)
    )
    assert len(collect(f"<h1>Amtsblatt</h1>{years}").documents) == 4


def test_the_label_of_a_tab_is_the_heading_of_its_panel() -> None:
    found = collect(
        "<h1>Amtsblatt</h1><ul class='nav nav-tabs'><li><a href='#y24'>2024</a></li><li><a href='#y25'>2025</a></li></ul>"
        "<div id='y24'><a href='/f/a.pdf'>Ausgabe 3</a></div><div id='y25'><a href='/f/b.pdf'>Ausgabe 4</a></div>"
    )
    assert [verdict.candidate.heading for verdict in found.documents] == ["Amtsblatt › 2024", "Amtsblatt › 2025"]


def test_documents_on_another_host() -> None:
    rows = "".join(
        f"<li>Nr. {n}/2025 [<a href='https://daten.portal.example/g/{n}/Gemeindeblatt_{n}-25.pdf'>hier</a>]</li>"
        for n in (1, 2, 3)
    )
    assert len(collect(f"<ul>{rows}</ul>").documents) == 3


@pytest.mark.parametrize(
    "address",
    [
        "/downloads/datei/NjQ0YjkyZjRmYWIwY2FjNUtNby9VLzhxNnlRT3dHTTBxeEZPejRxTEtHbGlUTUg0{n}",
        "/loadDocument.phtml?FID=3728.{n}.1&amp;Ext=PDF",
        "/output/download.php?fid=3631.{n}.1.PDF",
        "/index.php?id=12&amp;file={n}",
        "/dokumente/149/2026/{n}/Amtsblatt",
        "/media/custom/2112_{n}_1.PDF?1766133600",
    ],
)
def test_addresses_without_a_name(address: str) -> None:
    rows = "".join(f"<li><a href='{address.format(n=n)}'>Amtsblatt {n}/2025</a></li>" for n in (11, 12, 13))
    assert len(collect(f"<ul>{rows}</ul>{DECOYS}").documents) == 3


def test_post_forms_with_hidden_inputs() -> None:
    forms = "".join(
        f"<article><h3>Ausgabe Nr. {n}/2026</h3><form method='post' action='/amtsblatt/index.php#g_{n}'>"
        f"<input type='hidden' name='form' value='gazette'><input type='hidden' name='hash' value='h{n}'><button>Download</button></form></article>"
        for n in (1, 2, 3)
    )
    found = collect(f"{forms}<form method='post' action='/kontakt'><input name='name'><button>Senden</button></form>")
    assert [verdict.candidate.body for verdict in found.documents] == [b"form=gazette&hash=h%d" % n for n in (1, 2, 3)]
    assert {verdict.candidate.request_url for verdict in found.documents} == {
        "https://www.musterstadt.de/amtsblatt/index.php"
    }


def test_base_wherever_it_stands() -> None:
    found = collect("<base href='https://www.musterstadt.de/'><a href='Amtsblatt-2026-03.pdf'>Amtsblatt Nr. 3/2026</a>")
    assert found.documents[0].candidate.url == "https://www.musterstadt.de/Amtsblatt-2026-03.pdf"


def test_windows_1252() -> None:
    page = "<html><body><main><h1>Amtsblätter</h1><a href='/f/1.pdf'>März 2025</a></main>".encode("windows-1252")
    found = collect_page("https://www.musterstadt.de/ab/", page, "text/html", TODAY)
    assert found.documents[0].candidate.text == "März 2025"
    assert found.documents[0].candidate.heading == "Amtsblätter"


def test_the_issue_sits_one_page_deeper() -> None:
    news = "".join(
        f"<div class='teaser'><a href='/news/{n}'><img src='/t.jpg' alt='Diesen Artikel lesen'></a><h3><a href='/news/{n}'>{text}</a></h3></div>"
        for n, text in enumerate(
            ("Ihr Bürgermeister informiert", "Amts- und Mitteilungsblatt KW 32-2025", "Ferienprogramm 2025")
        )
    )
    found = collect(news, url="https://www.musterstadt.de/aktuelles", title="Aktuelles")
    assert documents(found) == ["1"]
    assert [(follow.kind, follow.url[-7:]) for follow in found.follow if follow.kind == "issue"] == [
        ("issue", "/news/1")
    ]


def test_a_magazine_beside_the_gazette_is_left_alone() -> None:
    gazettes = "".join(f"<a href='/Amtsblatt-2025-{n}.pdf'>Amtsblatt Nr. {n}/2025</a><br>" for n in (1, 2, 3, 4))
    magazines = "".join(f"<a href='/Am-See-2025-{n}.pdf'>Am See {n}/2025</a><br>" for n in (1, 2, 3, 4))
    assert all("Amtsblatt" in name for name in documents(collect(gazettes + magazines)))


def test_two_gazettes_on_one_page() -> None:
    rows = "".join(
        f"<li><a href='/f/a{n}.pdf'>Amtsblatt {n}/2025</a></li><li><a href='/f/k{n}.pdf'>Kreisanzeiger {n}/2025</a></li>"
        for n in (1, 2, 3)
    )
    found = collect(f"<ul>{rows}</ul>")
    assert len(found.documents) == 6
    assert {verdict.group for verdict in found.documents} == {"amtsblatt", "kreisanzeiger"}


def test_a_paper_with_a_name_of_its_own() -> None:
    rows = "".join(f"<a href='/files/Beste25{n}.pdf'>Bestwiner Nr. {n:02}/2025</a><br>" for n in range(1, 7))
    found = collect(rows + DECOYS, url="https://www.musterstadt.de/index.php?id=300", title="Musterstadt")
    assert len(found.documents) == 6


def test_single_notices() -> None:
    rows = (
        "<li><a href='/m/1.pdf'>Bekanntmachung des Bebauungsplans Nr. 12 - VÖ: 18.03.2026</a></li>"
        "<li><a href='/m/2.pdf'>Einladung Ortsbeirat Petzow am 13.04.2026</a></li>"
        "<li><a href='/m/3.pdf'>Kundeninformation Brauchwasser</a></li>"
        "<li><a href='/m/4.pdf'>Antrag auf Hundesteuerbefreiung</a></li>"
    )
    found = collect(
        f"<ul>{rows}</ul>", url="https://www.musterstadt.de/bekanntmachungen.html", title="Bekanntmachungen"
    )
    assert documents(found) == ["1.pdf", "2.pdf", "3.pdf"]


def test_a_law_that_cites_the_gazette_is_not_an_issue() -> None:
    rows = "".join(
        f"<li><a href='/r/{n}.pdf'>Hauptsatzung (veröffentlicht im Amtsblatt Nr. {n}/2024)</a></li>" for n in (1, 2, 3)
    )
    assert not collect(f"<ul>{rows}</ul>", url="https://www.musterstadt.de/ortsrecht", title="Ortsrecht").documents


def test_a_link_drawn_by_a_script_or_hidden_in_its_data() -> None:
    found = collect(
        "<h1>Amtsblatt</h1><button data-href='/f/1-25.pdf'>Amtsblatt 1/2025</button>"
        """<span onclick="window.open('/f/2-25.pdf')">Amtsblatt 2/2025</span>"""
        """<script>var list=[{"downloadHref":"\\/f\\/amtsblatt-03-2025.pdf"}]</script>"""
    )
    assert documents(found) == ["1-25.pdf", "2-25.pdf", "amtsblatt-03-2025.pdf"]


def test_a_picture_and_a_headline_with_one_target_are_one_document() -> None:
    found = collect("<li><a href='/f/1.pdf'><img alt='Titelseite'></a> <a href='/f/1.pdf'>Amtsblatt 1/2025</a></li>")
    assert [verdict.candidate.text for verdict in found.documents] == ["Amtsblatt 1/2025"]


def test_zero_width_spaces_do_not_hide_a_date() -> None:
    found = collect(
        "<table><tr><td>Nr. 3</td><td>05&#8203;.05&#8203;.2026</td><td><a href='/f/x.pdf'>hier</a></td></tr></table>"
    )
    assert found.documents[0].candidate.row_before == "Nr. 3 05.05.2026"


def test_every_considered_link_has_reasons() -> None:
    found = collect("<a href='/f/1.pdf'>Amtsblatt 1/2025</a><a href='/f/antrag.pdf'>Antrag auf Wohngeld</a>")
    (accepted,) = found.documents
    assert accepted.evidence[0].reason == "names the gazette and states an issue (amtsblatt)"
    refused = next(verdict for verdict in found.rejected if "antrag" in verdict.candidate.url)
    assert "another kind of document (antrag)" in [entry.reason for entry in refused.evidence]
    assert refused.score < 0 < accepted.score


def test_a_row_may_say_what_the_issue_is_about() -> None:
    rows = "".join(
        f"<tr><td>Nr. {n}/2025</td><td>Inhalt: Stellenausschreibung, Antrag der Firma X, Richtlinie</td><td><a href='/f/{n}.pdf'>PDF</a></td></tr>"
        for n in (1, 2, 3)
    )
    assert len(collect(f"<h1>Amtsblatt</h1><table>{rows}</table>").documents) == 3


def test_an_order_form_beside_the_issues_is_no_issue_whatever_it_is_called() -> None:
    issues = "".join(f"<li><a href='/f/amtsblatt_{n}_2025.pdf'>Amtsblatt Nr. {n}/2025</a></li>" for n in (1, 2, 3))
    assert (
        len(
            collect(
                f"<ul>{issues}<li><a href='/f/amtsblatt_bezug_2026.pdf'>Bezugsschein Amtsblatt</a></li></ul>"
            ).documents
        )
        == 3
    )


def test_the_newest_issues_of_a_renamed_paper_are_found_by_their_folder() -> None:
    old = "".join(f"<a href='/Amtsblatt/{n}.pdf' title='Amtsblatt Nr. {n} vom 0{n}.02.2025'>{n}</a>" for n in (1, 2, 3))
    new = "<a href='/Amtsblatt/4.pdf' title='Sieben Orte Nr. 4 2026'>4</a>"
    assert len(collect(old + new).documents) == 4


def test_a_search_result_of_a_law_gazette() -> None:
    hits = "".join(
        f"<li><a href='/download.php?id={n}'>Brem.ABl. 2020, Nr. {n}, S. 34: Richtlinie zur Förderung</a></li>"
        for n in (1, 2, 3)
    )
    assert (
        len(
            collect(f"<h1>Treffer</h1><ul>{hits}</ul>", url="https://www.gesetzblatt.example/suche?jahr=2020").documents
        )
        == 3
    )


def test_the_page_of_one_issue() -> None:
    found = collect(
        "<h1>Amtsblatt KW 32-2025</h1><p>Lesen Sie die neue Ausgabe.</p><p><a href='/files/8812.pdf'>Herunterladen</a></p>"
        "<h2>Service</h2><p><a href='/files/merkblatt.pdf'>Merkblatt</a> <a href='/news'>Zur Übersicht</a></p>",
        url="https://www.musterstadt.de/news/1",
        title="Musterstadt",
    )
    assert documents(found) == ["8812.pdf"]
    assert found.documents[0].issue is not None
    assert found.documents[0].issue.year == 2025


def test_notices_are_known_by_themselves_where_the_page_does_not_say_so() -> None:
    rows = "".join(f"<a href='/m/{n}.pdf'>Bekanntmachung der Beschlüsse vom {n}.10.2025</a><br>" for n in (11, 12, 13))
    found = collect(
        f"{rows}<a href='/m/9.pdf'>Einladung Ortsbeirat am 02.02.2026</a>",
        url="https://www.musterstadt.de/p/17.html",
        title="x",
    )
    assert len(found.documents) == 4


def test_a_saved_copy_is_at_home_where_its_links_are() -> None:
    news = "".join(
        f"<h3><a href='http://www.altdorf.de/n/{n}'>Mitteilungsblatt KW {n} - 2013</a></h3>" for n in range(20, 40)
    )
    assert len(collect(news, url="https://lab.example/p/17.html", title="x").documents) == 20


def test_links_that_say_nothing_are_grouped_as_the_paper_of_their_page() -> None:
    rows = "".join(f"<h3>0{n}.07.2025 Nr. {n}</h3><p><a href='/f/{n}.pdf'>Download</a></p>" for n in (1, 2, 3))
    assert {verdict.group for verdict in collect(f"<h1>Amtsblatt für Musterstadt</h1>{rows}").documents} == {
        "amtsblatt musterstadt"
    }
