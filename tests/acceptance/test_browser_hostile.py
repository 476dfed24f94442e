"""Pages that want to get out of the browser, or to keep it for themselves."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from kiebitz.adapters.browser import drawing, fetcher
from kiebitz.adapters.browser.chromium import find_chromium
from kiebitz.adapters.browser.fetcher import BrowserFetcher
from kiebitz.adapters.http.fetcher import CurlFetcher
from kiebitz.adapters.local.clock import SystemClock
from kiebitz.adapters.local.resolver import SystemResolver, parse_mapping
from kiebitz.errors import AddressRefused, FetchError, LimitExceeded, Unreachable
from kiebitz.fetch.guard import Guard
from kiebitz.model.response import Call, Limits, Response
from kiebitz.standards.address import parse_networks
from tests.acceptance.drawn_site import needs_chromium
from tests.raw_server import Exchange, RawServer, page

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(180)]
HTML = "Content-Type: text/html; charset=utf-8"
ODD = ("X-Odd: a\x01b\x80c", "Refresh: 0; url=http://127.0.0.1/", "Link: <http://127.0.0.1/>; rel=preload; as=script")
GOOD = "<!doctype html><div id=app></div><script>document.getElementById('app').innerHTML = '<b>drawn</b>'</script>"
SITE = "http://www.example"


class Canary:
    """Listens on loopback, TCP and UDP, where nobody may come."""

    def __init__(self) -> None:
        self.visits: list[str] = []
        self.port = 0

    @asynccontextmanager
    async def listening(self) -> AsyncIterator["Canary"]:
        visits = self.visits

        async def visited(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            visits.append("tcp")
            writer.close()

        class Datagrams(asyncio.DatagramProtocol):
            def datagram_received(self, *_: object) -> None:
                visits.append("udp")

        server = await asyncio.start_server(visited, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(Datagrams, local_addr=("127.0.0.1", self.port))
        try:
            yield self
        finally:
            transport.close()
            server.close()


@dataclass
class Visited:
    """What the browser answered to each call, in turn; what the site and the canary saw."""

    outcomes: list[Response | FetchError]
    asked: list[str]
    visits: list[str]

    @property
    def content(self) -> str:
        return self.outcomes[0].content.decode() if isinstance(self.outcomes[0], Response) else ""


def browse(pages: dict[str, str], *calls: str, guard: Guard | None = None) -> Visited:
    """CANARY in a page becomes its address; /to-canary redirects there."""

    async def session() -> Visited:
        clock, canary, asked = SystemClock(), Canary(), list[str]()

        async def serve(exchange: Exchange) -> bool:
            asked.append(exchange.path)
            where = f"127.0.0.1:{canary.port}"
            if exchange.path == "/to-canary":
                await exchange.send(page(b"", f"Location: http://{where}/", status="302 Found"))
            elif exchange.path in pages:
                await exchange.send(page(pages[exchange.path].replace("CANARY", where).encode(), HTML, *ODD))
            else:
                await exchange.send(page(b"[]", "Content-Type: application/json"))
            return True

        async with canary.listening(), RawServer(serve) as server:
            resolver = SystemResolver(parse_mapping(f"*.example=127.0.0.1:{server.port}"))
            client = CurlFetcher(resolver, guard or Guard(()), "kiebitz/test", clock)
            browser = BrowserFetcher(client, _anything, clock, "kiebitz/test", find_chromium(""))
            try:
                outcomes = [await _outcome(browser, call) for call in calls]
            finally:
                await browser.close()
                await client.close()
                await resolver.close()
            await asyncio.sleep(0.2)
            return Visited(outcomes, asked, canary.visits)

    return asyncio.run(session())


async def _anything(_url: str) -> bool:
    return True


async def _outcome(browser: BrowserFetcher, path: str) -> Response | FetchError:
    try:
        return await browser.fetch(Call(SITE + path, limits=Limits(total_seconds=40)))
    except FetchError as error:
        return error


ESCAPES = """<!doctype html><link rel=stylesheet href="http://CANARY/style.css"><link rel=dns-prefetch href="//CANARY/">
<link rel=preconnect href="http://CANARY/"><link rel=prefetch href="http://CANARY/prefetch"><style>@import "http://CANARY/";
body { background: url(http://CANARY/) }</style><body><ul id=log></ul><img src="http://CANARY/"><video src="http://CANARY/">
</video><iframe src="http://CANARY/"></iframe><object data="http://CANARY/"></object><embed src="http://CANARY/">
<script src="http://CANARY/script.js"></script><a id=ping href="#x" ping="http://CANARY/">x</a>
<form id=form action="http://CANARY/" method=post target=hidden><input name=a value=b></form><iframe name=hidden></iframe>
<script>
const log = text => document.getElementById('log').insertAdjacentHTML('beforeend', `<li>${text}</li>`);
const attempt = (name, what) => { try { Promise.resolve(what()).then(() => log('reached ' + name), () => log('failed ' + name)) }
                                  catch (error) { log('failed ' + name) } };
const event = (thing, good) => new Promise((yes, no) => { thing[good] = yes; thing.onerror = no; thing.onclose = no });
for (const url of ['http://CANARY/', 'http://localhost:' + 'CANARY'.split(':')[1], 'http://0x7f000001:' + 'CANARY'.split(':')[1],
                   'http://[::ffff:7f00:1]:' + 'CANARY'.split(':')[1], 'http://169.254.169.254/latest/', 'https://CANARY/',
                   'file:///etc/passwd', 'chrome://version', '/to-canary', 'ftp://CANARY/'])
    attempt(url, () => fetch(url, {mode: url[0] === '/' ? 'cors' : 'no-cors'}));
attempt('xhr', () => { const x = new XMLHttpRequest(); x.open('GET', 'http://CANARY/', false); x.send(); });
attempt('websocket', () => event(new WebSocket('ws://CANARY/'), 'onmessage'));
attempt('eventsource', () => event(new EventSource('http://CANARY/'), 'onopen'));
attempt('webtransport', () => new WebTransport('https://CANARY/').ready);
attempt('import', () => import('http://CANARY/module.js'));
attempt('service worker', () => navigator.serviceWorker.register('http://CANARY/sw.js'));
attempt('shared worker', () => new SharedWorker('http://CANARY/'));
attempt('foreign post', () => fetch('http://other-town.example/', {method: 'POST', mode: 'no-cors', body: 'x'}));
attempt('webrtc', () => {
    const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:CANARY'}, {urls: 'turn:CANARY?transport=tcp',
                                                      username: 'a', credential: 'b'}]});
    peer.createDataChannel('x'); return peer.createOffer().then(offer => peer.setLocalDescription(offer));
});
const source = "for (const go of [() => fetch('http://CANARY/'), () => new WebSocket('ws://CANARY/'), " +
    "() => new EventSource('http://CANARY/'), () => importScripts('http://CANARY/')]) try { go() } catch (error) {}";
