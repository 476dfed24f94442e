"""A real gazette of 92 pages: what people see on its pages, quoted from pictures of them, is what is read."""

from functools import cache
from itertools import pairwise

import pytest

from kiebitz.extract.limits import ReadLimits
from kiebitz.extract.pdf import read_pdf
from kiebitz.model.text import Text, TextState
from tests.shared_data import SHARED, needs_shared

GAZETTE = SHARED / "documents" / "berlin-amtsblatt-2021-28.pdf"

# From one page to the next: a divided word; a label and its value in two columns; a divided word in a list.
ACROSS_PAGES = {
    (44, 45): "bleibt unberührt. Für Personen, die sich ohne Erkrankungssymptome einer lediglich aus epidemiologischer "
    "Indikation vorsorglich vorgenommenen Testung (etwa einer sogenannten „Reihentestung“) unterziehen, gilt die Pflicht",
    (
        62,
        63,
    ): "Kontaktdaten: Bitte bewerben Sie sich mit Ihren vollständigen Bewerbungsunterlagen bis zum 27. Juli 2021 über "
    "unser Bewerbungsformular auf unserer Internetseite: www.bsr.de/jobs Internetadresse: Ausführliche Informationen zur "
    "Stellenausschreibung, insbesondere eine Beschreibung der Anforderungen, finden Sie unter: www.bsr.de/jobs "
    "Berliner Stadtreinigung (BSR)",
    (69, 70): "Beratung von Führungskräften und stakeholdergerechtes Reporting, inklusive der Ableitung",
}
# Across the columns of one page: labels and values, and a table whose cells have several lines.
ACROSS_COLUMNS = {
    62: "Besoldungs-/Entgeltgruppe: 8 Besetzbar ab: 1. August 2021 Befristung: 5. Februar 2022 Kennzahl: 29/2021 "
    "Vollzeit/Teilzeit: Vollzeit, gegebenenfalls auch Teilzeit möglich Arbeitsgebiet: Mitarbeit in der Haushaltsabteilung "
    "der Alice Salomon Hochschule Berlin insbesondere",
    60: "Birnhornweg 22 22, 22 A Tödiweg 13 13, 13 A Grimmingweg 1, 1 A, 1 B 1 Mariendorfer Damm 342, 344, 346, 348, 350, "
    "352, 354 342, 344, 354 Säntisstraße 1, 3, 5, 7",
}


@cache
def gazette() -> Text:
    return read_pdf(GAZETTE.read_bytes(), ReadLimits(ocr_seconds=0))


def flowing(first: int, last: int) -> str:
    return " ".join(word for line in gazette().lines if first <= line.page <= last for word in line.text.split())


@needs_shared
@pytest.mark.parametrize("pages", ACROSS_PAGES, ids=str)
def test_a_passage_goes_on_over_the_page(pages: tuple[int, int]) -> None:
    assert ACROSS_PAGES[pages] in flowing(*pages)


@needs_shared
@pytest.mark.parametrize("page", ACROSS_COLUMNS)
def test_a_passage_goes_on_across_columns(page: int) -> None:
    assert ACROSS_COLUMNS[page] in flowing(page, page)


@needs_shared
def test_the_gazette_says_what_it_is() -> None:
    text = gazette()
    assert (text.state, text.pages, text.language) == (TextState.READ, 92, "de")
    assert text.title == "Amtsblatt für Berlin Nummer 28 vom 9. Juli 2021"
    assert text.published.startswith("2021-07-08")
    assert "Ungültigkeitserklärung eines Dienstsiegels" in " ".join(text.headings)


@needs_shared
def test_running_lines_are_gone_and_headings_at_the_top_of_a_page_are_not() -> None:
    lines = [line.text for line in gazette().lines]
    assert sum(line.startswith("ABl. Nr. 28") for line in lines) <= 2
    assert lines.count("Stellenausschreibungen") == 0
    assert lines.count("Pankow") >= 3


@needs_shared
def test_hardly_a_word_stays_divided() -> None:
    lines = [line.text for line in gazette().lines]
    following = pairwise(lines)
    divided = [line for line, after in following if line[-1:] == "-" and line[-2:-1].isalpha() and after[:1].islower()]
    assert len(divided) <= 15  # before "und", and at the end of web addresses
    assert not any("\ufffe" in line or "\u00ad" in line for line in lines)
