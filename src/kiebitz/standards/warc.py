"""WARC 1.1 records (ISO 28500) of one exchange: response and request, each a gzip member of its own.

Level 1 of ISA-L costs a tenth of zlib; ``warcio check`` reads it. Bodies are stored as sent, with the transfer coding
already undone, so the header fields that described it are renamed as archives do.
"""

import re
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from os import urandom

from isal import igzip_lib, isal_zlib

from kiebitz.errors import HomeCorrupt
from kiebitz.model.response import Response

_HOP = re.compile(rb"^(Transfer-Encoding|Trailer):", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(rb"^HTTP/[\d.]+ (\d{3}) ?(.*)")


def exchange(url: str, at: float, response: Response, payload: bytes) -> bytes:
    """Both records, compressed. ``payload`` is the SHA-256 of the raw body."""
    date, identity = _date(int(at)), _identity()
    head = _stored_head(response.head)
    block = b"%b\r\n\r\n%b" % (head, response.raw)
    answer = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: {identity}\r\nWARC-Date: {date}\r\n"
        f"WARC-Target-URI: {url}\r\nWARC-IP-Address: {response.address}\r\n"
        f"WARC-Payload-Digest: sha256:{payload.hex()}\r\nContent-Type: application/http;msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    ).encode()
    question = (
        f"WARC/1.1\r\nWARC-Type: request\r\nWARC-Record-ID: {_identity()}\r\nWARC-Date: {date}\r\n"
        f"WARC-Target-URI: {url}\r\nWARC-Concurrent-To: {identity}\r\nContent-Type: application/http;msgtype=request\r\n"
        f"Content-Length: {len(response.request_head)}\r\n\r\n"
    ).encode()
    return _member(b"%b%b\r\n\r\n" % (answer, block)) + _member(b"%b%b\r\n\r\n" % (question, response.request_head))


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
    try:
        block = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP).decompress(record)
        start = block.index(b"\r\n\r\n") + 4
        split = block.index(b"\r\n\r\n", start)
    except (isal_zlib.IsalError, EOFError, ValueError) as error:  # type: ignore[misc]
        raise HomeCorrupt(f"a stored page cannot be read: {error}", hint="run `kiebitz doctor`") from error
    return block[start:split], block[split + 4 : -4]


def payload_digest(raw: bytes) -> bytes:
    return sha256(raw).digest()


def _stored_head(head: bytes) -> bytes:
    if not head.startswith(b"HTTP/1.1 "):
        head = _STATUS.sub(rb"HTTP/1.1 \1 \2", head, count=1)
    return _HOP.sub(rb"X-Archive-Orig-\1:", head)


def _member(data: bytes) -> bytes:
    packed: bytes = igzip_lib.compress(data, 1, igzip_lib.COMP_GZIP)
    return packed


def _identity() -> str:
    value = bytearray(urandom(16))
    value[6] = value[6] & 0x0F | 0x40
    value[8] = value[8] & 0x3F | 0x80
    text = value.hex()
    return f"<urn:uuid:{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}>"


@lru_cache(maxsize=8)
def _date(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
