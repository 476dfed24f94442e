"""PDF: its text in reading order, with the page and the box of every line.

pdfium reads the file; the order is ours (``columns``), because files draw their text in any order. Pages without a usable
text layer are pictures: they are read by OCR where it is installed, and named where it is not. Nothing is executed:
scripts, forms and attachments of the file are never opened.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from kiebitz.extract import ocr
from kiebitz.extract.characters import is_scrambled, plain, unmapped
from kiebitz.extract.columns import reading_orders
from kiebitz.extract.glyphs import GlyphRun, PageFrame, SeenPage, characters_of, frame_of, turns_of, words_of
from kiebitz.extract.hyphens import joined
from kiebitz.extract.language import language_of
from kiebitz.extract.limits import DEFAULT, ReadLimits
from kiebitz.extract.pdf_facts import facts_of, headings_of, instant, title_of
from kiebitz.extract.rows import text_of
from kiebitz.extract.running import without_running_lines
from kiebitz.extract.visibility import picture_share, visible
from kiebitz.model.text import Box, Line, Text, TextState

FEWEST_CHARACTERS = 25  # a page with less text and a large picture is a scan
LARGE_PICTURE = 0.35  # of the page
GARBAGE = 0.25  # share of characters without a meaning in a page nobody can read


class Reading(NamedTuple):
    """A page before its place in the document is known."""

    sheet: SeenPage
    frame: PageFrame
    turned: PageFrame  # in which the words stand upright
    is_picture: bool = False
    is_garbage: bool = False


def read_pdf(content: bytes, limits: ReadLimits = DEFAULT) -> Text:
    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        return _refused(error)
    try:
        return _read(document, limits)
    finally:
        document.close()


def _refused(error: pypdfium2.PdfiumError) -> Text:
    code = getattr(error, "err_code", None)
    if code == pdfium.FPDF_ERR_PASSWORD:
        return Text(TextState.ENCRYPTED, reason="the file asks for a password")
    if code == pdfium.FPDF_ERR_SECURITY:
        return Text(TextState.ENCRYPTED, reason="the file is encrypted in a way we do not know")
    return Text(TextState.DAMAGED, reason="not a PDF, or damaged beyond reading")


def _read(document: Any, limits: ReadLimits) -> Text:
    count = len(document)
    facts = facts_of(document.raw)
    readings, notes = _readings(document.raw, min(count, limits.pages), limits)
    if count and not any(readings):
        return Text(TextState.DAMAGED, pages=count, metadata=tuple(facts.items()), reason="no page could be read")
    if count > limits.pages:
        notes.append(f"{count - limits.pages:,} of {count:,} pages were not read: at most {limits.pages:,} are")
    running = without_running_lines([reading.sheet if reading else SeenPage([], 0, 0) for reading in readings])
    lines, scanned, was_read = _lines(document.raw, readings, running.sheets, limits)
    if scanned:
        notes.append(f"{len(scanned):,} of {count:,} pages have no text layer that can be read")
    if was_read:
        notes.append(f"{was_read:,} pages were read by OCR")
    if running.lines:
        facts["Running lines"] = " | ".join(running.lines[:5])[:500]
    state = TextState.NEEDS_OCR if scanned else TextState.READ if lines else TextState.EMPTY
    return Text(
        state,
        tuple(lines),
        title=title_of(facts, lines),
        description=facts.get("Subject", ""),
        keywords=_keywords(facts.get("Keywords", "")),
        headings=headings_of(lines),
        language=language_of(" ".join(line.text for line in lines[:200])),
        published=instant(facts.get("CreationDate", "")),
        modified=instant(facts.get("ModDate", "")),
        pages=count,
        scanned=tuple(scanned),
        metadata=tuple(facts.items()),
        reason="; ".join(notes),
    )


def _keywords(written: str) -> tuple[str, ...]:
    parts = written.split(";") if ";" in written else written.split(",")
    return tuple(part.strip() for part in parts if part.strip())[:100]


# ---------------------------------------------------------------------- page by page


def _readings(document: Any, count: int, limits: ReadLimits) -> tuple[list[Reading | None], list[str]]:
    readings: list[Reading | None] = []
    notes: list[str] = []
    characters = damaged = 0
    for number in range(count):
        reading = _reading(document, number)
        readings.append(reading)
        damaged += reading is None
        characters += reading.sheet.characters if reading else 0
        if characters > limits.characters:
            notes.append(
                f"the text was cut after page {number + 1:,}: at most {limits.characters:,} characters are read"
            )
            break
    if damaged:
        notes.append(f"{damaged:,} pages are damaged")
    return readings, notes


def _reading(document: Any, number: int) -> Reading | None:
    page = pdfium.FPDF_LoadPage(document, number)
    if not page:
        return None
    try:
        text_page = pdfium.FPDFText_LoadPage(page)
        if not text_page:
            return None
        try:
            return _reading_of(page, text_page)
        finally:
            pdfium.FPDFText_ClosePage(text_page)
    finally:
        pdfium.FPDF_ClosePage(page)


def _reading_of(page: Any, text_page: Any) -> Reading:
    frame = frame_of(page)
    text = characters_of(text_page)
    turned = frame._replace(turns=turns_of(text_page, text))
    words = words_of(text_page, text, turned)
    words = visible(page, text_page, words, turned)
    written = sum(len(word.text) for word in words)
    strange = unmapped(text)
    meaningless = strange > GARBAGE * max(1, len(text) - text.count(" ")) or is_scrambled(text)
    garbage = written > 0 and meaningless
    little = written < 10 * FEWEST_CHARACTERS  # running lines are taken away later
    picture = little and picture_share(page, frame) >= LARGE_PICTURE
    return Reading(SeenPage(words, *turned.size, strange, len(text)), frame, turned, picture, garbage)


# ---------------------------------------------------------------------- lines


def _lines(
    document: Any, readings: Sequence[Reading | None], sheets: Sequence[SeenPage], limits: ReadLimits
) -> tuple[list[Line], list[int], int]:
    """The lines of all pages, the pages that nobody could read, and how many OCR could."""
    lines: list[Line] = []
    scanned: list[int] = []
    was_read = 0
    budget = ocr.Budget(limits.ocr_seconds, limits.ocr_page_seconds)
    unread = {number for number, reading in enumerate(readings) if reading is None or reading.is_garbage}
    orders = reading_orders([[] if number in unread else sheet.words for number, sheet in enumerate(sheets)])
    for number, (reading, order) in enumerate(zip(readings, orders, strict=True), 1):
        if reading is None:
            continue
        found = _text_lines(order, reading, number)
        is_bare = reading.is_picture and sum(len(line.text) for line in found) < FEWEST_CHARACTERS
        if is_bare or reading.is_garbage:
            seen = _by_ocr(document, number, reading.frame, budget)
            if seen is None or (reading.is_garbage and not seen):
                scanned.append(number)
            else:
                found, was_read = seen, was_read + 1
        lines += found
    return joined(lines), scanned, was_read


def _text_lines(order: list[list[GlyphRun]], reading: Reading, number: int) -> list[Line]:
    lines = []
    for words in order:
        text = " ".join(plain(text_of(words)).split())
        if not text:
            continue
        left, right = min(word.left for word in words), max(word.right for word in words)
        top, bottom = min(word.top for word in words), max(word.bottom for word in words)
        box = (left, top, right, bottom)
        if reading.turned.turns != reading.frame.turns:
            box = reading.frame.seen(*reading.turned.filed(*box))
        lines.append(Line(text, number, Box(*box)))
    return lines


def _by_ocr(document: Any, number: int, frame: PageFrame, budget: ocr.Budget) -> list[Line] | None:
    seconds = budget.of_page()
    if seconds <= 1 or not ocr.installed_languages():
        return None
    page = pdfium.FPDF_LoadPage(document, number - 1)
    try:
        picture = ocr.draw(page, *frame.size)
    finally:
        pdfium.FPDF_ClosePage(page)
    return ocr.read_picture(picture, number, seconds) if picture else None
