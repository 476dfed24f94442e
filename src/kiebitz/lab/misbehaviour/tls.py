"""Hosts whose TLS is wrong, each at a name of its own because a certificate belongs to a name; and one that is right.

The names with certificates exist only if certificates were made; plain text on a TLS port needs none.
"""

from kiebitz.lab.certificates import Flaw
from kiebitz.lab.misbehaviour.case import Case
from kiebitz.lab.misbehaviour.host import BadHost, always, page

REFUSED = "tls|ssl|cert"
CERTIFIED = {
    "good.tls.example": Flaw.NONE,
    "expired.tls.example": Flaw.EXPIRED,
    "selfsigned.tls.example": Flaw.SELF_SIGNED,
    "wrongname.tls.example": Flaw.WRONG_NAME,
    "notyet.tls.example": Flaw.NOT_YET,
}


def hosts(*, certified: bool) -> list[BadHost]:
    found = [_host("plain.tls.example", "failed", f"{REFUSED}|connect|unreachable")]
    if certified:
        for name, flaw in CERTIFIED.items():
            # Without the lab's authority among the trusted ones even the good certificate is refused.
            found.append(_host(name, "failed" if flaw is not Flaw.NONE else "done|failed", REFUSED if flaw else ""))
    return found


def _host(name: str, state: str, reason: str) -> BadHost:
    return BadHost(name, {"/": always(page("Alles gut", name))}, [Case(f"https://{name}/", state, reason)])