new Worker(URL.createObjectURL(new Blob([source])));
navigator.sendBeacon('http://CANARY/', 'x');
window.open('http://CANARY/'); document.querySelector('iframe').contentWindow.open('http://CANARY/');
document.getElementById('ping').click(); document.getElementById('form').submit();
log('end');
</script>"""


@pytest.mark.parametrize("disarmed", [True, False])
def test_nothing_that_a_script_tries_reaches_a_place_we_may_not_go(
    disarmed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if a page found a way around the script that takes its means away: there is no network."""
    if not disarmed:
        monkeypatch.setattr(fetcher, "_NO_WAY_OUT", "")
    seen = browse({"/": ESCAPES}, "/")
    assert seen.visits == []
    assert "<li>end</li>" in seen.content, seen.outcomes
    if disarmed:
        assert seen.content.count("<li>failed ") >= 16
        assert "<li>reached" not in seen.content
    assert "root:" not in seen.content
    assert "/to-canary" in seen.asked  # it was asked for, and the guard refused where it leads


def test_the_canary_would_notice_somebody() -> None:
    seen = browse({"/": ESCAPES}, "/", guard=Guard(parse_networks("127.0.0.0/8")))
    assert "tcp" in seen.visits


@pytest.mark.parametrize("target", ["http://CANARY/", "file:///etc/passwd", "http://169.254.169.254/", "/to-canary"])
def test_a_page_that_goes_elsewhere_is_a_redirect_that_nobody_has_followed(target: str) -> None:
    seen = browse({"/": f"<!doctype html><p>x</p><script>location.href = '{target}'</script>"}, "/")
    assert seen.visits == []
    assert seen.asked == ["/"]
    outcome = seen.outcomes[0]
    assert isinstance(outcome, Response)
    if target.startswith("file"):
        assert (outcome.status, b"<p>x</p>" in outcome.content) == (200, True)
    else:
        assert (outcome.status, outcome.content) == (302, b"")
        assert outcome.headers["location"]


