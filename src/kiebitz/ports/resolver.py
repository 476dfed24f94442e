"""The resolver: from a name to addresses."""

from typing import NamedTuple, Protocol


class Endpoint(NamedTuple):
    address: str
    port: int
    pinned: bool = False  # the operator mapped the name to exactly this: the guard lets it pass


class Resolver(Protocol):
    """Answers with endpoints to connect to, best first. It does not decide whether we may: the guard does."""

    async def resolve(self, host: str, port: int) -> list[Endpoint]:
        """Raises Unreachable if the name has no address."""
        ...
