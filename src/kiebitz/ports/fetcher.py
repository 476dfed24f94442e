"""The fetcher: one HTTP exchange, guarded."""

from typing import Protocol

from kiebitz.model.response import Call, Response


class Fetcher(Protocol):
    """Makes one exchange under the guard and the call's limits. Redirects are returned, not followed.

    Raises AddressRefused (never connected), LimitExceeded, TimedOut, Unreachable. A response whose judge did not want
    the body comes back with ``stopped`` set and no content. Cancelling a fetch frees its connection.
    """

    async def fetch(self, call: Call) -> Response: ...

    async def close(self) -> None: ...
