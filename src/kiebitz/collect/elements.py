"""What the walk through a page keeps about an open element and a link, and what it reads from attributes."""

import re
from dataclasses import dataclass

from kiebitz.collect.regions import Attributes
from kiebitz.model.candidate import Form

TEXT = 300
_ONCLICK = re.compile(r"""(?:window\.open|location\.assign|location\.replace)\s*\(\s*['"]([^'"]{1,2000})['"]"""
                      r"""|location(?:\.href)?\s*=\s*['"]([^'"]{1,2000})['"]""")  # fmt: skip
_DATA = ("data-href", "data-url", "data-link", "data-download", "data-file", "data-src-pdf")
INVISIBLE = str.maketrans("", "", "\u200b\u200c\u200d\u2060\ufeff\u00ad")


@dataclass(slots=True)
class Frame:
    tag: str
    shape: str
    region: str
    first_piece: int
    first_char: int
    first_link: int
    in_content: bool = False
    controls: str = ""  # the id of what this tab or accordion button opens
    rows_inside: bool = False
    headed: bool = False  # a heading has ended inside
    link: int = -1
    form: Form | None = None
    outline: list[tuple[int, str]] | None = None  # what is restored when the element ends


@dataclass(slots=True)
class SeenLink:
    url: str
    title: str
    label: str
    hints: str
    name: str
    region: str
    outline: str
    path: str
    first: int
    last: int = 0
    row: tuple[int, int] = (0, 0)
    before: int = 0
    after: int = 0
    method: str = "GET"
    body: bytes | None = None


def tags(names: str) -> list[str]:
    return names.split()


def target_of(tag: str, attributes: Attributes) -> str:
    """The address an element leads to, as written: its href, what a click opens, or what its data say."""
    href = (attributes.get("href") or "").strip() if tag in ("a", "area") else ""
    if href and not href.startswith("#") and not href.lower().startswith("javascript:"):
        return href
    clicked = _ONCLICK.search(href) or _ONCLICK.search(attributes.get("onclick") or "")
    if clicked:
        return clicked[1] or clicked[2]
    if tag in ("iframe", "embed", "object"):
        return attributes.get("src") or attributes.get("data") or ""
    return next((attributes.get(name) or "" for name in _DATA if name in attributes), "")


def controlled(tag: str, attributes: Attributes) -> str:
    """The id of the panel that a tab or an accordion button opens; "?" if it does not say which."""
    href = attributes.get("href") or ""
    if tag == "a" and href.startswith("#") and len(href) > 1:
        return href[1:]
    opened = attributes.get("aria-controls") or attributes.get("data-target") or attributes.get("data-bs-target") or ""
    return opened.lstrip("#") or ("?" if "aria-expanded" in attributes and tag in ("button", "a") else "")


def shape_of(tag: str, classes: str) -> str:
    """A tag with its first class, in which numbers count as one."""
    first = classes.split(maxsplit=1)[0] if classes else ""
    return f"{tag}.{re.sub(r'[0-9]+', '#', first)}" if first else tag


def clean(text: str | None) -> str:
    return " ".join(text.translate(INVISIBLE).split())[:TEXT] if text else ""
