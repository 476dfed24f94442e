"""Documents that mean harm, or were harmed: made here, so that the tests hold real files."""

import io
import random
import zipfile
import zlib
from collections.abc import Sequence
from hashlib import md5

import pypdfium2

from tests.pdf_pages import Drawing, Piece, columns, document, file, page, stream

PASSWORD_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
SENTENCE = "Der Bebauungsplan wird in der Zeit vom 1. bis zum 30. April im Rathaus ausgelegt."


def simple(text: str = SENTENCE) -> bytes:
    """The content of one page with one line."""
    return page([Piece(56, 700, 11, text)])


# ---------------------------------------------------------------------- PDF


def flate_bomb(megabytes: int) -> bytes:
    """Compressed twice, so that the file is small: a content stream of blanks."""
    packer = zlib.compressobj(6)
    parts = [packer.compress(b" " * 1_000_000) for _ in range(megabytes)]
    twice = zlib.compress(b"".join(parts) + packer.flush())
    return _with_content(stream(twice, "/Filter [/FlateDecode /FlateDecode]"))


def _with_content(content: bytes, resources: bytes = b"", extra: Sequence[bytes] = ()) -> bytes:
    return file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [5 0 R] /Count 1 >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Title (Harm) >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R /Resources << /Font << /F1 3 0 R >> "
            + resources
            + b" >> >>",
            content,
            *extra,
        ]
    )


def xref_cycle() -> bytes:
    """The table of objects says that an earlier one stands where it stands itself."""
    data = document([simple()])
    start = data.rindex(b"startxref\n") + 10
    offset = data[start : data.index(b"\n", start)]
    return data.replace(b"/Root 1 0 R", b"/Root 1 0 R /Prev " + offset)


def page_tree_cycle() -> bytes:
    return file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1000000 >>",
            b"<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 3 0 R] /Count 1000000 >>",
            b"<< /Title (Round) >>",
        ]
    )


def nested_forms(levels: int = 14, times: int = 10) -> bytes:
    """Each form draws the next one ten times: 10 to the power of the levels of lines."""
    forms = []
    for level in range(levels):
        number = 7 + level
        drawn = f"/X{level + 1} Do ".encode() * times if level < levels - 1 else simple()
        resources = f"/XObject << /X{level + 1} {number + 1} 0 R >>" if level < levels - 1 else "/Font << /F1 3 0 R >>"
        forms.append(
            stream(drawn, f"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << {resources} >>"),
        )
    return _with_content(stream(b"/X0 Do"), b"/XObject << /X0 7 0 R >>", forms)


def two_gigabytes_declared() -> bytes:
    content = simple()
    return document([content]).replace(f"/Length {len(content)} ".encode(), b"/Length 2147483647 ")


def huge_picture() -> bytes:
    """A picture of 60,000 times 60,000 pixels that fills the page, packed into a few bytes."""
    pixels = zlib.compress(b"\0" * 1000)
    image = stream(
        pixels,
        "/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode",
    )
    return _with_content(stream(b"q 595 0 0 842 0 0 cm /I0 Do Q"), b"/XObject << /I0 7 0 R >>", [image])


def scan(pages: int = 1, grey: int = 200) -> bytes:
    """Pages that are a picture and nothing else."""
    pixels = zlib.compress(bytes([grey]) * (100 * 140))
    image = stream(
        pixels,
        "/Type /XObject /Subtype /Image /Width 100 /Height 140 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode",
    )
    return document([b"q 595 0 0 842 0 0 cm /I0 Do Q"] * pages, resources="/XObject << /I0 5 0 R >>", extra=[image])


def photographed(content: bytes, dpi: int = 150) -> bytes:
    """The first page of a PDF as a scanner would see it: a picture of it fills a page."""
    source = pypdfium2.PdfDocument(content)
    bitmap = source[0].render(scale=dpi / 72, grayscale=True)
    width, height = bitmap.width, bitmap.height
    rows = bytes(bitmap.buffer)
    pixels = b"".join(rows[at : at + width] for at in range(0, bitmap.stride * height, bitmap.stride))
    source.close()
    image = stream(
        zlib.compress(pixels),
        f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode",
    )
    return document([b"q 595 0 0 842 0 0 cm /I0 Do Q"], resources="/XObject << /I0 5 0 R >>", extra=[image])


