"""One host of the graph, served."""

from datetime import UTC, datetime, timedelta
from hashlib import blake2b

from kiebitz.lab.exchange import (
    HTML,
    PDF,
    PLAIN,
    Answer,
    Ask,
    Reply,
    Script,
    Wire,
    encode,
    http_date,
    missing,
    redirect,
)
from kiebitz.lab.graph.layout import Layout, RobotsStyle, SpotKind
from kiebitz.lab.graph.links import redirect_target
from kiebitz.lab.graph.truth import Graph

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
DRIPS = 20
ASSETS = {"/stil.css": "text/css", "/bild.png": "image/png"}


class GraphSite:
    """With ``drip_seconds`` every page (not robots.txt) takes that long, in small pieces."""

    def __init__(self, graph: Graph, name: str, *, drip_seconds: float = 0.0) -> None:
        host = graph.layout.host(name)
        assert host is not None, name
        self._graph = graph
        self._host = host
        self._name = name
        self._drip_seconds = drip_seconds
        self._modified = http_date(EPOCH + timedelta(hours=host))

    def answer(self, ask: Ask) -> Answer:
        kind, number = self._graph.layout.spot(self._host, ask.target)
        if kind is SpotKind.ROBOTS:
            return self._robots()
        if kind is SpotKind.REDIRECT:
            status, target = redirect_target(self._graph.layout, self._graph.seed, self._host, number)
            same = target.host == self._host
            return redirect(target.path if same else f"http://{Layout.name(target.host)}{target.path}", status)
        if kind is SpotKind.MISSING:
            return missing(410 if number % 2 else 404)
        if kind is SpotKind.ASSET:
            return Reply(b"", content_type=ASSETS[ask.target])
        if kind is SpotKind.UNKNOWN:
            return missing()
        reply = self._page(ask, kind)
        return _dripping(ask, reply, self._drip_seconds) if self._drip_seconds else reply

    def forget(self) -> None:
        """Nothing is counted here."""

    def _page(self, ask: Ask, kind: SpotKind) -> Reply:
        body = self._graph.page(self._name, ask.target)
        etag = f'"{blake2b(body, digest_size=8).hexdigest()}"'
        return Reply(body, content_type=PDF if kind is SpotKind.DOCUMENT else HTML, etag=etag, modified=self._modified)

    def _robots(self) -> Reply:
        kind = Layout.robots(self._host)
        if kind is RobotsStyle.ABSENT:
            return missing()
        rules = {
            RobotsStyle.PLAIN: "User-agent: *\nDisallow: /intern/\n",
            RobotsStyle.DELAY: f"User-agent: *\nCrawl-delay: {self._graph.crawl_delay(self._name):g}\nDisallow: /intern/\n",
            RobotsStyle.GROUPS: "# Hausordnung\nUser-agent: anderer\nDisallow: /\n\n"
            "User-Agent: *\nAllow: /$\nDisallow: /int*n/*.html$\n",
            RobotsStyle.EMPTY: "",
        }
        return Reply(rules[kind].encode(), content_type=PLAIN)


def _dripping(ask: Ask, reply: Reply, seconds: float) -> Script:
    status, data = encode(ask, reply, http_date(datetime.now(UTC)))
    piece = -(-len(data) // DRIPS)

    async def play(wire: Wire) -> None:
        for at in range(0, len(data), piece):
            await wire.pause(seconds / DRIPS)
            await wire.send(data[at : at + piece])

    return Script(status, play)
