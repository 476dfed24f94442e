"""Which requests of a page in the browser we answer at all, and what passes in their header fields. Pure decisions.

The guard and robots.txt are asked afterwards, by whoever fetches; this is about what a drawn page needs.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from kiebitz.standards.url import host_of, registrable

WANTED = frozenset(("script", "stylesheet", "xhr", "fetch"))
MAX_BODY = 64 << 10
_METHODS = frozenset(("GET", "HEAD", "POST"))
_SCHEMES = ("http://", "https://")
_SENT = frozenset(("accept", "accept-language", "authorization", "content-type", "origin", "referer"))
_NOT_RETURNED = frozenset(
    (
        "alt-svc", "clear-site-data", "connection", "content-disposition", "content-encoding", "content-length",
        "keep-alive", "link", "nel", "refresh", "report-to", "reporting-endpoints", "set-cookie",
        "strict-transport-security", "transfer-encoding", "trailer", "upgrade",
    )
)  # fmt: skip


_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t -~\xa0-\xff]*")


class Wish(NamedTuple):
    """What a page asks for. ``kind`` is the browser's word for it: script, xhr, image, websocket, …"""

    url: str
    kind: str
    method: str = "GET"
    body: bytes | None = None


def refusal(wish: Wish, page: str) -> str:
    """Why the page may not have it; "" if it may."""
    if wish.kind not in WANTED:
        return wish.kind or "kind"
    if not wish.url.startswith(_SCHEMES):
        return "scheme"
    if wish.method not in _METHODS:
        return "method"
    if wish.method == "POST":
        if len(wish.body or b"") > MAX_BODY:
            return "body"
        if registrable(host_of(wish.url)) != registrable(host_of(page)):
            return "foreign post"  # a page must not make us send things to others
    return ""


def sent(fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The header fields of the page's request that go out with ours: what APIs ask for, and nothing that identifies."""
    return tuple(
        (name, value)
        for name, value in fields.items()
        if (name.lower() in _SENT or name.lower().startswith("x-")) and _is_field(name, value)
    )


def returned(fields: Mapping[str, str]) -> dict[str, str]:
    """The header fields of an answer that the browser sees: none about the connection, cookies or other places."""
    return {
        name: value for name, value in fields.items() if name.lower() not in _NOT_RETURNED and _is_field(name, value)
    }


def _is_field(name: str, value: str) -> bool:
    """One that the browser takes; it refuses a whole answer for a wrong one."""
    return bool(_NAME.fullmatch(name) and _VALUE.fullmatch(value))
