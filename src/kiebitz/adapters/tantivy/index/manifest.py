"""The manifest: which parts the index is made of, what is deleted in them, and how far the feed was read.

Replacing it is the commit. Everything it names is on the disk before; what it does not name is nothing. It holds each
part's Tantivy ``meta.json`` too, so that a part is its immutable files and one entry here.
"""

import base64
import json
import os
from array import array
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from kiebitz.adapters.local.disk import flush, flush_folder, translated
from kiebitz.errors import HomeCorrupt, HomeNewer
from kiebitz.search.schema import VERSION

NAME = "manifest.json"
KEYS = "keys.bin"  # of a sealed part: the keys of its papers, sorted, so that a writer need not have the rest
REBUILD = "run kiebitz index rebuild"
_BLOCK = 1 << 20


class FileEntry(NamedTuple):
    name: str
    size: int
    digest: str


class PartEntry(NamedTuple):
    """``folder`` changes with every commit of the open part; a sealed one keeps its own."""

    name: str
    folder: str
    papers: int
    sealed: bool
    meta: str
    files: tuple[FileEntry, ...]
    tombstones: tuple[int, ...] = ()

    @property
    def bytes(self) -> int:
        return sum(file.size for file in self.files)


class Manifest(NamedTuple):
    generation: int = 0
    position: int = 0
    schema: int = VERSION
    parts: tuple[PartEntry, ...] = ()
    token: int = 0  # of the lease it was written under

    @property
    def papers(self) -> int:
        return sum(part.papers - len(part.tombstones) for part in self.parts)

    @property
    def open_part(self) -> PartEntry | None:
        return next((part for part in self.parts if not part.sealed), None)


def dumps(manifest: Manifest) -> bytes:
    parts = [
        {
            "name": part.name,
            "folder": part.folder,
            "papers": part.papers,
            "sealed": part.sealed,
            "meta": part.meta,
            "files": [list(file) for file in part.files],
            "tombstones": base64.b64encode(array("Q", part.tombstones).tobytes()).decode(),
        }
        for part in manifest.parts
    ]
    return json.dumps(manifest._asdict() | {"parts": parts}).encode()


def loads(data: bytes) -> Manifest:
    try:
        values = json.loads(data)
        _check_version(values["schema"])
        parts = tuple(_part(part) for part in values["parts"])
        return Manifest(values["generation"], values["position"], values["schema"], parts, values["token"])
    except (ValueError, KeyError, TypeError) as error:
        raise HomeCorrupt(f"the index has a damaged {NAME}: {error}", hint=REBUILD) from error


def _check_version(version: int) -> None:
    if version > VERSION:
        raise HomeNewer(f"the index has schema {version}, this version knows {VERSION}", hint="install a newer version")
    if version < VERSION:
        raise HomeCorrupt(f"the index has the old schema {version}, this version needs {VERSION}", hint=REBUILD)


def _part(values: dict[str, object]) -> PartEntry:
    tombstones = array("Q", base64.b64decode(str(values["tombstones"])))
    files = tuple(FileEntry(*file) for file in values["files"])  # type: ignore[attr-defined]
    name, folder = str(values["name"]), str(values["folder"])
    for text in (name, folder, *(file.name for file in files)):
        if not text or "/" in text or text.startswith("."):  # a manifest of the mirror is not ours to trust with paths
            raise ValueError(f"not a file name: {text!r}")
    return PartEntry(
        name,
        folder,
        int(str(values["papers"])),
        bool(values["sealed"]),
        str(values["meta"]),
        files,
        tuple(tombstones),
    )


def read(folder: Path) -> Manifest:
    """The manifest in the folder; an empty one if there is none."""
    with translated(folder):
        try:
            data = (folder / NAME).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return Manifest()
    return loads(data)


def write(folder: Path, manifest: Manifest) -> None:
    """Atomic and durable: after it returns, nothing else is the manifest."""
    draft = folder / f"{NAME}.draft"
    with translated(folder):
        with draft.open("wb") as handle:
            handle.write(dumps(manifest))
            handle.flush()
            flush(handle.fileno())
        draft.replace(folder / NAME)
        flush_folder(folder)


def stamp(folder: Path) -> tuple[int, int, int]:
    """Changes with every write of the manifest; cheap enough to ask before every search."""
    try:
        found = (folder / NAME).stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_ino, found.st_size)


def digest_of(path: Path) -> str:
    digest = blake2b(digest_size=16)
    with path.open("rb") as handle:
        while block := handle.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def entry_of(path: Path, known: dict[str, FileEntry]) -> FileEntry:
    """The files of Tantivy never change, so a name that is known need not be read again."""
    return known.get(path.name) or FileEntry(path.name, path.stat().st_size, digest_of(path))


def pack(keys: Iterable[int]) -> bytes:
    return array("Q", sorted(keys)).tobytes()


def unpack(data: bytes) -> frozenset[int]:
    return frozenset(array("Q", data))


def place(source: Path, target: Path) -> None:
    """The same file under another name; a copy where the disk cannot link."""
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:
        with source.open("rb") as origin, target.open("wb") as copy:
            while block := origin.read(_BLOCK):
                copy.write(block)
            copy.flush()
            flush(copy.fileno())
