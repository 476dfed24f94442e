"""What the fetcher makes of servers that lie, stall, flood and vanish."""

import asyncio
import gzip
import time
from collections.abc import Awaitable, Callable

import pycurl
import pytest

from kiebitz.adapters.http import transfer
from kiebitz.adapters.memory.resolver import TableResolver
from kiebitz.errors import FetchError, LimitExceeded, TimedOut, Unreachable
from kiebitz.model.response import Call, Limits
from kiebitz.ports.resolver import Endpoint
from tests.contract.wire import curl
from tests.raw_server import Exchange, RawServer, always, page, run

Expected = tuple[type[FetchError], str]
BROKEN: Expected = (Unreachable, "broken answer")


async def failing(script: Callable[[Exchange], Awaitable[bool]], limits: Limits, expected: Expected) -> float:
    """Fetch twice from the script, then once from a good page with the same handle; the seconds of one failure."""
    async with RawServer(script) as server, RawServer(always(page())) as good, curl() as fetcher:
        started = time.monotonic()
        for _ in range(2):
            with pytest.raises(FetchError) as caught:
                await fetcher.fetch(Call(server.url(), limits=limits))
            assert (type(caught.value), caught.value.reason) == expected
        seconds = (time.monotonic() - started) / 2
        assert (await fetcher.fetch(Call(good.url()))).content == b"hello"
        assert len(fetcher._transfers) == 1
        return seconds


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", BROKEN),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde", BROKEN),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\na", BROKEN),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc", BROKEN),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", BROKEN),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", BROKEN),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", BROKEN),
        (b"this is not HTTP at all", BROKEN),
        (b"", BROKEN),
        (b"HTTP/1.1 000 Nothing\r\nContent-Length: 1\r\n\r\na", BROKEN),
        (b"HTTP/1.1 2 OK\r\nContent-Length: 1\r\n\r\na", BROKEN),
        (page(b"not gzip", "Content-Encoding: gzip"), (Unreachable, "broken encoding")),
        (page(gzip.compress(b"a" * 1000)[:-9], "Content-Encoding: gzip"), (Unreachable, "broken encoding")),
        (page(b"a", "Content-Encoding: pack200"), (FetchError, "encoding")),
        (page(gzip.compress(bytes(10 << 20)), "Content-Encoding: gzip"), (LimitExceeded, "size")),
        (page(gzip.compress(bytes(90_000)), "Content-Encoding: gzip"), (LimitExceeded, "ratio")),
        (page(b"a", "Content-Encoding: gzip, gzip, gzip"), (LimitExceeded, "layers")),
        (page(b"", *(f"X-{number}: {'a' * 1000}" for number in range(100))), (LimitExceeded, "headers")),
        (page(b"", f"X: {'a' * 90_000}"), (LimitExceeded, "headers")),
        (page(b"", f"X: {'a' * 200_000}"), (LimitExceeded, "headers")),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000, (LimitExceeded, "headers")),
        (page(b"a" * 100_001), (LimitExceeded, "size")),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"a" * 100_001, (LimitExceeded, "size")),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"a\r\n0123456789\r\n" * 20_000,
            (LimitExceeded, "size"),
        ),
    ],
)
def test_an_answer_that_cannot_be_used_has_a_reason(sent: bytes, expected: Expected) -> None:
    run(failing(always(sent, keep=False), Limits(max_bytes=100_000, ratio=50), expected))


def test_an_endless_body_ends_at_the_limit() -> None:
    async def endless(exchange: Exchange) -> bool:
        await exchange.send(b"HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(10_000):
            await exchange.send(b"x" * 100_000)
        return False

    run(failing(endless, Limits(max_bytes=1_000_000), (LimitExceeded, "size")))


def test_a_reset_is_a_reset_before_and_within_the_answer() -> None:
    async def at_once(exchange: Exchange) -> bool:
        exchange.reset()
        return False

    async def within(exchange: Exchange) -> bool:
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
        await asyncio.sleep(0.05)
        exchange.reset()
        return False

    for script in (at_once, within):
        run(failing(script, Limits(), (Unreachable, "reset")))


def test_silence_ends_when_the_first_byte_is_due() -> None:
    async def silent(exchange: Exchange) -> bool:
        await asyncio.sleep(20)
        return False

    assert 0.2 < run(failing(silent, Limits(first_byte_seconds=0.2), (TimedOut, "first byte"))) < 1.5


@pytest.mark.parametrize("sent", [b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: "])
def test_a_drip_ends_when_the_time_is_up(sent: bytes) -> None:
    async def drip(exchange: Exchange) -> bool:
        await exchange.send(sent)
        await exchange.drip(b"x" * 100, 0.03)
        return False

    limits = Limits(first_byte_seconds=0.2, total_seconds=0.6)
    assert 0.5 < run(failing(drip, limits, (TimedOut, "total"))) < 1.5


def test_nobody_listening_is_refused_and_an_unknown_name_is_dns() -> None:
    async def main() -> None:
        async with RawServer(always(page())) as server:
            port = server.port
        async with curl() as fetcher:
            for url, reason in ((f"http://127.0.0.1:{port}/", "refused"), ("http://nowhere.example/", "dns")):
                with pytest.raises(Unreachable) as caught:
                    await fetcher.fetch(Call(url))
                assert caught.value.reason == reason

    run(main())


def test_a_connection_that_is_never_accepted_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A TLS handshake with a server that only listens never ends by itself."""
    monkeypatch.setattr(transfer, "_STATIC", (*transfer._STATIC, (pycurl.CONNECTTIMEOUT_MS, 200)))

    async def main() -> None:
        async with RawServer(always(b"")) as server, curl() as fetcher:
            with pytest.raises(TimedOut) as caught:
                await fetcher.fetch(Call(f"https://127.0.0.1:{server.port}/"))
            assert caught.value.reason == "connect"

    run(main())


def test_the_next_address_is_tried_and_remembered() -> None:
    async def main() -> None:
        resolver = TableResolver({"a.example": ["127.0.0.3", "127.0.0.2", "127.0.0.1"]})
        async with RawServer(always(page())) as server, curl(resolver) as fetcher:
            url = f"http://a.example:{server.port}/"
            for _ in range(3):
                assert (await fetcher.fetch(Call(url))).address == "127.0.0.1"
            assert [endpoint.address for endpoint in fetcher._better.values()] == ["127.0.0.1"]
            assert server.connections == 1

    run(main())


def test_ipv6_works_by_name_and_by_address() -> None:
    async def main() -> None:
        resolver = TableResolver({"a.example": "::1"})
        async with RawServer(always(page()), host="::1") as server, curl(resolver) as fetcher:
            for url in (server.url(), f"http://a.example:{server.port}/"):
                response = await fetcher.fetch(Call(url))
                assert (response.content, response.address) == (b"hello", "::1")

    run(main())


def test_a_slow_name_server_does_not_outlast_the_call() -> None:
    class Slow(TableResolver):
        async def resolve(self, host: str, port: int) -> list[Endpoint]:
            await asyncio.sleep(20)
            return await super().resolve(host, port)

    async def main() -> None:
        async with curl(Slow()) as fetcher:
            with pytest.raises(TimedOut) as caught:
                await fetcher.fetch(Call("http://a.example/", limits=Limits(total_seconds=0.1)))
            assert caught.value.reason == "total"

    run(main())


def test_environment_proxies_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    async def main() -> None:
        async with RawServer(always(page())) as server, curl() as fetcher:
            assert (await fetcher.fetch(Call(server.url()))).content == b"hello"

    run(main())
