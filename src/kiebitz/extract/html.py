"""HTML: the main text of a page, and what the page says of itself."""

from typing import Any

from kiebitz.extract.blocks import lines_of
from kiebitz.extract.characters import plain
from kiebitz.extract.furniture import main_part, remove_furniture
from kiebitz.extract.language import language_of
from kiebitz.extract.limits import DEFAULT, ReadLimits
from kiebitz.extract.page_dates import dates_of
from kiebitz.model.text import Line, Text, TextState
from kiebitz.standards.html import is_too_deep, parse
from kiebitz.standards.url import join

LONGEST = 2_000
MOST_HEADINGS = 500
_ENOUGH = 40  # characters: with less the furniture was the page


def read_html(content: bytes, content_type: str, url: str, limits: ReadLimits = DEFAULT) -> Text:
    if is_too_deep(content):
        return Text(TextState.TOO_LARGE, reason="the page is nested without end")
    tree = parse(content, content_type)
    about = _about(tree)
    dates = dates_of(tree)
    title = _title(tree, about)
    language = _declared_language(tree)
    canonical = _canonical(tree, url)
    lines, headings, cut = _content(tree, content, content_type, limits)
    if not language:
        language = language_of(" ".join(line.text for line in lines[:200]))
    published, modified = dates.completed(lines)
    metadata = tuple(
        (name, about[name]) for name in ("author", "og:site_name", "og:type", "generator") if name in about
    )
    return Text(
        TextState.READ if lines else TextState.EMPTY,
        tuple(lines),
        title=title or (headings[0] if headings else ""),
        description=about.get("description") or about.get("og:description") or about.get("dc.description", ""),
        keywords=_keywords(about),
        headings=tuple(headings[:MOST_HEADINGS]),
        language=language,
        canonical_url=canonical,
        published=published,
        modified=modified,
        metadata=metadata,
        reason=cut,
    )


def _content(tree: Any, content: bytes, content_type: str, limits: ReadLimits) -> tuple[list[Line], list[str], str]:
    remove_furniture(tree)
    lines, headings, cut = _lines(main_part(tree), limits)
    if sum(len(line.text) for line in lines) >= _ENOUGH:
        return lines, headings, cut
    whole = parse(content, content_type)  # a page of nothing but menus is read as it is
    for node in whole.css("script, style, noscript, template, svg"):
        node.decompose()
    return _lines(whole.body, limits)


def _lines(root: Any, limits: ReadLimits) -> tuple[list[Line], list[str], str]:
    lines: list[Line] = []
    headings: list[str] = []
    length = 0
    if root is None:
        return lines, headings, ""
    for text, heading in lines_of(root):
        shown = plain(text).replace("\u00ad", "").strip()
        if not shown:
            continue
        length += len(shown)
        if length > limits.characters:
            return lines, headings, f"the text was cut: at most {limits.characters:,} characters are read"
        lines.append(Line(shown))
        if heading:
            headings.append(shown)
    return lines, headings, ""


# ---------------------------------------------------------------------- what the page says of itself


def _about(tree: Any) -> dict[str, str]:
    """The first of each kind of ``<meta>``, by its name in lower case."""
    found: dict[str, str] = {}
    for meta in tree.css("meta[content]")[:500]:
        attributes = meta.attributes
        name = (
            (attributes.get("name") or attributes.get("property") or attributes.get("itemprop") or "").strip().lower()
        )
        value = " ".join(plain(attributes.get("content") or "").split())[:LONGEST]
        if name and value:
            found.setdefault(name, value)
    return found


def _title(tree: Any, about: dict[str, str]) -> str:
    node = tree.css_first("head > title") or tree.css_first("title")
    text = " ".join(plain(node.text()).split())[:LONGEST] if node else ""
    return text or about.get("og:title") or about.get("dc.title", "")


def _keywords(about: dict[str, str]) -> tuple[str, ...]:
    written = about.get("keywords") or about.get("news_keywords") or about.get("article:tag", "")
    return tuple(dict.fromkeys(word.strip() for word in written.split(",") if word.strip()))[:100]


def _declared_language(tree: Any) -> str:
    root = tree.css_first("html")
    declared = (root.attributes.get("lang") or root.attributes.get("xml:lang") or "") if root else ""
    first = declared.replace("_", "-").partition("-")[0].strip().lower()
    return first if len(first) == 2 and first.isascii() and first.isalpha() else ""


def _canonical(tree: Any, url: str) -> str:
    for link in tree.css("link[rel][href]"):
        if "canonical" in (link.attributes.get("rel") or "").lower().split():
            return (join(url, (link.attributes.get("href") or "").strip()) or "") if url else ""
    return ""
