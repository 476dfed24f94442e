"""Sources by what people know of them: added once, found by name with suggestions, taken over from lists row by row."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import get_close_matches

from kiebitz.errors import Conflict, InputError, NotFound
from kiebitz.model.source import Source
from kiebitz.ports.sources import Sources
from kiebitz.sources.definition import changed, source_from

PAGE = 1000


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One source in a list, as it stands there; ``problem`` says why it cannot even be read."""

    line: int
    fields: Mapping[str, object]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    line: int
    name: str
    reason: str


@dataclass(slots=True)
class Intake:
    """What became of the rows of a list; names, in their order."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)


async def all_sources(sources: Sources) -> list[Source]:
    found: list[Source] = []
    while True:
        page = await sources.list(after=found[-1].name if found else "", limit=PAGE)
        found += page
        if len(page) < PAGE:
            return found


async def named(sources: Sources, id_or_name: str) -> Source:
    """Raises NotFound, with names that look alike."""
    try:
        return await sources.get(id_or_name)
    except NotFound as error:
        near = nearest(id_or_name, [source.name for source in await all_sources(sources)])
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "kiebitz source list shows them"
        raise NotFound(str(error), hint=hint) from None


def nearest(text: str, names: Iterable[str], count: int = 3) -> list[str]:
    """Names that one may have meant: that contain the text, or that look like it; umlauts count little."""
    plain = {name: _plain(name) for name in names}
    wanted = _plain(text)
    within = sorted(name for name, spelled in plain.items() if wanted and wanted in spelled)
    alike = get_close_matches(wanted, plain.values(), count, 0.6)
    return list(dict.fromkeys([*within, *(name for each in alike for name in plain if plain[name] == each)]))[:count]


def _plain(text: str) -> str:
    folded = text.casefold()
    for umlaut, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue")):
        folded = folded.replace(letters, letters[0]).replace(umlaut, letters[0])
    return folded


async def add(sources: Sources, source: Source) -> None:
    """Raises Conflict if the page is watched already, or the name is taken."""
    for known in await all_sources(sources):
        if source.entry_urls[0] in known.entry_urls or known.id == source.id:
            raise Conflict(
                f"{source.entry_urls[0]} is watched already, as {known.name!r}",
                hint=f"kiebitz source edit {known.name!r} changes it",
            )
        if known.name == source.name:
            raise Conflict(f"another source is named {source.name!r}", hint="choose another name with --name")
    await sources.put(source)


async def take_in(sources: Sources, rows: Iterable[SourceRow], now: datetime) -> Intake:
    """Each row as a whole or not at all; an error that is not the row's own ends it."""
    intake = Intake()
    desk = _Desk(await all_sources(sources))
    for row in rows:
        try:
            known, source = desk.read(row, now)
            if known == source:
                intake.unchanged.append(source.name)
            else:
                await sources.put(source)
                (intake.updated if known else intake.added).append(source.name)
            desk.remember(row, source)
        except (InputError, Conflict) as error:
            reason = f"{error} ({error.hint})" if error.hint else str(error)
            intake.refused.append(Refusal(row.line, str(row.fields.get("name") or "")[:200], reason))
    return intake


class _Desk:
    """Who a row speaks of: the source with its id, or else the one with its first entry URL."""

    def __init__(self, known: Iterable[Source]) -> None:
        self._by_id = {source.id: source for source in known}
        self._by_url = {source.entry_urls[0]: source for source in self._by_id.values()}
        self._lines: dict[str, int] = {}

    def read(self, row: SourceRow, now: datetime) -> tuple[Source | None, Source]:
        if row.problem:
            raise InputError(row.problem)
        source = source_from(row.fields)
        known = None if row.fields.get("id") else self._by_url.get(source.entry_urls[0])
        known = known or self._by_id.get(source.id)
        source = changed(known, row.fields) if known else replace(source, created_at=now)
        if source.id in self._lines:
            raise Conflict(f"the same source as in line {self._lines[source.id]}")
        return known, source

    def remember(self, row: SourceRow, source: Source) -> None:
        self._by_id[source.id] = self._by_url[source.entry_urls[0]] = source
        self._lines[source.id] = row.line
