"""Leases: who is the scheduler, the index writer, which nodes are alive."""

from typing import NamedTuple, Protocol


class Lease(NamedTuple):
    name: str
    holder: str
    token: int  # grows with every grant of this name: a fence
    until: float
    info: str = ""  # JSON that the holder shows to others


class Leases(Protocol):
    """Named, fenced, lapsing. Of concurrent takers exactly one gets a free lease, across processes."""

    async def take(self, name: str, holder: str, *, seconds: float, info: str = "") -> Lease:
        """Raises Locked (saying by whom) while somebody else's lease runs. The holder's own is taken anew."""
        ...

    async def renew(self, lease: Lease, *, seconds: float, info: str = "") -> Lease:
        """Extend from now, same token. Raises StaleLease if it lapsed, was released or taken."""
        ...

    async def release(self, lease: Lease) -> None:
        """Idempotent; a stale lease releases nothing."""
        ...

    async def list(self, prefix: str = "") -> list[Lease]:
        """Leases by name, lapsed ones included (their ``until`` says so), released ones not."""
        ...

    async def close(self) -> None: ...
