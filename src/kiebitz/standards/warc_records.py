"""Read WARC bundles from front to back, as their bytes arrive: the responses, each with its URL and time.

``standards/warc.py`` reads one record whose place is known; this reads all of them. A record beyond a size is passed over
without being held, and what comes after damage is not guessed at.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from isal import igzip_lib, isal_zlib

from kiebitz.errors import HomeCorrupt

PIECE = 1 << 20  # bytes that are unpacked at a time
SLICE = 64 << 10  # bytes that are looked at together: what follows a member is copied for each
_GAP = b"\r\n\r\n"


class StoredResponse(NamedTuple):
    url: str
    at: datetime
    head: bytes
    raw: bytes  # the body as it was sent


class BundleReader:
    """``feed`` it the bytes of a bundle in order, then ``close`` it."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._member: igzip_lib.IgzipDecompressor | None = None
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> Iterator[StoredResponse]:
        """The responses that end within what was fed so far. Raises HomeCorrupt where the bundle is damaged."""
        for start in range(0, len(data), SLICE):
            for block in self._blocks(data[start : start + SLICE]):
                response = _response(block)
                if response is not None:
                    yield response

    def close(self) -> None:
        """Raises HomeCorrupt if the bundle ends within a record."""
        if self._member is not None:
            raise _damaged("it is cut off")

    def _blocks(self, data: bytes) -> Iterator[bytes]:
        while data or self._unpacking:
            if self._member is None:
                self._member = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
            try:
                self._keep(self._member.decompress(data, PIECE))
            except (isal_zlib.IsalError, EOFError, ValueError) as error:  # type: ignore[misc]
                raise _damaged(str(error)) from error
            data = b""
            if self._member.eof:
                data, self._member = self._member.unused_data, None
                if self._size <= self._most_bytes:
                    yield b"".join(self._parts)
                self._parts, self._size = [], 0

    @property
    def _unpacking(self) -> bool:
        return self._member is not None and not self._member.needs_input

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._most_bytes:
            self._parts.append(piece)
        else:
            self._parts.clear()


def _response(block: bytes) -> StoredResponse | None:
    """None for a record of another type."""
    end = block.find(_GAP)
    fields = dict(_field(line) for line in block[:end].split(b"\r\n")[1:])
    if end < 0 or not block.startswith(b"WARC/"):
        raise _damaged("a record without a head")
    if fields.get(b"warc-type") != b"response":
        return None
    try:
        length = int(fields[b"content-length"])
        at = datetime.fromisoformat(fields[b"warc-date"].decode()).astimezone(UTC)
        url = fields[b"warc-target-uri"].decode()
    except (KeyError, ValueError) as error:
        raise _damaged(f"a head without sense: {error}") from error
    content = block[end + 4 : end + 4 + length]
    head, gap, raw = content.partition(_GAP)
    if not gap or len(content) != length:
        raise _damaged("a response without a body")
    return StoredResponse(url, at, head, raw)


def _field(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b":")
    return name.strip().lower(), value.strip()


def _damaged(why: str) -> HomeCorrupt:
    return HomeCorrupt(f"a bundle of stored pages is damaged: {why}", hint="run `kiebitz doctor`")
