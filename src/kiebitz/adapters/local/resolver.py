"""Names to addresses by the machine's own resolver, remembered for a while; and the operator's mapping before it.

getaddrinfo blocks, so it runs in a few threads of its own: a dead name server must not stop the rest of the program.
Lookups of one name at one time are one lookup. ``KIEBITZ_RESOLVE`` (``*.example=127.1.0.1:8901,foo.test=[::1]:80``)
sends names to exactly one address and port; such endpoints are pinned, and the guard lets them pass.
"""

import asyncio
import socket
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from kiebitz.adapters.local.clock import SystemClock
from kiebitz.errors import InputError, Unreachable
from kiebitz.ports.clock import Clock
from kiebitz.ports.resolver import Endpoint

THREADS = 16
LOOKUP_SECONDS = 10.0
KEEP_SECONDS = 300.0
KEEP_FAILURE_SECONDS = 30.0
KEEP_NAMES = 10_000

# The addresses of a name, best first; raises OSError or UnicodeError.
Lookup = Callable[[str], list[str]]


class HostMap:
    """The operator's mapping: the exact name first, then the longest ``*.suffix``, then ``*`` for every other name."""

    __slots__ = ("_exact", "_suffixes")

    def __init__(self, rules: dict[str, Endpoint]) -> None:
        self._exact = {name: endpoint for name, endpoint in rules.items() if not name.startswith("*")}
        self._suffixes = {name[1:]: endpoint for name, endpoint in rules.items() if name.startswith("*")}

    def __bool__(self) -> bool:
        return bool(self._exact or self._suffixes)

    def find(self, host: str) -> Endpoint | None:
        found = self._exact.get(host)
        if found is not None or not self._suffixes or _literal(host):
            return found
        dot = host.find(".")
        while dot >= 0:
            if (found := self._suffixes.get(host[dot:])) is not None:
                return found
            dot = host.find(".", dot + 1)
        return self._suffixes.get("")


class SystemResolver:
    """Implements the Resolver port."""

    def __init__(
        self, mapping: HostMap | None = None, *, clock: Clock | None = None, lookup: Lookup | None = None
    ) -> None:
        self._mapping = mapping or HostMap({})
        self._clock = clock or SystemClock()
        self._lookup = lookup or _getaddrinfo
        self._threads: ThreadPoolExecutor | None = None
        self._known: OrderedDict[str, tuple[float, list[str]]] = OrderedDict()  # no addresses: a failure
        self._asked: dict[str, asyncio.Future[list[str]]] = {}

    async def resolve(self, host: str, port: int) -> list[Endpoint]:
        if self._mapping and (pinned := self._mapping.find(host)) is not None:
            return [pinned]
        known = self._known.get(host)
        if known is not None and known[0] > self._clock.monotonic():
            self._known.move_to_end(host)
            addresses = known[1]
        elif (address := _literal(host)) is not None:
            return [Endpoint(address, port)]
        else:
            addresses = await self._ask(host)
        if not addresses:
            raise Unreachable("dns", f"{host} has no address")
        return [Endpoint(address, port) for address in addresses]

    async def close(self) -> None:
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, host: str) -> list[str]:
        answer = self._asked.get(host)
        if answer is None:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="resolver")
            answer = asyncio.get_running_loop().run_in_executor(self._threads, self._look, host)
            self._asked[host] = answer
            answer.add_done_callback(lambda done: self._remember(host, done))
        try:
            # Shielded: whoever else waits for the same name must not lose it because one gave up.
            return await asyncio.wait_for(asyncio.shield(answer), LOOKUP_SECONDS)
        except TimeoutError:
            raise Unreachable("dns", f"no answer for {host} in {LOOKUP_SECONDS:.0f} s") from None

    def _look(self, host: str) -> list[str]:
        try:
            return self._lookup(host)
        except (OSError, UnicodeError):
            return []

    def _remember(self, host: str, done: "asyncio.Future[list[str]]") -> None:
        self._asked.pop(host, None)
        if done.cancelled() or done.exception() is not None:
            return
        addresses = done.result()
        keep = KEEP_SECONDS if addresses else KEEP_FAILURE_SECONDS
        self._known[host] = (self._clock.monotonic() + keep, addresses)
        self._known.move_to_end(host)
        if len(self._known) > KEEP_NAMES:
            self._known.popitem(last=False)


def parse_mapping(text: str) -> HostMap:
    """The mapping in ``KIEBITZ_RESOLVE``: ``name=address:port`` with commas between; names may start with ``*``."""
    rules: dict[str, Endpoint] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, target = part.partition("=")
        name = name.strip().lower()
        address, _, port = target.strip().rpartition(":")
        literal = _literal(address)
        wild = name.removeprefix("*")
        bad_name = not name or "*" in wild or name.endswith(".") or (name != wild and wild[:1] not in {"", "."})
        if bad_name or literal is None or not (port.isdecimal() and port.isascii() and 0 < int(port) < 65_536):
            raise InputError(
                f"not a mapping: {part!r}",
                hint="write name=address:port, as in *.example=127.1.0.1:8901,foo.test=[::1]:80",
            )
        rules[name] = Endpoint(literal, int(port), pinned=True)
    return HostMap(rules)


def _literal(host: str) -> str | None:
    """The address that a host is already, in the kernel's spelling; None if it is a name."""
    text = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    family = socket.AF_INET6 if ":" in text else socket.AF_INET
    if family == socket.AF_INET and not text[:1].isdecimal():
        return None
    try:
        return socket.inet_ntop(family, socket.inet_pton(family, text))
    except (OSError, ValueError):
        return None


def _getaddrinfo(host: str) -> list[str]:
    # As bytes: for a str Python would load its IDNA codec, and URLs carry punycode already.
    found = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))
