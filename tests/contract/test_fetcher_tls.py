"""The fetcher over TLS: certificates are checked, names are pinned to addresses, HTTP/2 is spoken."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from kiebitz.adapters.memory.resolver import TableResolver
from kiebitz.errors import Unreachable
from kiebitz.model.response import Call
from tests.contract.wire import curl
from tests.raw_server import Certificates, RawServer, always, make_certificates, page, run

NODE = shutil.which("node")
HTTP2 = """
const server = require('http2').createSecureServer({
  key: require('fs').readFileSync(process.argv[1]), cert: require('fs').readFileSync(process.argv[2])});
let sessions = 0;
server.on('session', () => { sessions += 1; });
server.on('stream', (stream, headers) => {
  stream.on('error', () => {});
  stream.respond({':status': 200, 'content-type': 'text/html', 'x-sessions': String(sessions)}, {waitForTrailers: true});
  stream.on('wantTrailers', () => stream.sendTrailers({'x-trailer': '1'}));
  stream.end(headers[':method'] + headers[':path'] + 'x'.repeat(30000));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
"""


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("tls"), "a.example", "127.0.0.1")


def test_a_trusted_certificate_is_accepted_by_name_and_by_address(certificates: Certificates) -> None:
    async def main() -> None:
        resolver = TableResolver({"a.example": "127.0.0.1"})
        ca_file = str(certificates.authority)
        async with (
            RawServer(always(page()), tls=certificates.context()) as server,
            curl(resolver, ca_file=ca_file) as fetcher,
        ):
            for host in ("a.example", "127.0.0.1", "a.example"):
                response = await fetcher.fetch(Call(f"https://{host}:{server.port}/"))
                assert (response.content, response.address) == (b"hello", "127.0.0.1")
            assert server.connections == 2

    run(main())


@pytest.mark.parametrize(("host", "is_trusted"), [("b.example", True), ("a.example", False)])
def test_a_wrong_name_and_an_unknown_authority_are_refused(
    certificates: Certificates, tmp_path: Path, host: str, is_trusted: bool
) -> None:
    async def main() -> None:
        other = certificates if is_trusted else make_certificates(tmp_path, "x.example")
        resolver = TableResolver({host: "127.0.0.1"})
        async with (
            RawServer(always(page()), tls=certificates.context()) as server,
            curl(resolver, ca_file=str(other.authority)) as fetcher,
        ):
            with pytest.raises(Unreachable) as caught:
                await fetcher.fetch(Call(f"https://{host}:{server.port}/"))
            assert caught.value.reason == "tls"
            assert server.requests == []

    run(main())


def test_plain_http_on_a_tls_port_is_a_tls_failure() -> None:
    async def speak_first(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(page())
        await writer.drain()
        writer.close()

    async def main() -> None:
        server = await asyncio.start_server(speak_first, "127.0.0.1", 0)
        async with server, curl() as fetcher:
            with pytest.raises(Unreachable) as caught:
                await fetcher.fetch(Call(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"))
            assert caught.value.reason == "tls"

    run(main())


def test_the_authorities_come_from_the_environment_or_from_certifi(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with RawServer(always(page()), tls=certificates.context()) as server:
            async with curl() as fetcher:
                with pytest.raises(Unreachable, match="certificate"):
                    await fetcher.fetch(Call(server.url()))
            monkeypatch.setenv("SSL_CERT_FILE", str(certificates.authority))
            async with curl() as fetcher:
                assert (await fetcher.fetch(Call(server.url()))).status == 200

    run(main())


@asynccontextmanager
async def node_server(certificates: Certificates) -> AsyncIterator[int]:
    assert NODE is not None
    process = await asyncio.create_subprocess_exec(
        NODE, "-e", HTTP2, str(certificates.key), str(certificates.certificate), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        yield int(await process.stdout.readline())
    finally:
        process.kill()
        await process.wait()
        await process.stdout.read()


@pytest.mark.skipif(NODE is None, reason="no node to serve HTTP/2")
def test_http2_is_spoken_where_the_server_offers_it(certificates: Certificates) -> None:
    async def main() -> None:
        resolver = TableResolver({"a.example": "127.0.0.1"})
        async with node_server(certificates) as port, curl(resolver, ca_file=str(certificates.authority)) as fetcher:
            url = f"https://a.example:{port}/"
            first = await fetcher.fetch(Call(url))
            assert first.head.startswith(b"HTTP/2 200")
            assert first.content.startswith(b"GET/x")
            assert "x-trailer" not in first.headers
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(fetcher.fetch(Call(f"{url}{number}"))) for number in range(10)]
            for number, task in enumerate(tasks):
                assert task.result().content.startswith(f"GET/{number}".encode())
                assert task.result().headers["x-sessions"] == "1", "one connection serves them all"
            stopped = await fetcher.fetch(Call(url, judge=lambda *_: "type"))
            assert (stopped.stopped, stopped.content) == ("type", b"")
            posted = await fetcher.fetch(Call(url, method="POST", body=b"a=b"))
            assert posted.content.startswith(b"POST/x")

    run(main())
