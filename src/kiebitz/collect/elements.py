"""What the walk through a page keeps about an open element and a link, and what it reads from attributes."""

import re
from dataclasses import dataclass

from kiebitz.collect.regions import Attributes
from kiebitz.model.candidate import Form

TEXT = 300
_ONCLICK = re.compile(r"""(?:window\.open|location\.assign|location\.replace)\s*\(\s*['"]([^'"]{1,2000})['"]"""
                      r"""|location(?:\.href)?\s*=\s*['"]([^'"]{1,2000})['"]""")  # fmt: skip
_DATA = re.compile(r"data-(?:[a-z-]{1,20}-)?(?:href|url|link|download|downloadurl|file|pdf|src-pdf|document)")
_ADDRESS = re.compile(
    r"(?:https?:/)?/\S|\.{1,2}/\S|[^\s{}<>;]+\.(?:pdf|php|aspx?|html?)(?:[?#]\S*)?\Z|\?\S+=", re.IGNORECASE
)
# What plays a part in the walk.
ROWS = frozenset({"li", "tr", "article", "dd", "figure"})
HEADINGS = {f"h{level}": level for level in range(1, 7)} | dict.fromkeys(
    ("summary", "caption", "legend", "dt", "thead"), 7
)
INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "big",
        "button",
        "cite",
        "code",
        "data",
        "em",
        "font",
        "form",
        "i",
        "img",
        "input",
        "kbd",
        "label",
        "mark",
        "path",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "svg",
        "time",
        "tt",
        "u",
        "use",
        "var",
        "wbr",
    ]
)
ANCHORS = frozenset({"a", "area", "iframe", "embed", "object"})
UNSEEN = frozenset({"script", "style", "template", "head", "iframe", "object", "select", "textarea"})
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
    changes: bool = False  # sending its form may change something
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
    is_sent: bool = False  # by a form, whatever its method


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
    return next((value for name, value in attributes.items() if value and _is_address(name, value)), "")


def _is_address(name: str, value: str) -> bool:
    return _DATA.fullmatch(name) is not None and _ADDRESS.match(value.strip()) is not None


def controlled(tag: str, attributes: Attributes) -> str:
    """The id of the panel that a tab or an accordion button opens; "?" if it does not say which."""
    href = attributes.get("href") or ""
    if tag == "a" and href.startswith("#") and len(href) > 1:
        return href[1:]
    opened = attributes.get("aria-controls") or attributes.get("data-target") or attributes.get("data-bs-target") or ""
    return opened.lstrip("#") or ("?" if "aria-expanded" in attributes and tag in ("button", "a") else "")


def heading_level(frame: Frame, parent: Frame | None) -> int:
    """1 to 6 for headings, 7 for what plays the part of one, 0 for anything else."""
    if frame.tag in HEADINGS:
        return HEADINGS[frame.tag]
    bold = parent is not None and frame.tag in ("strong", "b") and parent.tag in ("p", "div", "td")
    begins = bold and parent is not None and parent.first_piece == frame.first_piece
    return 7 if begins or (frame.controls and frame.link < 0) else 0


def shape_of(tag: str, classes: str) -> str:
    """A tag with its first class, in which numbers count as one."""
    first = classes.split(maxsplit=1)[0] if classes else ""
    return f"{tag}.{re.sub(r'[0-9]+', '#', first)}" if first else tag


def clean(text: str | None) -> str:
    return " ".join(text.translate(INVISIBLE).split())[:TEXT] if text else ""
