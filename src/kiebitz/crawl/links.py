"""The links of a page, as the frontier takes them: canonical, in scope, no traps, most of them seen before.

This is the hottest code of a crawl. A raw href that was handled on this host before is dropped as a string, before a URL
is made of it; nothing is allocated per link but the strings and one tuple for those that are new.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from kiebitz.crawl.scope import ScopeRules
from kiebitz.crawl.traps import TrapRules
from kiebitz.model.request import Link
from kiebitz.standards.url import host_of, join, origin_of

HREFS_PER_ORIGIN = 800
ORIGINS = 300
ABSOLUTE = 50_000
TEXT = 300
_SCHEME = re.compile(r"(?!https?:[^/\\])[a-z][a-z0-9+.-]*:", re.IGNORECASE).match  # https:x is relative
_REFRESH = re.compile(r"\s*+[\d.]++(?:\s*+[;,]|\s)\s*+(?:url\s*+=\s*+)?+['\"]?+([^'\"]+)", re.IGNORECASE)
_ALSO = (("area", "href"), ("iframe", "src"))
_FRAMES = (*_ALSO, ("frame", "src"))  # a frameset stands in place of the body

Hrefs = list[tuple[LexborNode, str]]


class LinkReader:
    """Reads the pages of one run."""

    def __init__(self, scope: ScopeRules, traps: TrapRules) -> None:
        self._scope = scope
        self._traps = traps
        self._absolute: set[str] = set()  # URLs, as they were written and canonical
        self._local: OrderedDict[str, set[str]] = OrderedDict()  # by origin: paths, and relative ones with their folder

    def forget(self) -> None:
        """Drop the memory of handled hrefs: what was found may not have reached the frontier."""
        self._absolute.clear()
        self._local.clear()

    def read(self, url: str, depth: int, tree: LexborHTMLParser, refusal: Callable[[str], str]) -> list[Link]:
        """New links of a page, for ``depth``. ``refusal`` says why a URL of the page's own origin is not allowed, or ""."""
        host, same = host_of(url), origin_of(url) + "/"
        found: list[Link] = []
        base, refreshes = _base_and_refresh(tree, url)
        for node, target in self._targets(tree, base, refreshes):
            local = target.startswith(same)
            owner = host if local else host_of(target)
            if not self._scope.admits(target, owner, depth):
                continue
            reason = self._traps.trapped(target)
            if local and not reason:
                reason = refusal(target)
            found.append((owner, target, node_text(node), None, reason))
        return found

    def _targets(self, tree: LexborHTMLParser, base: str, more: Hrefs) -> Iterator[tuple[LexborNode, str]]:
        """Canonical URLs of the links whose href was not handled before."""
        absolute, local = self._absolute, self._memory(origin_of(base))
        scheme, path = base[: base.index("/")], base.partition("?")[0]
        folder = path[: path.rindex("/") + 1]
        for node, href in _hrefs(tree, local) + more:
            if href[0] in "/#" or _SCHEME(href):  # means the same on every page of the origin
                local.add(href)
                if href.startswith("//"):
                    href = scheme + href  # noqa: PLW2901 -- so it means the same everywhere
                if href[0] == "#" or href in absolute:
                    continue
            else:
                key = (path if href[0] == "?" else folder) + href
                if key in local:
                    continue
                local.add(key)
            target = join(base, href)
            if target is None or target in absolute:
                continue
            absolute.add(target)
            yield node, target
        if len(absolute) > ABSOLUTE:
            absolute.clear()
        if len(local) > HREFS_PER_ORIGIN:
            local.clear()

    def _memory(self, origin: str) -> set[str]:
        seen = self._local.get(origin)
        if seen is None:
            seen = self._local[origin] = set()
            if len(self._local) > ORIGINS:
                self._local.popitem(last=False)
        return seen


def _base_and_refresh(tree: LexborHTMLParser, url: str) -> tuple[str, Hrefs]:
    """What the head says about links: where they start from, and where the page itself leads."""
    base, refreshes = "", []
    head = tree.head
    for node in head.css("base[href], meta[http-equiv]") if head else ():
        if node.tag == "base":
            base = base or join(url, node.attrs.get("href") or "") or ""
        elif (node.attrs.get("http-equiv") or "").lower() == "refresh":
            match = _REFRESH.match(node.attrs.get("content") or "")
            refreshes += [(node, match[1])] if match else []
    return base or url, refreshes


def _hrefs(tree: LexborHTMLParser, seen: set[str]) -> Hrefs:
    """Links whose raw href is not among those seen: nothing is made of the others."""
    found = [(node, href) for node in tree.tags("a") if (href := node.attrs.get("href")) and href not in seen]
    for tag, attribute in _ALSO if tree.body else _FRAMES:
        found += [(node, href) for node in tree.tags(tag) if (href := node.attrs.get(attribute)) and href not in seen]
    return found


def node_text(node: LexborNode) -> str:
    """What a person reads on the link, on one line."""
    text = node.text()
    return " ".join(text.split())[:TEXT] if text else (node.attrs.get("title") or "")[:TEXT]
