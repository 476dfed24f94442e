"""Feeds as candidates: RSS, RDF, Atom and JSON Feed, with enclosures and the links inside descriptions.

Size and entries are bounded; ``safe_xml`` says why nothing can expand.
"""

import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from selectolax.lexbor import LexborHTMLParser

from kiebitz.collect.context import merged
from kiebitz.collect.elements import TEXT
from kiebitz.collect.names import file_name, type_of
from kiebitz.collect.safe_xml import BYTES, local_name, parse_xml
from kiebitz.errors import BadUrl
from kiebitz.model.candidate import Candidate, Outlook
from kiebitz.standards.charset import decode
from kiebitz.standards.url import canonical, join

ENTRIES = 2_000
LINKS_INSIDE = 50
_ROOTS = ("<rss", "<feed", "<rdf:rdf")
_ENTRIES = frozenset({"item", "entry"})
_LIVELY = ("content", "encoded", "description", "summary")


def is_feed(content: bytes, content_type: str) -> bool:
    """Does it look like a feed, whatever it is called?"""
    media = content_type.partition(";")[0].strip().lower()
    if media in ("application/rss+xml", "application/atom+xml", "application/feed+json"):
        return True
    start = content[:2000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"{") and b"jsonfeed.org/version" in content[:5000]:
        return True
    if not start.startswith((b"<?xml", b"<rss", b"<feed", b"<rdf:rdf", b"<!doctype rss", b"<!--")):
        return False
    return any(root.encode() in start for root in _ROOTS)


def read_feed(url: str, content: bytes, content_type: str) -> Outlook:
    """The feed as a page whose links are its entries. Raises ValueError with the reason if it cannot be read."""
    start = content[:100].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        return _json_feed(url, content, content_type)
    root = parse_xml(content, content_type, "the feed")
    title = _child_text(_channel(root), "title")
    candidates: list[Candidate] = []
    notes = []
    for number, entry in enumerate(element for element in root.iter() if local_name(element) in _ENTRIES):
        if number == ENTRIES:
            notes.append(f"the feed has more than {ENTRIES:,} entries: the rest is not read")
            break
        candidates += _entry(url, entry, title, len(candidates))
    return Outlook(url, title, title, tuple(merged(candidates)), notes=tuple(notes), characters=len(content))


def _entry(url: str, entry: ET.Element, title: str, position: int) -> Iterator[Candidate]:
    name = _child_text(entry, "title")
    published = next((t for tag in ("pubDate", "published", "date", "updated") if (t := _child_text(entry, tag))), "")
    lively = max((_child_text(entry, tag, limit=100_000) for tag in _LIVELY), key=len)
    links, files = _addresses(entry)
    inside = _inside(lively) or _inside_xhtml(entry)
    about = " ".join(LexborHTMLParser(lively).text(separator=" ").split())[:TEXT] if lively else ""
    base = next((target for link in links if (target := join(url, link))), url)
    seen = [(link, name, "") for link in links] + [
        (link, name, "application/pdf" if pdf else "") for link, pdf in files
    ]
    seen += [(href, text or name, "") for href, text in inside]
    for href, text, hints in seen:
        target = _target(base if (href, text) in inside else url, href)
        if target:
            yield _candidate(target, position, (text, name, about, title, published, hints))
            position += 1


def _candidate(target: str, position: int, about: tuple[str, str, str, str, str, str]) -> Candidate:
    text, name, description, title, published, hints = about
    file = file_name(target)
    return Candidate(
        target,
        position,
        text=text[:TEXT],
        title=name if name != text else "",
        file_name=file,
        type=type_of(target, file, hints),
        heading=title,
        row_after=description,
        path="feed/entry",
        region="feed",
        published=published[:60],
    )


