"""What of a page is not its text: menus, footers, banners about cookies, scripts.

Tags and roles say so where authors use them, names of classes and ids where they do not. A name is only believed of an
element that holds little of the page: ``class="has-menu"`` on the whole page takes nothing away. Lists of links in the
content stay, because a list of links is what a gazette's page is made of.
"""

import re
from itertools import islice
from typing import Any

SILENT = "script, style, noscript, template, svg, iframe, object, select, button, textarea, dialog, canvas, video, audio, map"
_PLAIN = (
    'nav, footer, aside, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"], [role="menu"]'
)
_HIDDEN = '[hidden]:not([role="tabpanel"])'
_NAMED = re.compile(
    r"(?:^|[\s_-])(?:"
    r"cookies?|consent|klaro|ccm19|borlabs\w*|usercentrics\w*|"
    r"(?:main|haupt|sub|meta|side|top|service|mobile|off-?canvas)?-?(?:nav|navi|navigation|menue?|menu)|navbar|"
    r"breadcrumbs?|brotkrume|skip-?links?|sprunglinks?|sprungmarken|"
    r"(?:page|site)?-?(?:footer|fusszeile|fussbereich|fuss)|sidebar|sr-only|visually-?hidden|aural|screen-?reader(?:-text)?|share|social|sharing|newsletter|teaser-?footer"
    r")(?:$|[\s_-])",
    re.IGNORECASE,
)
_LISTS = re.compile(r"tabs?\b|pills|accordion|pagination|pager", re.IGNORECASE)  # navigation within the content
_NEVER = frozenset({"html", "body", "main", "article", "h1", "h2", "h3", "p", "table", "td", "tr"})
_MOST = 2_000  # elements that are looked at: each costs the length of its text
_LARGE = 0.5  # of the text of the page
_WITHIN = ("main", "article", "section")


def remove_furniture(tree: Any) -> None:
    """From the parsed page, for good."""
    body = tree.body
    if body is None:
        return
    _decompose(body.css(SILENT))
    _decompose(body.css(_HIDDEN))
    whole = max(1, _length(body))
    named = (node for node in body.css("[class], [id]") if node.tag not in _NEVER and _is_furniture(node))
    for node in islice(named, _MOST):
        if _length(node) < _LARGE * whole and node.css_first("main, h1, [role=main]") is None:
            node.decompose()
    for node in body.css(_PLAIN):
        in_content = node.tag in ("footer", "aside") and _is_within(node)
        if not in_content and node.css_first("main, [role=main]") is None and _length(node) < 0.9 * whole:
            node.decompose()
    for node in body.css("header"):
        if not _is_within(node) and node.css_first("h1") is None and _length(node) < _LARGE * whole:
            node.decompose()


def _is_furniture(node: Any) -> bool:
    named = f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}"
    return _NAMED.search(named) is not None and _LISTS.search(named) is None


def _is_within(node: Any) -> bool:
    above = node.parent
    while above is not None:
        if above.tag in _WITHIN:
            return True
        above = above.parent
    return False


def _length(node: Any) -> int:
    return len(node.text(deep=True))


def _decompose(nodes: list[Any]) -> None:
    for node in nodes:
        node.decompose()


def main_part(tree: Any) -> Any:
    """The element with the content, if the page names one that holds enough of it; else the body."""
    body = tree.body
    if body is None:
        return None
    whole = _length(body)
    for selector in ("main", '[role="main"]', "#content, #inhalt, #main, #main-content", "article"):
        found = body.css(selector)
        if len(found) == 1 and _length(found[0]) > 0.25 * whole:
            return found[0]
    return body
