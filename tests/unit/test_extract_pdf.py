import shutil

import pytest

from kiebitz.extract.limits import ReadLimits
from kiebitz.extract.pdf import read_pdf
from kiebitz.extract.pdf_facts import instant
from kiebitz.model.text import Text, TextState
from tests.hostile_documents import SENTENCE, photographed, scan, simple, without_unicode
from tests.pdf_pages import FONT, Drawing, Piece, columns, document, page, recall

WITHOUT_OCR = ReadLimits(ocr_seconds=0)


def text_of(content: bytes, **entries: str) -> Text:
    return read_pdf(document([content], **entries), WITHOUT_OCR)  # type: ignore[arg-type]


def test_title_dates_and_pages_come_from_the_file() -> None:
    text = read_pdf(document([simple()], title="Amtsblatt Nr. 7"))
    assert (text.title, text.pages, text.language) == ("Amtsblatt Nr. 7", 1, "de")
    assert text.published == "2026-03-12T10:15:00+01:00"


@pytest.mark.parametrize("made_up", ["", "Microsoft GlyphRun - Dokument1.docx", "untitled", "scan0001.pdf"])
def test_a_title_that_a_program_made_up_gives_way_to_the_largest_line(made_up: str) -> None:
    pieces = [Piece(56, 740, 22, "Amtsblatt der Gemeinde"), *(Piece(56, 700 - 14 * n, 10, SENTENCE) for n in range(6))]
    text = read_pdf(document([page(pieces)], title=made_up))
    assert text.title == "Amtsblatt der Gemeinde"
    assert text.headings == ("Amtsblatt der Gemeinde",)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("D:20210708122004+02'00'", "2021-07-08T12:20:04+02:00"),
        ("D:20210708122004Z", "2021-07-08T12:20:04Z"),
        ("D:20210708", "2021-07-08"),
        ("2021", "2021-01-01"),
        ("D:99999999", ""),
        ("gestern", ""),
        ("", ""),
    ],
)
def test_dates_of_pdfs_become_iso_dates(written: str, meant: str) -> None:
    assert instant(written) == meant


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_a_turned_page_is_read_and_its_boxes_are_where_one_sees_them(turned: int) -> None:
    pieces = [Piece(56, 700 - 20 * n, 11, f"Zeile {n}: {SENTENCE}") for n in range(5)]
    text = text_of(page(pieces), page_entries=f"/Rotate {turned}")
    # A turned page shows its text sideways, but people who make such pages draw the text so that it stands upright.
    assert len(text.lines) == 5
    assert [line.text[:7] for line in text.lines] == [f"Zeile {n}" for n in range(5)]
    width, height = (842, 595) if turned % 180 else (595, 842)
    for line in text.lines:
        assert line.box is not None
        assert 0 <= line.box.left < line.box.right <= width
        assert 0 <= line.box.top < line.box.bottom <= height


def test_text_drawn_upwards_on_a_turned_page_is_read_in_order() -> None:
    content = b"\n".join(
        b"BT /F1 11 Tf 0 1 -1 0 %d 60 Tm (Zeile %d der gedrehten Tabelle mit Text) Tj ET" % (100 + 20 * n, n)
        for n in range(6)
    )
    for entries in ("/Rotate 90", ""):
        lines = [line.text for line in text_of(content, page_entries=entries).lines]
        assert lines == [f"Zeile {n} der gedrehten Tabelle mit Text" for n in range(6)]


def test_what_lies_outside_the_page_is_not_read() -> None:
    pieces = [Piece(56, 700, 11, "zu sehen"), Piece(56, 2000, 11, "draußen"), Piece(-500, 700, 11, "links davon")]
    assert text_of(page(pieces)).plain == "zu sehen"


def test_what_is_cropped_away_is_not_read_and_boxes_start_at_the_crop() -> None:
    pieces = [Piece(120, 700, 11, "im Ausschnitt"), Piece(120, 50, 11, "abgeschnitten")]
    text = text_of(page(pieces), page_entries="/CropBox [100 400 500 800]")
    assert text.plain == "im Ausschnitt"
    box = text.lines[0].box
    assert box is not None
    assert box.left == pytest.approx(20, abs=2)
    assert box.top < 100 < box.bottom


def test_white_text_on_nothing_is_not_read() -> None:
    hidden = b"1 g BT /F1 11 Tf 1 0 0 1 56 600 Tm (versteckt) Tj ET 0 g "
    assert text_of(hidden + simple()).plain == SENTENCE