def _addresses(entry: ET.Element) -> tuple[list[str], list[tuple[str, bool]]]:
    links: list[str] = []
    files: list[tuple[str, bool]] = []
    for child in entry:
        tag = local_name(child)
        if tag == "link":
            href = child.get("href") or (child.text or "").strip()
            if child.get("rel", "alternate") == "enclosure":
                files.append((href, "pdf" in child.get("type", "")))
            elif child.get("rel", "alternate") == "alternate" and href:
                links.append(href)
        elif tag in ("enclosure", "content") and (child.get("url") or child.get("src")):
            files.append((child.get("url") or child.get("src") or "", "pdf" in child.get("type", "")))
        elif tag == "guid" and child.get("isPermaLink", "true") == "true" and (child.text or "").startswith("http"):
            links.append((child.text or "").strip())
    return links[:LINKS_INSIDE], files[:LINKS_INSIDE]


def _inside(markup: str) -> list[tuple[str, str]]:
    """Links of a description, which is HTML inside XML."""
    if "<a" not in markup.lower():
        return []
    anchors = LexborHTMLParser(markup).css("a[href]")[:LINKS_INSIDE]
    return [(node.attributes.get("href") or "", " ".join(node.text().split())) for node in anchors]


def _inside_xhtml(entry: ET.Element) -> list[tuple[str, str]]:
    anchors = (element for element in entry.iter() if local_name(element) == "a" and element.get("href"))
    return [
        (a.get("href") or "", " ".join("".join(a.itertext()).split()))
        for a, _ in zip(anchors, range(LINKS_INSIDE), strict=False)
    ]


def _json_feed(url: str, content: bytes, content_type: str) -> Outlook:
    if len(content) > BYTES:
        raise ValueError(f"the feed is larger than {BYTES:,} bytes")
    try:
        feed: Any = json.loads(decode(content, content_type))
    except (ValueError, RecursionError):
        raise ValueError("the feed is not well-formed JSON") from None
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        raise ValueError("the feed has no items")  # noqa: TRY004 -- the content is at fault, not the caller
    title = _string(feed.get("title"))
    candidates: list[Candidate] = []
    for item in items[:ENTRIES]:
        if isinstance(item, dict):
            candidates += _item(url, item, title, len(candidates))
    notes = (f"the feed has more than {ENTRIES:,} entries: the rest is not read",) if len(items) > ENTRIES else ()
    return Outlook(url, title, title, tuple(merged(candidates)), notes=notes, characters=len(content))


def _item(url: str, item: dict[str, Any], title: str, position: int) -> Iterator[Candidate]:
    name, published = _string(item.get("title")), _string(item.get("date_published"))
    lively = str(item.get("content_html") or "")[:100_000]
    about = _string(item.get("content_text")) or _string(item.get("summary"))
    attachments = item.get("attachments")
    files = [entry for entry in attachments if isinstance(entry, dict)] if isinstance(attachments, list) else []
    seen = [(_string(item.get(key)), name, "") for key in ("url", "external_url")]
    seen += [
        (_string(file.get("url")), _string(file.get("title")) or name, _string(file.get("mime_type"))) for file in files
    ]
    seen += [(href, text or name, "") for href, text in _inside(lively)]
    for href, text, hints in seen[: LINKS_INSIDE * 2]:
        target = _target(url, href)
        if target:
            yield _candidate(target, position, (text, name, about, title, published, hints))
            position += 1


def _target(base: str, href: str) -> str | None:
    """Links of a feed to parts of one page are one request: the fragment goes."""
    if not href:
        return None
    try:
        return join(base, href.strip()) if base.startswith("http") else canonical(href.strip())
    except BadUrl:
        return None


def _channel(root: ET.Element) -> ET.Element:
    return next((child for child in root if local_name(child) == "channel"), root)


def _child_text(element: ET.Element, tag: str, limit: int = TEXT) -> str:
    for child in element:
        if local_name(child) == tag:
            return " ".join("".join(child.itertext()).split())[:limit]
    return ""


def _string(value: object) -> str:
    return " ".join(value.split())[:TEXT] if isinstance(value, str) else ""
