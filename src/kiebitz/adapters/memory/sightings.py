"""Sightings in memory."""

from collections.abc import Sequence

from kiebitz.model.sight import Change, PageSight, Sight


class MemorySightings:
    def __init__(self) -> None:
        self._pages: dict[str, dict[str, PageSight]] = {}
        self._sights: dict[str, Sight] = {}
        self._changes: dict[str, list[Change]] = {}

    async def record(self, source: str, sights: Sequence[PageSight]) -> None:
        known = self._pages.setdefault(source, {})
        for sight in sights:
            if sight.page not in known or known[sight.page].at <= sight.at:
                known[sight.page] = sight

    async def pages(self, source: str, *, run: str = "", after: str = "", limit: int = 100) -> list[PageSight]:
        found = self._pages.get(source, {}).values()
        kept = [sight for sight in found if sight.page > after and run in ("", sight.run)]
        return sorted(kept, key=lambda sight: sight.page)[:limit]

    async def conclude(self, source: str, sight: Sight, change: Change | None) -> None:
        known = self._sights.get(source)
        if known and (known.run == sight.run or known.at > sight.at):
            return
        self._sights[source] = sight
        if change:
            self._changes.setdefault(source, []).append(change)

    async def current(self, source: str) -> Sight | None:
        return self._sights.get(source)

    async def changes(self, source: str, *, limit: int = 100, before: str = "") -> list[Change]:
        newest_first = self._changes.get(source, [])[::-1]
        runs = [change.run for change in newest_first]
        start = runs.index(before) + 1 if before in runs else 0
        return newest_first[start : start + limit]

    async def forget(self, source: str) -> None:
        for table in (self._pages, self._sights, self._changes):
            table.pop(source, None)

    async def close(self) -> None:
        pass
