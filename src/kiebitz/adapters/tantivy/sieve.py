"""The sieve on Tantivy, in memory: the same documents and the same queries as those of the index, without its ranking."""

from collections.abc import Sequence
from pathlib import Path

import tantivy

from kiebitz.adapters.tantivy.index.compiler import Compiler
from kiebitz.adapters.tantivy.index.documents import documents_of
from kiebitz.adapters.tantivy.index.fields import tantivy_schema
from kiebitz.adapters.tantivy.index.manifest import Manifest
from kiebitz.adapters.tantivy.index.reader import PartReader, Snapshot
from kiebitz.adapters.tantivy.index.streams import Streams
from kiebitz.model.hit import Paper
from kiebitz.model.query import Search
from kiebitz.search import schema

HEAP_BYTES = 32 << 20


class TantivySieve:
    """Implements the Sieve port. ``streams`` remember words between batches: share them."""

    def __init__(self, papers: Sequence[Paper], streams: Streams) -> None:
        self._ids = {schema.key_of(paper.id): paper.id for paper in papers}
        self._reader = _Reader(papers, streams)
        self._compiler = Compiler(_Snapshot(self._reader), self._reader, streams)

    def matching(self, search: Search) -> Sequence[str]:
        query = self._compiler.papers(search, relaxed=False)
        hits = self._reader.searcher.search(query, limit=max(1, len(self._ids)), count=False).hits
        keys = self._reader.searcher.fast_field_values(schema.KEY, [address for _, address in hits])
        return [self._ids[int(key or 0)] for key in keys]


class _Reader(PartReader):
    def __init__(self, papers: Sequence[Paper], streams: Streams) -> None:  # a part that has no folder
        index = tantivy.Index(tantivy_schema())
        writer = index.writer(heap_size=HEAP_BYTES, num_threads=1)
        for paper in papers:
            writer.add_document(next(iter(documents_of(paper, streams))))  # passages are only for showing
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self.name = self.folder = ""
        self.papers = self.documents = len(papers)
        self.schema = index.schema
        self.searcher = index.searcher()


class _Snapshot(Snapshot):
    def __init__(self, reader: _Reader) -> None:
        super().__init__(Path(), Manifest())  # no parts: nothing is opened
        self.readers = [reader]

    def exclusion(self, reader: PartReader) -> tantivy.Query | None:  # noqa: ARG002 -- nothing is deleted here
        return None