def test_the_browser_does_not_even_start_for_a_place_we_may_not_go() -> None:
    async def refused() -> None:
        clock, resolver = SystemClock(), SystemResolver()
        client = CurlFetcher(resolver, Guard(()), "kiebitz/test", clock)
        browser = BrowserFetcher(client, _anything, clock, "kiebitz/test", "/nowhere/chromium")
        try:
            with pytest.raises(AddressRefused):
                await browser.fetch(Call("http://127.0.0.1:9/"))
        finally:
            await browser.close()
            await client.close()
            await resolver.close()

    asyncio.run(refused())


@pytest.mark.parametrize(
    ("script", "kind", "reason"),
    [
        ("while (true) {}", LimitExceeded, "busy"),
        ("while (true) alert(1)", LimitExceeded, "dialogs"),
        ("for (let i = 0; i < 10000; i++) fetch('/data?' + i)", LimitExceeded, "more than 100"),
        ("document.body.hidden = true; document.body.innerHTML = '<i>x</i>'.repeat(210000)", LimitExceeded, "elements"),
        ("document.body.hidden = true; document.body.textContent = 'x'.repeat(2e7)", LimitExceeded, "characters"),
        ("const kept = []; while (true) kept.push(new Array(1e5).fill(Math.random()))", Unreachable, "crashed"),
    ],
    ids=["endless", "dialogs", "requests", "elements", "text", "memory"],
)
def test_a_greedy_page_is_bounded_and_the_next_one_works(
    script: str, kind: type[FetchError], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason == "busy":
        monkeypatch.setattr(drawing, "ANSWER_SECONDS", 3.0)
    seen = browse({"/": f"<!doctype html><body><script>{script}</script>", "/good": GOOD}, "/", "/good")
    error, good = seen.outcomes
    assert isinstance(error, kind)
    assert reason in str(error)
    assert isinstance(good, Response)
    assert b"<b>drawn</b>" in good.content
    assert len(seen.asked) <= 105


def test_a_page_keeps_nothing_for_the_next_one() -> None:
    script = "document.getElementById('app').textContent = document.cookie + localStorage.a; document.cookie = 'a=1';"
    shell = f"<!doctype html><div id=app></div><script>{script} localStorage.a = 'kept'</script>"
    seen = browse({"/": shell}, "/", "/")
    second = seen.outcomes[1]
    assert isinstance(second, Response)
    assert b'<div id="app">undefined</div>' in second.content


def test_a_fetch_that_is_cancelled_leaves_a_browser_that_works() -> None:
    async def session() -> None:
        async def serve(exchange: Exchange) -> bool:
            body = GOOD if exchange.path == "/good" else "<!doctype html><script>while (true) {}</script>"
            await exchange.send(page(body.encode(), HTML))
            return True

        clock = SystemClock()
        async with RawServer(serve) as server:
            resolver = SystemResolver(parse_mapping(f"*.example=127.0.0.1:{server.port}"))
            client = CurlFetcher(resolver, Guard(()), "kiebitz/test", clock)
            browser = BrowserFetcher(client, _anything, clock, "kiebitz/test", find_chromium(""))
            try:
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(4):
                        await browser.fetch(Call(SITE + "/endless"))
                assert b"drawn" in (await browser.fetch(Call(SITE + "/good"))).content
            finally:
                await browser.close()
                await client.close()
                await resolver.close()

    asyncio.run(session())
