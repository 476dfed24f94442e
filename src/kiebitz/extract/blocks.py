"""The lines of a part of a page: one per block, row of a table, or broken line. Walks without recursion, so depth is free."""

from collections.abc import Iterator
from typing import Any

_NAMES = (
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 "
    "h4 h5 h6 header hr legend li main nav ol p pre section summary table tbody thead tfoot tr ul br"
)
_BLOCKS = frozenset(_NAMES.split())
_CELLS = frozenset({"td", "th"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def lines_of(root: Any) -> Iterator[tuple[str, str]]:
    """The text of each line, and the heading element it stands in, if any."""
    parts: list[str] = []
    heading = ""
    end = root.mem_id
    node = root.child
    while node is not None:
        tag = node.tag
        if tag == "-text":
            parts.append(node.text_content or "")
        elif tag in _BLOCKS:
            yield from _flushed(parts, heading)
            heading = tag if tag in HEADINGS else heading
        elif tag in _CELLS:
            parts.append(" ")
        child = node.child if tag != "-text" else None
        if child is not None:
            node = child
            continue
        while True:  # close this element and those that end with it
            if node.tag in _BLOCKS:
                yield from _flushed(parts, heading)
                heading = "" if node.tag in HEADINGS else heading
            following = node.next
            if following is not None:
                node = following
                break
            node = node.parent
            if node is None or node.mem_id == end:
                yield from _flushed(parts, heading)
                return


def _flushed(parts: list[str], heading: str) -> Iterator[tuple[str, str]]:
    if parts:
        text = " ".join("".join(parts).split())
        parts.clear()
        if text:
            yield text, heading
