"""HTTP with libcurl: one exchange, guarded, limited and cheap.

The resolver answers, the guard passes addresses, and the one that is used is pinned for libcurl; it is checked again
where the socket is opened and before each request. The body is taken as it was sent, and decoded here under caps.
"""

import asyncio
import os

from kiebitz.adapters.http.failure import explain
from kiebitz.adapters.http.multi import Multi, OpenSockets
from kiebitz.adapters.http.request_head import Fields, RequestHead
from kiebitz.adapters.http.sockets import open_sockets
from kiebitz.adapters.http.transfer import Order, Site, Transfer
from kiebitz.errors import AddressRefused, BadUrl, FetchError, LimitExceeded, TimedOut, Unreachable
from kiebitz.fetch.decode import decode
from kiebitz.fetch.guard import Guard
from kiebitz.model.response import Call, Response
from kiebitz.ports.clock import Clock
from kiebitz.ports.resolver import Endpoint, Resolver
from kiebitz.standards.url import canonical, host_of, port_of

ADDRESSES_TRIED = 3
SITES_KNOWN = 10_000
RESOLVER_SECONDS = 15.0  # a resolver gives up earlier by itself; a timer for each request would cost 5 %
DECODE_HERE = 128 << 10  # a larger body is decoded in a thread
_UNREACHED = frozenset(("refused", "no route", "connect"))


