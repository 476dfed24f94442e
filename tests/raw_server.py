"""A web server that says exactly the bytes a test wrote, for answers that no real server library would give."""

import asyncio
import ipaddress
import ssl
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")
GIVE_UP_SECONDS = 30.0


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a test's coroutine in a loop of its own, and not for ever."""

    async def bounded() -> T:
        async with asyncio.timeout(GIVE_UP_SECONDS):
            return await main

    return asyncio.run(bounded())


@dataclass(slots=True)
class Exchange:
    """One request as it came, and the line back to the client."""

    head: bytes
    body: bytes
    writer: asyncio.StreamWriter
    number: int  # on its connection, from 1

    @property
    def path(self) -> str:
        return self.head.split(b" ", 2)[1].decode()

    async def send(self, *parts: bytes) -> None:
        self.writer.write(b"".join(parts))
        await self.writer.drain()

    async def drip(self, data: bytes, pause: float) -> None:
        for index in range(len(data)):
            await self.send(data[index : index + 1])
            await asyncio.sleep(pause)

    def reset(self) -> None:
        """Abort the connection with a RST instead of a FIN."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(1, 13, b"\x01\x00\x00\x00\x00\x00\x00\x00")  # SOL_SOCKET, SO_LINGER
        self.writer.transport.abort()


# Answers one request; true keeps the connection for the next.
Script = Callable[[Exchange], Awaitable[bool]]


@dataclass(slots=True)
class RawServer:
    script: Script
    host: str = "127.0.0.1"
    port: int = 0
    tls: ssl.SSLContext | None = None
    connections: int = 0
    requests: list[bytes] = field(default_factory=list)
    _server: asyncio.Server | None = None
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, self.host, self.port, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def url(self, path: str = "/") -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{path}"

    @property
    def open_connections(self) -> int:
        return len(self._writers)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._converse(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, ssl.SSLError):
            pass
        finally:
            self._tasks.discard(task)
            self._writers.discard(writer)
            writer.transport.abort() if self.tls else writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = 0
        while True:
            number += 1
            head = await reader.readuntil(b"\r\n\r\n")
            body = b""
            for line in head.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    body = await reader.readexactly(int(line.partition(b":")[2]))
            self.requests.append(head + body)
            if not await self.script(Exchange(head, body, writer, number)):
                return


def page(body: bytes = b"hello", *fields: str, status: str = "200 OK") -> bytes:
    """A well-formed answer."""
    lines = [f"HTTP/1.1 {status}", *fields, f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def always(answer: bytes, *, keep: bool = True) -> Script:
    async def script(exchange: Exchange) -> bool:
        await exchange.send(answer)
        return keep

    return script


@dataclass(frozen=True, slots=True)
class Certificates:
    authority: Path
    certificate: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context


def make_certificates(folder: Path, *names: str) -> Certificates:
    """An authority, and a certificate of it for host names and addresses."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    def subject(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    def alternative(text: str) -> x509.GeneralName:
        try:
            return x509.IPAddress(ipaddress.ip_address(text))
        except ValueError:
            return x509.DNSName(text)

    now = datetime.now(UTC)
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))

    def sign(name: str, public: ec.EllipticCurvePublicKey, *extensions: x509.ExtensionType) -> bytes:
        builder = x509.CertificateBuilder(
            issuer_name=subject("Kiebitz Test Authority"),
            subject_name=subject(name),
            public_key=public,
            serial_number=x509.random_serial_number(),
            not_valid_before=now - timedelta(days=1),
            not_valid_after=now + timedelta(days=2),
        )
        for extension in extensions:
            builder = builder.add_extension(extension, critical=False)
        return builder.sign(authority_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    files = Certificates(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
    files.authority.write_bytes(
        sign("Kiebitz Test Authority", authority_key.public_key(), x509.BasicConstraints(ca=True, path_length=None))
    )
    files.certificate.write_bytes(
        sign("Kiebitz Test", key.public_key(), x509.SubjectAlternativeName([alternative(name) for name in names]))
    )
    files.key.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return files
