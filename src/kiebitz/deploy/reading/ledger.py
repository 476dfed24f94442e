"""Where finished readings go: what is ready at one time becomes durable in one step, and only then its jobs end.

Texts that are nearly the same get one cluster here, one after the other, so that two that arrive together find each other.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import blake2b

from kiebitz.crawl.commit import EXTRACT
from kiebitz.extract.duplicates import bands, near_duplicates
from kiebitz.model.text_record import TextRecord
from kiebitz.ports.jobs import Jobs
from kiebitz.ports.texts import Texts

Entry = tuple[Sequence[TextRecord], str, asyncio.Future[None]]


class Ledger:
    """``told`` is called after texts have become durable."""

    def __init__(self, texts: Texts, jobs: Jobs, told: Callable[[Sequence[TextRecord]], None]) -> None:
        self._texts = texts
        self._jobs = jobs
        self._told = told
        self._waiting: list[Entry] = []
        self._wake = asyncio.Event()

    async def add(self, records: Sequence[TextRecord], token: str = "") -> None:
        """Returns when the records are durable and the job of the token, if there is one, has ended."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((records, token, done))
        self._wake.set()
        await done

    async def keep(self) -> None:
        """Until it is cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            entries, self._waiting = self._waiting, []
            try:
                await self._write(entries)
            except Exception as error:  # noqa: BLE001 -- each job hears of it, and decides
                for _, _, done in entries:
                    _end(done, error)
            else:
                for _, _, done in entries:
                    _end(done)

    async def _write(self, entries: Sequence[Entry]) -> None:
        records = await self._clustered([record for batch, _, _ in entries for record in batch])
        await self._texts.put(records)
        if records:
            self._told(records)
        tokens = [token for _, token, _ in entries if token]
        if tokens:
            await self._jobs.finish(EXTRACT, tokens)  # a lost one is somebody else's now, who finds the text there

    async def _clustered(self, records: Sequence[TextRecord]) -> list[TextRecord]:
        placed: list[TextRecord] = []
        for record in records:
            cluster = await self._cluster(record, placed) if record.signature else ""
            placed.append(record._replace(cluster=cluster))
        return placed

    async def _cluster(self, record: TextRecord, placed: Sequence[TextRecord]) -> str:
        """That of the text it is most alike to; else one of its own, named after its signature."""
        keys = set(bands(record.signature))
        known = await self._texts.similar(list(keys))
        known += [
            (each.id, each.signature, each.cluster) for each in placed if keys.intersection(bands(each.signature))
        ]
        others = {each: (signed, cluster) for each, signed, cluster in known if each != record.id and cluster}
        alike = near_duplicates(record.signature, lambda _: [(each, other[0]) for each, other in others.items()])
        return others[alike[0].key][1] if alike else blake2b(record.signature, digest_size=12).hexdigest()


def _end(done: asyncio.Future[None], error: Exception | None = None) -> None:
    with suppress(asyncio.InvalidStateError):  # whoever waited was cancelled
        done.set_result(None) if error is None else done.set_exception(error)
