"""PDFs whose text and order are known: columns, running lines, divided words, drawn in any order.

The truth is what a reader would say: the words in their order, whole, without running heads and page numbers.
"""

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

WIDTH, HEIGHT = 595, 842
LEFT, RIGHT, TOP, BOTTOM = 56, 539, 760, 80
SHINGLE = 40

# Advance widths of Helvetica in 1/1000 em (Adobe's font metrics), for characters 32 to 126; others as "n".
_ADVANCES = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 "
    "1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 "
    "333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
ADVANCE = dict(zip(map(chr, range(32, 127)), map(int, _ADVANCES.split()), strict=True)) | {
    "ß": 611,
    "Ä": 667,
    "Ö": 778,
    "Ü": 722,
}

_VOCABULARY = (
    "Bekanntmachung Bebauungsplan Gemeinde Stadtrat Beschluss Aufstellung Auslegung Grundstück Verfahren Planungsamt Bürgermeister "
    "Einwendungen Öffentlichkeit Landkreis Satzung Haushaltsjahr Verordnung Straße Baugenehmigung Wasserrecht Flurstück Gemarkung "
    "Umweltbericht Genehmigungsverfahren Verwaltungsgebäude Niederschlagswasser Gewerbegebiet Wohnbebauung Erschließung "
    "der die das und ist in den von zu mit des auf für im nicht ein eine dem als auch an werden aus nach wird bei oder um "
    "während öffentlich ausgelegt beschlossen vorgesehen schriftlich mündlich innerhalb zuständigen betroffenen geändert "
    "festgesetzt bekannt gemäß Absatz Nummer Frist Monat Rathaus Zimmer Stock Sitzung Uhr Dienststunden"
)
_WORDS = _VOCABULARY.split()

_FIRST = (
    "Bau Wasser Straßen Garten Stadt Wald Feld Brücken Markt Schul Sport Park Ufer Tal Berg Deich Moor Hafen Kirch Amts"
)
_SECOND = "planungs nutzungs verwaltungs entwicklungs förder schutz ordnungs pflege gebühren rechts prüfungs aufsichts"
_LAST = "amt gesetz verfahren bescheid stelle satzung rat plan antrag bericht vertrag fläche gruppe frist abgabe"
_PARTS = (_FIRST.split(), _SECOND.split(), _LAST.split())


class Drawing(StrEnum):
    COLUMNS = "columns"  # column by column: the order of reading
    ROWS = "rows"  # row by row across the columns
    RANDOM = "random"  # pieces of lines in any order


class Piece(NamedTuple):
    """A few words that are drawn at once."""

    x: float
    y: float
    size: float
    text: str
    spacing: float = 0.0  # added to every space


class Columns(NamedTuple):
    content: bytes
    words: list[str]  # in reading order, whole
    lines: list[str]  # as they were set


class Setting(NamedTuple):
    """How the columns are set."""

    gap: float = 14.0  # between columns, in points
    ragged: bool = False  # not justified
    staggered: bool = False  # the lines of neighbouring columns are not level
    words: int = 3  # in a piece; 0: every character is one
    short: float = 0.0  # share of lines that end early: paragraphs, addresses
    subheads: bool = False  # headings of a column, set larger
    headings: bool = True  # one across all columns in the middle of every second page


PLAIN = Setting()


def columns(count: int, drawing: Drawing, setting: Setting = PLAIN, *, pages: int = 4, seed: int = 1) -> Columns:
    chance = random.Random(f"{count} {seed}")
    size = {1: 11.0, 2: 9.5, 3: 8.5}[count]
    text = _Text(chance, size, setting)
    drawn = []
    for number in range(1, pages + 1):
        pieces = [
            Piece(LEFT, 800, 8, f"Amtsblatt der Stadt Musterhausen Nr. {seed}"),
            Piece(480, 800, 8, "12. März 2026"),
            Piece(290, 40, 8, f"Seite {number}"),
        ]
        middle = BOTTOM + 300
        if setting.headings and number % 2 == 0:
            pieces += _block(text, count, TOP, middle + 30, drawing, chance)
            pieces.append(text.heading(middle))
            pieces += _block(text, count, middle - 30, BOTTOM, drawing, chance)
        else:
            pieces += _block(text, count, TOP, BOTTOM, drawing, chance)
        drawn.append(pieces)
    return Columns(document([page(pieces) for pieces in drawn], title="Amtsblatt"), text.words, text.lines)


