"""Sources in memory."""

from kiebitz.errors import Conflict, NotFound
from kiebitz.model.source import Look, Source, with_look, with_newer_looks


class MemorySources:
    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}

    async def put(self, source: Source) -> None:
        if any(other.name == source.name and other.id != source.id for other in self._sources.values()):
            raise Conflict(f"another source is named {source.name!r}", hint="choose another name")
        known = self._sources.get(source.id)
        self._sources[source.id] = with_newer_looks(source, known) if known else source

    async def note(self, source_id: str, look: Look) -> Source:
        if source_id not in self._sources:
            raise NotFound(f"there is no source {source_id!r}")
        self._sources[source_id] = with_look(self._sources[source_id], look)
        return self._sources[source_id]

    async def get(self, id_or_name: str) -> Source:
        if id_or_name in self._sources:
            return self._sources[id_or_name]
        for source in self._sources.values():
            if source.name == id_or_name:
                return source
        raise NotFound(f"there is no source {id_or_name!r}")

    async def remove(self, source_id: str) -> None:
        self._sources.pop(source_id, None)

    async def list(self, *, after: str = "", limit: int = 1000) -> list[Source]:
        found = [source for source in self._sources.values() if source.name > after]
        return sorted(found, key=lambda source: source.name)[:limit]

    async def close(self) -> None:
        pass
