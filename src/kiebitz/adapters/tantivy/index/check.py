"""Is every file of the index there, and as it was written?"""

from collections.abc import Iterator
from pathlib import Path

from kiebitz.adapters.tantivy.index import manifest
from kiebitz.adapters.tantivy.index.manifest import KEYS, PartEntry
from kiebitz.adapters.tantivy.index.reader import PartReader
from kiebitz.errors import KiebitzError


def faults_of(root: Path) -> list[str]:
    try:
        known = manifest.read(root)
    except KiebitzError as error:
        return [str(error)]
    return [fault for part in known.parts for fault in _faults(root, part)]


def _faults(root: Path, part: PartEntry) -> Iterator[str]:
    folder = root / "parts" / part.folder
    damaged = False
    for file in part.files:
        path = folder / file.name
        if not path.is_file():
            damaged = True
            yield f"{part.name}: {file.name} is missing"
        elif path.stat().st_size != file.size or manifest.digest_of(path) != file.digest:
            damaged = True
            yield f"{part.name}: {file.name} is damaged"
    if damaged:
        return
    try:
        keys = {key for key, _ in PartReader(root, part).papers_in()}
    except (ValueError, OSError) as error:
        yield f"{part.name} cannot be opened: {error}"
        return
    if len(keys) != part.papers:
        yield f"{part.name} has {len(keys)} papers, not {part.papers}"
    if part.sealed and keys != manifest.unpack((folder / KEYS).read_bytes()):
        yield f"{part.name}: its papers are not those in {KEYS}"
    if not keys.issuperset(part.tombstones):
        yield f"{part.name} has tombstones of papers that it does not hold"
