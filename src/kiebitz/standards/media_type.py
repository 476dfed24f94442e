"""What a response is: the media type of its header, corrected by its first bytes (WHATWG MIME Sniffing, adapted).

Servers send gazettes as ``application/octet-stream``, error pages as ``application/pdf`` and feeds as ``text/html``. The
header is believed unless it says nothing, or the bytes plainly contradict it: a signature no other format begins with, or
markup where a binary document was promised. Unlike a browser we render nothing, so ``text/plain`` needs no protection
beyond the standard's: it is never taken for HTML.
"""

import re
from enum import StrEnum
from functools import lru_cache

HTML = "text/html"
XML = "application/xml"
PDF = "application/pdf"
UNKNOWN = "application/octet-stream"
SNIFF_BYTES = 4096  # of a text; the members of an Office file are looked for in all that is given


class Kind(StrEnum):
    PAGE = "page"
    DOCUMENT = "document"
    FEED = "feed"
    OTHER = "other"


_ODF = "application/vnd.oasis.opendocument."
_OOXML = "application/vnd.openxmlformats-officedocument."

# Types with a kind of their own, and the extension of a file of that type.
_PAGES = {
    HTML: ".html",
    "application/xhtml+xml": ".xhtml",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/xml": ".xml",
    XML: ".xml",
}
_FEEDS = {
    "application/rss+xml": ".rss",
    "application/atom+xml": ".atom",
    "application/rdf+xml": ".rdf",
    "application/feed+json": ".json",
    "application/sitemap+xml": ".xml",
}
_DOCUMENTS = {
    PDF: ".pdf",
    "application/msword": ".doc",
    "application/vnd.ms-excel": ".xls",
    "application/vnd.ms-powerpoint": ".ppt",
    f"{_OOXML}wordprocessingml.document": ".docx",
    f"{_OOXML}spreadsheetml.sheet": ".xlsx",
    f"{_OOXML}presentationml.presentation": ".pptx",
    f"{_ODF}text": ".odt",
    f"{_ODF}spreadsheet": ".ods",
    f"{_ODF}presentation": ".odp",
    "application/rtf": ".rtf",
    "application/epub+zip": ".epub",
}
_OTHERS = {
    "application/zip": ".zip",
    "application/gzip": ".gz",
    "application/json": ".json",
    "text/css": ".css",
    "text/csv": ".csv",
    "text/calendar": ".ics",
    "text/javascript": ".js",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/svg+xml": ".svg",
    "image/tiff": ".tif",
}
_ALIASES = {
    "application/x-pdf": PDF,
    "application/acrobat": PDF,
    "text/pdf": PDF,
    "text/x-pdf": PDF,
    "text/rtf": "application/rtf",
    "text/richtext": "application/rtf",
    "application/x-rtf": "application/rtf",
    "application/vnd.ms-word": "application/msword",
    "application/excel": "application/vnd.ms-excel",
    "application/powerpoint": "application/vnd.ms-powerpoint",
    "application/x-rss+xml": "application/rss+xml",
    "application/x-gzip": "application/gzip",
    "application/x-zip-compressed": "application/zip",
    "application/javascript": "text/javascript",
    "image/jpg": "image/jpeg",
}
# Headers that say nothing.
_VAGUE = frozenset(
    {
        "",
        UNKNOWN,
        "binary/octet-stream",
        "application/binary",
        "application/x-binary",
        "application/download",
        "application/x-download",
        "application/force-download",
        "application/x-force-download",
        "application/save",
        "application/unknown",
        "unknown/unknown",
        "application/x-unknown",
        "*/*",
        "application/*",
        "file",
        "multipart/form-data",
    }
)
_KINDS = {
    **dict.fromkeys(_PAGES, Kind.PAGE),
    **dict.fromkeys(_FEEDS, Kind.FEED),
    **dict.fromkeys(_DOCUMENTS, Kind.DOCUMENT),
}
_EXTENSIONS = {**_PAGES, **_FEEDS, **_DOCUMENTS, **_OTHERS}

