"""The index on Tantivy: a list of parts, of which one is open (docs/adr/0010).

A folder holds ``manifest.json``, ``parts/`` (immutable folders that it names), ``work/`` (the writer's own) and
``writer.lock``. Opening costs nothing: the writer comes with the first change, readers with the first search, and a reader
sees a commit of any process with its next search.
"""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from kiebitz.adapters.local.disk import make_folder, translated
from kiebitz.adapters.tantivy.index import manifest
from kiebitz.adapters.tantivy.index.check import faults_of
from kiebitz.adapters.tantivy.index.manifest import Manifest
from kiebitz.adapters.tantivy.index.ranking import find, read_cursor
from kiebitz.adapters.tantivy.index.reader import Snapshot
from kiebitz.adapters.tantivy.index.showing import facets_of, hits_of
from kiebitz.adapters.tantivy.index.streams import Streams
from kiebitz.adapters.tantivy.index.suggestions import corrected, suggestions
from kiebitz.adapters.tantivy.index.writer import PartLimits, Writer
from kiebitz.errors import HomeError, StaleLease
from kiebitz.model.hit import Paper, Results
from kiebitz.model.query import Search
from kiebitz.ports.index import IndexStatus

if TYPE_CHECKING:
    from kiebitz.adapters.tantivy.index.mirror import Mirror

T = TypeVar("T")
PINNED = 4  # snapshots that cursors point into
_ATTEMPTS = 20


class TantivyIndex:
    """Reads the folder; writes it too, if asked to, unless another process does. With a mirror, that one decides."""

    def __init__(
        self,
        folder: Path,
        *,
        limits: PartLimits | None = None,
        mirror: "Mirror | None" = None,
        streams: Streams | None = None,
    ) -> None:
        self._root = folder.absolute()
        self._limits = limits or PartLimits()
        self._mirror = mirror
        self._streams = streams or Streams()
        self._writing = asyncio.Lock()
        self._reading = threading.Lock()
        self._writer: Writer | None = None
        self._lost = False
        self._stamp: tuple[int, int, int] | None = None
        self._snapshot = Snapshot(self._root, Manifest())
        self._pinned: OrderedDict[int, Snapshot] = OrderedDict()
        with translated(self._root):
            make_folder(self._root)

    async def add(self, papers: Sequence[Paper]) -> None:
        async with self._writing:
            writer = await self._opened()
            await self._run(lambda: writer.add(papers))

    async def delete(self, ids: Sequence[str]) -> None:
        async with self._writing:
            writer = await self._opened()
            await self._run(lambda: writer.delete(ids))

    async def commit(self, position: int) -> None:
        async with self._writing:
            writer = await self._opened()
            await self._publish(writer, await self._run(lambda: writer.prepare(position)))

    async def position(self) -> int:
        return (await self._run(self._manifest)).position

    async def search(self, search: Search) -> Results:
        return await self._run(lambda: self._search(search))

    async def suggest(self, text: str, *, limit: int = 8) -> list[str]:
        return await self._run(lambda: suggestions(self._current(), self._streams, text, limit))

    async def status(self) -> IndexStatus:
        known = await self._run(self._manifest)
        size = sum(part.bytes for part in known.parts)
        return IndexStatus(known.papers, len(known.parts), size, known.position, known.schema)

    async def verify(self) -> list[str]:
        return await self._run(lambda: faults_of(self._root))

    async def compact(self) -> None:
        async with self._writing:
            writer = await self._opened()
            prepared = await self._run(writer.compact)
            if prepared:
                await self._publish(writer, prepared)

    async def close(self) -> None:
        async with self._writing:
            await self._abandon()
            if self._mirror:
                await self._mirror.release()

    async def _opened(self) -> Writer:
        if self._lost:
            raise StaleLease(["index"])
        if self._writer is None:
            if self._mirror:
                await self._mirror.take_over(self._root)
            self._writer = await self._run(lambda: Writer(self._root, self._limits, self._streams))
        return self._writer

    async def _publish(self, writer: Writer, prepared: Manifest) -> None:
        if self._mirror:
            try:
                prepared = await self._mirror.publish(self._root, prepared)
            except StaleLease:
                self._lost = True  # what was prepared here is not the index any more
                await self._abandon()
                raise
        await self._run(lambda: writer.conclude(prepared))

    async def _abandon(self) -> None:
        writer, self._writer = self._writer, None
        if writer:
            await self._run(writer.close)

    async def _run(self, work: Callable[[], T]) -> T:
        def translated_work() -> T:
            with translated(self._root):
                return work()

        return await asyncio.to_thread(translated_work)

    def _manifest(self) -> Manifest:
        return manifest.read(self._root)

    def _search(self, search: Search) -> Results:
        cursor = read_cursor(search.cursor)
        snapshot = (self._pinned.get(cursor.generation) if cursor else None) or self._current()
        finding = find(snapshot, self._streams, search)
        if finding.cursor:
            self._pin(snapshot)
        facets = facets_of(finding.queries) if search.facets else ()
        hits = hits_of(finding, search.query, self._streams)
        meant = "" if finding.total or not search.text else corrected(snapshot, search.text)
        return Results(hits, finding.total, finding.cursor, facets, meant)

    def _pin(self, snapshot: Snapshot) -> None:
        """So that the next page comes from the same commit, whatever is added meanwhile."""
        with self._reading:
            self._pinned[snapshot.manifest.generation] = snapshot
            self._pinned.move_to_end(snapshot.manifest.generation)
            while len(self._pinned) > PINNED:
                self._pinned.popitem(last=False)

    def _current(self) -> Snapshot:
        """As the last commit left it, whoever made it."""
        with self._reading:
            for _ in range(_ATTEMPTS):
                stamp = manifest.stamp(self._root)
                if stamp == self._stamp:
                    return self._snapshot
                try:
                    self._snapshot = Snapshot(self._root, self._manifest(), self._snapshot)
                except (ValueError, OSError) as error:  # a writer has replaced the part since the manifest was read
                    if manifest.stamp(self._root) == stamp:
                        raise HomeError(
                            f"a part of the index cannot be opened: {error}", hint="kiebitz index verify"
                        ) from error
                    continue
                self._stamp = stamp
            return self._snapshot
