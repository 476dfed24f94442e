"""What is read about an issue, and what is not made up."""

import time
from datetime import date

import pytest

from kiebitz.collect.issue import read_issue
from kiebitz.model.issue import Issue, IssueKind, Precision

REGULAR, SPECIAL = IssueKind.REGULAR, IssueKind.SPECIAL
SUPPLEMENT, CORRECTION = IssueKind.SUPPLEMENT, IssueKind.CORRECTION


@pytest.mark.parametrize(
    ("title", "number", "year", "when"),
    [
        ("Amtsblatt Nr. 12/2026 vom 20. März 2026", 12, 2026, "2026-03-20"),
        ("Amtsblatt Nr. 12/2026 vom Freitag, den 20. März 2026", 12, 2026, "2026-03-20"),
        ("Ausgabe 05-2021", 5, 2021, None),
        ("Amtsblatt 2021/07", 7, 2021, None),
        ("Nr. 07 | 2019", 7, 2019, None),
        ("Amtsblatt 02/ 2024", 2, 2024, None),
        ("Amtsblatt Monat Mai 2026", None, 2026, "2026-05"),
        ("Ausgabe Oktober", None, None, None),
        ("Amtsblatt KW 23", None, None, None),
        ("Amts- und Mitteilungsblatt KW 32 - 2013 als PDF zum Download", None, 2013, "2013-W32"),
        ("Amtsblatt Nr. 3 mit Haushalt - Herausgabe: 23.04.2026", 3, 2026, "2026-04-23"),
        ("Amtsblatt EE 28-2025", 28, 2025, None),
        ("Amtsblatt für den Landkreis Elbe-Elster 28-2025", 28, 2025, None),
        ("Amtsblatt 9 vom 30.09.2025 Download", 9, 2025, "2025-09-30"),
        ("Amtsblatt Mai 2026 (Erscheinungsdatum 30.04.2026)", None, 2026, "2026-04-30"),
        ("Ausgabe 2 vom 29.04.2026", 2, 2026, "2026-04-29"),
        ("Amtsblatt 2018 15 (18.12.2018)", 15, 2018, "2018-12-18"),
        ("Amtsblatt 5I2026 Erscheinungsdatum: 25. März 2026 PDF", 5, 2026, "2026-03-25"),
        ('Herunterladen "09.07.2021 Nr. 28 S. 2389-2480" (PDF-Dokument)', 28, 2021, "2021-07-09"),
        ("Nr.03 Jahrgang 25 am 30.04.2026", 3, 2026, "2026-04-30"),
        ("Nummer 7 vom 3. Juli 2020", 7, 2020, "2020-07-03"),
        ("Bestwiner 04/2026", 4, 2026, None),
        ("Rathaus aktuell 5/2020", 5, 2020, None),
        ("Stuttgart 5/2020", 5, 2020, None),
        ("07/2019", 7, 2019, None),
        ("Heft 3 (2020)", 3, 2020, None),
        ("5. Ausgabe 2020", 5, 2020, None),
        ("Ausgabe IV/2020", 4, 2020, None),
        ("Nr. 1234 vom 5.6.2020", 1234, 2020, "2020-06-05"),
        ("Amtsblatt Nr. 12/20", 12, 2020, None),
        ("Amtsblatt Nr. 3/98", 3, 1998, None),
        ("Nr. 4 Januar 2020", 4, 2020, "2020-01"),
        ("Amtsblatt der Stadt Bad Freienwalde (Oder) Nr. 5/2020", 5, 2020, None),
        ("Amtsblatt Nr. 01/2026 vom 30.12.2025", 1, 2026, "2025-12-30"),
        ("Gemeinsames Amtsblatt 03.2024", 3, 2024, None),
        ("Ausgabe Nr. 7 – Juli/August 2025", 7, 2025, "2025-07"),
        ("Amtsblatt 2020", None, 2020, None),
        ("Amtsblätter 2020/2021", None, None, None),
        ("Amtsblatt Nr. 007/2020", 7, 2020, None),
        ("Amtsblatt Nr. 7 vom 31.06.2020", 7, 2020, None),
        ("Nr. 14/27. Jahrgang/14.05.2020", 14, 2020, "2020-05-14"),
        ("Amtsblatt Nr. 10 Jg. 2020", 10, 2020, None),
        ("Brem.ABl. 2020 Nr. 123", 123, 2020, None),
        ("Nr. 123 Bekanntmachung über den Bebauungsplan 2475", 123, None, None),
        ("Amtliche Bekanntmachungen 05/2021", 5, 2021, None),
        ("Bekanntmachung Nr. 12/2020 über den Bebauungsplan Nr. 5", 12, 2020, None),
        ("Amtsblatt vom 12.06.2020 - Bebauungsplan Nr. 8/2019", None, 2020, "2020-06-12"),
        ("Amtsblatt Mai 2020 - Haushaltssatzung 2021", None, 2020, "2020-05"),
        ("Amtsblatt Dezember 2020/Januar 2021", None, 2020, "2020-12"),
        ("Rathausbrief 3-2022", 3, 2022, None),
        ("Amtsblatt 1/2024 (lf. Nr. 53) des Studieninstitutes", 1, 2024, None),
        ("Märkische Wasserzeitung Nr 4./2021", 4, 2021, None),
        ("Bekanntmachungen zum Amtsblatt Nr.: 03-2024 (8. Mai 2024)", 3, 2024, "2024-05-08"),
        ("AMTSBLATT NR. 5/2020 VOM 3. MÄRZ 2020", 5, 2020, "2020-03-03"),
        ("Official Gazette No. 12, March 3, 2021", 12, 2021, "2021-03-03"),
    ],
)  # fmt: skip
def test_titles_are_read_as_people_read_them(
    title: str, number: int | None, year: int | None, when: str | None
) -> None:
    issue = read_issue(title)
    assert (issue.number, issue.year, issue.when, issue.kind) == (number, year, when, REGULAR)


