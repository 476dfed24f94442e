"""Many transfers at once: libcurl's multi interface in the running event loop.

One multi is one egress policy: its connections are shared by all its transfers. libcurl says which sockets and which
timer it wants; we say when they are due, and hand each finished transfer to whoever awaits it. Timers are lazy: libcurl
moves its timer with every request, and mostly to a later time, for which the old one need not be cancelled.
"""

import asyncio
from collections.abc import Callable

import pycurl

from kiebitz.adapters.http.sockets import Act, Sockets, open_sockets
from kiebitz.adapters.http.transfer import Transfer
from kiebitz.errors import FetchError, KiebitzError, TimedOut, Unreachable

OLDEST = 0x08_04_00  # before it, a body of unknown length knew no limit
CONNECTIONS_KEPT = 512
SWEEP_SECONDS = 0.25  # how exactly the time to the first byte is kept
_TIMEOUT: int = pycurl.SOCKET_TIMEOUT

OpenSockets = Callable[[asyncio.AbstractEventLoop, Act, Callable[[int], None]], Sockets]


class Multi:
    def __init__(self, loop: asyncio.AbstractEventLoop, sockets: OpenSockets = open_sockets) -> None:
        if pycurl.version_info()[2] < OLDEST:
            raise KiebitzError(
                f"{pycurl.version} is too old", hint="install pycurl from its wheel, with libcurl 8.4 or newer"
            )
        self._loop = loop
        self._curl = pycurl.CurlMulti()
        self._active: set[Transfer] = set()
        self._sockets = sockets(loop, self._act, self._settle)
        self._soon: asyncio.Handle | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0  # 0: libcurl waits for nothing
        self._sweeper: asyncio.TimerHandle | None = None
        self._curl.setopt(pycurl.M_SOCKETFUNCTION, self._sockets.watch)
        self._curl.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)
        self._curl.setopt(pycurl.M_MAXCONNECTS, CONNECTIONS_KEPT)

    async def run(self, transfer: Transfer) -> int:
        """Do a prepared transfer; returns libcurl's code. Cancelled, it leaves the handle ready for the next one."""
        transfer.future = self._loop.create_future()
        transfer.answer_by = self._loop.time() + transfer.patience
        self._curl.add_handle(transfer.curl)
        self._active.add(transfer)
        if self._sweeper is None:
            self._sweeper = self._loop.call_later(SWEEP_SECONDS, self._sweep)
        try:
            return await transfer.future
        finally:
            if transfer in self._active:
                self._detach(transfer)

    def close(self) -> None:
        for transfer in list(self._active):
            self._fail(transfer, Unreachable("closed", "the fetcher was closed"))
        for handle in (self._soon, self._timer, self._sweeper):
            if handle is not None:
                handle.cancel()
        self._curl.close()
        self._sockets.close()

    def _act(self, descriptor: int, mask: int) -> tuple[int, int]:
        try:
            return self._curl.socket_action(descriptor, mask)  # type: ignore[no-any-return]
        except pycurl.error as error:
            # The multi itself is broken, and no transfer of it will ever be reported.
            for transfer in list(self._active):
                self._fail(transfer, Unreachable("broken answer", f"libcurl failed: {error}"))
            return 0, 0

    def _settle(self, running: int) -> None:
        """Hand over what has finished, if the count says that something has."""
        if running >= len(self._active):
            return
        _, done, failed = self._curl.info_read()
        for curl in done:
            self._finish(curl.transfer, 0)
        for curl, code, message in failed:
            curl.transfer.message = message
            self._finish(curl.transfer, code)

    def _finish(self, transfer: Transfer, code: int) -> None:
        self._detach(transfer)
        if transfer.future is not None and not transfer.future.done():
            transfer.future.set_result(code)

    def _fail(self, transfer: Transfer, error: FetchError) -> None:
        transfer.failure = error
        self._finish(transfer, pycurl.E_ABORTED_BY_CALLBACK)

    def _detach(self, transfer: Transfer) -> None:
        self._active.discard(transfer)
        self._curl.remove_handle(transfer.curl)

    def _on_timer(self, milliseconds: int) -> None:
        if milliseconds == 0:
            self._due = 0.0
            if self._soon is None:  # not at once: libcurl must not be called from its own callback
                self._soon = self._loop.call_soon(self._kick)
            return
        if milliseconds < 0:
            self._due = 0.0
            return
        self._due = self._loop.time() + milliseconds / 1000
        if self._timer is None or self._timer.when() > self._due:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self._loop.call_at(self._due, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if not self._due:
            return
        if self._loop.time() < self._due - 0.001:
            self._timer = self._loop.call_at(self._due, self._ring)
        else:
            self._act_on_time()

    def _kick(self) -> None:
        self._soon = None
        self._act_on_time()

    def _act_on_time(self) -> None:
        _, running = self._act(_TIMEOUT, 0)
        self._settle(running)

    def _sweep(self) -> None:
        """One look at all transfers now and then costs less than a timer for each."""
        self._sweeper = None
        now = self._loop.time()
        for transfer in [late for late in self._active if late.answer_by <= now and not late.has_answered]:
            what = "first byte" if transfer.is_connected else "connect"
            self._fail(transfer, TimedOut(what, f"no {what} in time"))
        if self._active:
            self._sweeper = self._loop.call_later(SWEEP_SECONDS, self._sweep)