def test_white_text_on_a_dark_bar_is_read() -> None:
    bar = b"0.2 g 50 590 300 30 re f 1 g BT /F1 11 Tf 1 0 0 1 56 600 Tm (Amtlicher Teil) Tj ET 0 g "
    assert "Amtlicher Teil" in text_of(bar + simple()).plain


def test_invisible_text_counts_as_the_text_layer_of_a_picture_only() -> None:
    invisible = b"BT 3 Tr /F1 11 Tf 1 0 0 1 56 600 Tm (erkannter Text der Seite) Tj ET "
    assert text_of(invisible).plain == ""
    picture = b"q 595 0 0 842 0 0 cm /I0 Do Q "
    layered = scan().replace(b"q 595 0 0 842 0 0 cm /I0 Do Q", picture + invisible * 3)
    assert "erkannter Text der Seite" in read_pdf(layered, WITHOUT_OCR).plain


def test_a_page_that_is_a_picture_needs_ocr_and_says_which() -> None:
    text = read_pdf(scan(pages=3), WITHOUT_OCR)
    assert (text.state, text.scanned, text.pages) == (TextState.NEEDS_OCR, (1, 2, 3), 3)
    assert "3 of 3 pages" in text.reason


def test_a_font_without_meaning_needs_ocr_and_its_garbage_is_not_kept() -> None:
    text = read_pdf(without_unicode(), WITHOUT_OCR)
    assert (text.state, text.scanned, text.lines) == (TextState.NEEDS_OCR, (1,), ())


def test_a_font_whose_letters_are_shifted_needs_ocr() -> None:
    shifted = "".join(chr(ord(char) - 29) if char.isascii() and char.isalpha() else char for char in SENTENCE)
    text = text_of(page([Piece(56, 700 - 14 * n, 10, shifted) for n in range(8)]))
    assert (text.state, text.scanned, text.lines) == (TextState.NEEDS_OCR, (1,), ())


def test_a_table_of_numbers_and_signs_is_no_garbage() -> None:
    rows = [f"BPL {n}-{n + 3} KG {n * 7} m2 WA GRZ 0,{n % 9} GFZ 1,{n % 7} II DN {n} mm" for n in range(30)]
    text = text_of(page([Piece(56, 780 - 14 * n, 9, row) for n, row in enumerate(rows)]))
    assert len(text.lines) == 30


def test_a_page_without_anything_is_empty() -> None:
    assert text_of(b"").state is TextState.EMPTY


def test_ligatures_and_soft_hyphens_become_letters() -> None:
    font = FONT.replace(b"/WinAnsiEncoding", b"<< /BaseEncoding /WinAnsiEncoding /Differences [1 /fi 2 /fl] >>")
    content = b"BT /F1 11 Tf 1 0 0 1 56 700 Tm (Grund\001nder p\002egen) Tj ET"
    assert read_pdf(document([content], font=font)).plain == "Grundfinder pflegen"


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_a_picture_of_text_is_read_where_tesseract_is_installed() -> None:
    words = SENTENCE.split()
    pieces = [Piece(80, 700 - 40 * n, 16, " ".join(words[n * 4 : n * 4 + 4])) for n in range(4)]
    text = read_pdf(photographed(document([page(pieces)])), ReadLimits(ocr_seconds=200, ocr_page_seconds=200))
    assert text.state is TextState.READ
    assert "read by OCR" in text.reason
    read = " ".join(text.plain.split())
    assert sum(word in read for word in words) >= 0.8 * len(words)
    box = text.lines[0].box
    assert box is not None
    assert box.left == pytest.approx(80, abs=5)
    assert box.top < 842 - 700 < box.bottom + 3


def test_only_so_many_pages_are_read_and_the_rest_is_said() -> None:
    text = read_pdf(columns(1, Drawing.COLUMNS, pages=5).content, ReadLimits(pages=2))
    assert {line.page for line in text.lines} == {1, 2}
    assert text.pages == 5
    assert "3 of 5 pages were not read" in text.reason


def test_a_text_beyond_the_limit_is_cut_at_a_page() -> None:
    made = columns(1, Drawing.COLUMNS, pages=4)
    text = read_pdf(made.content, ReadLimits(characters=4_000))
    assert "cut after page" in text.reason
    assert recall(made.words, text.plain) < 0.9