@pytest.mark.parametrize(
    "text",
    [
        "Download (PDF, 2,3 MB)",
        "Amtsblatt (12 Seiten, 2,3 MB)",
        "Amtsblatt, Tel. 03301 / 5280-12",
        "Amtsblatt, Telefon: 0331 12-345",
        "PDF 1.7",
        "Bekanntmachung gem. § 12 Abs. 3 Nr. 4 BauGB",
        "Amtsblatt: Satzung nach § 5 Abs. 2",
        "Bebauungsplan Nr. 12 „Am Anger“",
        "Bebauungsplan Nr. 12/2020",
        "Amtsblatt mit Bebauungsplan Nr. 12/2020",
        "7a. Flächennutzungsplanänderung der Gemeinde Seddiner See",
        "Öffentliche Bekanntmachung der 1. Änderung des Stellenplans für das Haushaltsjahr 2026",
        "Haushaltssatzung 2026",
        "Beschluss 12/2020",
        "Gebührenordnung ab 01/2024",
        "Stand 05/2020",
        "Festsetzungen nach § 14 Absatz 1 Nummer 1 EigV",
        "Ganztagsbetreuung Grundschule 2015/16",
        "Zu vermietender Wohnraum der Gemeinde Tauche_03/2022",
        "Veranstaltungskalender 05/2023",
        "scan-03-2024.pdf",
        "Amtsblatt vom 12.06.2020 - Bebauungsplan Nr. 8/2019",
        "15234 Frankfurt (Oder)",
        "Amtsblatt 12. Jahrgang",
        "Amtsblatt Jahrgang XXV",
        "Amtsblatt 12./13. März 2020",
        "Amtsblatt 12. bis 15. März 2020",
        "Amtsblatt vom 5. Juni",
        "Amtsblatt 5. Juni",
        "Amtsblatt, Ausgabe 3. Quartal 2020",
        "Amtsblatt Preis: 1,50 €",
        "Amtsblatt ab 18 Uhr",
        "Merkblatt 5/2020 Gebührenordnung",
        "Flur 3, Flurstück 12/3",
        "Amtsblatt 2026/07 Amtsblatt 2026/06 Amtsblatt 2026/05",
        "",
        "…",
    ],
)
def test_no_number_is_made_up(text: str) -> None:
    assert read_issue(text).number is None


