"""A real fetcher for tests that may go no further than loopback."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from kiebitz.adapters.http.fetcher import CurlFetcher
from kiebitz.adapters.http.multi import OpenSockets
from kiebitz.adapters.http.sockets import open_sockets
from kiebitz.adapters.local.clock import SystemClock
from kiebitz.adapters.memory.resolver import TableResolver
from kiebitz.fetch.guard import Guard
from kiebitz.standards.address import parse_networks

AGENT = "kiebitz/0.1 (+https://kiebitz.example/bot)"
LOOPBACK = "127.0.0.0/8,::1/128"


@asynccontextmanager
async def curl(
    resolver: TableResolver | None = None,
    *,
    allow: str = LOOPBACK,
    ca_file: str = "",
    sockets: OpenSockets = open_sockets,
) -> AsyncIterator[CurlFetcher]:
    fetcher = CurlFetcher(
        resolver or TableResolver(),
        Guard(parse_networks(allow)),
        AGENT,
        SystemClock(),
        ca_file=ca_file,
        sockets=sockets,
    )
    try:
        yield fetcher
    finally:
        await fetcher.close()
