"""libcurl's codes as our errors."""

import errno

import pycurl

from kiebitz.adapters.http.transfer import Transfer
from kiebitz.errors import AddressRefused, FetchError, LimitExceeded, TimedOut, Unreachable

_NO_ROUTE = frozenset((errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT))
_RESET = frozenset((errno.ECONNRESET, errno.EPIPE, errno.ECONNABORTED))
_TLS = frozenset(
    (
        pycurl.E_SSL_CONNECT_ERROR,
        pycurl.E_PEER_FAILED_VERIFICATION,
        pycurl.E_SSL_CERTPROBLEM,
        pycurl.E_SSL_CIPHER,
        pycurl.E_SSL_CACERT_BADFILE,
        pycurl.E_SSL_ISSUER_ERROR,
        pycurl.E_SSL_INVALIDCERTSTATUS,
        pycurl.E_USE_SSL_FAILED,
    )
)
_TOO_LARGE = 100  # CURLE_TOO_LARGE, which pycurl does not name


def explain(transfer: Transfer, code: int) -> Exception:
    """Why a transfer ended with ``code``; what a callback noted comes first."""
    if transfer.failure is not None:
        return transfer.failure
    message = f"{transfer.message or 'libcurl gave up'} (curl {code})"
    if code == pycurl.E_OPERATION_TIMEDOUT:
        return TimedOut("total" if transfer.is_connected else "connect", message)
    if code == pycurl.E_FILESIZE_EXCEEDED:
        return LimitExceeded("size", message)
    if code == _TOO_LARGE or message.startswith("Too large response headers"):
        return LimitExceeded("headers", message)
    if code == pycurl.E_URL_MALFORMAT:
        return AddressRefused("url", message)
    return _unreachable(transfer, code, message)


def _unreachable(transfer: Transfer, code: int, message: str) -> FetchError:
    if code in _TLS:
        return Unreachable("tls", message)
    if code == pycurl.E_COULDNT_RESOLVE_HOST:
        return Unreachable("dns", message)
    number = int(transfer.curl.getinfo(pycurl.OS_ERRNO))
    if code == pycurl.E_COULDNT_CONNECT:
        return Unreachable("no route" if number in _NO_ROUTE else "refused", message)
    if number in _RESET and code in {pycurl.E_RECV_ERROR, pycurl.E_SEND_ERROR}:
        return Unreachable("reset", message)
    return Unreachable("broken answer", message)
