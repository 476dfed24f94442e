"""Which addresses belong to the public internet (IANA special-purpose registries), judged from their bytes.

A crawler follows links that strangers wrote, so an address counts as public only if it is known to be: IPv4 outside
every special block, IPv6 inside global unicast and outside its special blocks. Addresses that carry another one (mapped,
6to4, NAT64, Teredo, ISATAP …) are unwrapped, and what they carry is judged too. Text that is not an address in its
plain spelling is not public. The tables are our own because those of ``ipaddress`` differ between Python versions.
"""

from functools import lru_cache
from socket import AF_INET, AF_INET6, inet_ntop, inet_pton
from typing import TYPE_CHECKING

from kiebitz.errors import InputError

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

    Network = IPv4Network | IPv6Network


def _block(text: str) -> tuple[int, int]:
    """(number of bits after the prefix, the prefix as a number)"""
    address, _, length = text.partition("/")
    packed = inet_pton(AF_INET6 if ":" in address else AF_INET, address)
    rest = len(packed) * 8 - int(length)
    return rest, int.from_bytes(packed) >> rest


_SPECIAL_4 = tuple(
    _block(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; Alibaba's metadata
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's platform: a public number that only the inside reaches
        "169.254.0.0/16",  # link-local; most clouds' metadata
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments; Oracle's metadata
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_6 = _block("2000::/3")
_SPECIAL_6 = tuple(
    _block(text)
    for text in (
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarks …
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
    )
)
_MAPPED = _block("::ffff:0:0/96")
_CARRIES_LAST_32 = tuple(
    _block(text)
    for text in (
        "::/96",  # IPv4-compatible
        "::ffff:0:0:0/96",  # IPv4-translated
        "64:ff9b::/96",  # NAT64
        "64:ff9b:1::/48",  # NAT64, local use
    )
)
_SIX_TO_FOUR = _block("2002::/16")
_TEREDO = _block("2001::/32")
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)


@lru_cache(maxsize=16_384)
def is_public(address: str) -> bool:
    """Is this the plain spelling of an address on the public internet, with nothing private inside?"""
    found = layers(address)
    return bool(found) and all(_is_global(layer) for layer in found)


def layers(address: str) -> tuple[str, ...]:
    """The address and those it carries: one may connect only if every one of them passes. Empty if it is none."""
    packed = _pack(address)
    if packed is None:
        return ()
    number = int.from_bytes(packed)
    if len(packed) == 4:
        return (inet_ntop(AF_INET, packed),)
    if _inside(number, _MAPPED):
        return (_v4(number),)  # the kernel speaks IPv4 there: the outer form is only a spelling
    return (inet_ntop(AF_INET6, packed), *_carried(number))


def parse_networks(text: str) -> "tuple[Network, ...]":
    """The networks of a comma separated list such as ``127.0.0.0/8, fd00::/8``."""
    from ipaddress import ip_network  # 5 ms, and only operators who allow a network need it

    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        try:
            found.append(ip_network(part))
        except ValueError as error:
            raise InputError(
                f"not a network: {part!r} ({error})",
                hint="write networks as 10.1.0.0/16 or fd00::/8, with commas between",
            ) from None
    return tuple(found)


def _pack(address: str) -> bytes | None:
    try:
        return inet_pton(AF_INET6 if ":" in address else AF_INET, address)
    except (OSError, ValueError):  # a zone, a name, another spelling, a NUL
        return None


def _is_global(address: str) -> bool:
    packed = _pack(address)
    if packed is None:
        return False
    number = int.from_bytes(packed)
    if len(packed) == 4:
        return not any(_inside(number, block) for block in _SPECIAL_4)
    return _inside(number, _GLOBAL_6) and not any(_inside(number, block) for block in _SPECIAL_6)


def _inside(number: int, block: tuple[int, int]) -> bool:
    return number >> block[0] == block[1]


def _carried(number: int) -> tuple[str, ...]:
    """The IPv4 addresses that an IPv6 address carries."""
    if number > 1 and any(_inside(number, block) for block in _CARRIES_LAST_32):  # :: and ::1 carry nothing
        return (_v4(number),)
    if _inside(number, _SIX_TO_FOUR):
        return (_v4(number >> 80),)
    if _inside(number, _TEREDO):
        return (_v4(number >> 64), _v4(~number))
    if number >> 32 & 0xFFFF_FFFF in _ISATAP:
        return (_v4(number),)
    return ()


def _v4(number: int) -> str:
    return inet_ntop(AF_INET, (number & 0xFFFF_FFFF).to_bytes(4))
