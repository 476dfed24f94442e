"""Contents that unpack to far more than they weigh, or in too many layers, or not at all; and good ones beside them."""

import gzip
import zlib
from functools import cache

import brotli
import zstandard

from kiebitz.lab.exchange import HTML, Answer, Ask, Reply
from kiebitz.lab.misbehaviour.case import Case
from kiebitz.lab.misbehaviour.host import Answerer, BadHost, html

MEGABYTE = 1 << 20
UNPACKED = 96 * MEGABYTE
LONG_PAGE = html("Alles gut", " ".join(f"§ {n}: Absatz {n * n % 97} wird geändert." for n in range(2500))).encode()


def hosts() -> list[BadHost]:
    return [_bomb(), _coding()]


def _bomb() -> BadHost:
    base = "http://bomb.example"
    return BadHost(
        "bomb.example",
        {
            "/gzip": lambda _ask, _before: _coded(_gzip_bomb(), "gzip"),
            "/br": lambda _ask, _before: _coded(_brotli_bomb(), "br"),
            "/zstd": lambda _ask, _before: _coded(_zstd_bomb(), "zstd"),
            "/verschachtelt": lambda _ask, _before: _coded(gzip.compress(_gzip_bomb(), mtime=0), "gzip, gzip"),
            "/schichten": lambda _ask, _before: _coded(_layers(6), ", ".join(["gzip"] * 6)),
        },
        [
            Case(f"{base}/{name}", "skipped", "limit|size")
            for name in ("gzip", "br", "zstd", "verschachtelt", "schichten")
        ],
    )


def _coding() -> BadHost:
    """What must be read (compressed about six to one), and what cannot be."""
    base = "http://coding.example"
    packed = gzip.compress(LONG_PAGE, mtime=0)
    table = {
        "/gzip": _always_coded(packed, "gzip"),
        "/x-gzip": _always_coded(packed, "x-gzip"),
        "/deflate": _always_coded(zlib.compress(LONG_PAGE), "deflate"),
        "/deflate-roh": _always_coded(zlib.compress(LONG_PAGE)[2:-4], "deflate"),
        "/br": _always_coded(brotli.compress(LONG_PAGE, quality=1), "br"),
        "/zstd": _always_coded(zstandard.compress(LONG_PAGE), "zstd"),
        "/zweifach": _always_coded(gzip.compress(packed, mtime=0), "gzip, gzip"),
        "/glieder": _always_coded(
            gzip.compress(LONG_PAGE[:5000], mtime=0) + gzip.compress(LONG_PAGE[5000:], mtime=0), "gzip"
        ),
        "/identity": _always_coded(LONG_PAGE, "identity"),
    }
    broken = {
        "/abgeschnitten": _always_coded(packed[:-200], "gzip"),
        "/gelogen": _always_coded(LONG_PAGE, "gzip"),
        "/unbekannt": _always_coded(LONG_PAGE, "sonderbar"),
    }
    good = [Case(f"{base}{path}", "done", text="Alles gut") for path in table]
    return BadHost(
        "coding.example",
        {**table, **broken},
        [*good, *(Case(f"{base}{path}", "done|failed|skipped") for path in broken)],
    )


def _coded(data: bytes, coding: str) -> Reply:
    return Reply(data, content_type=HTML, fields=(("Content-Encoding", coding),))


def _always_coded(data: bytes, coding: str) -> Answerer:
    def answer(_ask: Ask, _before: int) -> Answer:
        return _coded(data, coding)

    return answer


@cache
def _gzip_bomb() -> bytes:
    """One flushed megabyte of zeros, repeated: a valid stream that costs nothing to make."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(bytes(MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(UNPACKED // MEGABYTE):
        checksum = zlib.crc32(bytes(MEGABYTE), checksum)
    end = zlib.compressobj(9, zlib.DEFLATED, -15).flush()
    trailer = checksum.to_bytes(4, "little") + UNPACKED.to_bytes(4, "little")
    return b"\x1f\x8b\x08\0\0\0\0\0\2\xff" + block * (UNPACKED // MEGABYTE) + end + trailer


@cache
def _brotli_bomb() -> bytes:
    return bytes(brotli.compress(bytes(UNPACKED), quality=1))


@cache
def _zstd_bomb() -> bytes:
    return zstandard.ZstdCompressor(level=1).compress(bytes(UNPACKED))


@cache
def _layers(count: int) -> bytes:
    data = LONG_PAGE
    for _ in range(count):
        data = gzip.compress(data, mtime=0)
    return data
