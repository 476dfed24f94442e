"""A page as collecting sees it: its links in context, its forms, its feeds, and what it says about itself.

Several links to one target (a picture and a headline, say) become one candidate. Addresses of PDFs that stand only in a
script's data are candidates too, because some systems draw their lists in the browser.
"""

import re

from selectolax.lexbor import LexborHTMLParser

from kiebitz.collect.elements import TEXT
from kiebitz.collect.marks import fold, is_dated, is_loosely_marked, series
from kiebitz.collect.names import file_name, type_of
from kiebitz.collect.walk import Walk
from kiebitz.model.candidate import Candidate, Outlook
from kiebitz.standards.html import is_too_deep
from kiebitz.standards.url import join

SCRIPT_BYTES = 2_000_000
SCRIPT_LINKS = 1_000
FEEDS = 20
FRAMES = 5
PROSE = 20_000
_REFRESH = re.compile(r"""[0-9.]*\s*[;,]\s*url\s*=\s*['"]?([^'"]{1,2000})""", re.IGNORECASE)
_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml")
_IN_SCRIPT = re.compile(
    r"""["']((?:[^"'\\\s<>]|\\/|\\u00[0-9a-f]{2}){1,500}?\.pdf(?:\?[^"'\\\s<>]{0,200})?)["']""", re.IGNORECASE
)
_ESCAPE = re.compile(r"\\u00([0-9a-f]{2})", re.IGNORECASE)


def look(url: str, tree: LexborHTMLParser) -> Outlook:
    """Everything about the page that collecting decides on."""
    base = base_of(tree, url)
    walk = Walk(base)
    if tree.body is not None:
        walk.run(tree.body)
    found = [*walk.candidates(), *_framed(tree, base), *_scripted(tree, base)]
    title = tree.css_first("title")
    following = tree.css_first("link[rel=next][href], a[rel=next][href]")
    return Outlook(
        url=url,
        title=" ".join(title.text().split())[:TEXT] if title is not None else "",
        headline=walk.headline,
        candidates=tuple(merged(found)),
        forms=tuple(walk.forms),
        feeds=tuple(_feeds(tree, base)),
        following=(join(base, following.attributes.get("href") or "") or "") if following is not None else "",
        characters=walk.characters,
        scripts=len(tree.css("script")),
        notes=tuple(walk.notes),
        onward=tuple(_onward(tree, base)),
        prose=" ".join(text for text, owner in zip(walk.pieces, walk.owners, strict=True) if owner < 0)[:PROSE],
    )


def _onward(tree: LexborHTMLParser, base: str) -> list[tuple[str, str]]:
    """Where the page sends its reader by itself: at once or after seconds, or in a frame."""
    found = []
    for node in tree.css("meta[http-equiv][content]")[:FEEDS]:
        target = _REFRESH.search(node.attributes.get("content") or "")
        if (node.attributes.get("http-equiv") or "").strip().lower() == "refresh" and target:
            found.append((join(base, target[1].strip()), "the page sends its reader on"))
    for node in tree.css("frame[src], iframe[src]")[:FEEDS]:
        target_url = join(base, node.attributes.get("src") or "")
        if target_url and type_of(target_url, file_name(target_url), "") == "page":
            found.append((target_url, "the page shows it in a frame"))
    return [(url, why) for url, why in found if url]


def base_of(tree: LexborHTMLParser, url: str) -> str:
    """Where relative links start: the first <base>, wherever the page has put it, as in a browser."""
    node = tree.css_first("base[href]")
    return (join(url, node.attributes.get("href") or "") if node is not None else None) or url


def merged(candidates: list[Candidate]) -> list[Candidate]:
    """One candidate per request: the occurrence that says most, completed by the others."""
    best: dict[tuple[str, bytes | None], Candidate] = {}
    for candidate in candidates:
        key = (candidate.url, candidate.body)
        known = best.get(key)
        best[key] = candidate if known is None else _combined(known, candidate)
    return sorted(best.values(), key=lambda candidate: candidate.position)


def _combined(first: Candidate, second: Candidate) -> Candidate:
    if _worth(second) > _worth(first):
        first, second = second, first
    if _is_only_date(first) and series(fold(second.text)):
        first, second = second, first
    if _is_only_date(second) and not is_dated(fold(first.text)):  # a headline, and its date as a second link
        first = first._replace(row_before=f"{second.text} {first.row_before}".strip()[:TEXT])
    return first._replace(
        position=min(first.position, second.position),
        title=first.title or second.title,
        label=first.label or second.label,
        heading=first.heading or second.heading,
        type=second.type if first.type in ("page", "unknown") and second.type == "pdf" else first.type,
    )


def _is_only_date(candidate: Candidate) -> bool:
    text = fold(candidate.text)
    return is_dated(text) and not series(text)


def _worth(candidate: Candidate) -> tuple[bool, bool, bool, bool]:
    text = fold(candidate.text)
    return candidate.region == "main", is_loosely_marked(text), bool(series(text)), bool(text)


def _framed(tree: LexborHTMLParser, base: str) -> list[Candidate]:
    """Links of pages that are written into an attribute."""
    found: list[Candidate] = []
    for number, frame in enumerate(tree.css("iframe[srcdoc]")[:FRAMES], 1):
        inner = Walk(base)
        content = (frame.attributes.get("srcdoc") or "")[:SCRIPT_BYTES].encode()
        body = None if is_too_deep(content) else LexborHTMLParser(content).body
        if body is not None:
            inner.run(body)
            found += [link._replace(position=number * 10**5 + link.position) for link in inner.candidates()]
    return found


def _scripted(tree: LexborHTMLParser, base: str) -> list[Candidate]:
    found: list[Candidate] = []
    left = SCRIPT_BYTES
    for script in tree.css("script:not([src])"):
        text = script.text()[:left]
        left -= len(text)
        if ".pdf" not in text.lower():
            continue
        for match in _IN_SCRIPT.finditer(text):
            href = _ESCAPE.sub(lambda code: chr(int(code[1], 16)), match[1].replace("\\/", "/"))
            target = join(base, href)
            if target and len(found) < SCRIPT_LINKS:
                name = file_name(target)
                found.append(
                    Candidate(target, 10**6 + len(found), file_name=name, type="pdf", path="script", region="script")
                )
    return found


def _feeds(tree: LexborHTMLParser, base: str) -> list[tuple[str, str]]:
    found = []
    for node in tree.css("link[rel~=alternate][href][type]")[:FEEDS]:
        if (node.attributes.get("type") or "").strip().lower() in _FEED_TYPES:
            target = join(base, node.attributes.get("href") or "")
            found += [(target, (node.attributes.get("title") or "")[:TEXT])] if target else []
    return found
