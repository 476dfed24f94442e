import pytest

from kiebitz.extract.pdf import read_pdf
from kiebitz.model.text import TextState
from tests.pdf_pages import Drawing, Piece, Setting, advance, columns, document, order, page, recall

EVERY = [(count, drawing) for count in (1, 2, 3) for drawing in Drawing]


@pytest.mark.parametrize(("count", "drawing"), EVERY)
def test_columns_are_read_in_order_however_they_were_drawn(count: int, drawing: Drawing) -> None:
    made = columns(count, drawing, pages=3)
    text = read_pdf(made.content)
    assert text.state is TextState.READ
    assert recall(made.words, text.plain) >= 0.99
    assert order(made.lines, text.plain) >= 0.97


@pytest.mark.parametrize(
    "setting",
    [
        Setting(gap=9),
        Setting(ragged=True),
        Setting(staggered=True),
        Setting(words=1),
        Setting(12, ragged=True, staggered=True, words=1),
        Setting(short=0.6, subheads=True),
        Setting(short=0.8, ragged=True),
        Setting(words=0),
    ],
    ids=[
        "narrow gutter",
        "ragged",
        "staggered",
        "word by word",
        "all of it",
        "short lines",
        "hardly a full line",
        "letter by letter",
    ],
)
@pytest.mark.parametrize("count", [2, 3])
def test_columns_are_found_in_less_tidy_settings(count: int, setting: Setting) -> None:
    made = columns(count, Drawing.RANDOM, setting, pages=3, seed=2)
    text = read_pdf(made.content)
    assert recall(made.words, text.plain) >= 0.99
    assert order(made.lines, text.plain) >= 0.97


def test_running_heads_and_page_numbers_are_left_out_but_named() -> None:
    text = read_pdf(columns(2, Drawing.COLUMNS, pages=4).content)
    assert "Musterhausen" not in text.plain
    assert "Seite 2" not in text.plain
    assert "Amtsblatt der Stadt Musterhausen" in dict(text.metadata)["Running lines"]


def test_a_heading_that_opens_several_pages_is_no_running_head() -> None:
    """Other pages have text at its place."""
    starts = [
        "Pankow",
        "Der Rat hat beschlossen",
        "Pankow",
        "Die Frist beginnt am Tag",
        "Pankow",
        "Zimmer 12 im Rathaus",
        "Ende",
    ]
    pages = [
        page([Piece(56, 760, 12, start), Piece(56, 700, 10, f"Zeile {n} des Textes")]) for n, start in enumerate(starts)
    ]
    assert read_pdf(document(pages)).plain.count("Pankow") == 3


def row(y: float, *cells: tuple[float, str]) -> list[Piece]:
    return [Piece(x, y, 10, text) for x, text in cells]


def test_a_table_of_labels_is_read_row_by_row() -> None:
    labels = ["Bezeichnung:", "Besetzbar ab:", "Kennzahl:", "Bewerbungsfrist:"]
    values = ["Leiterin des Bauamtes", "1. August 2026", "29/2026", "11. Juli 2026"]
    pieces = [
        piece
        for n, pair in enumerate(zip(labels, values, strict=True))
        for piece in row(700 - 18 * n, (56, pair[0]), (200, pair[1]))
    ]
    pieces = pieces[::2] + pieces[1::2]  # drawn column by column
    lines = read_pdf(document([page(pieces)])).plain.splitlines()
    assert lines == [f"{label} {value}" for label, value in zip(labels, values, strict=True)]


def test_a_cell_of_several_lines_is_read_as_a_whole() -> None:
    pieces = [
        *row(700, (56, "Mariendorfer Damm"), (200, "342, 344, 346, 348, 350,"), (400, "342, 344, 354")),
        *row(688, (200, "352, 354")),
        *row(660, (56, "Tödiweg"), (200, "13"), (400, "13, 13 A")),
        *row(632, (56, "Birnhornweg"), (200, "22"), (400, "22, 22 A")),
        *row(604, (56, "Säntisstraße"), (200, "1, 3, 5"), (400, "keine")),
    ]
    text = " ".join(read_pdf(document([page(pieces)])).plain.split())
    assert "342, 344, 346, 348, 350, 352, 354 342, 344, 354 Tödiweg 13 13, 13 A Birnhornweg" in text


def test_a_line_keeps_its_page_and_its_box() -> None:
    text = read_pdf(document([page([Piece(56, 700, 12, "eins")]), page([Piece(100, 500, 12, "zwei Wörter")])]))
    first, second = text.lines
    assert (first.page, second.page) == (1, 2)
    assert second.box is not None
    assert second.box.left == pytest.approx(100, abs=2)
    assert second.box.right == pytest.approx(100 + advance("zwei Wörter", 12), abs=2)
    assert second.box.top < 842 - 500 < second.box.bottom
    assert second.box.bottom - second.box.top < 20


def test_a_column_of_short_lines_is_a_column_where_the_document_has_columns() -> None:
    """The first page has addresses on the left, which alone could be the labels of a table."""
    left = [f"Amt {number}" for number in range(12)]
    sentences = [
        "Der Rat der Stadt hat den Plan beschlossen",
        "und legt ihn im Rathaus für die Dauer eines",
        "Monats zu jedermanns Einsicht öffentlich aus",
    ]
    first = page(
        [
            *(Piece(56, 700 - 12 * n, 9, text) for n, text in enumerate(left)),
            *(Piece(310, 700 - 12 * n, 9, sentences[n % 3]) for n in range(12)),
        ]
    )
    others = [page([Piece(x, 700 - 12 * n, 9, sentences[n % 3]) for n in range(12) for x in (56, 310)])] * 2
    lines = [line.text for line in read_pdf(document([first, *others])).lines if line.page == 1]
    assert lines[:12] == left


def test_left_and_right_pages_may_have_different_running_heads() -> None:
    pages = []
    for number in range(1, 5):
        head = f"Seite {number} Amtsblatt" if number % 2 else f"Amtsblatt Seite {number}"
        pages.append(
            page(
                [
                    Piece(56, 810, 8, head),
                    *(Piece(56, 700 - 14 * n, 10, f"Absatz {number}-{n} des Textes") for n in range(9)),
                ]
            )
        )
    assert "Amtsblatt" not in read_pdf(document(pages)).plain


def test_a_list_with_hanging_numbers_is_read_item_by_item() -> None:
    pieces = []
    for number in range(5):
        pieces += [
            Piece(56, 700 - 30 * number, 10, f"{number})"),
            Piece(80, 700 - 30 * number, 10, f"Absatz {number} der Satzung der Stadt wird wie"),
        ]
        pieces += [Piece(80, 688 - 30 * number, 10, f"folgt geändert und neu gefasst {number}")]
    lines = read_pdf(document([page(pieces)])).plain.splitlines()
    assert lines[:2] == ["0) Absatz 0 der Satzung der Stadt wird wie", "folgt geändert und neu gefasst 0"]
    assert len(lines) == 10