def test_a_volume_is_neither_number_nor_year() -> None:
    assert read_issue("12. Jahrgang Nr. 5")[:3] == (5, None, None)
    assert read_issue("Nr. 5/34. Jahrgang 2020")[:3] == (5, None, 2020)
    assert read_issue("Jahrgang 2020, Nr. 5")[:3] == (5, None, 2020)


@pytest.mark.parametrize(
    ("title", "number", "last", "year"),
    [
        ("Ausgabe Nr. 03/04 2018", 3, 4, 2018),
        ("Nr. 3/4", 3, 4, None),
        ("Nr. 51-52/2020", 51, 52, 2020),
        ("Nr. 3 und 4/2018", 3, 4, 2018),
        ("Amtsblatt Nr. 03/04/2018", 3, 4, 2018),
        ("Amtsblatt 2020/7+8", 7, 8, 2020),
        ("Nr. 07/08 vom 12. Juli 2019", 7, 8, 2019),
        ("Nr. 07/08 vom 12. Juli 2008", 7, None, 2008),
    ],
)
def test_a_double_issue_has_two_numbers(title: str, number: int, last: int | None, year: int | None) -> None:
    assert read_issue(title)[:3] == (number, last, year)


def test_a_letter_makes_another_issue() -> None:
    assert read_issue("Ausgabe Nr. 4a/2026")[:3] == (4, None, 2026)
    assert read_issue("Ausgabe Nr. 4a/2026").letter == "a"
    assert read_issue("Nr. 1a").letter == "a"
    assert read_issue("Nr. 12B").letter == "b"
    assert read_issue(file_name="Amtsblatt_Zehdenick_2026_3a.pdf")[:3] == (3, None, 2026)
    assert read_issue(file_name="Amtsblatt_Zehdenick_2026_3a.pdf").letter == "a"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1. Sonderausgabe 2020", SPECIAL),
        ("Sonder-Amtsblatt Nr. 2/2020", SPECIAL),
        ("Amtsblatt Nr. 7 - Herausgabe: 29.09.2025 (Sonderveröffentlichung)", SPECIAL),
        ("Extrablatt", SPECIAL),
        ("Sonderdruck zur Wahl", SPECIAL),
        ("sonder-amtsblatt_massen_mai_2025.pdf", SPECIAL),
        ("Amtsblatt_5_2020_sonder.pdf", SPECIAL),
        ("Satzung über Sondernutzungen", REGULAR),
        ("Amtsblätter und Sonderausgaben", REGULAR),
        ("Besonderheiten", REGULAR),
        ("Beilage zum Amtsblatt Nr. 5/2020", SUPPLEMENT),
        ("Anlage 2 zum Amtsblatt Nr. 5/2020", SUPPLEMENT),
        ("Amtsblatt_2020_05_Anlage.pdf", SUPPLEMENT),
        ("Amtsblatt Nr. 5/2020 mit Beilage", REGULAR),
        ("Genehmigung einer Windkraftanlage", REGULAR),
        ("Benutzung der öffentlichen Anlagen zur Entwässerung", REGULAR),
        ("Amtsblatt_2020_05_korr.pdf", CORRECTION),
        ("Amtsblatt Nr. 5/2020 (Berichtigung)", CORRECTION),
        ("Korrektur zum Sonderamtsblatt Nr. 5/2020", CORRECTION),
        ("Korridor Nr. 5/2020", REGULAR),
    ],
)
def test_the_kind_is_named(text: str, kind: IssueKind) -> None:
    assert read_issue(text).kind is kind


def test_a_special_issue_may_have_a_number_of_its_own() -> None:
    assert read_issue("1. Sonderausgabe 2020")[:3] == (1, None, 2020)
    assert read_issue("Sonderausgabe Nr. 2/2020")[:3] == (2, None, 2020)
    assert read_issue("Anlage 2 zum Amtsblatt Nr. 5/2020")[:3] == (5, None, 2020)


