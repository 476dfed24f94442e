"""The index on blobs: any node can read it from there, and a lost writer is replaced from there.

New files first, under keys that name their content; the manifest last, and only if it is still the one we knew. So a reader
never sees a manifest whose files are not there, and of two writers the stale one is refused, whatever its lease says. The
lease is there so that the second one does not even begin. Dated manifests are kept with their files, to go back to.
"""

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from kiebitz.adapters.tantivy.index import manifest
from kiebitz.adapters.tantivy.index.cache import Cache
from kiebitz.adapters.tantivy.index.manifest import FileEntry, Manifest, PartEntry
from kiebitz.errors import Conflict, Locked, NotFound, StaleLease
from kiebitz.ports.blobs import Blobs
from kiebitz.ports.clock import Clock
from kiebitz.ports.leases import Lease, Leases

LEASE = "index-writer"
_STAMP = "%Y%m%dT%H%M%S.%fZ"
_ATTEMPTS = 10
_PIECE = 8 << 20
_GRACE = 10  # commits for which a reader may still fetch the files of an old one


class Retention(NamedTuple):
    """A dated manifest every so often, and so many of them."""

    seconds: float = 3_600.0
    versions: int = 72


class Tenure(NamedTuple):
    """Who writes, by which lease. Readers need none."""

    leases: Leases
    holder: str
    seconds: float = 60.0


class MirrorVersion(NamedTuple):
    at: datetime
    generation: int
    key: str