def _block(
    text: "_Text", count: int, top: float, bottom: float, drawing: Drawing, chance: random.Random
) -> list[Piece]:
    gap = text.setting.gap
    width = (RIGHT - LEFT - gap * (count - 1)) / count
    lines = []
    for column in range(count):
        leading = text.size * 1.22
        at = top - (0.45 * leading * (column % 2) if text.setting.staggered else 0)
        while at > bottom:
            left = LEFT + column * (width + gap)
            below = at - leading * (1.6 if chance.random() < 0.08 else 1)
            before_head = text.setting.subheads and chance.random() < 0.06 and below > bottom + 40
            ends = (column == count - 1 and below <= bottom) or before_head  # nobody divides a word before a heading
            lines.append(text.line(left, at, width, divide=not ends))
            at = below
            if before_head:
                lines.append([text.heading(at - 0.8 * leading, x=left, size=text.size * 1.35, words=1)])
                at -= 2.4 * leading
    if drawing is Drawing.COLUMNS:
        return [_whole(line) for line in lines]
    if drawing is Drawing.ROWS:
        return sorted((_whole(line) for line in lines), key=lambda piece: (-piece.y, piece.x))
    pieces = [piece for line in lines for piece in line]
    chance.shuffle(pieces)
    return pieces


def _whole(line: list[Piece]) -> Piece:
    return line[0]._replace(text=" ".join(piece.text for piece in line))


class _Text:
    """An endless text, set line by line."""

    def __init__(self, chance: random.Random, size: float, setting: Setting) -> None:
        self.size = size
        self.setting = setting
        self.words: list[str] = []
        self.lines: list[str] = []
        self._chance = chance
        self._rest = ""

    def heading(self, y: float, x: float = LEFT, size: float = 15, words: int = 3) -> Piece:
        chosen = [self._chance.choice(_WORDS).capitalize() for _ in range(words)] + [
            str(self._chance.randrange(10_000))
        ]
        self.words += chosen
        self.lines.append(" ".join(chosen))
        return Piece(x, y, size, " ".join(chosen))

    def line(self, x: float, y: float, width: float, *, divide: bool = True) -> list[Piece]:
        """One justified line; the last word is divided where it does not fit."""
        words: list[str] = []
        is_short = self._chance.random() < self.setting.short
        full = width
        width = self._chance.uniform(0.2, 0.9) * width if is_short and not self._rest else width
        divide = divide and not is_short
        room = width
        while True:
            word, known = (self._rest, True) if self._rest else (self._word(), False)
            self._rest = ""
            if not known:
                self.words.append(word)
            needed = advance(word, self.size) + (advance(" ", self.size) if words else 0)
            if needed <= room or (not words and needed <= full):
                words.append(word)
                room -= needed
                continue
            cut = self._cut(word, room - (advance(" ", self.size) if words else 0)) if divide else 0
            if cut:
                words.append(word[:cut] + "-")
                room = width - advance(" ".join(words), self.size)
                self._rest = word[cut:]
            elif known:
                self._rest = word
            else:
                self.words.pop()  # it was not set
            break
        self.lines.append(" ".join(words))
        return self._pieces(words, x, y, 0.0 if is_short else room / max(1, len(words) - 1))

    def _word(self) -> str:
        """Half of them are compounds, so that hardly any line occurs twice; some are numbers."""
        kind = self._chance.random()
        if kind < 0.05:
            return str(self._chance.randrange(1_000, 100_000))
        if kind < 0.5:
            return self._chance.choice(_WORDS)
        first, second, last = (self._chance.choice(parts) for parts in _PARTS)
        return (first + second + last).capitalize()

    def _cut(self, word: str, room: float) -> int:
        """Where the word can be divided: at least four letters on both sides, both in lower case at the cut."""
        if not word.isalpha():
            return 0
        fits = [
            at
            for at in range(4, len(word) - 3)
            if advance(word[:at] + "-", self.size) <= room and word[at - 1 : at + 1].islower()
        ]
        return fits[-1] if fits else 0

    def _pieces(self, words: list[str], x: float, y: float, extra: float) -> list[Piece]:
        spacing = extra if extra < 8 and not self.setting.ragged else 0.0
        pieces = []
        if not self.setting.words:
            return self._characters(" ".join(words), x, y, spacing)
        for start in range(0, len(words), self.setting.words):
            part = " ".join(words[start : start + self.setting.words])
            pieces.append(Piece(x, y, self.size, part, spacing))
            x += advance(part, self.size) + part.count(" ") * spacing + advance(" ", self.size) + spacing
        return pieces

    def _characters(self, line: str, x: float, y: float, spacing: float) -> list[Piece]:
        pieces = []
        for char in line:
            if char != " ":
                pieces.append(Piece(x, y, self.size, char))
            x += advance(char, self.size) + (spacing if char == " " else 0)
        return pieces