class CurlFetcher:
    """Implements the Fetcher port. One fetcher is one egress policy; it belongs to the loop that first uses it."""

    def __init__(
        self,
        resolver: Resolver,
        guard: Guard,
        user_agent: str,
        clock: Clock,
        *,
        ca_file: str = "",
        sockets: OpenSockets = open_sockets,
    ) -> None:
        self._resolver = resolver
        self._guard = guard
        self._user_agent = user_agent
        self._clock = clock
        self._ca_file = ca_file
        self._open_sockets = sockets
        self._request_head = RequestHead(user_agent)
        self._multi: Multi | None = None
        self._transfers: list[Transfer] = []
        self._free: list[Transfer] = []
        self._sites: dict[str, Site] = {}
        self._better: dict[Site, Endpoint] = {}  # where the first address did not answer, but another did
        self._is_closed = False

    async def fetch(self, call: Call) -> Response:
        started = self._clock.monotonic()
        path_at = call.url.find("/", 8)
        site = self._sites.get(call.url[:path_at]) or self._learn(call.url, path_at)
        if not (call.url.isascii() and call.url.isprintable()):
            raise AddressRefused("url", f"not a canonical URL: {call.url[:80]!r}")
        fields = self._request_head.fields(call)
        endpoints = await self._endpoints(site, call)
        for attempt, endpoint in enumerate(endpoints, start=1):
            left = call.limits.total_seconds - (self._clock.monotonic() - started)
            order = Order(call, site, endpoint, fields.for_curl, _milliseconds(left, call.limits.total_seconds))
            try:
                response, content_encoding = await self._attempt(order, fields, path_at)
            except FetchError as error:
                if error.reason not in _UNREACHED or attempt == len(endpoints):
                    raise
                continue
            if attempt > 1:
                self._prefer(site, endpoint)
            if content_encoding and response.raw:
                response.content = await _decoded(response.raw, content_encoding, call)
            response.seconds = self._clock.monotonic() - started
            return response
        raise AssertionError("there is always an endpoint")

    async def close(self) -> None:
        self._is_closed = True
        if self._multi is not None:
            self._multi.close()
            self._multi = None
        for transfer in self._transfers:
            transfer.close()
        self._transfers.clear()
        self._free.clear()

    async def _attempt(self, order: Order, fields: Fields, path_at: int) -> tuple[Response, str]:
        """One exchange with one endpoint: the response, not decoded, and its content coding."""
        multi = self._multi or self._start()
        transfer = self._take(order.site)
        try:
            transfer.prepare(order)
            code = await multi.run(transfer)
            if (code or transfer.failure) and not transfer.stopped and not transfer.cut:
                raise explain(transfer, code)
            if transfer.cut and transfer.headers.get("content-encoding"):
                raise LimitExceeded("size", "a compressed body cannot be cut")
            raw = b"" if transfer.stopped else transfer.body()
            call = order.call
            response = Response(
                url=call.url,
                status=transfer.status,
                head=transfer.head,
                raw=raw,
                content=raw,
                headers=transfer.headers,
                request_head=b"%b %b HTTP/1.1\r\nHost: %b\r\n%b"
                % (call.method.encode(), call.url[path_at:].encode(), order.site.authority, fields.on_wire),
                address=transfer.address,
                seconds=0.0,
                stopped=transfer.stopped,
            )
            return response, transfer.headers.get("content-encoding", "")
        finally:
            self._give_back(transfer)

    def _start(self) -> Multi:
        if self._is_closed:
            raise Unreachable("closed", "the fetcher is closed")
        self._multi = Multi(asyncio.get_running_loop(), self._open_sockets)
        return self._multi

    def _take(self, site: Site) -> Transfer:
        if self._free:
            transfer = self._free.pop()
        else:
            transfer = Transfer(self._guard, self._user_agent)
            self._transfers.append(transfer)
        if site.is_secure and not transfer.ca_file:
            transfer.trust(self._authorities())
        return transfer

    def _give_back(self, transfer: Transfer) -> None:
        transfer.clear()
        if not self._is_closed:
            self._free.append(transfer)

    def _authorities(self) -> str:
        if not self._ca_file:
            self._ca_file = os.environ.get("SSL_CERT_FILE", "")
        if not self._ca_file:
            import certifi  # 25 ms, and plain http does not need it

            self._ca_file = certifi.where()
        return self._ca_file

    def _learn(self, url: str, path_at: int) -> Site:
        """The URL's origin, once we know that libcurl cannot understand it differently from us."""
        if reason := self._guard.check_scheme(url):
            raise AddressRefused(reason, f"not http or https: {url[:80]!r}")
        origin = url[:path_at]
        try:
            is_canonical = path_at > 0 and canonical(f"{origin}/") == f"{origin}/"
        except BadUrl:
            is_canonical = False
        if not is_canonical:
            raise AddressRefused("url", f"not a canonical URL: {url[:80]!r}")
        authority = origin.partition("//")[2].encode("ascii")
        site = Site(host_of(url), port_of(url), url.startswith("https:"), authority)
        if len(self._sites) >= SITES_KNOWN:
            self._sites.clear()
        self._sites[origin] = site
        return site

    async def _endpoints(self, site: Site, call: Call) -> list[Endpoint]:
        """Those we may use, best first; at least one."""
        if call.limits.total_seconds >= RESOLVER_SECONDS:
            found = await self._resolver.resolve(site.host, site.port)
        else:
            try:
                async with asyncio.timeout(call.limits.total_seconds):
                    found = await self._resolver.resolve(site.host, site.port)
            except TimeoutError:
                raise TimedOut("total", f"no address of {site.host} in time") from None
        passed = [endpoint for endpoint in found if not self._guard.check(endpoint)]
        if not passed:
            where = ", ".join(endpoint.address for endpoint in found[:3])
            raise AddressRefused("address", f"{site.host} is at {where}, where we may not connect")
        if self._better and (better := self._better.get(site)) in passed:
            passed.sort(key=lambda endpoint: endpoint != better)
        return passed[:ADDRESSES_TRIED]

    def _prefer(self, site: Site, endpoint: Endpoint) -> None:
        if len(self._better) >= SITES_KNOWN:
            self._better.clear()
        self._better[site] = endpoint


def _milliseconds(left: float, total: float) -> int:
    """The time that is left; all of it if resolving took next to none, so that the handle need not be told anew."""
    return max(1, int(1000 * (total if total - left < 0.02 else left)))


async def _decoded(raw: bytes, encoding: str, call: Call) -> bytes:
    if len(raw) <= DECODE_HERE:
        return decode(raw, encoding, call.limits)
    return await asyncio.to_thread(decode, raw, encoding, call.limits)
