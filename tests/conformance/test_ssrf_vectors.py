"""No spelling of a private address, no name and no trick brings us to a place where we may not connect.

The vectors are collected from public lists. Each is tried as it stands, as the answer for a harmless name, and on the
ways around a check: rebinding, another address at the socket, a connection that is open already. Listeners on loopback
count who comes.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from kiebitz.adapters.http import transfer
from kiebitz.adapters.http.fetcher import CurlFetcher
from kiebitz.adapters.local.clock import SystemClock
from kiebitz.adapters.local.resolver import SystemResolver, parse_mapping
from kiebitz.adapters.memory.resolver import TableResolver
from kiebitz.errors import AddressRefused, BadUrl
from kiebitz.fetch.guard import Guard
from kiebitz.model.response import Call
from kiebitz.ports.resolver import Endpoint
from kiebitz.standards.url import canonical, host_of, path_of
from tests.contract.wire import AGENT, curl
from tests.raw_server import RawServer, always, page, run
from tests.shared_data import CONFORMANCE

FILE = CONFORMANCE / "ssrf-vectors.json"
VECTORS: list[dict[str, str]] = json.loads(FILE.read_text()) if FILE.is_file() else []
# What these names say where they say anything.
NAMES = {
    "localhost": "127.0.0.1",
    "ip6-localhost": "::1",
    "instance-data": "169.254.169.254",
    "169.254.169.254.nip.io": "169.254.169.254",
    "metadata.google.internal": "169.254.169.254",
    "metadata": "169.254.169.254",
}
# Other doors to this machine, which a listener on loopback would notice.
DOORS = ["127.0.0.1", "[::1]", "localhost", "ip6-localhost", "[::ffff:7f00:1]", "[::]", "0.0.0.0"]


def table() -> TableResolver:
    return TableResolver(dict(NAMES))


async def refusal(fetcher: CurlFetcher, url: str) -> str:
    with pytest.raises(AddressRefused) as caught:
        await fetcher.fetch(Call(url))
    assert not caught.value.retryable
    return caught.value.reason


@asynccontextmanager
async def listeners() -> AsyncIterator[tuple[RawServer, RawServer]]:
    """The same port on both loopback addresses."""
    async with RawServer(always(page())) as four, RawServer(always(page()), host="::1", port=four.port) as six:
        yield four, six


def test_there_are_vectors_and_all_are_to_be_blocked() -> None:
    assert len(VECTORS) > 300
    assert {vector["expect"] for vector in VECTORS} == {"block"}


@pytest.mark.parametrize("url", [vector["url"] for vector in VECTORS])
def test_a_vector_is_refused_as_it_stands_and_behind_a_name(url: str) -> None:
    async def main() -> None:
        resolver = table()
        async with curl(resolver, allow="") as fetcher:
            assert await refusal(fetcher, url) in {"address", "scheme", "url"}, "unparsed"
            try:
                clean = canonical(url)
            except BadUrl:
                return
            assert await refusal(fetcher, clean) == "address"
            address = NAMES.get(host_of(clean)) or host_of(clean).strip("[]")
            resolver.set("harmless.example", address)
            assert await refusal(fetcher, f"http://harmless.example{path_of(clean)}") == "address"
            assert fetcher._transfers == [], "no handle was even taken"

    run(main())


def test_listeners_on_loopback_are_never_reached() -> None:
    async def main() -> None:
        async with listeners() as (four, six):
            async with curl(table(), allow="") as fetcher:
                for host in DOORS:
                    assert await refusal(fetcher, f"http://{host}:{four.port}/") == "address"
                    assert await refusal(fetcher, f"https://{host}:{four.port}/") == "address"
            assert four.connections == six.connections == 0
            async with curl(table()) as fetcher:  # the doors are real
                for host in ("127.0.0.1", "[::1]", "localhost", "[::ffff:7f00:1]"):
                    await fetcher.fetch(Call(f"http://{host}:{four.port}/"))
            assert (four.connections, six.connections) == (3, 1)

    run(main())


def test_of_several_addresses_only_the_permitted_are_tried() -> None:
    async def main() -> None:
        resolver = TableResolver({"a.example": ["127.0.0.2", "127.0.0.1", "10.0.0.1"]})
        async with RawServer(always(page())) as server, curl(resolver, allow="127.0.0.2/32") as fetcher:
            with pytest.raises(Exception, match="curl 7"):
                await fetcher.fetch(Call(f"http://a.example:{server.port}/"))
            assert server.connections == 0

    run(main())


def test_a_name_that_changes_its_address_is_checked_each_time() -> None:
    async def main() -> None:
        resolver = TableResolver({"a.example": "127.0.0.2"})
        resolver.then("a.example", "127.0.0.1", "127.0.0.2")
        async with (
            RawServer(always(page()), host="127.0.0.2") as permitted,
            RawServer(always(page()), port=permitted.port) as forbidden,
            curl(resolver, allow="127.0.0.2/32") as fetcher,
        ):
            url = f"http://a.example:{permitted.port}/"
            assert (await fetcher.fetch(Call(url))).address == "127.0.0.2"
            assert await refusal(fetcher, url) == "address"
            assert (await fetcher.fetch(Call(url))).address == "127.0.0.2"
            assert (permitted.connections, forbidden.connections) == (1, 0)

    run(main())


def test_libcurl_never_asks_a_resolver_of_its_own() -> None:
    """Between check and connect nobody is asked again: the address is pinned, and localhost is not looked up."""

    async def main() -> None:
        resolver = TableResolver({"localhost": "127.0.0.2"})
        async with (
            RawServer(always(page()), host="127.0.0.2") as permitted,
            RawServer(always(page()), port=permitted.port) as forbidden,
            curl(resolver, allow="127.0.0.2/32") as fetcher,
        ):
            assert (await fetcher.fetch(Call(f"http://localhost:{permitted.port}/"))).address == "127.0.0.2"
            assert forbidden.connections == 0

    run(main())


def test_another_address_at_the_socket_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        resolver = TableResolver({"a.example": "127.0.0.2"})
        async with listeners() as (four, six), curl(resolver, allow="127.0.0.2/32") as fetcher:
            for where in ("127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost"):
                elsewhere = f"::{where}:{four.port}"
                monkeypatch.setattr(transfer, "_pin", lambda *_, elsewhere=elsewhere: elsewhere)
                assert await refusal(fetcher, f"http://a.example:{four.port}/") == "address"
            assert four.connections == six.connections == 0

    run(main())


def test_an_open_connection_is_not_used_where_it_may_not_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libcurl would take a connection that another handle opened; only the check before each request sees it."""

    class Changing(Guard):
        is_strict = False

        def check(self, endpoint: Endpoint) -> str:
            return "address" if self.is_strict and endpoint.address == "127.0.0.1" else ""

    async def main() -> None:
        resolver, guard = TableResolver({"a.example": "127.0.0.1"}), Changing()
        fetcher = CurlFetcher(resolver, guard, AGENT, SystemClock())
        async with RawServer(always(page())) as server:
            url = f"http://a.example:{server.port}/"
            await fetcher.fetch(Call(url))
            guard.is_strict = True
            assert await refusal(fetcher, url) == "address", "the policy changed"
            resolver.set("a.example", "127.0.0.2")
            monkeypatch.setattr(transfer, "_pin", lambda *_: f"::127.0.0.1:{server.port}")
            assert await refusal(fetcher, url) == "address", "the connection is open, and its address is another"
            assert (server.connections, len(server.requests)) == (1, 1)
            await fetcher.close()

    run(main())


