"""The one that writes the index: fills the open part, seals it when it is full, and notes what is deleted in the others.

``prepare`` puts everything on the disk and says what the manifest would be; ``conclude`` replaces the manifest, which is the
commit. Between them a mirror may be told. Whatever a crash leaves beside the manifest is swept by the next writer.
"""

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from kiebitz.adapters.local.disk import make_folder
from kiebitz.adapters.tantivy.index import manifest
from kiebitz.adapters.tantivy.index.documents import paper_of, record_of
from kiebitz.adapters.tantivy.index.manifest import KEYS, Manifest, PartEntry
from kiebitz.adapters.tantivy.index.pages import all_passages
from kiebitz.adapters.tantivy.index.reader import PartReader
from kiebitz.adapters.tantivy.index.streams import Streams
from kiebitz.adapters.tantivy.index.workshop import Workshop
from kiebitz.errors import InputError, Locked
from kiebitz.model.hit import Paper
from kiebitz.search import schema


class PartLimits(NamedTuple):
    """When the open part is full."""

    papers: int = 50_000
    characters: int = 400_000_000


class Sealed(NamedTuple):
    entry: PartEntry
    keys: frozenset[int]
    deleted: set[int]  # also what is not committed yet


class Writer:
    def __init__(self, root: Path, limits: PartLimits, streams: Streams) -> None:
        self._root = root
        self._limits = limits
        self._streams = streams
        make_folder(root / "parts")
        self._lock = _locked(root)
        self._before = manifest.read(root)
        self._sealed: dict[str, Sealed] = {}
        self._sweep()
        self._sealed |= {part.name: self._open_sealed(part) for part in self._before.parts if part.sealed}
        self._workshop: Workshop | None = None
        self._open_keys = self._keys_of_open_part()
        self._numbers = 0
        self._changed = False

    @property
    def manifest(self) -> Manifest:
        """Of the last commit."""
        return self._before

    def add(self, papers: Sequence[Paper]) -> None:
        for paper in papers:
            self._delete_sealed(schema.key_of(paper.id))
            workshop = self._opened()
            workshop.add(paper, self._streams)
            if len(workshop.keys) >= self._limits.papers or workshop.characters >= self._limits.characters:
                self._seal(workshop)
        self._changed = self._changed or bool(papers)

    def delete(self, ids: Iterable[str]) -> None:
        for key in map(schema.key_of, ids):
            self._delete_sealed(key)
            if key in (self._workshop.keys if self._workshop else self._open_keys):
                self._opened().delete(key)
                self._changed = True

    def prepare(self, position: int, token: int = 0) -> Manifest:
        """Everything of the next manifest is on the disk."""
        generation = self._before.generation + 1
        parts = [part.entry._replace(tombstones=tuple(sorted(part.deleted))) for part in self._sealed.values()]
        if self._workshop:
            parts.append(self._workshop.commit(generation, seal=False))
        elif self._before.open_part and self._before.open_part.name not in self._sealed:
            parts.append(self._before.open_part)
        return Manifest(generation, position, schema.VERSION, tuple(parts), token)

    def conclude(self, prepared: Manifest) -> None:
        """The commit. Folders of the commit before stay until the next: a reader may be about to open them."""
        manifest.write(self._root, prepared)
        kept = {part.folder for generation in (self._before, prepared) for part in generation.parts}
        self._before = prepared
        self._changed = False
        self._remove_folders(kept)

    def compact(self) -> Manifest | None:
        """Prepared: the sealed parts that have deletions or are small, written anew. None if there is nothing to do."""
        if self._changed:
            raise InputError("the index has changes that are not committed", hint="commit them first")
        chosen = [part for part in self._sealed.values() if part.deleted]
        small = [p for p in self._sealed.values() if not p.deleted and len(p.keys) < self._limits.papers // 2]
        chosen += small if len(small) + len(chosen) > 1 else []
        if not chosen:
            return None
        fresh: list[Sealed] = []
        workshop: Workshop | None = None
        for paper in (paper for part in chosen for paper in self._papers(part)):
            workshop = workshop or Workshop(self._root, self._new_name(), None, set())
            workshop.add(paper, self._streams)
            if len(workshop.keys) >= self._limits.papers or workshop.characters >= self._limits.characters:
                fresh.append(self._finished(workshop))
                workshop = None
        if workshop:
            fresh.append(self._finished(workshop))
        for part in chosen:
            del self._sealed[part.entry.name]
        self._sealed |= {part.entry.name: part for part in fresh}
        return self.prepare(self._before.position, self._before.token)

    def close(self) -> None:
        if self._workshop:
            self._workshop.close()
        os.close(self._lock)

    def _delete_sealed(self, key: int) -> None:
        for part in self._sealed.values():
            if key in part.keys and key not in part.deleted:
                part.deleted.add(key)
                self._changed = True

    def _opened(self) -> Workshop:
        if self._workshop is None:
            before = self._before.open_part
            if before and before.name in self._sealed:
                before = None  # it was sealed since
            name = before.name if before else self._new_name()
            self._workshop = Workshop(self._root, name, before, self._open_keys if before else set())
        return self._workshop

    def _seal(self, workshop: Workshop) -> None:
        """Seen by nobody before the next commit names it."""
        sealed = self._finished(workshop)
        self._sealed[workshop.name] = sealed
        self._workshop = None
        self._open_keys = set()

    def _finished(self, workshop: Workshop) -> Sealed:
        entry = workshop.commit(self._before.generation + 1, seal=True)
        workshop.close()
        return Sealed(entry, frozenset(workshop.keys), set())

    def _new_name(self) -> str:
        known = {part.name for part in self._before.parts} | self._sealed.keys()
        self._numbers += 1
        while (name := f"p{len(known) + self._numbers:06}") in known:
            self._numbers += 1
        return name

    def _papers(self, part: Sealed) -> Iterator[Paper]:
        reader = PartReader(self._root, part.entry)
        for key, address in reader.papers_in():
            if key in part.deleted:
                continue
            record = record_of(reader.searcher.doc(address))
            passages = all_passages(key, reader, record["passages"]) if record["passages"] else []
            yield paper_of(record, [record_of(passage) for passage in passages])

    def _open_sealed(self, part: PartEntry) -> Sealed:
        keys = manifest.unpack((self._root / "parts" / part.folder / KEYS).read_bytes())
        return Sealed(part, keys, set(part.tombstones))

    def _keys_of_open_part(self) -> set[int]:
        part = self._before.open_part
        return {key for key, _ in PartReader(self._root, part).papers_in()} if part else set()

    def _sweep(self) -> None:
        shutil.rmtree(self._root / "work", ignore_errors=True)
        for left in self._root.glob("upload-*"):
            left.unlink(missing_ok=True)
        self._remove_folders({part.folder for part in self._before.parts})

    def _remove_folders(self, kept: set[str]) -> None:
        kept = kept | {part.entry.folder for part in self._sealed.values()}
        for folder in (self._root / "parts").iterdir():
            if folder.name not in kept:
                shutil.rmtree(folder, ignore_errors=True)


def _locked(root: Path) -> int:
    descriptor = os.open(root / "writer.lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise Locked(f"another process writes the index in {root}", hint="stop it, or wait until it ends") from error
    return descriptor
