import io
import time
import zipfile

import pytest

from kiebitz.standards import media_type
from kiebitz.standards.media_type import Kind

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODT = "application/vnd.oasis.opendocument.text"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)
PAGE = b"\n<!DOCTYPE html><html><title>404</title>"
RSS = b'<?xml version="1.0"?>\n<!-- made by hand --><rss version="2.0"><channel>'


def archive(*members: tuple[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, text in members:
            file.writestr(name, text)
    return stream.getvalue()


WORD = archive(("[Content_Types].xml", "x" * 9000), ("_rels/.rels", ""), ("word/document.xml", ""))
SHEET = archive(("[Content_Types].xml", ""), ("xl/workbook.xml", ""))
OPEN = archive(("mimetype", ODT), ("content.xml", ""))


@pytest.mark.parametrize(
    ("header", "plain"),
    [
        ("Text/HTML; charset=utf-8", "text/html"),
        ("application/pdf,application/pdf", "application/pdf"),
        ("application/x-pdf", "application/pdf"),
        ("text/rtf", "application/rtf"),
        ("  ", ""),
    ],
)
def test_the_essence_is_lower_case_and_without_parameters(header: str, plain: str) -> None:
    assert media_type.essence(header) == plain


@pytest.mark.parametrize(
    ("essence", "kind"),
    [
        ("text/html", Kind.PAGE),
        ("application/xhtml+xml", Kind.PAGE),
        ("text/plain", Kind.PAGE),
        ("text/xml", Kind.PAGE),
        ("application/rss+xml", Kind.FEED),
        ("application/atom+xml", Kind.FEED),
        ("application/feed+json", Kind.FEED),
        ("application/pdf", Kind.DOCUMENT),
        ("application/msword", Kind.DOCUMENT),
        (DOCX, Kind.DOCUMENT),
        (ODT, Kind.DOCUMENT),
        ("application/epub+zip", Kind.DOCUMENT),
        ("image/png", Kind.OTHER),
        ("text/css", Kind.OTHER),
        ("application/octet-stream", Kind.OTHER),
    ],
)
def test_a_type_has_a_kind(essence: str, kind: Kind) -> None:
    assert media_type.kind_of(essence) is kind


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("text/html; charset=utf-8", True),
        ("application/pdf", True),
        ("application/rss+xml", True),
        ("", True),
        ("application/octet-stream", True),
        ("application/force-download", True),
        ("image/jpeg", False),
        ("video/mp4", False),
        ("text/css", False),
        ("font/woff2", False),
        ("application/zip", False),
    ],
)
def test_a_body_is_taken_if_its_header_promises_something_or_says_nothing(header: str, wanted: bool) -> None:
    assert media_type.wanted(header) is wanted


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"%PDF-1.7\n", "application/pdf"),
        (WORD, DOCX),
        (SHEET, XLSX),
        (OPEN, ODT),
        (archive(("mimetype", "application/epub+zip")), "application/epub+zip"),
        (archive(("a.txt", "hello"), ("password/x", "")), "application/zip"),
        (OLE + "WordDocument".encode("utf-16-le"), "application/msword"),
        (OLE + "Workbook".encode("utf-16-le"), "application/vnd.ms-excel"),
        (OLE, "application/x-ole-storage"),
        (b"{\\rtf1\\ansi", "application/rtf"),
        (b"\x1f\x8b\x08\x00", "application/gzip"),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        (PAGE, "text/html"),
        (b"\xef\xbb\xbf<html >", "text/html"),
        (b"<p>Hallo", "text/html"),
        (b"<pre", "text/plain"),
        (RSS, "application/rss+xml"),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'>", "application/atom+xml"),
        (b"<urlset xmlns='x'>", "application/sitemap+xml"),
        (b"<?xml version='1.0'?><books/>", "application/xml"),
        (b"<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x' 'y'><html>", "application/xhtml+xml"),
        (b'{"title": "x", "version": "https://jsonfeed.org/version/1.1"}', "application/feed+json"),
        ("Größe\n".encode(), "text/plain"),
        (b"\x00\x01\x02\x03", "application/octet-stream"),
        (b"", "application/octet-stream"),
    ],
)
@pytest.mark.parametrize("header", ["", "application/octet-stream", "application/x-download"])
def test_a_header_that_says_nothing_is_replaced_by_what_the_bytes_say(header: str, content: bytes, found: str) -> None:
    assert media_type.sniff(header, content) == found


@pytest.mark.parametrize(
    ("header", "content", "found"),
    [
        ("text/html", b"%PDF-1.4", "application/pdf"),
        ("text/plain", b"%PDF-1.4", "application/pdf"),
        ("application/pdf", PAGE, "text/html"),
        ("application/msword", PAGE, "text/html"),
        ("application/msword", WORD, DOCX),
        ("application/msword", b"{\\rtf1", "application/rtf"),
        ("text/html", RSS, "application/rss+xml"),
        ("text/xml", RSS, "application/rss+xml"),
        ("application/rss+xml", PAGE, "text/html"),
        ("application/zip", SHEET, XLSX),
        ("application/json", b'{"version":"https://jsonfeed.org/version/1"}', "application/feed+json"),
    ],
)
def test_a_lying_header_is_corrected(header: str, content: bytes, found: str) -> None:
    assert media_type.sniff(header, content) == found


@pytest.mark.parametrize(
    ("header", "content"),
    [
        ("text/html", b"no markup at all"),
        ("text/html", b"<?xml version='1.0'?><html>"),
        ("text/plain", PAGE),
        ("application/pdf", b"\r\n\x00junk before %PDF-1.4"),
        ("application/pdf", b"\x00\x01"),
        (DOCX, archive(("[Content_Types].xml", ""))),
        ("application/vnd.ms-excel", OLE),
        ("application/json", b'{"a": 1}'),
        ("application/rss+xml", RSS),
        ("text/xml", b"<books/>"),
        ("text/csv", b"a;b"),
    ],
)
def test_a_header_that_may_be_right_is_believed(header: str, content: bytes) -> None:
    assert media_type.sniff(header, content) == header


def test_a_type_has_a_file_extension() -> None:
    assert media_type.extension("application/pdf") == ".pdf"
    assert media_type.extension(DOCX) == ".docx"
    assert media_type.extension("application/x-ole-storage") == ".bin"


@pytest.mark.parametrize("content", [b"<!---->" * 600, b"<??>" * 1000, b"<!doctype [" * 400, b'{"version"' * 400])
def test_hostile_markup_costs_linear_time(content: bytes) -> None:
    begin = time.process_time()
    media_type.sniff("", content)
    media_type.sniff("text/xml", content)
    assert time.process_time() - begin < 0.1