def test_the_operators_mapping_opens_one_address_and_port_and_no_more() -> None:
    async def main() -> None:
        async with RawServer(always(page())) as server, RawServer(always(page())) as neighbour:
            mapping = parse_mapping(f"*.example=127.0.0.1:{server.port}")
            fetcher = CurlFetcher(SystemResolver(mapping), Guard(), AGENT, SystemClock())
            for url in ("http://a.example/", f"http://a.example:{neighbour.port}/", "http://b.example:81/"):
                assert (await fetcher.fetch(Call(url))).content == b"hello"
            for url in (server.url(), neighbour.url(), f"http://localhost:{server.port}/"):
                assert await refusal(fetcher, url) == "address"
            assert neighbour.connections == 0
            await fetcher.close()

    run(main())


@pytest.mark.parametrize(
    "url",
    [
        "http://user:pass@a.example/",
        "http://a.example",
        "HTTP://a.example/",
        "http://127.1/",
        "http://a.example:80/",
        "http://a.example/ä",
        "http://a.example/\0",
        "http://a.example/ b",
        "http://a.example/\r\nX: y",
    ],
)
def test_a_url_that_libcurl_might_read_differently_is_refused(url: str) -> None:
    async def main() -> None:
        async with curl(TableResolver({"a.example": "127.0.0.1"})) as fetcher:
            assert await refusal(fetcher, url) in {"url", "scheme"}

    run(main())
