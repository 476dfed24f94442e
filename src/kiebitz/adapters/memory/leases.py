"""Leases in memory."""

from kiebitz.errors import Locked, StaleLease
from kiebitz.ports.clock import Clock
from kiebitz.ports.leases import Lease


class MemoryLeases:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._leases: dict[str, Lease] = {}
        self._granted = 0

    async def take(self, name: str, holder: str, *, seconds: float, info: str = "") -> Lease:
        now = self._clock.now()
        held = self._leases.get(name)
        if held is not None and held.holder != holder and held.until > now:
            raise Locked(
                f"{name} is held by {held.holder}", hint=f"it lapses in {held.until - now:.0f} s at the latest"
            )
        self._granted += 1
        self._leases[name] = Lease(name, holder, self._granted, now + seconds, info)
        return self._leases[name]

    async def renew(self, lease: Lease, *, seconds: float, info: str = "") -> Lease:
        """Without ``info`` the last one stays."""
        now = self._clock.now()
        held = self._leases.get(lease.name)
        if held is None or held.token != lease.token or held.until <= now:
            raise StaleLease([lease.token])
        self._leases[lease.name] = held._replace(until=now + seconds, info=info or held.info)
        return self._leases[lease.name]

    async def release(self, lease: Lease) -> None:
        held = self._leases.get(lease.name)
        if held is not None and held.token == lease.token:
            del self._leases[lease.name]

    async def list(self, prefix: str = "") -> list[Lease]:
        return [lease for name, lease in sorted(self._leases.items()) if name.startswith(prefix)]

    async def close(self) -> None:
        pass
