"""Hosts with bad manners, each at a name saying so, with the truth about how a correct crawler ends with them."""

from kiebitz.lab.misbehaviour import bodies, compression, headers, media, redirects, refusals, robots, texts, tls, traps
from kiebitz.lab.misbehaviour.case import Case, Trap
from kiebitz.lab.misbehaviour.host import BadHost
from kiebitz.lab.misbehaviour.redirects import Canary

__all__ = ["BadHost", "Canary", "Case", "Trap", "expected", "misbehaving_hosts", "traps_set"]


def misbehaving_hosts(canary: Canary | None = None, *, certified: bool = False) -> list[BadHost]:
    """All of them; those that need certificates only if there are some."""
    return [
        *bodies.hosts(),
        *redirects.hosts(canary or Canary()),
        *compression.hosts(),
        *refusals.hosts(),
        *texts.hosts(),
        *headers.hosts(),
        *media.hosts(),
        *traps.hosts(),
        *robots.hosts(),
        *tls.hosts(certified=certified),
    ]


def expected(*, certified: bool = False) -> list[Case]:
    """How each URL must end."""
    return [case for host in misbehaving_hosts(certified=certified) for case in host.cases]


def traps_set() -> list[Trap]:
    return [trap for host in traps.hosts() for trap in host.traps]
