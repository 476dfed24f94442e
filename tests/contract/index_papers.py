"""Papers that the contract of the index is tried with, and how the adapters are opened."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from importlib.util import find_spec
from pathlib import Path

from kiebitz.adapters.tantivy.index import TantivyIndex
from kiebitz.adapters.tantivy.index.writer import PartLimits
from kiebitz.model.hit import PageText, Paper
from kiebitz.model.query import Search
from kiebitz.ports.index import Index
from kiebitz.search.parse import parse

TODAY = date(2026, 11, 16)


def paper(name: str, text: str = "", title: str = "", **values: object) -> Paper:
    made = Paper(name, f"https://stadt.example/{name}", title, (PageText(0, text),), language="de")
    return made._replace(**values)  # type: ignore[arg-type]


PAPERS = [
    paper(
        "plan",
        "Der Rat hat den Bebauungsplan Nr. 12 beschlossen.",
        "Bebauungsplan Nr. 12",
        source="Neustadt",
        kind="notice",
        type="pdf",
        domain="stadt.example",
        published=date(2026, 3, 1),
        crawled_at=datetime(2026, 3, 2, tzinfo=UTC),
    ),
    paper("plural", "Mehrere Bebauungspläne liegen aus.", "Auslegung", source="Altdorf", published=date(2025, 5, 5)),
    paper("plain", "Ein Plan für den Sommer.", "Sommerfest", source="Altdorf", published=date(2024, 6, 1)),
    paper("fire", "Die Feuerwehr sucht Freiwillige für den Dienst.", "Feuerwehr", source="Neustadt"),
    paper("road", "Straßensperrung in der Hauptstraße wegen Bauarbeiten.", "Sperrung", published=date(2026, 8, 9)),
    paper("english", "The council approved the new building permits.", "Permits", language="en"),
    paper(
        "gazette",
        "",
        "Amtsblatt 7/2026",
        pages=(
            PageText(1, "Inhalt und Vorwort des Bürgermeisters."),
            PageText(2, "Die Friedhofssatzung wurde geändert."),
            PageText(3, "Haushalt und Steuern. Die Grundsteuer bleibt gleich."),
        ),
        type="pdf",
        published=date(2026, 7, 1),
    ),
]


def tantivy(folder: Path) -> Index:
    return TantivyIndex(folder / "index")


def tantivy_in_parts(folder: Path) -> Index:
    """Two papers a part: whatever holds for one part must hold for many."""
    return TantivyIndex(folder / "index", limits=PartLimits(papers=2))


def memory(_folder: Path) -> Index:
    from kiebitz.adapters.memory import index  # type: ignore[attr-defined,unused-ignore]

    made: Index = index.MemoryIndex()
    return made


Opener = Callable[[Path], Index]
ADAPTERS: list[Opener] = [tantivy, tantivy_in_parts]
if find_spec("kiebitz.adapters.memory.index"):
    ADAPTERS.append(memory)


async def found(index: Index, text: str, **values: object) -> list[str]:
    """The ids that a typed query finds, in order."""
    search = Search(parse(text, TODAY), text=text)._replace(**values)  # type: ignore[arg-type]
    return [hit.id for hit in (await index.search(search)).hits]
