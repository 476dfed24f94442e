"""Where the lab's hosts live: spread over 127.1.0.0/16, some sharing an address on purpose, all on one port.

Linux answers on all of 127/8. Where only 127.0.0.1 exists (macOS), each address becomes a port of it instead.
"""

import errno
import socket
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from kiebitz.errors import InputError

PER_NET = 250
SHARED_OF_TEN = 3  # of ten neighbours, the last three live at one address
PORT_TRIES = 20
EXACT_NAMES = 3000  # Linux allows 128 KiB in one environment variable


class Seat(NamedTuple):
    address: str
    port: int


def spread(names: Sequence[str], alone: Collection[str] = ()) -> dict[str, str]:
    """An address for each name. Those who must live ``alone`` (TLS) share with nobody; too many live at the first."""
    homes: dict[str, str] = {}
    taken = 0
    companions = [name for name in names if name not in alone]
    for index, name in enumerate(companions):
        if index >= EXACT_NAMES:
            homes[name] = numbered(1)
            continue
        if index % 10 <= 10 - SHARED_OF_TEN:
            taken += 1
        homes[name] = numbered(taken)
    for name in names:
        if name in alone:
            taken += 1
            homes[name] = numbered(taken)
    return homes


def numbered(number: int) -> str:
    """127.1.0.1 is the first."""
    net, host = divmod(number - 1, PER_NET)
    return f"127.1.{net}.{host + 1}"


def listen(addresses: Iterable[str], port: int = 0) -> dict[str, socket.socket]:
    """A listening socket for each address, all on ``port`` (0: one that is free everywhere)."""
    wanted = list(dict.fromkeys(addresses))
    for _ in range(PORT_TRIES):
        try:
            return _listen_all(wanted, port)
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                return _share_loopback(wanted, port)
            if error.errno != errno.EADDRINUSE:
                raise
            if port:
                raise InputError(f"port {port} is in use", hint="choose another with --port, or 0 for any") from error
    raise InputError("no port is free on all addresses of the lab", hint="choose one with --port")


def _listen_all(addresses: list[str], port: int) -> dict[str, socket.socket]:
    sockets: dict[str, socket.socket] = {}
    with _closed_on_error(sockets):
        for address in addresses:
            sockets[address] = listening(address, port)
            port = sockets[address].getsockname()[1]
    return sockets


def _share_loopback(addresses: list[str], port: int) -> dict[str, socket.socket]:
    sockets: dict[str, socket.socket] = {}
    with _closed_on_error(sockets):
        for index, address in enumerate(addresses):
            sockets[address] = listening("127.0.0.1", port + index if port else 0)
    return sockets


@contextmanager
def _closed_on_error(sockets: Mapping[str, socket.socket]) -> Iterator[None]:
    try:
        yield
    except OSError:
        for sock in sockets.values():
            sock.close()
        raise


def listening(address: str, port: int) -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address, port))
        sock.listen(1024)
        sock.setblocking(False)
    except OSError:
        sock.close()
        raise
    return sock


def resolve_setting(seats: Mapping[str, Seat], stranger: Seat) -> str:
    """The value of ``KIEBITZ_RESOLVE``. Names nobody has go to ``stranger``, so that no query leaves the machine."""
    exact = [
        f"{name}={seat.address}:{seat.port}"
        for index, (name, seat) in enumerate(seats.items())
        if index < EXACT_NAMES or seat != stranger
    ]
    return ",".join([*exact, f"*.example={stranger.address}:{stranger.port}"])
