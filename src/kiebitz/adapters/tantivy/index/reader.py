"""One part, opened to be searched, and the parts of one generation together.

Each part has its own statistics. A rare word would weigh less in a small part than in a large one, so every term is weighted
by the quotient of what it should weigh over all parts and what it weighs here. What remains is the average length of a
text, which Tantivy takes per part; docs/explain/index.md has the difference this makes.
"""

import json
import math
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import tantivy

from kiebitz.adapters.tantivy.index.manifest import Manifest, PartEntry
from kiebitz.search import schema


class PartReader:
    def __init__(self, root: Path, part: PartEntry) -> None:
        self.name = part.name
        self.folder = part.folder
        self.papers = part.papers
        self._index = tantivy.Index.open(str(root / "parts" / part.folder))
        self.schema = self._index.schema
        self.searcher = self._index.searcher()
        self.documents = _documents_in(part.meta)

    def document_frequency(self, field: str, word: str) -> int:
        return self.searcher.doc_freq(field, word)

    def papers_in(self) -> Iterator[tuple[int, tantivy.DocAddress]]:
        """The keys of all papers, also of those that have a tombstone."""
        query = tantivy.Query.term_query(self.schema, schema.LEVEL, schema.PAPER_LEVEL, index_option="basic")
        hits = self.searcher.search(query, limit=max(1, self.papers), count=False).hits
        addresses = [address for _, address in hits]
        keys = self.searcher.fast_field_values(schema.KEY, addresses)
        yield from ((int(key or 0), address) for key, address in zip(keys, addresses, strict=True))


class Snapshot:
    """All parts as one commit left them. It stays readable when newer commits have come."""

    def __init__(self, root: Path, manifest: Manifest, before: "Snapshot | None" = None) -> None:
        self.manifest = manifest
        known: dict[str, PartReader] = {reader.folder: reader for reader in before.readers} if before else {}
        self.readers: list[PartReader] = [
            known.get(part.folder) or PartReader(root, part) for part in manifest.parts if part.papers
        ]
        self._tombstones = {part.folder: part.tombstones for part in manifest.parts}
        self._exclusions: dict[str, tantivy.Query | None] = {}
        self._frequencies: dict[tuple[str, str], int] = {}

    @cached_property
    def documents(self) -> int:
        return sum(reader.documents for reader in self.readers)

    def tombstones(self, reader: PartReader) -> frozenset[int]:
        return frozenset(self._tombstones[reader.folder])

    def exclusion(self, reader: PartReader) -> tantivy.Query | None:
        """What is deleted in the part, as a query; None if nothing is."""
        if reader.folder not in self._exclusions:
            keys = self._tombstones[reader.folder]
            words = list(map(schema.word_of, keys))
            query = tantivy.Query.term_set_query(reader.schema, schema.PAPER, words) if words else None
            self._exclusions[reader.folder] = query
        return self._exclusions[reader.folder]

    def frequency(self, field: str, word: str) -> int:
        """In how many documents of all parts the word stands."""
        found = self._frequencies.get((field, word))
        if found is None:
            found = sum(reader.document_frequency(field, word) for reader in self.readers)
            self._frequencies[field, word] = found
        return found

    def rarity(self, field: str, word: str) -> float:
        return rarity(self.documents, self.frequency(field, word))


def rarity(documents: int, frequency: int) -> float:
    """The inverse document frequency of BM25, as Tantivy has it."""
    return math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


def _documents_in(meta: str) -> int:
    values: dict[str, Any] = json.loads(meta)
    return sum(segment["max_doc"] for segment in values["segments"])
