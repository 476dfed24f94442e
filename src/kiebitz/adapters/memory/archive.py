"""The archive in memory: open bundles in a dictionary that writers may share, sealed ones among the blobs."""

from kiebitz import __version__
from kiebitz.model.request import Capture
from kiebitz.model.visit import BundleMark
from kiebitz.ports.archive import bundle_ending, bundle_key, bundle_name
from kiebitz.ports.blobs import Blobs
from kiebitz.ports.clock import Clock
from kiebitz.ports.frontier import Frontier
from kiebitz.standards import warc

Spool = dict[str, bytearray]  # open bundles of all writers, by name


class MemoryArchive:
    def __init__(self, holder: str, blobs: Blobs, frontier: Frontier, clock: Clock, spool: Spool | None = None) -> None:
        self._holder = holder
        self._blobs = blobs
        self._frontier = frontier
        self._clock = clock
        self._spool: Spool = {} if spool is None else spool
        self._name = ""
        self._length = 0  # recorded by a settle
        self._opened_at = 0.0
        self._number = 0

    async def append(self, records: list[bytes]) -> tuple[BundleMark, list[tuple[str, int, int]]]:
        bundle = self._spool[self._name] if self._name else self._open()
        del bundle[self._length :]  # what a refused settle left behind
        if not bundle:
            bundle += warc.opening(self._name, self._opened_at, f"kiebitz/{__version__}")
        places = []
        for record in records:
            places.append((self._name, len(bundle), len(record)))
            bundle += record
        return BundleMark(self._name, len(bundle)), places

    def settled(self, mark: BundleMark) -> None:
        self._length = mark.length

    async def roll(self, *, max_bytes: int, max_seconds: float) -> None:
        if self._length >= max_bytes or self._clock.now() - self._opened_at >= max_seconds:
            await self.seal()

    async def seal(self) -> None:
        name, self._name = self._name, ""
        if name:
            await self._deliver(name, self._length)

    async def recover(self, holder: str) -> None:
        marks = await self._frontier.marks()
        names = {name for name in (*self._spool, *marks) if name.endswith(bundle_ending(holder))}
        for name in sorted(names):
            await self._deliver(name, marks.get(name, 0))

    async def read(self, capture: Capture) -> tuple[bytes, bytes]:
        start, end = capture.offset, capture.offset + capture.length
        if capture.bundle in self._spool:
            return warc.stored(bytes(self._spool[capture.bundle][start:end]))
        return warc.stored(await self._blobs.get(bundle_key(capture.bundle), start=start, length=capture.length))

    async def _deliver(self, name: str, length: int) -> None:
        if length:
            await self._frontier.sync()
            if name in self._spool:  # else it died between delivering and saying so
                await self._blobs.put(bundle_key(name), bytes(self._spool[name][:length]))
            await self._frontier.seal(name)
        self._spool.pop(name, None)

    def _open(self) -> bytearray:
        self._number += 1
        self._opened_at, self._length = self._clock.now(), 0
        self._name = bundle_name(self._clock.utc(), self._number, self._holder)
        return self._spool.setdefault(self._name, bytearray())
