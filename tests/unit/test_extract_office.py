import pytest

from kiebitz.extract.limits import ReadLimits
from kiebitz.extract.office import read_docx, read_odf
from kiebitz.extract.reading import read
from kiebitz.model.text import TextState
from tests.hostile_documents import DOCX_TYPE, ODT_TYPE, docx, odt, package

CORE = """<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:t="t"><dc:title>Satzung der Stadt</dc:title>
<t:created>2026-03-12T09:00:00Z</t:created><t:modified>2026-03-13T09:00:00Z</t:modified><cp:keywords>Satzung; Gebühr</cp:keywords>
</cp:coreProperties>"""


def paragraph(text: str, style: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{styled}<w:r><w:t>{text}</w:t></w:r></w:p>"


def test_a_docx_is_read_with_headings_tables_and_facts() -> None:
    table = f"<w:tbl><w:tr><w:tc>{paragraph('Gebühr')}</w:tc><w:tc>{paragraph('5 €')}</w:tc></w:tr></w:tbl>"
    body = (
        paragraph("Satzung", "Heading1") + "<w:p><w:r><w:t>Der Rat</w:t><w:tab/><w:t>hat und</w:t></w:r></w:p>" + table
    )
    text = read(docx(body, CORE), DOCX_TYPE)
    assert [line.text for line in text.lines] == ["Satzung", "Der Rat hat und", "Gebühr 5 €"]
    assert (text.title, text.headings) == ("Satzung der Stadt", ("Satzung",))
    assert (text.published, text.modified) == ("2026-03-12T09:00:00Z", "2026-03-13T09:00:00Z")
    assert text.keywords == ("Satzung", "Gebühr")


def test_deleted_text_and_doubles_of_drawings_are_left_out() -> None:
    body = (
        "<w:p><w:r><w:t>gilt</w:t></w:r><w:del><w:r><w:delText>galt</w:delText></w:r></w:del>"
        '<mc:AlternateContent xmlns:mc="m"><mc:Fallback><w:r><w:t>doppelt</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>'
    )
    assert read_docx(docx(body)).plain == "gilt"


def test_an_odt_is_read_with_headings_tables_and_facts() -> None:
    meta = (
        '<office:document-meta xmlns:office="o" xmlns:dc="d" xmlns:meta="m"><dc:title>Plan</dc:title>'
        "<meta:creation-date>2026-03-12T09:00:00</meta:creation-date></office:document-meta>"
    )
    body = (
        "<text:tracked-changes><text:p>alt</text:p></text:tracked-changes><text:h>Plan</text:h>"
        "<text:p>Der<text:s/>Rat<text:line-break/>hat und</text:p>"
        "<table:table-row><text:p>eins</text:p><text:p>zwei</text:p></table:table-row>"
    )
    text = read(odt(body, meta=meta), ODT_TYPE)
    assert [line.text for line in text.lines] == ["Plan", "Der Rat hat und", "eins zwei"]
    assert (text.title, text.headings, text.published) == ("Plan", ("Plan",), "2026-03-12T09:00:00")


def test_an_encrypted_odt_says_so() -> None:
    manifest = b"<manifest><encryption-data/></manifest>"
    locked = package({"mimetype": ODT_TYPE.encode(), "META-INF/manifest.xml": manifest, "content.xml": b"\x00\x01"})
    assert read_odf(locked).state is TextState.ENCRYPTED


def test_a_package_without_a_document_is_damaged() -> None:
    assert read_docx(package({"other.xml": b"<a/>"})).state is TextState.DAMAGED


def test_a_document_that_ends_in_the_middle_is_damaged_and_keeps_what_was_read() -> None:
    broken = package({"word/document.xml": b'<w:d xmlns:w="w"><w:p><w:t>eins</w:t></w:p><w:p>'})
    text = read_docx(broken)
    assert (text.state, text.plain) == (TextState.DAMAGED, "eins")


def test_a_long_document_is_cut() -> None:
    text = read_docx(docx(paragraph("a" * 100) * 50), ReadLimits(characters=1_000))
    assert len(text.lines) == 10
    assert "cut" in text.reason


def test_rtf_is_read() -> None:
    rtf = rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator GlyphRun;}\f0 Der Rat hat und die Stra\'dfe\par Gr\u246?\'dfe \{x\}\line Ende}"
    text = read(rtf, "application/rtf")
    assert [line.text for line in text.lines] == ["Der Rat hat und die Straße", "Größe {x}", "Ende"]


@pytest.mark.parametrize(
    ("content", "content_type", "state"),
    [
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500 + "WordDocument".encode("utf-16-le"),
            "application/msword",
            TextState.UNSUPPORTED,
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500 + "EncryptedPackage".encode("utf-16-le"),
            DOCX_TYPE,
            TextState.ENCRYPTED,
        ),
        (b"PK\x03\x04 nothing", "application/zip", TextState.UNSUPPORTED),
        (b"\x89PNG\r\n\x1a\n", "image/png", TextState.UNSUPPORTED),
        (b"\x00\x01\x02\x03" * 100, "text/plain", TextState.UNSUPPORTED),
        (b"   ", "text/plain", TextState.EMPTY),
    ],
)
def test_what_is_not_read_has_a_state_and_a_reason(content: bytes, content_type: str, state: TextState) -> None:
    text = read(content, content_type)
    assert text.state is state
    assert text.reason or state is TextState.EMPTY


def test_plain_text_and_csv_are_read_in_their_encoding() -> None:
    assert read("Größe;Straße\n1;2\n".encode("latin-1"), "text/csv").plain == "Größe;Straße\n1;2"
    assert read("Größe".encode("utf-16"), "text/plain").plain == "Größe"
