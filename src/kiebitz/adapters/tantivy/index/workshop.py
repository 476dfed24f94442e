"""Where the open part is written: a folder that only the writer has, whose files are linked into the parts at each commit.

Tantivy merges and removes files whenever it likes. So it never works in a folder that the manifest names: a commit links the
files it consists of under a new name, and these are never touched again. A folder that was being worked in when the process
died is worth nothing and is swept.
"""

import json
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tantivy

from kiebitz.adapters.local.disk import flush, flush_folder, make_folder
from kiebitz.adapters.tantivy.index import manifest
from kiebitz.adapters.tantivy.index.documents import documents_of
from kiebitz.adapters.tantivy.index.fields import tantivy_schema
from kiebitz.adapters.tantivy.index.manifest import KEYS, PartEntry
from kiebitz.adapters.tantivy.index.streams import Streams
from kiebitz.model.hit import Paper
from kiebitz.search import schema

HEAP_BYTES = 96_000_000
META = "meta.json"
_ATTEMPTS = 50


class Workshop:
    """One part being written, from what its last commit left, or from nothing."""

    def __init__(self, root: Path, name: str, before: PartEntry | None, keys: set[int]) -> None:
        self.name = name
        self.keys = keys  # of the papers in it
        self.characters = before.bytes if before else 0  # about what it takes on the disk
        self._parts = root / "parts"
        self._folder = root / "work" / f"{name}-{secrets.token_hex(4)}"
        self._known = {file.name: file for file in before.files} if before else {}
        make_folder(self._parts)
        make_folder(self._folder)
        if before:
            for file in before.files:
                manifest.place(self._parts / before.folder / file.name, self._folder / file.name)
            (self._folder / META).write_text(before.meta)
            managed = [file.name for file in before.files]
            (self._folder / ".managed.json").write_text(json.dumps(managed))  # else nothing old is ever removed
            index = tantivy.Index.open(str(self._folder))
        else:
            index = tantivy.Index(tantivy_schema(), path=str(self._folder))
        self._writer = index.writer(heap_size=HEAP_BYTES, num_threads=1)

    def add(self, paper: Paper, streams: Streams) -> None:
        key = schema.key_of(paper.id)
        self.delete(key)
        for document in documents_of(paper, streams):
            self._writer.add_document(document)
        self.keys.add(key)
        self.characters += sum(len(page.text) for page in paper.pages)

    def delete(self, key: int) -> None:
        if key in self.keys:
            self._writer.delete_documents_by_term(schema.PAPER, schema.word_of(key))
            self.keys.discard(key)

    def commit(self, generation: int, *, seal: bool) -> PartEntry:
        """The part as it is now, in a folder of its own, on the disk."""
        self._writer.commit()
        folder = self._parts / f"{self.name}-{generation}-{secrets.token_hex(3)}"
        meta, names = self._link(folder)
        (folder / META).write_text(meta)
        if seal:
            (folder / KEYS).write_bytes(manifest.pack(self.keys))
            names.append(KEYS)
        for name in {META, *names} - self._known.keys():
            with (folder / name).open("rb") as handle:
                flush(handle.fileno())
        flush_folder(folder)
        flush_folder(self._parts)
        files = tuple(manifest.entry_of(folder / name, self._known) for name in sorted(names))
        self._known = {file.name: file for file in files}
        return PartEntry(self.name, folder.name, len(self.keys), seal, meta, files)

    def _link(self, folder: Path) -> tuple[str, list[str]]:
        """The files of Tantivy's last commit. A merge may replace them while we look, so look again if one is gone."""
        for _ in range(_ATTEMPTS):
            folder.mkdir()
            meta = (self._folder / META).read_text()
            wanted = _files_of(json.loads(meta), [path.name for path in self._folder.iterdir()])
            try:
                for name in wanted:
                    manifest.place(self._folder / name, folder / name)
            except FileNotFoundError:
                shutil.rmtree(folder)
                continue
            if (self._folder / META).read_text() == meta:
                return meta, wanted
            shutil.rmtree(folder)
        raise OSError(f"the files of {self.name} do not hold still")

    def close(self) -> None:
        self._writer.rollback()  # nothing that was not committed shall be
        self._writer.wait_merging_threads()
        shutil.rmtree(self._folder, ignore_errors=True)


def _files_of(meta: dict[str, Any], names: Sequence[str]) -> list[str]:
    """``<segment>.<kind>``, and of the deletions only those of this commit: ``<segment>.<stamp>.del``."""
    segments = {segment["segment_id"].replace("-", ""): segment["deletes"] for segment in meta["segments"]}
    found = []
    for name in names:
        segment, _, kind = name.partition(".")
        if segment not in segments or kind.endswith("temp"):
            continue
        deletes = segments[segment]
        if kind.endswith("del") and (deletes is None or kind != f"{deletes['opstamp']}.del"):
            continue
        found.append(name)
    return found
