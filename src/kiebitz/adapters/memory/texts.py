"""Texts in memory."""

from collections import Counter
from collections.abc import Sequence

from kiebitz.errors import NotFound
from kiebitz.extract.duplicates import bands as bands_of
from kiebitz.model.text import TextState
from kiebitz.model.text_record import KnownText, TextEntry, TextRecord, supersedes
from kiebitz.ports.texts import MOST_OF_A_BAND


class MemoryTexts:
    def __init__(self) -> None:
        self._records: dict[str, TextRecord] = {}  # deleted ones too
        self._sequences: dict[str, int] = {}
        self._deleted: set[str] = set()
        self._sequence = 0

    async def put(self, records: Sequence[TextRecord]) -> int:
        return sum(self._put(record) for record in records)

    def _put(self, record: TextRecord) -> bool:
        found, deleted = self._records.get(record.id), record.id in self._deleted
        known = None if found is None else KnownText(found.sha256, found.crawled_at)
        if not supersedes(record, known, deleted=deleted):
            return False
        self._records[record.id] = record
        self._deleted.discard(record.id)
        if found is not None and not deleted and found._replace(crawled_at=record.crawled_at) == record:
            return False
        self._next(record.id)
        return True

    def _next(self, text_id: str) -> None:
        self._sequence += 1
        self._sequences[text_id] = self._sequence

    def _present(self) -> list[TextRecord]:
        return [record for each, record in self._records.items() if each not in self._deleted]

    async def get(self, text_id: str) -> TextRecord:
        if text_id not in self._records or text_id in self._deleted:
            raise NotFound(f"there is no text {text_id!r}")
        return self._records[text_id]

    async def after(self, sequence: int, *, limit: int = 100) -> list[TextEntry]:
        found = sorted((number, each) for each, number in self._sequences.items() if number > sequence)
        return [
            TextEntry(number, each, None if each in self._deleted else self._records[each])
            for number, each in found[:limit]
        ]

    async def last(self) -> int:
        return self._sequence

    async def known(self, ids: Sequence[str]) -> dict[str, KnownText]:
        found = {each: self._records[each] for each in ids if each in self._records}
        return {each: KnownText(record.sha256, record.crawled_at) for each, record in found.items()}

    async def in_state(self, state: TextState, *, after: str = "", limit: int = 100) -> list[TextRecord]:
        found = [record for record in self._present() if record.state is state and record.id > after]
        return sorted(found, key=lambda record: record.id)[:limit]

    async def counts(self) -> dict[str, int]:
        return dict(Counter(record.state.value for record in self._present()))

    async def similar(self, bands: Sequence[bytes]) -> list[tuple[str, bytes, str]]:
        chosen: set[str] = set()
        for band in bands:
            sharing = [record.id for record in self._present() if band in bands_of(record.signature)]
            chosen.update(sharing[:MOST_OF_A_BAND])
        return [(each.id, each.signature, each.cluster) for each in self._present() if each.id in chosen]

    async def delete(self, ids: Sequence[str]) -> None:
        for each in ids:
            if each in self._records and each not in self._deleted:
                self._deleted.add(each)
                self._next(each)

    async def close(self) -> None:
        pass
