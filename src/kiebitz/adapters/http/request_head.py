"""The header fields that we send, as libcurl takes them and as they stand on the wire (for the WARC)."""

import re
from typing import NamedTuple

from kiebitz.errors import InputError
from kiebitz.model.response import Call

_METHODS = frozenset(("GET", "HEAD", "POST"))
_FORM = ("Content-Type", "application/x-www-form-urlencoded")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t -~\x80-\xff]*")
_OURS = (
    ("Accept", "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8"),
    ("Accept-Encoding", "gzip, br, zstd"),
)
# libcurl writes these itself.
_NOT_OURS = frozenset(("host", "user-agent", "content-length", "transfer-encoding", "connection", "expect"))


class Fields(NamedTuple):
    for_curl: list[bytes]
    on_wire: bytes  # what follows the Host field, with the empty line


class RequestHead:
    """Builds ``Fields``; those of a call without fields of its own are built once."""

    def __init__(self, user_agent: str) -> None:
        self._user_agent = _line("User-Agent", user_agent)
        self._plain = self._build(_OURS, None)

    def fields(self, call: Call) -> Fields:
        if call.method == "GET" and not call.headers:
            return self._plain
        if call.method not in _METHODS:
            raise InputError(f"cannot send {call.method!r}", hint="GET, HEAD and POST are known")
        given = {name.lower() for name, _ in call.headers}
        if wrong := given & _NOT_OURS:
            raise InputError(f"a call cannot set {', '.join(sorted(wrong))}", hint="the fetcher writes it")
        fields = (*(field for field in _OURS if field[0].lower() not in given), *call.headers)
        if call.method != "POST":
            return self._build(fields, None)
        return self._build(fields if "content-type" in given else (*fields, _FORM), len(call.body or b""))

    def _build(self, fields: tuple[tuple[str, str], ...], length: int | None) -> Fields:
        for_curl = [_for_curl(name, value) for name, value in fields]
        on_wire = self._user_agent + b"".join(_line(name, value) for name, value in fields)
        if length is not None:
            for_curl.append(b"Expect:")  # never wait for a 100
            on_wire += b"Content-Length: %d\r\n" % length
        return Fields(for_curl, on_wire + b"\r\n")


def _line(name: str, value: str) -> bytes:
    """Refuses what would be more than one field: values come from pages, as ETags do."""
    if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
        raise InputError(f"not a header field: {name[:40]!r}: {value[:80]!r}")
    return f"{name}: {value.strip()}\r\n".encode("latin-1") if value.strip() else f"{name}:\r\n".encode()


def _for_curl(name: str, value: str) -> bytes:
    return _line(name, value)[:-2] if value.strip() else f"{name};".encode()
