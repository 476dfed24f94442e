"""HTML as browsers read it (WHATWG, by lexbor): the tree of a page, whatever its encoding, unless it would take minutes."""

import re
from codecs import BOM_UTF8

from selectolax.lexbor import LexborHTMLParser

from kiebitz.standards.charset import decode, sniff

MANY_TAGS = 20_000
DEPTH = 5_000
# What nests without end: tags that HTML neither closes by itself nor leaves empty.
_NESTING = re.compile(
    rb"<(/?)(?:div|span|section|article|main|ul|ol|table|blockquote|font|b|i|em|strong|form|header|nav|center)\b",
    re.IGNORECASE,
)


def parse(content: bytes, content_type: str) -> LexborHTMLParser:
    """The page's tree; lexbor reads UTF-8, so only other encodings are decoded here."""
    if sniff(content, content_type) == "utf-8":
        return LexborHTMLParser(content.removeprefix(BOM_UTF8))
    return LexborHTMLParser(decode(content, content_type))


def is_too_deep(content: bytes) -> bool:
    """Would the tree be nested beyond reason? Its cost grows with the square of the depth."""
    if content.count(b"<") <= MANY_TAGS:
        return False
    deepest = depth = 0
    for tag in _NESTING.finditer(content):
        depth = max(0, depth - 1) if tag[1] else depth + 1
        deepest = max(deepest, depth)
    return deepest > DEPTH
