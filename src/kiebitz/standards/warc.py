"""WARC 1.1 records (ISO 28500) of one exchange: response and request, each a gzip member of its own.

Level 1 of ISA-L costs a tenth of zlib; ``warcio check`` reads it. Bodies are stored as sent, with the transfer coding
already undone, so the header fields that described it are renamed as archives do.
"""

import re
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from itertools import count
from uuid import uuid4

from isal import igzip_lib, isal_zlib

from kiebitz.errors import HomeCorrupt
from kiebitz.model.response import Response

_HOP = re.compile(rb"^(Transfer-Encoding|Trailer):", re.IGNORECASE | re.MULTILINE)
_GAP = b"\r\n\r\n"
_PROCESS = str(uuid4())[:23]
_COUNTER = count(int.from_bytes(uuid4().bytes[10:], "big"))
_STATUS = re.compile(rb"^HTTP/[\d.]+ (\d{3}) ?(.*)")


def exchange(url: str, at: float, response: Response, payload: bytes) -> bytes:
    """Both records, compressed. ``payload`` is the SHA-256 of the raw body."""
    date, identity = _date(int(at)), _identity()
    head = _stored_head(response)
    answer = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: {identity}\r\nWARC-Date: {date}\r\n"
        f"WARC-Target-URI: {url}\r\nWARC-IP-Address: {response.address}\r\n"
        f"WARC-Payload-Digest: sha256:{payload.hex()}\r\nContent-Type: application/http;msgtype=response\r\n"
        f"Content-Length: {len(head) + 4 + len(response.raw)}\r\n\r\n"
    )
    question = (
        f"WARC/1.1\r\nWARC-Type: request\r\nWARC-Record-ID: {_identity()}\r\nWARC-Date: {date}\r\n"
        f"WARC-Target-URI: {url}\r\nWARC-Concurrent-To: {identity}\r\nContent-Type: application/http;msgtype=request\r\n"
        f"Content-Length: {len(response.request_head)}\r\n\r\n"
    )
    first = _member(b"".join((answer.encode(), head, _GAP, response.raw, _GAP)))
    return first + _member(b"".join((question.encode(), response.request_head, _GAP)), level=0)  # too short to gain


def opening(name: str, at: float, software: str) -> bytes:
    """The warcinfo record that begins a bundle."""
    body = f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode()
    head = (
        f"WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: {_identity()}\r\nWARC-Date: {_date(int(at))}\r\n"
        f"WARC-Filename: {name}\r\nContent-Type: application/warc-fields\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    return _member(head + body + b"\r\n\r\n")


def stored(record: bytes) -> tuple[bytes, bytes]:
    """Head and raw body of the response that begins at the start of ``record``."""
    member = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
    try:
        block = member.decompress(record)
        start = block.index(b"\r\n\r\n") + 4
        split = block.index(b"\r\n\r\n", start)
    except (isal_zlib.IsalError, EOFError, ValueError) as error:  # type: ignore[misc]
        raise HomeCorrupt(f"a stored page cannot be read: {error}", hint="run `kiebitz doctor`") from error
    if not member.eof:
        raise HomeCorrupt("a stored page cannot be read: it is cut off", hint="run `kiebitz doctor`")
    return block[start:split], block[split + 4 : -4]


def payload_digest(raw: bytes) -> bytes:
    return sha256(raw).digest()


def _stored_head(response: Response) -> bytes:
    head = response.head
    if not head.startswith(b"HTTP/1.1 "):
        head = _STATUS.sub(rb"HTTP/1.1 \1 \2", head, count=1)
    if "transfer-encoding" in response.headers or "trailer" in response.headers:
        head = _HOP.sub(rb"X-Archive-Orig-\1:", head)
    return head


def _member(data: bytes, level: int = 1) -> bytes:
    packed: bytes = igzip_lib.compress(data, level, igzip_lib.COMP_GZIP)
    return packed


def _identity() -> str:
    """A UUID that counts: random per process, so that a record costs no call to the kernel."""
    return f"<urn:uuid:{_PROCESS}-{next(_COUNTER) & 0xFFFFFFFFFFFF:012x}>"


@lru_cache(maxsize=8)
def _date(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
