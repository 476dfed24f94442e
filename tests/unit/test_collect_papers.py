"""What is the paper and what only looks like it: names that say nothing, other papers, single notices of any title."""

import pytest

from kiebitz.collect.names import is_opaque
from tests.unit.gazette_page import collect, documents

NOTICES = {"url": "https://www.musterstadt.de/bekanntmachungen/", "title": "Bekanntmachungen"}
MONTHS = ("Januar", "Februar", "März", "April", "Mai")
HASHES = ("56d253ae2d", "e1bf3a0eb3", "4758bfa0a9", "0a1b2c3d-1b2c-4d5e-8f90-633870dbd5b2", "70a8fbfac1")


def listed(*rows: str) -> str:
    return f"<ul>{''.join(f'<li>{row}</li>' for row in rows)}</ul>"


@pytest.mark.parametrize("name", [*HASHES, "56D253AE2D.pdf", "d41d8cd98f00b204e9800998ecf8427e.PDF"])
def test_a_hash_is_no_name(name: str) -> None:
    assert is_opaque(name)


@pytest.mark.parametrize(
    "name", ["ab092025.pdf", "20260312.pdf", "20260312a", "amtsblatt-3.pdf", "fade.pdf", "abl_3.pdf", ""]
)
def test_a_name_that_can_be_read_is_no_hash(name: str) -> None:
    assert not is_opaque(name)


@pytest.mark.parametrize("text", ["{}", "Download"])
def test_the_letters_of_a_hash_are_no_other_paper(text: str) -> None:
    rows = (
        f"{month if text == 'Download' else ''} <a href='/media/{name}.pdf'>{text.format(month)}</a>"
        for month, name in zip(MONTHS, HASHES, strict=True)
    )
    found = collect(f"<h2>Amtsblatt</h2><h3>2026</h3>{listed(*rows)}")
    assert documents(found) == [f"{name}.pdf" for name in HASHES]
    assert [verdict.issue and verdict.issue.year for verdict in found.documents] == [2026] * len(HASHES)


@pytest.mark.parametrize("note", ["korrigierte Fassung", "Berichtigung", "Neufassung"])
def test_a_corrected_issue_is_one_of_the_paper(note: str) -> None:
    rows = [f"<a href='/f/{n}.pdf'>Nr. {n}/2026</a>" for n in (1, 2, 3)] + [
        f"{note} <a href='/f/4.pdf'>Download</a> Nr. 4/2026"
    ]
    assert documents(collect(listed(*rows))) == ["1.pdf", "2.pdf", "3.pdf", "4.pdf"]


def test_a_notice_among_notices_may_be_about_anything() -> None:
    titles = (
        "Satzung Hundesteuer",
        "Auslegung Bebauungsplan",
        "Wahl",
        "Straßensperrung",
        "Widmung Am Anger",
        "Kita-Anmeldung",
    )
    rows = (f"1{n}.03.2026 <a href='/b/{n}.pdf'>{title}</a>" for n, title in enumerate(titles))
    assert documents(collect(listed(*rows), **NOTICES)) == [f"{n}.pdf" for n in range(6)]


def test_a_link_that_calls_itself_a_notice_is_one_whatever_its_file_is_called() -> None:
    row = "<h3>Kita-Anmeldung</h3><p>Bekannt gemacht am 4. Mai 2026</p><a href='/b/kita-anmeldung.pdf'>Öffentliche Bekanntmachung (PDF)</a>"
    assert documents(collect(listed(row), **NOTICES)) == ["kita-anmeldung.pdf"]


def test_a_form_among_notices_without_a_date_stays_a_form() -> None:
    rows = [f"1{n}.03.2026 <a href='/b/{n}.pdf'>Satzung {n} der Stadt</a>" for n in range(6)]
    found = collect(listed(*rows, "<a href='/b/antrag.pdf'>Antrag auf Befreiung</a>"), **NOTICES)
    assert documents(found) == [f"{n}.pdf" for n in range(6)]


@pytest.mark.parametrize(
    "head",
    [
        "<h2>Stadtspiegel (Anzeigenblatt)</h2>",
        "<h2>Stadtspiegel</h2><p>Der Stadtspiegel wird von einem Verlag herausgegeben und enthält Werbung.</p>",
    ],
)
def test_a_paper_that_is_said_to_be_unofficial_is_left_alone(head: str) -> None:
    issues = listed(*(f"<a href='/ab/{n}.pdf'>Amtsblatt Nr. {n}/2026</a>" for n in (1, 2, 3)))
    others = listed(*(f"<a href='/s/s{n}.pdf'>Stadtspiegel Ausgabe {n}/2026</a>" for n in range(1, 7)))
    assert documents(collect(f"<h2>Amtsblatt</h2>{issues}{head}{others}")) == ["1.pdf", "2.pdf", "3.pdf"]


def test_a_gazette_that_comes_with_an_advertiser_is_official() -> None:
    text = "<h2>Amtsblatt</h2><p>Das Amtsblatt liegt dem Anzeigenblatt bei, das ein Verlag herausgibt.</p>"
    issues = listed(*(f"<a href='/ab/{n}.pdf'>Amtsblatt Nr. {n}/2026</a>" for n in (1, 2, 3)))
    assert len(collect(text + issues).documents) == 3


def test_what_is_published_besides_the_notices_is_none() -> None:
    rows = listed(*(f"1{n}.03.2026 <a href='/b/{n}.pdf'>Satzung {n} der Stadt</a>" for n in range(3)))
    besides = listed(
        "<a href='/d/info.pdf'>Informationen nach Art. 13 DSGVO</a>", "<a href='/d/plan.pdf'>Haushaltsplan 2026</a>"
    )
    found = collect(
        f"<h1>Öffentliche Bekanntmachungen</h1>{rows}<h2>Weitere Veröffentlichungen</h2>{besides}", **NOTICES
    )
    assert documents(found) == ["0.pdf", "1.pdf", "2.pdf"]


@pytest.mark.parametrize(
    "title",
    [
        "Newsletter Nr. {}", "Gemeindebrief {}/2026", "Schülerzeitung Nr. {}", "Vereinsblatt {}/2026", "Programmheft {}/2026",
        "Jahresbericht {}/2026", "Pressemitteilung Nr. {}/2026", "Stellenausschreibung Nr. {}", "Drucksache 12/34{}",
        "Kirchenbote Nr. {}/2026", "Kundenzeitung Nr. {}", "Mitgliederzeitung {}/2026", "Gemeindebrief Ausgabe {}/2026",
    ],
)  # fmt: skip
def test_numbered_series_of_others_are_no_gazette(title: str) -> None:
    rows = listed(*(f"<a href='/dl/{n}.pdf'>{title.format(n)}</a>" for n in range(1, 8)))
    found = collect(rows, url="https://www.musterstadt.de/kultur/", title="Kultur und Vereine")
    assert documents(found) == []