def advance(text: str, size: float) -> float:
    return sum(ADVANCE.get(char, 556) for char in text) * size / 1000


# ---------------------------------------------------------------------- the file


def page(pieces: Sequence[Piece]) -> bytes:
    """The content stream."""
    shown = [
        f"BT /F1 {piece.size} Tf {piece.spacing:.3f} Tw 1 0 0 1 {piece.x:.2f} {piece.y:.2f} Tm ".encode()
        + string(piece.text)
        + b" Tj ET"
        for piece in pieces
    ]
    return b"\n".join(shown)


def string(text: str) -> bytes:
    raw = text.encode("cp1252", "replace")
    return b"(" + raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") + b")"


FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def document(
    contents: Sequence[bytes],
    *,
    title: str = "",
    font: bytes = FONT,
    page_entries: str = "",
    catalog_entries: bytes = b"",
    resources: str = "",
    extra: Sequence[bytes] = (),
) -> bytes:
    """A file of the given pages. Objects of ``extra`` are numbered from 5."""
    first = 5 + len(extra)
    kids = " ".join(f"{first + 2 * index} 0 R" for index in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R " + catalog_entries + b" >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
        font,
        b"<< /Title " + string(title) + b" /CreationDate (D:20260312101500+01'00') >>",
        *extra,
    ]
    for index, content in enumerate(contents):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] {page_entries} "
            f"/Contents {first + 2 * index + 1} 0 R /Resources << /Font << /F1 3 0 R >> {resources} >> >>".encode(),
            stream(content),
        ]
    return file(objects)


def stream(content: bytes, entries: str = "") -> bytes:
    return f"<< /Length {len(content)} {entries} >>\nstream\n".encode() + content + b"\nendstream"


def file(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    data = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for offset in offsets:
        data += b"%010d 00000 n \n" % offset
    data += b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R %b >>\n" % (len(objects) + 1, trailer)
    return bytes(data + b"startxref\n%d\n%%%%EOF\n" % start)


# ---------------------------------------------------------------------- how well it was read


def recall(truth: Sequence[str], read: str) -> float:
    """The share of the truth's shingles of 40 characters that were read."""
    known, found = " ".join(truth), " ".join(read.split())
    shingles = {found[at : at + SHINGLE] for at in range(len(found) - SHINGLE + 1)}
    wanted = [known[at : at + SHINGLE] for at in range(len(known) - SHINGLE + 1)]
    return sum(shingle in shingles for shingle in wanted) / len(wanted)


def order(lines: Sequence[str], read: str) -> float:
    """Longest increasing subsequence of the lines' positions over their number; a line that is missing has none.

    A divided word is whole in the text, so a line is looked for without its hyphen. Lines that occur twice have no one
    place, and do not count.
    """
    found = " ".join(read.split())
    counts = Counter(line.removesuffix("-") for line in lines)
    once = [line for line, count in counts.items() if count == 1 and found.count(line) <= 1]
    tails: list[int] = []
    for line in once:
        at = found.find(line)
        if at >= 0:
            place = bisect_left(tails, at)
            tails[place : place + 1] = [at]
    assert len(once) > 0.5 * len(lines)
    return len(tails) / len(once)
