"""Which part of a page an element belongs to: its content, or the furniture around it.

Tags and roles say so where authors use them; where they do not, names of classes and ids in two languages. What is inside
furniture stays furniture, and the header of an article is content.
"""

import re

_TAGS = {"nav": "nav", "footer": "footer", "aside": "aside"}
_ROLES = {
    "navigation": "nav",
    "menu": "nav",
    "menubar": "nav",
    "banner": "header",
    "contentinfo": "footer",
    "search": "nav",
}
_NAMES = (
    (re.compile(r"\b(?:cookie|consent|klaro|ccm19|borlabs|usercentrics)"), "banner"),
    (
        re.compile(
            r"\b(?:main-?|haupt|sub-?|meta-?|side-?|top-?|service-?)?(?:nav|navi|navigation|menue?|menu)(?![a-z])"
        ),
        "nav",
    ),
    (re.compile(r"\b(?:breadcrumbs?|brotkrume|sitemap|skiplinks?|sprunglinks?)\b"), "nav"),
    (re.compile(r"\b(?:page-?|site-?)?(?:footer|fuss(?:zeile|bereich)?)(?![a-z])"), "footer"),
    (re.compile(r"\bsidebar\b"), "aside"),
)
_LISTS = re.compile(r"\b(?:tabs?|pills|accordion|pagination|pager)\b")  # navigation within the content
_CONTENT = frozenset({"main", "article", "section", "li", "td"})
_NEVER = frozenset({"body", "html", "main", "a", "img", "span", "p"})

Attributes = dict[str, str | None]


def region_of(tag: str, attributes: Attributes, around: str, *, in_content: bool) -> str:
    """The region of an element inside the region ``around``."""
    if around != "main" or tag in _NEVER:
        return around
    if tag == "header":
        return "main" if in_content else "header"
    named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}".lower()
    lists = _LISTS.search(named) is not None
    if tag in _TAGS and not lists and not (in_content and tag in ("aside", "footer")):
        return _TAGS[tag]
    role = (attributes.get("role") or "").lower()
    if role in _ROLES and not lists:
        return _ROLES[role]
    if len(named) < 3 or lists:
        return around
    return next((found for pattern, found in _NAMES if pattern.search(named)), around)


def is_content(tag: str) -> bool:
    """Does a header inside this element belong to the content?"""
    return tag in _CONTENT