def test_what_one_text_leaves_open_the_next_fills_in() -> None:
    assert read_issue("Mai", "2020") == Issue(year=2020, date=date(2020, 5, 1), title="Mai", precision=Precision.MONTH)
    assert read_issue("Nr. 5", "", "Amtsblätter 2020")[:3] == (5, None, 2020)
    assert read_issue("KW 23", "Archiv 2020").when == "2020-W23"
    assert read_issue("Nr. 3 vom 5. Juni", "2020").when == "2020-06-05"
    issue = read_issue("Download", "", "Amtsblatt 9 vom 30.09.2025 Download", file_name="download.php")
    assert (issue.number, issue.year, issue.when) == (9, 2025, "2025-09-30")
    assert issue.title == "Amtsblatt 9 vom 30.09.2025 Download"
    assert read_issue("Nr. 01/2026", file_name="sonder-amtsblatt_massen_januar_2026.pdf").kind is SPECIAL


def test_the_year_of_the_heading_tells_number_from_year() -> None:
    assert read_issue("", "2011", file_name="amtsblatt_11_12.pdf")[:3] == (12, None, 2011)
    assert read_issue("", "2012", file_name="amtsblatt_11_12.pdf")[:3] == (11, None, 2012)


def test_the_more_trusted_text_wins() -> None:
    assert read_issue("Amtsblatt Nr. 13/2018", file_name="Amtsblatt-12-18.pdf")[:3] == (13, None, 2018)
    assert read_issue("Nr. 5/2019", "2020")[:3] == (5, None, 2019)


def test_a_row_of_several_issues_says_nothing_about_one_of_them() -> None:
    row = "Ausgabe 2 vom 29.04.2026 Ausgabe 1 vom 25.02.2026"
    assert read_issue("Download", row)[:4] == (None, None, None, None)
    assert read_issue("Ausgabe 1", row)[:2] == (1, None)
    assert read_issue("Download", "12.03.2020 | 26.03.2020 | 09.04.2020").date is None
    assert read_issue("Download", row, file_name="Amtsblatt-2026_1-www.pdf")[:3] == (1, None, 2026)


def test_an_upload_does_not_date_an_issue() -> None:
    assert read_issue("Amtsblatt Nr. 5/2019", file_name="20240312_scan.pdf").date is None
    assert read_issue("Amtsblatt Nr. 5/2019 mit Satzung vom 12.03.1995").date is None


def test_a_day_refines_the_month_of_the_title() -> None:
    assert read_issue("Amtsblatt Mai 2026", "Amtsblatt Mai 2026, 30.04.2026, 1,2 MB").when == "2026-04-30"
    assert read_issue("Amtsblatt Mai 2026", "geändert am 30.11.2026").when == "2026-05"


def test_the_date_of_a_law_or_a_meeting_is_not_that_of_the_issue() -> None:
    for text in (
        "Aufhebung der Satzung der Gewässerunterhaltungsumlage vom 01.02.2020",
        "Einladung der Jagdgenossenschaft zur Jagdgenossenschaftsversammlung am 12.03.2026",
        "Beschlüsse des Ortsbeirates vom 21.10.2025 in Derwitz",
    ):
        assert read_issue(text)[:4] == (None, None, None, None), text
    assert read_issue("Einladung zur Versammlung am 24.04.2026 - VÖ: 18.03.2026").when == "2026-03-18"
    assert read_issue("Beschlüsse des Ortsbeirates vom 21.10.2025 - VÖ: 23.12.2025").when == "2025-12-23"


@pytest.mark.parametrize(
    "piece", ["1", "1/", "Nr. ", "Amtsblatt ", "-", "12.", "§ 1 Abs. ", "0331 / ", "mai ", "_a", "\u0308", "2020-"]
)
def test_hostile_text_costs_no_more_than_its_length(piece: str) -> None:
    started = time.perf_counter()
    read_issue(*[piece * 100_000] * 20, file_name=piece * 100_000)
    assert time.perf_counter() - started < 1
