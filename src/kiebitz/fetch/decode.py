"""Content codings (gzip, deflate, br, zstd) undone under caps on bytes, ratio and layers.

A body of a few kilobytes may unfold to gigabytes. So every layer is a stream of bounded pieces, each layer's output is
counted, and nothing is allocated beyond the cap. The libraries are loaded when a body first needs them.
"""

from collections.abc import Callable, Iterator
from io import BytesIO

from kiebitz.errors import FetchError, LimitExceeded, Unreachable
from kiebitz.model.response import Limits

PIECE = 64 << 10
RATIO_FROM = 64 << 10  # below this any ratio is harmless: a small page of spaces is not an attack
MEMBERS = 10_000  # of one gzip or zstd body: empty ones cost time without output
ZSTD_WINDOW = 8 << 20  # RFC 9659
ZSTD_CUT = 256  # bytes, which can say at most 8 MiB: a block of 128 KiB takes four
# What servers write when they mean that nothing was done.
_PLAIN = frozenset(("", "identity", "none", "binary", "utf-8"))

Pieces = Iterator[bytes]


def decode(raw: bytes, encoding: str, limits: Limits) -> bytes:
    """``raw`` without the codings that the Content-Encoding field ``encoding`` names.

    Raises LimitExceeded (size, ratio, layers), Unreachable for a broken or truncated stream, FetchError for a coding
    that we did not ask for and do not know.
    """
    codings = [coding for part in encoding.lower().split(",") if (coding := part.strip()) not in _PLAIN]
    if not codings or not raw:
        return raw
    if len(codings) > limits.layers:
        raise LimitExceeded("layers", f"{len(codings)} content codings: {encoding[:80]}")
    by_ratio = max(RATIO_FROM, len(raw) * limits.ratio)
    allowed = min(limits.max_bytes, by_ratio)
    reason = "size" if allowed == limits.max_bytes else "ratio"
    pieces = _cut(raw, PIECE)
    for coding in reversed(codings):
        layer = _LAYERS.get(coding)
        if layer is None:
            raise FetchError("encoding", f"unknown content coding {coding[:40]!r}")
        pieces = _capped(layer(pieces), allowed, reason)
    content = BytesIO()
    for piece in pieces:
        content.write(piece)
    return content.getvalue()


def _cut(data: bytes, size: int) -> Pieces:
    if len(data) <= size:
        yield data
        return
    view = memoryview(data)
    for start in range(0, len(data), size):
        yield bytes(view[start : start + size])


def _capped(pieces: Pieces, allowed: int, reason: str) -> Pieces:
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > allowed:
            raise LimitExceeded(reason, f"a body unfolds to more than {allowed} bytes")
        yield piece


def _gzip(pieces: Pieces) -> Pieces:
    from isal import igzip_lib

    return _inflate(pieces, igzip_lib.DECOMP_GZIP, b"\x1f\x8b")


def _deflate(pieces: Pieces) -> Pieces:
    """The format of zlib by the standard, raw by the habit of some servers; no encoder's raw stream looks like zlib's."""
    from isal import igzip_lib

    first = next(pieces, b"")
    is_zlib = len(first) > 1 and first[0] & 0x0F == 8 and int.from_bytes(first[:2]) % 31 == 0
    return _inflate(_chain(first, pieces), igzip_lib.DECOMP_ZLIB if is_zlib else igzip_lib.DECOMP_DEFLATE, b"")


def _chain(first: bytes, pieces: Pieces) -> Pieces:
    yield first
    yield from pieces


def _inflate(pieces: Pieces, flag: int, magic: bytes) -> Pieces:
    """With ``magic`` another member may follow the first; whatever else follows is ignored, as browsers do."""
    from isal.igzip_lib import IgzipDecompressor, IsalError

    inflater = IgzipDecompressor(flag=flag)
    members = 1
    try:
        for piece in pieces:
            data = piece
            while data:
                if inflater.eof:
                    if not magic or not data.startswith(magic):
                        _drain(pieces)
                        return
                    members = _count(members)
                    inflater = IgzipDecompressor(flag=flag)
                out = inflater.decompress(data, PIECE)
                yield out
                while out and not inflater.eof:  # needs_input may be true although more would come out
                    out = inflater.decompress(b"", PIECE)
                    yield out
                data = inflater.unused_data if inflater.eof else b""
    except IsalError as broken:  # type: ignore[misc] # typed as an instance
        raise _broken(str(broken)) from None
    if not inflater.eof:
        raise _broken("the stream ends too early")


def _brotli(pieces: Pieces) -> Pieces:
    import brotli

    decompressor = brotli.Decompressor()
    try:
        for piece in pieces:
            out = decompressor.process(piece, output_buffer_limit=PIECE)
            yield out
            while out and not decompressor.is_finished():  # can_accept_more_data does not mean that all is out
                out = decompressor.process(b"", output_buffer_limit=PIECE)
                yield out
            if decompressor.is_finished():
                _drain(pieces)
                return
    except brotli.error as broken:
        raise _broken(str(broken)) from None
    raise _broken("the stream ends too early")


def _zstd(pieces: Pieces) -> Pieces:
    """The library does not bound its output, so we bound its input."""
    import zstandard

    decompressor = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW)
    frame = decompressor.decompressobj()
    members = 1
    try:
        for piece in pieces:
            for cut in _cut(piece, ZSTD_CUT):
                data = cut
                while data:
                    if frame.eof:
                        members = _count(members)
                        frame = decompressor.decompressobj()
                    yield frame.decompress(data)
                    data = frame.unused_data if frame.eof else b""
    except zstandard.ZstdError as broken:
        raise _broken(str(broken)) from None
    if not frame.eof:
        raise _broken("the stream ends too early")


def _drain(pieces: Pieces) -> None:
    """Read on although we have all: the layer below finds out only at its end whether it is whole."""
    for _ in pieces:
        pass


def _count(members: int) -> int:
    if members >= MEMBERS:
        raise LimitExceeded("members", f"a body of more than {MEMBERS} compressed members")
    return members + 1


def _broken(detail: str) -> Unreachable:
    return Unreachable("broken encoding", f"broken encoding: {detail}")


_LAYERS: dict[str, Callable[[Pieces], Pieces]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
