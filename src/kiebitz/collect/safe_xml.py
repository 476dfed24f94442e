"""XML from strangers: the standard library's expat, which loads nothing from outside, without any document type.

A document type is refused before parsing, and with it every entity of its own, so nothing can expand. An HTML parser would
need no such care, but it takes ``<link>`` for an empty element and loses the very addresses a feed is read for.
"""

import re
from xml.etree import ElementTree as ET

from kiebitz.standards.charset import decode

BYTES = 10_000_000
_DECLARATION = re.compile(r"<\?xml[^>]*\?>")
_DOCTYPE = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def parse_xml(content: bytes, content_type: str, what: str) -> ET.Element:
    """The root element. Raises ValueError with the reason, in which ``what`` is its subject."""
    if len(content) > BYTES:
        raise ValueError(f"{what} is larger than {BYTES:,} bytes")
    text = decode(content, content_type)
    if _DOCTYPE.search(text):
        raise ValueError(f"{what} has a document type of its own, which could expand without end")
    try:
        return ET.fromstring(_DECLARATION.sub("", text, count=1).strip())  # noqa: S314 -- no document type, no entities
    except ET.ParseError as error:
        raise ValueError(f"{what} is not well-formed: {error}") from None
    except RecursionError:
        raise ValueError(f"{what} is nested without end") from None


def local_name(element: ET.Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]
