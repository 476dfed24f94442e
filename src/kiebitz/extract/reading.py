"""Which reader a document gets: by its bytes, and by its header where they say nothing.

Runs in the sandbox; outside it only what is known to be harmless should be read. Readers are imported when they are
needed, so that a child that only sees HTML never loads pdfium.
"""

import re

from kiebitz.extract.limits import DEFAULT, ReadLimits
from kiebitz.model.text import Text, TextState
from kiebitz.standards.media_type import HTML, PDF, UNKNOWN, essence, sniff

_ODF = "application/vnd.oasis.opendocument."
_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MARKUP = frozenset({HTML, "application/xhtml+xml", "application/xml", "text/xml"})
_PLAIN = frozenset({"text/plain", "text/markdown", "text/csv", "text/tab-separated-values"})
_REASONS = {
    "application/msword": "the old format of Word (.doc) is not read: only DOCX, ODT and RTF are",
    "application/vnd.ms-excel": "spreadsheets are not read",
    "application/vnd.ms-powerpoint": "presentations are not read",
    "application/x-ole-storage": "an old office format that is not read",
    "application/rss+xml": "a feed: its entries are followed, not read",
    "application/atom+xml": "a feed: its entries are followed, not read",
    "application/zip": "archives are not opened",
    UNKNOWN: "nobody knows what it is",
}
_SAMPLE = 20_000
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")


def read(content: bytes, content_type: str, url: str = "", limits: ReadLimits = DEFAULT) -> Text:
    if not content:
        return Text(TextState.EMPTY, reason="the file has no bytes")
    if len(content) > limits.input_bytes:
        return Text(TextState.TOO_LARGE, reason=f"larger than {limits.input_bytes:,} bytes")
    kind = sniff(essence(content_type), content)
    if kind == PDF:
        from kiebitz.extract.pdf import read_pdf

        return read_pdf(content, limits)
    if kind in _MARKUP:
        if _is_binary(content):
            return Text(TextState.UNSUPPORTED, reason="not a page, although it is said to be one")
        from kiebitz.extract.html import read_html

        return read_html(content, content_type, url, limits)
    if kind in _PLAIN:
        from kiebitz.extract.plain import read_plain

        return read_plain(content, content_type, limits)
    return _read_office(content, kind, limits)


def _is_binary(content: bytes) -> bool:
    """Bytes that no text has make up more than a slip; UTF-16 has them, and says so by its mark."""
    start = content[:_SAMPLE]
    return not start.startswith((b"\xff\xfe", b"\xfe\xff")) and len(_BINARY.findall(start)) > 0.02 * len(start)


def _read_office(content: bytes, kind: str, limits: ReadLimits) -> Text:
    if kind == "application/rtf":
        from kiebitz.extract.rtf import read_rtf

        return read_rtf(content, limits)
    if kind == _DOCX or kind.startswith(_ODF):
        from kiebitz.extract.office import read_docx, read_odf

        # An encrypted DOCX is not a package at all, but an old container around one.
        if _ENCRYPTED_PACKAGE in content[:200_000] and not content.startswith(b"PK"):
            return Text(TextState.ENCRYPTED, reason="the file asks for a password")
        return read_docx(content, limits) if kind == _DOCX else read_odf(content, limits)
    if _ENCRYPTED_PACKAGE in content and not content.startswith(b"PK"):
        return Text(TextState.ENCRYPTED, reason="the file asks for a password")
    return Text(TextState.UNSUPPORTED, reason=_REASONS.get(kind, f"{kind or 'this type'} is not read"))
