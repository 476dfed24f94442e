"""Sitemaps (sitemaps.org, 0.9) as candidates: each address is a link without a text, known by its file name alone.

An index of sitemaps leads on to those it names. Compressed ones are unpacked within the same bounds.
"""

import re
import zlib
from xml.etree.ElementTree import Element

from kiebitz.collect.names import file_name, type_of
from kiebitz.collect.safe_xml import BYTES, local_name, parse_xml
from kiebitz.model.candidate import Candidate, Outlook
from kiebitz.standards.url import join

ADDRESSES = 10_000
MAPS = 100
_GZIP = b"\x1f\x8b"
_ROOT = re.compile(rb"<(?:\w+:)?(?:urlset|sitemapindex)[\s>]")


def unpacked(content: bytes) -> bytes:
    """What a compressed sitemap holds, as far as we would read it; anything else unchanged."""
    if not content.startswith(_GZIP):
        return content
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(content, BYTES)
    except zlib.error:
        return content


def is_sitemap(content: bytes) -> bool:
    start = content[:2000].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith((b"<?xml", b"<urlset", b"<sitemapindex")) and _ROOT.search(start) is not None


def read_sitemap(url: str, content: bytes, content_type: str) -> Outlook:
    """The sitemap as a page of bare links. Raises ValueError with the reason if it cannot be read."""
    root = parse_xml(content, content_type, "the sitemap")
    places = [place for entry in root if (place := _place(entry.findall("{*}loc"), url))]
    if local_name(root) == "sitemapindex":
        return Outlook(url, "", "", (), sitemaps=tuple(places[:MAPS]))
    notes = (
        (f"the sitemap has more than {ADDRESSES:,} addresses: the rest is not read",) if len(places) > ADDRESSES else ()
    )
    distinct = list(dict.fromkeys(places[:ADDRESSES]))
    return Outlook(url, "", "", tuple(_candidate(place, n) for n, place in enumerate(distinct)), notes=notes)


def _place(found: list[Element], url: str) -> str | None:
    return join(url, (found[0].text or "").strip()) if found else None


def _candidate(url: str, position: int) -> Candidate:
    name = file_name(url)
    return Candidate(url, position, file_name=name, type=type_of(url, name, ""), path="sitemap", region="feed")
