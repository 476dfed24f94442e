"""The lines of a page that matter: its content, without the furniture around it and without what changes by itself."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from kiebitz.collect.marks import MONTHS
from kiebitz.collect.regions import is_content, region_of

NODES = 200_000
LINES = 2_000
LENGTH = 300
CLOCK = 80

_BLOCK_TAGS = (
    "address article aside blockquote br caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4"
    " h5 h6 header hr legend li main nav ol p pre section summary table tbody td th thead tr ul"
)
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_UNSEEN_TAGS = "script style noscript template head iframe object select textarea input button svg canvas video audio"
_UNSEEN = frozenset(_UNSEEN_TAGS.split())
_FURNITURE_NAMES = re.compile(
    r"\b(?:ads?|adsense|advert\w*|anzeige|werbung|banner|teaser-?rotat\w*|slider|carousel|karussell|swiper|slick|ticker|weather"
    r"|wetter\w*|clock|uhr(?:zeit)?|counter|zaehler|besucher\w*|visitors?|hits|popup|modal|overlay|newsletter|social|share)\b"
)
_PASSING = re.compile(
    r"\b[0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?(?![.0-9])(?:\s*Uhr\b)?|\b[0-9]{1,2}\s*Uhr\b"
    r"|\b(?=\w*[0-9])(?=\w*[a-z])\w{16,}\b"
    r"|\b[0-9]+(?:[.,][0-9]+)?\s*(?:[KMG]i?B|bytes?)\b",
    re.IGNORECASE,
)
_DAYS = r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|mo|di|mi|do|fr|sa|so)"
_CLOCK_WORDS = re.compile(
    rf"\b(?:{_DAYS}|{MONTHS}|märz|jänner|heute|ist|der|den|die|es|datum|uhrzeit|uhr|zeit|kw|kalenderwoche|tag|woche|stand|vom|am|und|jetzt|aktuell)\b"
    r"|[\W_0-9]+",
    re.IGNORECASE,
)
_VOLATILE = re.compile(
    r"\bheute (?:ist|hat|haben|geoeffnet|geöffnet|geschlossen|morgen)\b|\b(?:aktuelle )?uhrzeit\b|\bserverzeit\b|namenstag"
    r"|\bbesucher\w*\b.{0,40}[0-9]|[0-9].{0,20}\bbesucher|\b(?:seiten)?(?:zugriffe|aufrufe|abrufe)\b|\bklicks?\b|\bvisitors?\b"
    r"|\b[0-9.]+\s*(?:mal\s)?(?:downloads?|heruntergeladen|gelesen|views?|hits)\b|\b(?:downloads?|views?|hits)\s*:?\s*[0-9]"
    r"|\b[0-9]+\s+(?:gäste|benutzer|nutzer|personen)\s+online\b|\bonline\s*:\s*[0-9]"
    r"|\b(?:zuletzt|letzte)\s+(?:aktualisiert|geändert|änderung|aktualisierung|bearbeitet)|\bstand\s*:"
    r"|\b(?:generiert|erzeugt|erstellt)\s+(?:in|um|am)\b.{0,30}[0-9]|\bsession\b|\bcookies?\b"
    r"|-?[0-9]+\s*°|\b(?:temperatur|luftfeuchte|luftfeuchtigkeit|niederschlag|pegelstand|wasserstand)\b.{0,20}[0-9]"
    r"|\bfreie (?:park)?plätze\b|©|\bcopyright\b",
    re.IGNORECASE,
)


def lines_of(tree: LexborHTMLParser) -> tuple[str, ...]:
    """The lines of the content, in reading order, each once."""
    kept: dict[str, None] = {}
    for line in _lines(tree.body):
        text = steady(line)
        if text:
            kept.setdefault(text[:LENGTH])
        if len(kept) >= LINES:
            break
    return tuple(kept)


def title_of(tree: LexborHTMLParser) -> str:
    node = tree.css_first("title")
    return " ".join(node.text().split())[:LENGTH] if node is not None else ""


def steady(line: str) -> str:
    """The line without times, sizes and tokens; "" if nothing is left, or if it changes by itself."""
    if _VOLATILE.search(line):
        return ""
    text = trimmed(line)
    return "" if len(text) <= CLOCK and not _CLOCK_WORDS.sub("", text) else text


def trimmed(text: str) -> str:
    """Without times, sizes and tokens."""
    return " ".join(_PASSING.sub(" ", text).split())


def _lines(body: LexborNode | None) -> list[str]:
    """Text by blocks, from the main region; what a class or an id calls an advertisement or a counter is left out."""
    lines: list[str] = []
    words: list[str] = []
    open_elements: list[tuple[str, bool]] = []  # tag, is inside content
    node = body
    for _ in range(NODES):
        if node is None:
            break
        if node.is_text_node:
            words += (node.text_content or "").split()
        elif node.is_element_node:
            tag = node.tag or ""
            inside = bool(open_elements) and open_elements[-1][1]
            if tag in _BLOCKS:
                _end(words, lines)
            if node.first_child is not None and _is_read(node, tag, inside=inside):
                open_elements.append((tag, inside or is_content(tag)))
                node = node.first_child
                continue
        while open_elements and node.next is None:
            node = node.parent
            assert node is not None
            if open_elements.pop()[0] in _BLOCKS:
                _end(words, lines)
        node = node.next if open_elements else None
    _end(words, lines)
    return lines


def _is_read(node: LexborNode, tag: str, *, inside: bool) -> bool:
    attributes = node.attributes
    if tag in _UNSEEN or "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return False
    named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}".lower()
    if tag not in ("body", "main", "html") and _FURNITURE_NAMES.search(named):
        return False
    return region_of(tag, attributes, "main", in_content=inside) == "main"


def _end(words: list[str], lines: list[str]) -> None:
    if words:
        lines.append(" ".join(words))
        words.clear()
