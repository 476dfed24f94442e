"""The contract of the fetcher: one exchange as it was on the wire, from every adapter."""

import gzip
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from kiebitz.adapters.memory.fetcher import TableFetcher, answer
from kiebitz.adapters.memory.resolver import TableResolver
from kiebitz.errors import InputError, LimitExceeded, Unreachable
from kiebitz.model.response import Call, Limits
from kiebitz.ports.fetcher import Fetcher
from tests.contract.wire import AGENT, curl
from tests.raw_server import Exchange, RawServer, always, page, run

HTML = page(b"<p>Amtsblatt</p>", "Content-Type: text/html", "ETag: x")


@asynccontextmanager
async def on_the_wire() -> AsyncIterator[tuple[Fetcher, str]]:
    async with RawServer(always(HTML)) as server, curl() as fetcher:
        yield fetcher, server.url("/")


@asynccontextmanager
async def in_memory() -> AsyncIterator[tuple[Fetcher, str]]:
    url = "http://a.example/"
    fields = (("Content-Type", "text/html"), ("ETag", "x"))
    yield TableFetcher({url: answer(url, b"<p>Amtsblatt</p>", headers=fields)}), url


@pytest.mark.parametrize("adapter", [on_the_wire, in_memory])
def test_every_adapter_brings_the_page_and_asks_the_judge(adapter: Callable[[], Any]) -> None:
    async def main() -> None:
        async with adapter() as (fetcher, url):
            seen: list[tuple[int, str, int]] = []

            def judge(status: int, content_type: str, length: int) -> str:
                seen.append((status, content_type, length))
                return "type" if len(seen) > 1 else ""

            taken = await fetcher.fetch(Call(url, judge=judge))
            assert (taken.url, taken.status, taken.content, taken.stopped) == (url, 200, b"<p>Amtsblatt</p>", "")
            assert taken.headers == {"content-type": "text/html", "etag": "x", "content-length": "16"}
            assert taken.head.startswith(b"HTTP/1.1 200 ")
            assert taken.head.endswith(b"Content-Length: 16")
            stopped = await fetcher.fetch(Call(url, judge=judge))
            assert (stopped.status, stopped.raw, stopped.content, stopped.stopped) == (200, b"", b"", "type")
            assert seen == [(200, "text/html", 16)] * 2

    run(main())


@pytest.mark.parametrize(
    "call",
    [
        Call("/a?b=c&d=%20"),
        Call("/", headers=(("If-None-Match", 'W/"ä"'), ("If-Modified-Since", "x"), ("X-Empty", ""))),
        Call("/", method="HEAD"),
        Call("/", method="POST", body=b"a=1&b=2"),
        Call("/", method="POST", body=b"{}", headers=(("Content-Type", "application/json"), ("Accept", "*/*"))),
        Call("/", method="POST"),
        Call("/", method="POST", body=b"x" * 2_000_000),
    ],
)
def test_the_request_head_is_what_was_sent(call: Call) -> None:
    async def main() -> None:
        async with RawServer(always(page())) as server, curl(TableResolver({"a.example": "127.0.0.1"})) as fetcher:
            for origin in (f"http://127.0.0.1:{server.port}", f"http://a.example:{server.port}"):
                sent = Call(origin + call.url, call.method, call.headers, call.body)
                response = await fetcher.fetch(sent)
                assert server.requests[-1] == response.request_head + (call.body or b"")
                assert f"User-Agent: {AGENT}\r\n".encode() in response.request_head
                assert b"Accept-Encoding: gzip, br, zstd\r\n" in response.request_head
                assert response.address == "127.0.0.1"

    run(main())