class Mirror:
    def __init__(
        self,
        blobs: Blobs,
        clock: Clock,
        *,
        tenure: Tenure | None = None,
        retention: Retention | None = None,
        prefix: str = "index",
    ) -> None:
        self._blobs = blobs
        self._clock = clock
        self._tenure = tenure
        self._retention = retention or Retention()
        self._prefix = prefix
        self._head = f"{prefix}/{manifest.NAME}"
        self._lease: Lease | None = None
        self._etag = ""
        self._stored: set[str] = set()  # files that are known to be there
        self._recent: deque[frozenset[str]] = deque(maxlen=_GRACE)
        self._dated_at: float | None = None

    async def take_over(self, root: Path) -> None:
        """Become the writer. The folder gets the open part and the keys of the sealed ones, unless it has them."""
        await self._hold()
        found = await self._read_head()
        if found is None:
            self._etag = ""  # nobody has written yet: all that the folder has goes up with the first commit
            return
        known, self._etag = found
        await Cache(root, self).take(known, sealed=False)
        self._stored = set(self._keys(known))
        await self._sweep(known)

    async def publish(self, root: Path, prepared: Manifest) -> Manifest:
        """Raises StaleLease if somebody else has become the writer; then nothing that readers see has changed."""
        lease = await self._hold()
        prepared = prepared._replace(token=lease.token if lease else 0)
        await self._upload(root, prepared)
        data = manifest.dumps(prepared)
        try:
            if self._etag:
                info = await self._blobs.put(self._head, data, if_match=self._etag)
            else:
                info = await self._blobs.put(self._head, data, if_absent=True)
        except Conflict as error:
            raise StaleLease([prepared.token]) from error
        self._etag = info.etag
        self._recent.append(frozenset(self._keys(prepared)))
        await self._keep_version(prepared, data)
        return prepared

    async def pull(self, root: Path) -> bool:
        """Bring the folder to the mirror's last commit, fetching only what is new. Did anything change?"""
        for _ in range(_ATTEMPTS):
            found = await self._read_head(self._etag)
            if found is None:
                return False
            try:
                await Cache(root, self).take(found[0], sealed=True)
            except NotFound:
                continue  # the writer has gone on and removed what it replaced
            self._etag = found[1]
            return True
        raise Conflict("the mirror of the index changes faster than it can be fetched", hint="try again")

    async def follow(self, root: Path, *, every: float = 1.0) -> None:
        """Until cancelled."""
        while True:
            await self.pull(root)
            await self._clock.sleep(every)

    async def versions(self) -> list[MirrorVersion]:
        """The dated manifests, the oldest first."""
        return [version async for version in self._versions()]

    async def restore(self, at: datetime) -> MirrorVersion:
        """Make the last version that is not younger the current one. Writers must be stopped; what came later is lost."""
        older = [version for version in await self.versions() if version.at <= at]
        if not older:
            raise NotFound(f"the mirror has no version of the index from before {at:%Y-%m-%d %H:%M:%S %Z}")
        lease = await self._hold()
        found = await self._read_head()
        wanted = manifest.loads(await self._blobs.get(older[-1].key))
        generation = max(found[0].generation if found else 0, wanted.generation) + 1
        data = manifest.dumps(wanted._replace(generation=generation, token=lease.token if lease else 0))
        info = await self._blobs.put(self._head, data, if_match=found[1] if found else "")
        self._etag = info.etag
        return older[-1]

    async def release(self) -> None:
        lease, self._lease = self._lease, None
        if self._tenure and lease:
            await self._tenure.leases.release(lease)

    async def fetch(self, part: PartEntry, file: FileEntry) -> AsyncIterator[bytes]:
        """The file in pieces. Raises NotFound."""
        key = self._key(part, file)
        for start in range(0, max(1, file.size), _PIECE):
            yield await self._blobs.get(key, start=start, length=_PIECE)

    async def _hold(self) -> Lease | None:
        """A lease that runs. One that lapsed is taken anew: if another wrote meanwhile, the manifest tells."""
        if not self._tenure:
            return None
        leases, holder, seconds = self._tenure
        if self._lease:
            with suppress(StaleLease):
                self._lease = await leases.renew(self._lease, seconds=seconds)
                return self._lease
        try:
            self._lease = await leases.take(LEASE, holder, seconds=seconds)
        except Locked as error:
            if self._lease is None:
                raise
            raise StaleLease([self._lease.token]) from error
        return self._lease

    async def _read_head(self, known: str = "") -> tuple[Manifest, str] | None:
        """With the etag of exactly what was read; None if there is none, or only what is known."""
        while True:
            before = await self._blobs.info(self._head)
            if before is None or before.etag == known:
                return None
            data = await self._blobs.get(self._head)
            after = await self._blobs.info(self._head)
            if after and after.etag == before.etag:
                return manifest.loads(data), after.etag

    async def _upload(self, root: Path, prepared: Manifest) -> None:
        for part in prepared.parts:
            for file in part.files:
                key = self._key(part, file)
                if key in self._stored:
                    continue
                given = root / f"upload-{secrets.token_hex(6)}"  # blobs may take the file they are given
                await asyncio.to_thread(manifest.place, root / "parts" / part.folder / file.name, given)
                try:
                    with suppress(Conflict):  # its key names its content: what is there is the same
                        await self._blobs.put(key, given, if_absent=True)
                finally:
                    given.unlink(missing_ok=True)
                self._stored.add(key)

    async def _keep_version(self, prepared: Manifest, data: bytes) -> None:
        now = self._clock.monotonic()
        if self._dated_at is not None and now - self._dated_at < self._retention.seconds:
            return
        self._dated_at = now
        stamp = self._clock.utc().strftime(_STAMP)
        await self._blobs.put(f"{self._prefix}/versions/{stamp}-{prepared.generation:012}.json", data)
        for version in (await self.versions())[: -self._retention.versions]:
            await self._blobs.delete(version.key)
        await self._sweep(prepared)

    async def _sweep(self, current: Manifest) -> None:
        """Remove files that no manifest names. Only the writer does, right after it was the writer."""
        kept = set(self._keys(current)).union(*self._recent)
        for version in await self.versions():
            kept.update(self._keys(manifest.loads(await self._blobs.get(version.key))))
        stored = [info.key async for info in self._blobs.list(f"{self._prefix}/files/")]
        for key in stored:
            if key not in kept:
                await self._blobs.delete(key)
        self._stored = kept.intersection(stored)

    async def _versions(self) -> AsyncIterator[MirrorVersion]:
        async for info in self._blobs.list(f"{self._prefix}/versions/"):
            stamp, _, generation = info.key.rpartition("/")[2].removesuffix(".json").partition("-")
            yield MirrorVersion(datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC), int(generation), info.key)

    def _keys(self, known: Manifest) -> list[str]:
        return [self._key(part, file) for part in known.parts for file in part.files]

    def _key(self, part: PartEntry, file: FileEntry) -> str:
        return f"{self._prefix}/files/{part.name}/{file.digest}-{file.name}"
