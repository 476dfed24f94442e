"""What robots.txt permits, for requests outside a visit: the scripts and data that a drawn page asks for."""

import asyncio
from typing import TypeVar
from weakref import WeakValueDictionary

from kiebitz.crawl.gate import Gates
from kiebitz.errors import RobotsClosed
from kiebitz.model.visit import Robots
from kiebitz.ports.clock import Clock
from kiebitz.standards.url import origin_of, path_of

T = TypeVar("T")
ORIGINS = 1_000
CLOSED_SECONDS = 300.0


class Permits:
    """Asks each origin once, and again when its record is too old."""

    def __init__(self, gates: Gates, clock: Clock) -> None:
        self._gates = gates
        self._clock = clock
        self._records: dict[str, Robots] = {}
        self._closed: dict[str, float] = {}
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def allows(self, url: str) -> bool:
        """False also while an origin's robots.txt cannot be had. Raises AddressRefused for its address."""
        origin = origin_of(url)
        lock = self._asking.setdefault(origin, asyncio.Lock())
        async with lock:
            rules = self._gates.known(self._records.get(origin))
            if rules is None:
                if self._closed.get(origin, 0.0) > self._clock.monotonic():
                    return False
                try:
                    record = await self._gates.fetch(origin)
                except RobotsClosed:
                    _keep(self._closed, origin, self._clock.monotonic() + CLOSED_SECONDS)
                    return False
                _keep(self._records, origin, record)
                rules = self._gates.known(record)
        return rules is not None and rules.allows(path_of(url))


def _keep(known: dict[str, T], origin: str, value: T) -> None:
    if len(known) >= ORIGINS:
        known.clear()
    known[origin] = value
