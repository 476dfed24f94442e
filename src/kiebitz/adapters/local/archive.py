"""Where pages are kept: an open WARC bundle beside the databases, sealed ones among the blobs.

The open bundle is a spool file. It is synced before the settle that records its length, and a restart truncates it to
that length; so a bundle never holds a page that no row refers to.
"""

import asyncio
from pathlib import Path
from typing import BinaryIO

from kiebitz import __version__
from kiebitz.adapters.local.disk import flush, flush_folder, make_folder, translated
from kiebitz.model.request import Capture
from kiebitz.model.visit import BundleMark
from kiebitz.ports.archive import bundle_ending, bundle_key, bundle_name
from kiebitz.ports.blobs import Blobs
from kiebitz.ports.clock import Clock
from kiebitz.ports.frontier import Frontier
from kiebitz.standards import warc


class FolderArchive:
    def __init__(self, folder: Path, holder: str, blobs: Blobs, frontier: Frontier, clock: Clock) -> None:
        self._folder = folder
        self._holder = holder
        self._blobs = blobs
        self._frontier = frontier
        self._clock = clock
        self._file: BinaryIO | None = None
        self._name = ""
        self._length = 0  # recorded by a settle
        self._opened_at = 0.0
        self._number = 0

    async def append(self, records: list[bytes]) -> tuple[BundleMark, list[tuple[str, int, int]]]:
        with translated(self._folder):
            return await asyncio.to_thread(self._append, records)

    def settled(self, mark: BundleMark) -> None:
        self._length = mark.length

    async def roll(self, *, max_bytes: int, max_seconds: float) -> None:
        if self._file and (self._length >= max_bytes or self._clock.now() - self._opened_at >= max_seconds):
            await self.seal()

    async def seal(self) -> None:
        if self._file is None:
            return
        file, self._file = self._file, None
        with translated(self._folder), file:
            await asyncio.to_thread(_cut, file, self._length)
            await self._deliver(self._folder / self._name, self._length)

    async def recover(self, holder: str) -> None:
        marks = await self._frontier.marks()
        for path in sorted(self._folder.glob(f"*{bundle_ending(holder)}")):
            with translated(path), path.open("r+b") as file:
                length = min(marks.pop(path.name, 0), path.stat().st_size)
                await asyncio.to_thread(_cut, file, length)
            await self._deliver(path, length)
        for name in marks:
            if name.endswith(bundle_ending(holder)):
                await self._frontier.seal(name)  # it died between delivering and saying so

    async def read(self, capture: Capture) -> tuple[bytes, bytes]:
        path = self._folder / capture.bundle
        with translated(path):
            record = await asyncio.to_thread(_read_at, path, capture)
        if record is None:
            key = bundle_key(capture.bundle)
            record = await self._blobs.get(key, start=capture.offset, length=capture.length)
        return warc.stored(record)

    async def _deliver(self, path: Path, length: int) -> None:
        if length:
            await self._frontier.sync()  # the blobs never hold a page that the frontier could still forget
            await self._blobs.put(bundle_key(path.name), path)
            await self._frontier.seal(path.name)
        await asyncio.to_thread(path.unlink, missing_ok=True)

    def _append(self, records: list[bytes]) -> tuple[BundleMark, list[tuple[str, int, int]]]:
        file = self._file or self._open()
        file.truncate(self._length)  # what a refused settle left behind
        file.seek(self._length)
        offset = self._length
        data = []
        if offset == 0:
            data.append(warc.opening(self._name, self._opened_at, f"kiebitz/{__version__}"))
            offset = len(data[0])
        places = []
        for record in records:
            places.append((self._name, offset, len(record)))
            offset += len(record)
        file.writelines([*data, *records])
        file.flush()
        flush(file.fileno())
        return BundleMark(self._name, offset), places

    def _open(self) -> BinaryIO:
        make_folder(self._folder)
        self._opened_at = self._clock.now()
        self._number += 1
        self._name, self._length = bundle_name(self._clock.utc(), self._number, self._holder), 0
        self._file = (self._folder / self._name).open("w+b")
        flush_folder(self._folder)
        return self._file


def _cut(file: BinaryIO, length: int) -> None:
    file.truncate(length)
    flush(file.fileno())


def _read_at(path: Path, capture: Capture) -> bytes | None:
    """None if there is no such file: the bundle is sealed."""
    try:
        with path.open("rb") as file:
            file.seek(capture.offset)
            return file.read(capture.length)
    except FileNotFoundError:
        return None
