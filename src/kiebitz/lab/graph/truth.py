"""The graph and its truth: what exists, what a polite crawler reaches, what it must leave alone."""

from collections import deque
from collections.abc import Collection, Iterator
from functools import lru_cache
from hashlib import sha256

from kiebitz.lab.graph import hypertext, layout, links
from kiebitz.lab.graph.layout import Layout, RobotsStyle, Spot, SpotKind
from kiebitz.lab.graph.links import Target
from kiebitz.lab.pdf import write_pdf

FETCHED = (SpotKind.PAGE, SpotKind.DOCUMENT, SpotKind.COPY)
CACHED_PAGES = 8192


class Graph:
    """``crawl_delay`` is what one host in ten asks for; ``dripping`` is the share of hosts that answer slowly.

    URLs are canonical: lower-case host, no default port, non-ASCII and spaces percent-encoded, no fragment.
    """

    def __init__(
        self,
        seed: int,
        hosts: int,
        pages: int,
        *,
        page_bytes: int = 4000,
        crawl_delay: float = 0.1,
        dripping: float = 0.0,
    ) -> None:
        self.seed = seed
        self.layout = Layout(hosts, pages)
        self.page_bytes = page_bytes
        self._crawl_delay = crawl_delay
        self.dripping = frozenset(_every(round(1 / dripping), hosts)) if dripping else frozenset[str]()
        self.start = f"http://{Layout.name(0)}/"
        self._render = lru_cache(CACHED_PAGES)(self._make)

    @property
    def hosts(self) -> list[str]:
        return [Layout.name(host) for host in range(self.layout.hosts)]

    def kind(self, url: str) -> SpotKind:
        place = self._place(url)
        return place[1].kind if place else SpotKind.UNKNOWN

    def urls(self, *kinds: SpotKind) -> set[str]:
        """Everything of these kinds, linked or not."""
        found: set[str] = set()
        for host in range(self.layout.hosts):
            name = Layout.name(host)
            found.update(f"http://{name}{path}" for path, kind in self._inventory(host) if kind in kinds)
        return found

    def forbidden(self) -> set[str]:
        return self.urls(SpotKind.FORBIDDEN)

    def crawl_delay(self, host: str) -> float:
        index = self.layout.host(host)
        return self._crawl_delay if index is not None and Layout.robots(index) is RobotsStyle.DELAY else 0.0

    def visited(self, start: str, *, depth: int = -1, hosts: Collection[str] | None = None) -> set[str]:
        """Every URL that a crawl from ``start`` requests: pages, documents, copies, redirects and dead links.

        Depth counts links, not redirects; −1 is no limit. ``hosts`` is the scope; None is everywhere.
        """
        seen: dict[str, int] = {start: 0}
        waiting = deque([start])
        while waiting:
            url = waiting.popleft()
            place = self._place(url)
            if place is None:
                continue
            level = seen[url] + (place[1].kind is not SpotKind.REDIRECT)
            if depth >= 0 and level > depth:
                continue
            for target in self._leads_to(*place):
                found = f"http://{Layout.name(target.host)}{target.path}"
                if seen.get(found, level + 1) <= level or self.kind(found) is SpotKind.FORBIDDEN:
                    continue
                if hosts is None or Layout.name(target.host) in hosts:
                    seen[found] = level
                    (waiting.append if level > seen[url] else waiting.appendleft)(found)
        return set(seen)

    def reachable(self, start: str, *, depth: int = -1, hosts: Collection[str] | None = None) -> set[str]:
        """What of ``visited`` exists: each of these is answered with 200 and is to be fetched exactly once."""
        return {url for url in self.visited(start, depth=depth, hosts=hosts) if self.kind(url) in FETCHED}

    def redirect(self, url: str) -> str:
        """Where a redirect leads."""
        place = self._place(url)
        if place is None or place[1].kind is not SpotKind.REDIRECT:
            return ""
        _, target = links.redirect_target(self.layout, self.seed, place[0], place[1].number)
        return f"http://{Layout.name(target.host)}{target.path}"

    def duplicates(self) -> dict[str, str]:
        """From each copy to its original."""
        return {
            url: f"http://{name}{self.layout.path(index, int(url.rpartition('-')[2].removesuffix('.html')))}"
            for url in self.urls(SpotKind.COPY)
            if (name := url.split("/")[2]) and (index := self.layout.host(name)) is not None
        }

    def digests(self, urls: Collection[str]) -> dict[str, str]:
        """The SHA-256 of what is served at each URL."""
        found = {}
        for url in urls:
            _, _, name, *rest = url.split("/", 3)
            found[url] = sha256(self.page(name, "/" + "".join(rest))).hexdigest()
        return found

    def page(self, host: str, target: str) -> bytes:
        """The bytes at a path; empty for what has none of its own (redirects, dead links)."""
        place = self._place(f"http://{host}{target}")
        return self._render(*place) if place else b""

    def _make(self, host: int, spot: Spot) -> bytes:
        kind, number = spot
        if kind is SpotKind.DOCUMENT:
            return self._document(host, number)
        if kind is SpotKind.FORBIDDEN:
            leads = links.Links(links.forbidden_links(self.layout, host, number), [])
            return hypertext.render(layout.forbidden(number), host, leads, links.draw(self.seed, host, number, 3), 0)
        if kind in (SpotKind.PAGE, SpotKind.ISLAND, SpotKind.COPY):
            leads = links.links(self.layout, self.seed, host, number)
            rng = links.draw(self.seed, host, number, purpose=2)
            return hypertext.render(self.layout.path(host, number), host, leads, rng, self.page_bytes)
        return b""

    def _document(self, host: int, number: int) -> bytes:
        if (number + host) % 40 == 27:  # the same statute is published by many
            return write_pdf("Satzung", [f"Mustersatzung {number % 3}", "In allen Gemeinden gleich."])
        name = Layout.name(host)
        return write_pdf(
            f"Amtsblatt {number}", [f"Amtsblatt Nr. {number}", f"Herausgegeben von {name}", str(self.seed)]
        )

    def _place(self, url: str) -> tuple[int, Spot] | None:
        if not url.startswith("http://"):
            return None
        name, slash, rest = url[7:].partition("/")
        host = self.layout.host(name)
        return None if host is None else (host, self.layout.spot(host, slash + rest))

    def _leads_to(self, host: int, spot: Spot) -> list[Target]:
        if spot.kind is SpotKind.REDIRECT:
            return [links.redirect_target(self.layout, self.seed, host, spot.number)[1]]
        if spot.kind in (SpotKind.PAGE, SpotKind.ISLAND, SpotKind.COPY):
            found = links.links(self.layout, self.seed, host, spot.number)
            return found.ways + found.repeats
        return []

    def _inventory(self, host: int) -> Iterator[tuple[str, SpotKind]]:
        shape = self.layout
        for number in range(shape.pages):
            path = shape.path(host, number)
            yield path, shape.spot(host, path).kind
            if shape.has_copy(host, number):
                yield layout.copy(number), SpotKind.COPY
        for number in range(shape.forbids(host)):
            yield layout.forbidden(number), SpotKind.FORBIDDEN
        for number in range(shape.missing):
            yield layout.missing(number), SpotKind.MISSING
        for number in range(shape.redirects):
            yield layout.redirecting(number), SpotKind.REDIRECT
        for number in range(shape.first_behind, shape.first_island):
            yield layout.before(number), SpotKind.REDIRECT


def _every(step: int, hosts: int) -> Iterator[str]:
    """The first host lists all others and is never among the slow."""
    return (Layout.name(host) for host in range(1, hosts) if host % step == step // 2)
