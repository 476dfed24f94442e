"""A folder that is brought to what a mirror's manifest names. Files that it has already are linked, never fetched again."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Protocol

from kiebitz.adapters.local.disk import flush, flush_folder, make_folder, translated
from kiebitz.adapters.tantivy.index import manifest
from kiebitz.adapters.tantivy.index.manifest import KEYS, FileEntry, Manifest, PartEntry
from kiebitz.adapters.tantivy.index.workshop import META
from kiebitz.errors import HomeCorrupt


class Origin(Protocol):
    def fetch(self, part: PartEntry, file: FileEntry) -> AsyncIterator[bytes]: ...


class Cache:
    def __init__(self, root: Path, origin: Origin) -> None:
        self._root = root
        self._parts = root / "parts"
        self._origin = origin

    async def take(self, wanted: Manifest, *, sealed: bool) -> None:
        """``sealed``: also the sealed parts, which a reader needs; a writer needs only their keys."""
        with translated(self._root):
            make_folder(self._parts)
            before = manifest.read(self._root)
            if before == wanted:
                return
            here = {file.name: self._parts / part.folder / file.name for part in before.parts for file in part.files}
        for part in wanted.parts:
            await self._take_part(part, here, only_keys=part.sealed and not sealed)
        await asyncio.to_thread(self._conclude, before, wanted)

    async def _take_part(self, part: PartEntry, here: dict[str, Path], *, only_keys: bool) -> None:
        folder = self._parts / part.folder
        with translated(folder):
            make_folder(folder)
        for file in part.files:
            target = folder / file.name
            if target.exists() or (only_keys and file.name != KEYS):
                continue
            known = here.get(file.name)
            if known and file.name != KEYS and known.exists():
                manifest.place(known, target)
                continue
            draft = target.with_name(f"{target.name}.draft")
            with translated(target), draft.open("wb") as handle:
                async for piece in self._origin.fetch(part, file):
                    await asyncio.to_thread(handle.write, piece)
            await asyncio.to_thread(_accept, draft, target, file)
        with translated(folder):
            _write_whole(folder / META, part.meta.encode())
            flush_folder(folder)
            flush_folder(self._parts)

    def _conclude(self, before: Manifest, wanted: Manifest) -> None:
        with translated(self._root):
            manifest.write(self._root, wanted)
            kept = {part.folder for known in (before, wanted) for part in known.parts}
            for folder in self._parts.iterdir():
                if folder.name not in kept:
                    shutil.rmtree(folder, ignore_errors=True)


def _accept(draft: Path, target: Path, file: FileEntry) -> None:
    with translated(target):
        if manifest.digest_of(draft) != file.digest:
            draft.unlink()
            raise HomeCorrupt(f"{file.name} on the mirror is not what its manifest says", hint="kiebitz index restore")
        with draft.open("rb") as handle:
            flush(handle.fileno())
        draft.replace(target)


def _write_whole(path: Path, data: bytes) -> None:
    with path.open("wb") as handle:
        handle.write(data)
        handle.flush()
        flush(handle.fileno())
