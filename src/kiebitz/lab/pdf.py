"""A tiny PDF writer: valid, deterministic, one font, lines of text on A4 pages. Enough to be read by any PDF reader."""

from collections.abc import Sequence
from hashlib import md5

LINE = 14
TOP = 800
LEFT = 56
LINES_PER_PAGE = 52


def write_pdf(title: str, lines: Sequence[str], *, size: int = 11) -> bytes:
    """The lines, on as many pages as they need. The first line of the document is set larger."""
    pages = [lines[at : at + LINES_PER_PAGE] for at in range(0, len(lines), LINES_PER_PAGE)] or [[]]
    kids = " ".join(f"{5 + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Lang (de) >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Title " + _string(title) + b" /Producer (Kiebitz lab) >>",
    ]
    for index, page in enumerate(pages):
        content = _content(page, size, is_first=index == 0)
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {6 + 2 * index} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode(),
            f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream",
        ]
    return _file(objects)


def _file(objects: Sequence[bytes]) -> bytes:
    data = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    start = len(data)
    identity = md5(data, usedforsecurity=False).hexdigest()
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for offset in offsets:
        data += b"%010d 00000 n \n" % offset
    data += b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R " % (len(objects) + 1)
    data += f"/ID [<{identity}> <{identity}>] >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(data)


def _content(lines: Sequence[str], size: int, *, is_first: bool) -> bytes:
    parts = [b"BT\n/F1 %d Tf\n%d TL\n%d %d Td" % (size, LINE, LEFT, TOP)]
    for number, line in enumerate(lines):
        shown = _string(line) + b" Tj T*"
        if is_first and number == 0:
            shown = b"/F1 %d Tf " % (size + 5) + shown + b" /F1 %d Tf" % size
        parts.append(shown)
    return b"\n".join([*parts, b"ET"])


def _string(text: str) -> bytes:
    raw = text.encode("cp1252", "replace")
    return b"(" + raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") + b")"
