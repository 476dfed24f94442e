import re

from kiebitz.lab.pdf import LINES_PER_PAGE, write_pdf


def test_the_cross_reference_table_points_at_every_object() -> None:
    data = write_pdf("Amtsblatt", ["Größe", "Zeile (mit) Klammern \\ und €"])
    assert data.startswith(b"%PDF-1.4\n")
    assert data.endswith(b"%%EOF\n")
    start = int(re.findall(rb"startxref\n(\d+)\n", data)[0])
    assert data[start : start + 5] == b"xref\n"
    count = int(re.findall(rb"xref\n0 (\d+)\n", data)[0])
    entries = re.findall(rb"(\d{10}) 00000 n \n", data[start:])
    assert len(entries) == count - 1
    for number, offset in enumerate(entries, 1):
        assert data[int(offset) :].startswith(b"%d 0 obj\n" % number)


def test_stream_lengths_are_right() -> None:
    data = write_pdf("Amtsblatt", [f"Zeile {number}" for number in range(120)])
    streams = re.findall(rb"<< /Length (\d+) >>\nstream\n(.*?)\nendstream", data, re.DOTALL)
    assert len(streams) == -(-120 // LINES_PER_PAGE)
    assert all(int(length) == len(content) for length, content in streams)
    assert b"/Count 3 " in data


def test_text_is_escaped_and_encoded() -> None:
    data = write_pdf("Titel", ["Straße (alt) \\ 5 €"])
    assert b"(Stra\xdfe \\(alt\\) \\\\ 5 \x80) Tj" in data


def test_the_same_lines_make_the_same_bytes() -> None:
    assert write_pdf("a", ["b"]) == write_pdf("a", ["b"])
    assert write_pdf("a", ["b"]) != write_pdf("a", ["c"])
    assert b"/Count 1 " in write_pdf("leer", [])
