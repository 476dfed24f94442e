"""The one error tree. Foreign errors are translated into it at the edge; callers branch on type or code.

    KiebitzError
    ├── InputError            what the user gave cannot be used
    │   └── BadUrl            not an absolute http(s) URL
    ├── NotFound              the thing named does not exist
    ├── Conflict              a condition on a write did not hold
    │   └── StaleLease        the lease was lost; nothing of the call was applied
    ├── Locked                somebody else holds it now
    ├── HomeError             the home folder or its databases cannot be used
    │   ├── HomeUnwritable    read-only, or not ours
    │   ├── HomeCorrupt       a database is damaged
    │   ├── HomeNewer         written by a newer version
    │   └── DiskFull          no space left
    ├── MissingExtra          an optional part is not installed
    ├── DeliveryFailed        an alert that its receiver did not take this time
    │   └── DeliveryRefused   an alert that its receiver will not take
    └── FetchError            a request that brought no usable response
        ├── AddressRefused    the guard does not connect there
        ├── LimitExceeded     bytes, time, headers, ratio, layers, redirects
        │   └── PageOverrun   a page that a script draws asks for too much as a whole
        ├── Unreachable       DNS, connect, TLS, reset, broken answer
        ├── TimedOut          no answer in time
        └── RobotsClosed      robots.txt could not be had, so nothing is allowed

Each error has a ``code`` (stable, for programs), ``retryable`` (may the same call work later?) and a
``hint`` (the next step, for people). The message is lower case and says what, with which value.
"""

from collections.abc import Iterable
from typing import ClassVar


class KiebitzError(Exception):
    code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class InputError(KiebitzError):
    code = "input"
    exit_code = 3


class BadUrl(InputError):
    code = "bad-url"


class NotFound(KiebitzError):
    code = "not-found"
    exit_code = 4


class Conflict(KiebitzError):
    code = "conflict"
    exit_code = 5


class StaleLease(Conflict):
    code = "stale-lease"

    def __init__(self, tokens: Iterable[object]) -> None:
        self.tokens = frozenset(tokens)
        super().__init__(f"{len(self.tokens)} lease(s) are no longer held", hint="lease again; nothing was recorded")


class Locked(KiebitzError):
    code = "locked"
    retryable = True
    exit_code = 5


class HomeError(KiebitzError):
    code = "home"
    exit_code = 6


class HomeUnwritable(HomeError):
    code = "home-unwritable"


class HomeCorrupt(HomeError):
    code = "home-corrupt"


class HomeNewer(HomeError):
    code = "home-newer"


class DiskFull(HomeError):
    code = "disk-full"
    retryable = True


class MissingExtra(KiebitzError):
    code = "missing-extra"
    exit_code = 3


class DeliveryFailed(KiebitzError):
    """Its receiver did not take an alert; ``wait``: the seconds that it asks for before the next try."""

    code = "delivery-failed"
    retryable = True

    def __init__(self, message: str, *, hint: str = "", wait: float = 0.0) -> None:
        super().__init__(message, hint=hint)
        self.wait = wait


class DeliveryRefused(DeliveryFailed):
    """Its receiver will not take an alert, however often it is tried."""

    code = "delivery-refused"
    retryable = False


class FetchError(KiebitzError):
    """Has a ``reason`` of one or two words that is stored with the request."""

    code = "fetch"
    retryable = True

    def __init__(self, reason: str, message: str = "", *, hint: str = "") -> None:
        super().__init__(message or reason, hint=hint)
        self.reason = reason


class AddressRefused(FetchError):
    code = "address-refused"
    retryable = False


class LimitExceeded(FetchError):
    code = "limit-exceeded"
    retryable = False


class PageOverrun(LimitExceeded):
    """The page as a whole asks for too much."""


class Unreachable(FetchError):
    code = "unreachable"


class TimedOut(FetchError):
    code = "timed-out"


class RobotsClosed(FetchError):
    """robots.txt could not be had: by RFC 9309 everything is forbidden until it can."""

    code = "robots-unreachable"

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(f"robots.txt: {reason}")
        self.wait = wait
