"""Texts whose encoding is declared wrongly, twice, or not at all. The order of the standard decides: BOM, header, meta."""

from kiebitz.lab.exchange import Reply
from kiebitz.lab.misbehaviour.case import Case
from kiebitz.lab.misbehaviour.host import BadHost, always

TEXT = "Grüße aus Köln – 5 €"
UTF_8, WINDOWS = "utf-8", "cp1252"

# path: (charset in the header, charset in the meta element, real encoding, byte order mark, readable by the standard)
PAGES: dict[str, tuple[str, str, str, bytes, bool]] = {
    "/utf-8": ("utf-8", "", UTF_8, b"", True),
    "/windows-1252": ("windows-1252", "", WINDOWS, b"", True),
    "/latin-1-heisst-windows": ("iso-8859-1", "", WINDOWS, b"", True),
    "/nur-meta-windows": ("", "windows-1252", WINDOWS, b"", True),
    "/nur-meta-utf-8": ("", "utf-8", UTF_8, b"", True),
    "/meta-luegt": ("utf-8", "iso-8859-1", UTF_8, b"", True),
    "/meta-sagt-utf-16": ("", "utf-16", UTF_8, b"", True),
    "/kopf-luegt": ("utf-8", "windows-1252", WINDOWS, b"", False),
    "/kopf-luegt-bom-nicht": ("iso-8859-1", "windows-1252", UTF_8, b"\xef\xbb\xbf", True),
    "/utf-16-le": ("", "", "utf-16-le", b"\xff\xfe", True),
    "/utf-16-be": ("", "", "utf-16-be", b"\xfe\xff", True),
    "/utf-16-ohne-bom": ("utf-16le", "", "utf-16-le", b"", True),
    "/nichts": ("", "", WINDOWS, b"", True),
    "/nichts-utf-8": ("", "", UTF_8, b"", False),
    "/unbekannt": ("x-klingonisch", "utf-8", UTF_8, b"", True),
    "/anfuehrung": ('"UTF-8"', "", UTF_8, b"", True),
}


def hosts() -> list[BadHost]:
    table = {path: always(_reply(*facts[:4])) for path, facts in PAGES.items()}
    cases = [
        Case(f"http://charset.example{path}", "done", text=TEXT if facts[4] else "") for path, facts in PAGES.items()
    ]
    return [BadHost("charset.example", table, cases)]


def _reply(header: str, meta: str, encoding: str, mark: bytes) -> Reply:
    declared = f'<meta charset="{meta}">' if meta else ""
    text = (
        f'<!doctype html><html lang="de"><head>{declared}<title>{TEXT}</title></head><body><p>{TEXT}</p></body></html>'
    )
    content_type = f"text/html; charset={header}" if header else "text/html"
    return Reply(mark + text.encode(encoding), content_type=content_type)
