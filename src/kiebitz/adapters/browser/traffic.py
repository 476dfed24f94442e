"""What a page in the browser asks for, answered by our own guarded client or not at all: the browser opens no socket.

Redirects of scripts and data are followed here, each hop checked again, because the browser would follow them unseen.
Another document is never loaded: where the page wants to go itself ends the drawing, and is told as a redirect.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, NoReturn

from kiebitz.adapters.browser.admission import Wish, refusal, returned, sent
from kiebitz.errors import BadUrl, FetchError, KiebitzError, LimitExceeded, PageOverrun, Unreachable
from kiebitz.model.response import Call, Limits, Response
from kiebitz.ports.clock import Clock
from kiebitz.ports.fetcher import Fetcher
from kiebitz.standards.url import canonical, join

if TYPE_CHECKING:
    from playwright.async_api import Dialog, Page, Request, Route

REQUESTS = 100  # that we answer for one page, redirects included
ASKED = 1_000  # requests of any kind, those that we refuse included
BYTES = 32 << 20
DIALOGS = 20
CONNECTIONS = 6
HOPS = 5

Permission = Callable[[str], Awaitable[bool]]


class WentAway(Exception):
    """No error, but the end of the drawing: the page wants to be another one."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class Traffic:
    """The requests of one page. ``limits`` are those of the whole page; ``deadline`` is monotonic."""

    def __init__(self, client: Fetcher, allowed: Permission, clock: Clock, shell: Response, limits: Limits) -> None:
        self._client = client
        self._allowed = allowed
        self._clock = clock
        self._shell = shell
        self._limits = limits
        self._deadline = clock.monotonic() + limits.total_seconds
        self._connections = asyncio.Semaphore(CONNECTIONS)
        self._page: Page | None = None
        self._group: asyncio.TaskGroup | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: set[asyncio.Task[Any]] = set()  # Playwright's own, one for each request that has no answer yet
        self._is_given = False
        self._asked = self._dialogs = self._bytes = self._in_flight = 0
        self.events = 0  # requests and answers so far
        self.requests = 0
        self.refused: Counter[str] = Counter()

    @property
    def url(self) -> str:
        return self._shell.url

    @property
    def is_busy(self) -> bool:
        """Something is under way."""
        return self._in_flight > 0

    @property
    def seconds_left(self) -> float:
        return self._deadline - self._clock.monotonic()

    async def attach(self, page: "Page", group: asyncio.TaskGroup) -> None:
        """Answer everything the page and its context ask for, in tasks of the group; an overrun ends the group."""
        self._page, self._group = page, group
        context = page.context
        await context.route("**/*", self._arrived)
        await context.route_web_socket("**/*", lambda socket: self._spawn(_quietly(socket.close())))
        context.on("page", lambda popup: self._spawn(_quietly(popup.close())))
        page.on("dialog", lambda dialog: self._spawn(self._dismiss(dialog)))
        page.on("crash", lambda _: self._spawn(_crashed()))

    def detach(self) -> None:
        """No more answers."""
        self._group = None
        for task in (*self._tasks, *self._waiting):
            task.cancel()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        if self._group is None or self.seconds_left <= 0:
            work.close()
            return
        try:
            task = self._group.create_task(work)
        except RuntimeError:  # the group is ending
            work.close()
            return
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------------ what happens on the page

    def _arrived(self, route: "Route") -> None:
        """Counted at once: ten thousand requests would take their time even to be refused."""
        task = asyncio.current_task()
        assert task is not None
        if self._group is None:
            task.cancel()  # it would wait for an answer for ever
            return
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)
        self._asked += 1
        self.events += 1
        if self._asked > ASKED:
            self._spawn(_overrun("requests", f"the page asks for more than {ASKED:,} things"))
        else:
            self._spawn(self._answer(route))

    async def _answer(self, route: "Route") -> None:
        from playwright.async_api import Error

        try:
            if route.request.is_navigation_request():
                await self._answer_document(route)
            else:
                await self._answer_part(route)
        except Error:
            self.refused["gone"] += 1  # nobody waits for the answer any more

    async def _answer_document(self, route: "Route") -> None:
        url = route.request.url.partition("#")[0]
        ours = _is_of(route.request, self._page)
        if ours and not self._is_given and url == self._shell.url:
            self._is_given = True
            headers = returned(self._shell.headers)
            await route.fulfill(status=self._shell.status, headers=headers, body=self._shell.content)
            return
        self.refused["document"] += 1
        await route.fulfill(status=204)  # unlike an error, it leaves the page as it is
        if ours and self._is_given and url != self._shell.url and url.startswith(("http://", "https://")):
            raise WentAway(url)

    async def _answer_part(self, route: "Route") -> None:
        request = route.request
        wish = Wish(request.url.partition("#")[0], request.resource_type, request.method, request.post_data_buffer)
        reason = refusal(wish, self._shell.url)
        if reason:
            self.refused[reason] += 1
            await route.abort("blockedbyclient")
            return
        self._count()
        self._in_flight += 1
        try:
            async with self._connections:
                response = await self._fetch(wish, sent(request.headers))
        except PageOverrun:
            raise
        except KiebitzError as error:
            self.refused[error.reason if isinstance(error, FetchError) else error.code] += 1
            await route.abort("failed")
        else:
            await route.fulfill(status=response.status, headers=returned(response.headers), body=response.content)
        finally:
            self._in_flight -= 1
            self.events += 1

    async def _fetch(self, wish: Wish, fields: tuple[tuple[str, str], ...]) -> Response:
        url, method, body = canonical(wish.url), wish.method, wish.body
        for hop in range(HOPS + 1):
            if hop:
                self._count()
            if not await self._allowed(url):
                raise FetchError("robots", f"robots.txt forbids {url}")
            response = await self._client.fetch(Call(url, method, fields, body, limits=self._limits_left()))
            self._bytes += len(response.content)
            if self._bytes > BYTES:
                raise PageOverrun("size", f"the page asks for more than {BYTES >> 20} MiB of scripts and data")
            location = response.headers.get("location", "")
            if not 300 <= response.status < 400 or not location:
                return response
            target = join(url, location)
            if target is None:
                raise BadUrl(f"{url} redirects to {location[:80]!r}")
            url = target
            if response.status not in {307, 308} and method == "POST":
                method, body = "GET", None
            if again := refusal(Wish(url, wish.kind, method, body), self._shell.url):
                raise FetchError(again)
        raise LimitExceeded("redirects", f"{wish.url} redirects more than {HOPS} times")

    def _count(self) -> None:
        self.requests += 1
        if self.requests > REQUESTS:
            raise PageOverrun("requests", f"the page asks for more than {REQUESTS} scripts and data")

    def _limits_left(self) -> Limits:
        """Also one answer may not be larger or take longer than what the page has left."""
        seconds = max(0.05, self.seconds_left)
        return self._limits._replace(
            max_bytes=min(self._limits.max_bytes, max(1024, BYTES - self._bytes + 1)),
            first_byte_seconds=min(self._limits.first_byte_seconds, seconds),
            total_seconds=seconds,
        )

    async def _dismiss(self, dialog: "Dialog") -> None:
        self._dialogs += 1
        if self._dialogs > DIALOGS:
            raise PageOverrun("dialogs", f"the page opens more than {DIALOGS} dialogs")
        await _quietly(dialog.dismiss())


def _is_of(request: "Request", page: "Page | None") -> bool:
    """True for the page itself; frames and new windows are not."""
    from playwright.async_api import Error

    try:
        return page is not None and request.frame == page.main_frame
    except Error:  # a window that has no frame yet
        return False


async def _crashed() -> NoReturn:
    raise Unreachable("crash", "the page crashed in the browser")


async def _overrun(reason: str, message: str) -> NoReturn:
    raise PageOverrun(reason, message)


async def _quietly(closing: Coroutine[Any, Any, None]) -> None:
    from contextlib import suppress

    from playwright.async_api import Error

    with suppress(Error):
        await closing