def test_the_table_raises_calls_and_counts() -> None:
    async def main() -> None:
        url = "http://a.example/"
        fetcher = TableFetcher({url: TimeoutError("slow")})
        with pytest.raises(TimeoutError):
            await fetcher.fetch(Call(url))
        fetcher.table[url] = lambda call: answer(call.url, b"x" * len(fetcher.calls))
        assert (await fetcher.fetch(Call(url))).content == b"xx"
        with pytest.raises(Unreachable):
            await fetcher.fetch(Call("http://b.example/"))
        assert [call.url for call in fetcher.calls] == [url, url, "http://b.example/"]

    run(main())


@pytest.mark.parametrize(
    ("name", "value"),
    [("X", "a\r\nY: b"), ("X", "a\nb"), ("X\r\nY", "a"), ("X", "a\0"), ("X", "☃"), ("", "a"), ("Host", "b")],
)
def test_a_field_that_would_be_two_is_not_sent(name: str, value: str) -> None:
    async def main() -> None:
        async with RawServer(always(page())) as server, curl() as fetcher:
            with pytest.raises(InputError):
                await fetcher.fetch(Call(server.url(), headers=((name, value),)))
            assert server.connections == 0

    run(main())


@pytest.mark.parametrize(
    ("sent", "raw", "keeps"),
    [
        (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + page(b"a"), b"a", True),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\nX-T: 1\r\n\r\n",
            b"abc",
            True,
        ),
        (b"HTTP/1.0 200 OK\r\n\r\nabc", b"abc", False),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc", b"abc", False),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b"", True),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 99999999999\r\nContent-Encoding: gzip\r\n\r\n", b"", True),
        (page(b"gone", "Location: /x", status="302 Found"), b"gone", True),
    ],
)
def test_bodies_end_where_the_protocol_says(sent: bytes, raw: bytes, keeps: bool) -> None:
    async def main() -> None:
        async with RawServer(always(sent, keep=keeps)) as server, curl() as fetcher:
            for _ in range(3):
                response = await fetcher.fetch(Call(server.url()))
                assert (response.raw, response.content) == (raw, raw)
                assert b"X-T" not in response.head
                assert response.head.count(b"HTTP/1.") == 1
            assert server.connections == (1 if keeps else 3)

    run(main())


def test_the_body_is_kept_as_sent_and_decoded_beside() -> None:
    small, large = gzip.compress(b"Amtsblatt " * 100), gzip.compress(bytes(range(256)) * 4000, compresslevel=0)

    async def script(exchange: Exchange) -> bool:
        await exchange.send(page(small if exchange.path == "/" else large, "Content-Encoding: gzip"))
        return True

    async def main() -> None:
        async with RawServer(script) as server, curl() as fetcher:
            response = await fetcher.fetch(Call(server.url()))
            assert (response.raw, response.content) == (small, b"Amtsblatt " * 100)
            response = await fetcher.fetch(Call(server.url("/large")))
            assert (response.raw, response.content) == (large, bytes(range(256)) * 4000)

    run(main())


def test_a_judge_that_fails_is_heard() -> None:
    def judge(*_: object) -> str:
        raise ZeroDivisionError

    async def main() -> None:
        async with RawServer(always(page())) as server, curl() as fetcher:
            with pytest.raises(ZeroDivisionError):
                await fetcher.fetch(Call(server.url(), judge=judge))
            assert (await fetcher.fetch(Call(server.url()))).status == 200

    run(main())


def test_a_body_that_may_be_cut_is_cut_at_the_limit() -> None:
    async def main() -> None:
        async with RawServer(always(page(b"a" * 5000, "Content-Type: text/plain"))) as server, curl() as fetcher:
            limits = Limits(max_bytes=1200)
            cut = await fetcher.fetch(Call(server.url("/robots.txt"), limits=limits, truncate=True))
            assert (cut.status, cut.content) == (200, b"a" * 1200)
            whole = await fetcher.fetch(Call(server.url("/"), limits=Limits(max_bytes=9000), truncate=True))
            assert len(whole.content) == 5000
            with pytest.raises(LimitExceeded):
                await fetcher.fetch(Call(server.url("/"), limits=limits))

    run(main())
