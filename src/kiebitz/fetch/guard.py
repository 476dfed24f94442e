"""Where we may connect. Every egress asks here: before a connection, where its socket is opened, before each request.

Only http and https, and only to the public internet, unless the operator named a network (``KIEBITZ_ALLOW_NETWORKS``)
or mapped a name to exactly one address and port (``KIEBITZ_RESOLVE``). An address that carries another one (NAT64,
6to4 …) passes only if both do.
"""

from typing import TYPE_CHECKING

from kiebitz.ports.resolver import Endpoint
from kiebitz.standards.address import is_public, layers

if TYPE_CHECKING:
    from kiebitz.standards.address import Network

REFUSED = "address"
_MEMO = 16_384


class Guard:
    __slots__ = ("_allowed", "_known")

    def __init__(self, allow_networks: "tuple[Network, ...]" = ()) -> None:
        self._allowed = allow_networks
        self._known: dict[str, str] = {}

    def check(self, endpoint: Endpoint) -> str:
        """Nothing if we may connect to ``endpoint``, else the reason why not."""
        if endpoint.pinned:  # the operator's own word, for this address and port
            return ""
        address = endpoint.address
        verdict = self._known.get(address)
        if verdict is None:
            verdict = "" if self._passes(address) else REFUSED
            if len(self._known) >= _MEMO:
                self._known.clear()
            self._known[address] = verdict
        return verdict

    def check_scheme(self, url: str) -> str:
        """The same for what a URL begins with."""
        return "" if url.startswith(("http://", "https://")) else "scheme"

    def _passes(self, address: str) -> bool:
        if is_public(address):
            return True
        found = layers(address) if self._allowed else ()
        return bool(found) and all(is_public(layer) or self._is_allowed(layer) for layer in found)

    def _is_allowed(self, address: str) -> bool:
        from ipaddress import ip_address  # only who allows a network pays for it

        number = ip_address(address)
        return any(number.version == network.version and number in network for network in self._allowed)
