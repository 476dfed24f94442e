"""A fetcher for pages that a script draws: the answer's content is the document as Chromium has drawn it.

Chromium asks our own client for everything (``traffic``), so the guard, the limits and robots.txt hold for it too. Each
page has a context of its own. A browser that misbehaves costs the page that met it, because it shows one at a time; the
next page gets a new one.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from kiebitz.adapters.browser.chromium import Chromium
from kiebitz.adapters.browser.drawing import drawn
from kiebitz.adapters.browser.traffic import Permission, Traffic, WentAway
from kiebitz.errors import FetchError, LimitExceeded, MissingExtra, TimedOut, Unreachable
from kiebitz.model.response import Call, Response
from kiebitz.ports.clock import Clock
from kiebitz.ports.fetcher import Fetcher
from kiebitz.standards.media_type import essence
from kiebitz.standards.url import host_of

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

PAGES = 2  # at once
MEMORY = 1 << 30  # of the whole browser
WATCH_SECONDS = 0.5
CLOSE_SECONDS = 3.0
STARTS = 2  # failed ones, after which it is not tried again
DRAWN_BYTES = 10 << 20
_HTML = frozenset(("text/html", "application/xhtml+xml"))
_NO_WAY_OUT = """
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'SharedWorker'])
    delete globalThis[name];
globalThis.open = () => null;
globalThis.print = () => undefined;
"""


class BrowserFetcher:
    """Implements the Fetcher port. ``client`` makes every exchange; ``allowed`` says what robots.txt permits."""

    def __init__(self, client: Fetcher, allowed: Permission, clock: Clock, user_agent: str, program: str) -> None:
        self._client = client
        self._allowed = allowed
        self._clock = clock
        self._user_agent = user_agent
        self._program = program
        self._room = asyncio.Semaphore(PAGES)
        self._hosts: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._idle: list[Chromium] = []
        self._all: set[Chromium] = set()
        self._failures: list[MissingExtra] = []
        self._is_closed = False

    async def fetch(self, call: Call) -> Response:
        """What is no page, a redirect or an error comes back as it is; a page that leads elsewhere by script as a 302."""
        host = self._hosts.setdefault(host_of(call.url), asyncio.Lock())
        async with host, self._room:
            started = self._clock.monotonic()
            shell = await self._client.fetch(call)
            if not 200 <= shell.status < 300 or essence(shell.headers.get("content-type", "")) not in _HTML:
                return shell
            chromium = await self._take()
            try:
                answer = await self._draw(chromium, shell, call, started)
            except BaseException:
                chromium.kill()
                await self._end(chromium)  # whatever went wrong in there, the next page shall not meet it
                raise
            await self._give_back(chromium)
            answer.seconds = self._clock.monotonic() - started
            return answer

    async def close(self) -> None:
        self._is_closed = True
        for chromium in list(self._all):
            await self._end(chromium)

    async def _draw(self, chromium: Chromium, shell: Response, call: Call, started: float) -> Response:
        left = call.limits.total_seconds - (self._clock.monotonic() - started)
        limits = call.limits._replace(total_seconds=max(0.1, left))
        traffic = Traffic(self._client, self._allowed, self._clock, shell, limits)
        try:
            html = await _drawing(chromium, traffic, self._user_agent, min(limits.max_bytes, DRAWN_BYTES))
        except WentAway as away:
            return _redirect(shell, away.url)
        return _answer(shell, html.encode("utf-8", "replace"))

    # ------------------------------------------------------------------ browsers: one page at a time in each

    async def _take(self) -> Chromium:
        while self._idle:
            chromium = self._idle.pop()
            if chromium.is_fit:
                return chromium
            await self._end(chromium)
        if self._is_closed:
            raise Unreachable("closed", "the fetcher is closed")
        if len(self._failures) >= STARTS:
            raise self._failures[-1]
        chromium = Chromium(self._program)
        self._all.add(chromium)
        try:
            await chromium.start()
        except MissingExtra as error:
            self._failures.append(error)
            raise
        finally:
            if not chromium.is_fit:
                self._all.discard(chromium)
        self._failures.clear()
        return chromium

    async def _give_back(self, chromium: Chromium) -> None:
        if chromium.is_fit and not self._is_closed:
            self._idle.append(chromium)
        else:
            await self._end(chromium)

    async def _end(self, chromium: Chromium) -> None:
        try:
            await chromium.close()
        finally:
            self._all.discard(chromium)


async def _drawing(chromium: Chromium, traffic: Traffic, user_agent: str, max_bytes: int) -> str:
    """One page from opening to closing. What its tasks raise ends it."""
    from playwright.async_api import Error

    try:
        async with asyncio.timeout(traffic.seconds_left), asyncio.TaskGroup() as group:
            watching = group.create_task(_watch(chromium.memory))
            context = await _context(chromium, user_agent)
            try:
                page = await context.new_page()
                await traffic.attach(page, group)
                await page.goto(traffic.url, wait_until="commit", timeout=0)
                html = await drawn(page, traffic, max_bytes)
            finally:
                traffic.detach()
                watching.cancel()
            await _close(context)
    except TimeoutError:
        raise TimedOut("drawing", f"{traffic.url} was not drawn in time") from None
    except BaseExceptionGroup as failures:
        raise _cause(failures) from failures
    except Error as error:
        raise Unreachable("crash", f"the browser gave up: {_line(error)}") from error
    return html


async def _close(context: "BrowserContext") -> None:
    """A context that does not close in time is a browser that is not fit."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await context.close()
    except TimeoutError:
        raise Unreachable("stuck", "the page does not close") from None


async def _context(chromium: Chromium, user_agent: str) -> "BrowserContext":
    context = await chromium.browser.new_context(
        user_agent=user_agent, locale="de-DE", accept_downloads=False, service_workers="block"
    )
    await context.add_init_script(_NO_WAY_OUT)
    return context


async def _watch(memory: Callable[[], int]) -> None:
    while True:
        await asyncio.sleep(WATCH_SECONDS)
        if memory() > MEMORY:
            raise LimitExceeded("memory", f"the page makes the browser hold more than {MEMORY >> 20} MiB")


def _cause(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """Ours before the browser's: what it says after an overrun is only the echo."""
    from playwright.async_api import Error

    for kind in (WentAway, FetchError):
        if any(isinstance(each, kind) for each in failures.exceptions):
            return next(each for each in failures.exceptions if isinstance(each, kind))
    first = failures.exceptions[0]
    if isinstance(first, Error):
        return Unreachable("crash", f"the browser gave up: {_line(first)}")
    return first


def _line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0][:200]


def _answer(shell: Response, html: bytes) -> Response:
    return Response(
        url=shell.url,
        status=shell.status,
        head=b"HTTP/1.1 %d\r\nContent-Type: text/html; charset=utf-8" % shell.status,
        raw=html,
        content=html,
        headers={"content-type": "text/html; charset=utf-8"},
        request_head=shell.request_head,
        address=shell.address,
        seconds=0.0,
    )


def _redirect(shell: Response, target: str) -> Response:
    answer = _answer(shell, b"")
    answer.status, answer.headers = 302, {"location": target}
    answer.head = b"HTTP/1.1 302\r\nLocation: " + target.encode("ascii", "replace")
    return answer
