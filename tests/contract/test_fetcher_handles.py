"""Handles and connections of the fetcher are used again and again, and nothing of one call shows in the next."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import uvloop

from kiebitz.adapters.http.multi import OpenSockets
from kiebitz.adapters.http.sockets import EpollSockets, LoopSockets
from kiebitz.adapters.memory.resolver import TableResolver
from kiebitz.errors import Unreachable
from kiebitz.model.response import Call, Limits
from tests.contract.wire import curl
from tests.raw_server import Exchange, RawServer, always, page, run


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
@pytest.mark.parametrize("sockets", [EpollSockets, LoopSockets])
def test_many_at_once_share_few_connections_on_every_loop(loop: Callable[[], Any], sockets: OpenSockets) -> None:
    async def script(exchange: Exchange) -> bool:
        await exchange.send(page(exchange.path.encode() * 5000))
        return True

    async def main() -> None:
        async with RawServer(script) as server, curl(sockets=sockets) as fetcher:

            async def visit(number: int) -> None:
                for page_number in range(5):
                    path = f"/{number}/{page_number}"
                    assert (await fetcher.fetch(Call(server.url(path)))).content == path.encode() * 5000

            async with asyncio.TaskGroup() as group:
                for number in range(20):
                    group.create_task(visit(number))
            assert len(server.requests) == 100
            assert server.connections <= 20

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(asyncio.wait_for(main(), 30))


def test_a_handle_forgets_the_last_call() -> None:
    async def main() -> None:
        async with RawServer(always(page())) as server, curl() as fetcher:
            await fetcher.fetch(Call(server.url(), method="POST", body=b"secret", headers=(("X-Secret", "1"),)))
            await fetcher.fetch(Call(server.url()))
            await fetcher.fetch(Call(server.url(), method="HEAD"))
            assert (await fetcher.fetch(Call(server.url()))).content == b"hello"
            assert all(b"ecret" not in request for request in server.requests[1:])
            assert [request.split(b" ")[0] for request in server.requests] == [b"POST", b"GET", b"HEAD", b"GET"]

    run(main())


def test_a_handle_forgets_the_last_address() -> None:
    async def main() -> None:
        resolver = TableResolver({"a.example": "127.0.0.2"})
        async with (
            RawServer(always(page(b"one"))) as one,
            RawServer(always(page(b"two")), host="127.0.0.2", port=one.port) as two,
            curl(resolver) as fetcher,
        ):
            for _ in range(2):
                assert (await fetcher.fetch(Call(f"http://a.example:{two.port}/"))).content == b"two"
                assert (await fetcher.fetch(Call(one.url()))).content == b"one"
            assert len(fetcher._transfers) == one.connections == two.connections == 1

    run(main())


def test_a_connection_that_the_server_closed_meanwhile_is_replaced() -> None:
    async def main() -> None:
        async with RawServer(always(page(), keep=False)) as server, curl() as fetcher:
            for _ in range(3):
                assert (await fetcher.fetch(Call(server.url()))).status == 200

    run(main())


def test_an_unwanted_body_is_not_loaded_and_a_small_one_keeps_the_connection() -> None:
    async def script(exchange: Exchange) -> bool:
        size = 100 if exchange.path == "/small" else 50_000_000
        await exchange.send(page(b"", "Content-Type: video/mp4").replace(b"Length: 0", b"Length: %d" % size))
        await exchange.send(b"x" * min(size, 1000))
        return True

    async def main() -> None:
        async with RawServer(script) as server, curl() as fetcher:
            for path, connections in (("/small", 1), ("/small", 1), ("/large", 1), ("/large", 2)):
                response = await fetcher.fetch(Call(server.url(path), judge=lambda *_: "type"))
                assert (response.status, response.stopped, response.raw) == (200, "type", b"")
                assert server.connections == connections

    run(main())


def test_cancelling_frees_the_connection_and_the_handle() -> None:
    async def script(exchange: Exchange) -> bool:
        if exchange.path == "/slow":
            await asyncio.sleep(20)
        await exchange.send(page())
        return True

    async def main() -> None:
        async with RawServer(script) as server, curl() as fetcher:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(fetcher.fetch(Call(server.url("/slow"))), 0.1)
            assert (await fetcher.fetch(Call(server.url()))).content == b"hello"
            assert len(fetcher._transfers) == 1

    run(main())


def test_closing_ends_what_is_under_way_and_what_comes_later() -> None:
    async def script(exchange: Exchange) -> bool:
        await asyncio.sleep(20)
        return False

    async def main() -> None:
        async with RawServer(script) as server, curl() as fetcher:
            waiting = asyncio.ensure_future(fetcher.fetch(Call(server.url(), limits=Limits(total_seconds=5))))
            await asyncio.sleep(0.05)
            await fetcher.close()
            await fetcher.close()
            with pytest.raises(Unreachable, match="closed"):
                await waiting
            with pytest.raises(Unreachable, match="closed"):
                await fetcher.fetch(Call(server.url()))

    run(main())