def without_unicode(lines: int = 12) -> bytes:
    """A font that draws shapes by number and does not say which letters they are."""
    shown = "".join(f"{code:04X}" for code in range(0xE100, 0xE128))
    content = "\n".join(
        f"BT /F1 11 Tf 1 0 0 1 56 {760 - 16 * line} Tm <{shown}> Tj ET" for line in range(lines)
    ).encode()
    font = (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Secret /Encoding /Identity-H /DescendantFonts [<< /Type /Font "
        b"/Subtype /CIDFontType2 /BaseFont /ABCDEF+Secret /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) "
        b"/Supplement 0 >> /DW 600 /FontDescriptor << /Type /FontDescriptor /FontName /ABCDEF+Secret /Flags 4 "
        b"/FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>"
    )
    return document([content], font=font)


def with_script() -> bytes:
    script = b"/OpenAction << /S /JavaScript /JS (while (true) { app.alert\\('harm'\\); }) >>"
    return document([simple()], catalog_entries=script)


def many_pages(count: int) -> bytes:
    return document([simple(f"Seite mit der laufenden Nummer {number} und etwas Text dazu") for number in range(count)])


def encrypted(user_password: bytes, owner_password: bytes = b"owner") -> bytes:
    """The standard security handler, revision 2 (PDF 1.7, 7.6.3): RC4 with 40 bits, enough for any reader to be asked."""
    identity, permissions = b"0123456789abcdef", -4
    owner_key = md5(_padded(owner_password), usedforsecurity=False).digest()[:5]
    owner = rc4(owner_key, _padded(user_password))
    seed = _padded(user_password) + owner + permissions.to_bytes(4, "little", signed=True) + identity
    key = md5(seed, usedforsecurity=False).digest()[:5]
    user = rc4(key, PASSWORD_PADDING)

    def hidden(number: int, content: bytes) -> bytes:
        mixed = md5(key + number.to_bytes(3, "little") + b"\0\0", usedforsecurity=False).digest()[:10]
        return rc4(mixed, content)

    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [5 0 R] /Count 1 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Title <" + hidden(4, b"Amtsblatt").hex().encode() + b"> >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
        stream(hidden(6, simple())),
        f"<< /Filter /Standard /V 1 /R 2 /O <{owner.hex()}> /U <{user.hex()}> /P {permissions} >>".encode(),
    ]
    return file(objects, f"/Encrypt 7 0 R /ID [<{identity.hex()}> <{identity.hex()}>]".encode())


def _padded(password: bytes) -> bytes:
    return (password + PASSWORD_PADDING)[:32]


def rc4(key: bytes, content: bytes) -> bytes:
    state, swap = list(range(256)), 0
    for at in range(256):
        swap = (swap + state[at] + key[at % len(key)]) % 256
        state[at], state[swap] = state[swap], state[at]
    first = second = 0
    shown = bytearray()
    for byte in content:
        first = (first + 1) % 256
        second = (second + state[first]) % 256
        state[first], state[second] = state[second], state[first]
        shown.append(byte ^ state[(state[first] + state[second]) % 256])
    return bytes(shown)


def mutated(seed: int) -> bytes:
    """A sound file with a few bytes changed, pieces doubled or cut out."""
    chance = random.Random(seed)
    data = bytearray(columns(2, Drawing.COLUMNS, pages=1, seed=seed % 3).content)
    for _ in range(chance.randrange(1, 40)):
        kind, at = chance.randrange(4), chance.randrange(len(data))
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            data[at : at + chance.randrange(200)] = b""
        elif kind == 2:
            data[at:at] = data[at : at + chance.randrange(400)]
        else:
            data[at : at + 1] = str(chance.choice((-1, 0, 2**31, 2**63, 10**20))).encode()
    return bytes(data)


# ---------------------------------------------------------------------- office and text

DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ODT_TYPE = "application/vnd.oasis.opendocument.text"
_WORD_SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_ODF_SPACE = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
)


def package(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def docx(body: str, core: str = "") -> bytes:
    members = {"word/document.xml": f"<w:document {_WORD_SPACE}><w:body>{body}</w:body></w:document>".encode()}
    if core:
        members["docProps/core.xml"] = core.encode()
    return package(members)


def odt(body: str, prologue: str = "", meta: str = "") -> bytes:
    content = f"{prologue}<office:document-content {_ODF_SPACE}><office:body><office:text>{body}</office:text></office:body></office:document-content>"
    members = {"mimetype": ODT_TYPE.encode(), "content.xml": content.encode()}
    if meta:
        members["meta.xml"] = meta.encode()
    return package(members)


def zip_bomb(megabytes: int = 300) -> bytes:
    return docx("<w:p><w:r><w:t>" + "a" * (megabytes * 1_000_000) + "</w:t></w:r></w:p>")


def billion_laughs() -> bytes:
    entities = '<!ENTITY a0 "lol">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    return odt("<text:p>&a11;</text:p>", f"<!DOCTYPE lolz [{entities}]>")


def nested_html(depth: int = 200_000) -> bytes:
    return b"<html><body>" + b"<div>" * depth + b"tief" + b"</div>" * depth + b"</body></html>"