# Signatures no other format begins with. OLE and ZIP hold more than one format and are looked into.
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK\x03\x04"
_SIGNATURES = (
    (b"%PDF-", PDF),
    (b"{\\rtf", "application/rtf"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"MZ\x90\x00", "application/vnd.microsoft.portable-executable"),
)
_FIRST_BYTES = (_ZIP, _OLE, b"RIFF", *(signature for signature, _ in _SIGNATURES))
_OLE_MEMBERS = (
    ("WordDocument".encode("utf-16-le"), "application/msword"),
    ("Workbook".encode("utf-16-le"), "application/vnd.ms-excel"),
    ("PowerPoint Document".encode("utf-16-le"), "application/vnd.ms-powerpoint"),
)
_ZIP_MEMBERS = (
    (b"word/", f"{_OOXML}wordprocessingml.document"),
    (b"xl/", f"{_OOXML}spreadsheetml.sheet"),
    (b"ppt/", f"{_OOXML}presentationml.presentation"),
)
_IN_OLE = frozenset(kind for _, kind in _OLE_MEMBERS)
_SELF_NAMED = (f"{_ODF}text", f"{_ODF}spreadsheet", f"{_ODF}presentation", "application/epub+zip")
_IN_ZIP = frozenset({*(kind for _, kind in _ZIP_MEMBERS), *_SELF_NAMED})
_ZIP_NAME = re.compile(rb"PK\x03\x04.{26}(mimetype|[\w\[\]. -]+/)", re.DOTALL)
# The standard's tags that make unlabelled bytes HTML; "<p" and "<a" need the end of the name.
_HTML_START = re.compile(
    rb"<(?:!doctype html|!--|(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link)[\s>/])",
    re.IGNORECASE,
)
_ROOT = re.compile(
    rb"(?:<\?.*?\?>|<!--.*?-->|<!doctype[^>\[]*(?:\[.*?\])?[^>]*>|\s)*+<([\w:.-]+)", re.DOTALL | re.IGNORECASE
)
_ROOTS = {
    b"rss": "application/rss+xml",
    b"feed": "application/atom+xml",
    b"rdf:rdf": "application/rdf+xml",
    b"urlset": "application/sitemap+xml",
    b"sitemapindex": "application/sitemap+xml",
    b"html": "application/xhtml+xml",
    b"svg": "image/svg+xml",
}
_JSON_FEED = re.compile(rb'\s*\{.*?"version"\s*:\s*"https?:\\?/\\?/jsonfeed\.org\\?/version', re.DOTALL)
# Bytes that no text holds (the standard's "binary data bytes").
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")


@lru_cache(maxsize=1024)
def essence(content_type: str) -> str:
    """``type/subtype`` in lower case, without parameters; aliases are replaced. "" if there is none."""
    plain = content_type.partition(";")[0].partition(",")[0].strip().lower()
    return _ALIASES.get(plain, plain)


def kind_of(essence: str) -> Kind:
    return _KINDS.get(essence, Kind.OTHER)


def wanted(content_type: str) -> bool:
    """After the header: is the body worth taking? If the header says nothing, yes: ``sniff`` will tell."""
    plain = essence(content_type)
    return plain in _KINDS or plain in _VAGUE


def extension(essence: str) -> str:
    """With its dot; ".bin" for a type we have no name for."""
    return _EXTENSIONS.get(essence, ".bin")


def sniff(essence: str, content_start: bytes) -> str:
    """The type by the first bytes, else that of the header. To tell Office files apart, give the whole body."""
    signature = _by_signature(essence, content_start)
    if signature:
        return signature
    start = content_start[:SNIFF_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n\f\0")
    if essence in _VAGUE:
        return _by_markup(start) or (UNKNOWN if not start or _BINARY.search(start) else "text/plain")
    if essence in _DOCUMENTS:
        # An error page in the place of a file; a PDF may have some bytes before its signature.
        if essence == PDF and b"%PDF-" in content_start[:1024]:
            return PDF
        return _by_markup(start) or essence
    if essence in (HTML, XML, "text/xml", "application/json", *_FEEDS):
        return _refined(essence, start)
    return essence


def _by_signature(essence: str, start: bytes) -> str:
    if not start.startswith(_FIRST_BYTES):
        return ""
    if start.startswith(_ZIP):
        return essence if essence in _IN_ZIP else _in_zip(start)
    if start.startswith(_OLE):
        return essence if essence in _IN_OLE else _in_ole(start)
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return "image/webp"
    for signature, kind in _SIGNATURES:
        if start.startswith(signature):
            return kind
    return ""


def _in_zip(content: bytes) -> str:
    """By the names of the members, which stand in the file as they are; OpenDocument and EPUB say it in the first."""
    for match in _ZIP_NAME.finditer(content):
        if match[1] == b"mimetype":
            named = (kind for kind in _SELF_NAMED if content.startswith(kind.encode(), match.end()))
            return next(named, "application/zip")
        for folder, kind in _ZIP_MEMBERS:
            if match[1] == folder:
                return kind
    return "application/zip"


def _in_ole(content: bytes) -> str:
    return next((kind for member, kind in _OLE_MEMBERS if member in content), "application/x-ole-storage")


def _by_markup(start: bytes) -> str:
    if start[:5].lower() == b"<?xml":
        return _by_root(start) or XML
    if _HTML_START.match(start):
        return HTML
    return _by_root(start) or _json_feed(start)


def _by_root(start: bytes) -> str:
    root = _ROOT.match(start)
    return _ROOTS.get(root[1].lower(), "") if root else ""


def _refined(essence: str, start: bytes) -> str:
    """Feeds go under the names of pages, and pages under the names of feeds."""
    if essence == "application/json":
        return _json_feed(start) or essence
    root = _by_root(start)
    if essence == HTML:
        return root if root in _FEEDS else essence
    if root == "application/xhtml+xml" and essence in _FEEDS:
        return HTML
    return root or essence


def _json_feed(start: bytes) -> str:
    return "application/feed+json" if _JSON_FEED.match(start) else ""
