"""The gate of an origin: its robots.txt (RFC 9309), fetched before the first request and kept for a day."""

from collections import OrderedDict

from kiebitz.errors import AddressRefused, FetchError, RobotsClosed
from kiebitz.model.response import Call, Limits
from kiebitz.model.visit import Robots
from kiebitz.ports.clock import Clock
from kiebitz.ports.fetcher import Fetcher
from kiebitz.standards.charset import decode
from kiebitz.standards.http_headers import retry_after
from kiebitz.standards.robots import MAX_BYTES, Rules, for_status
from kiebitz.standards.url import join

DAY = 86_400.0
HOPS = 5
PARSED = 2_000


class Gates:
    """Fetches and remembers robots.txt for all visits of a worker."""

    def __init__(self, fetcher: Fetcher, clock: Clock, agent: str, limits: Limits) -> None:
        self._fetcher = fetcher
        self._clock = clock
        self._agent = agent
        self._limits = Limits(
            max_bytes=MAX_BYTES,
            first_byte_seconds=limits.first_byte_seconds,
            total_seconds=min(limits.total_seconds, 60.0),
            header_bytes=limits.header_bytes,
        )
        self._parsed: OrderedDict[tuple[str, float], Rules] = OrderedDict()

    def known(self, record: Robots | None) -> Rules | None:
        """The rules of a stored record, unless it is older than a day."""
        if record is None or self._clock.now() - record.fetched_at > DAY:
            return None
        key = (record.origin, record.fetched_at)
        rules = self._parsed.get(key)
        if rules is None:
            rules = self._parsed[key] = for_status(record.status, record.text, self._agent)
            if len(self._parsed) > PARSED:
                self._parsed.popitem(last=False)
        return rules

    async def fetch(self, origin: str) -> Robots:
        """Ask the origin. Raises RobotsClosed if it is unreachable or answers 5xx or 429, AddressRefused for its address."""
        url = f"{origin}/robots.txt"
        for hop in range(HOPS + 1):
            call = Call(url, limits=self._limits, truncate=True)
            try:
                response = await self._fetcher.fetch(call)
            except FetchError as error:
                if hop == 0 and isinstance(error, AddressRefused):
                    raise
                raise RobotsClosed(error.reason) from error
            status = response.status
            if 300 <= status < 400 and (target := join(url, response.headers.get("location", ""))):
                url = target
                continue
            if status >= 500 or status == 429:
                wait = retry_after(response.headers.get("retry-after", ""), self._clock.now())
                raise RobotsClosed(f"http {status}", wait or 0.0)
            text = decode(response.content, "text/plain; charset=utf-8") if status < 300 else ""
            return Robots(origin, self._clock.now(), status, text)
        return Robots(origin, self._clock.now(), 404, "")  # RFC 9309: too many redirects count as unavailable
