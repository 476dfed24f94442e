"""The catalogue: real pages of German municipalities with gazettes and notices, ready to be watched.

``catalogue.csv`` holds facts that others have collected; docs/reference/catalogue.md says who, and how it was derived.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kiebitz.errors import NotFound
from kiebitz.sources.registry import nearest
from kiebitz.sources.states import state_code

FILE = Path(__file__).with_name("catalogue.csv")


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """``kind`` is gazette, notices or planning; ``name`` is unique, ``municipality`` is not."""

    name: str
    ags: str
    state: str
    kind: str
    url: str
    cms: str
    note: str

    @property
    def municipality(self) -> str:
        return self.name.removesuffix(" (Bekanntmachungen)").removesuffix(" (Bauleitplanung)")

    @property
    def fields(self) -> dict[str, object]:
        """What a source made of it begins with."""
        labels = {"municipality": self.municipality, "ags": self.ags, "state": self.state, "kind": self.kind}
        return {"name": self.name, "entry_urls": self.url, "labels": labels}


def entries(state: str = "", name: str = "") -> list[CatalogueEntry]:
    """Of a state (code or name) and with a text in the name, if they are given; by state and name."""
    code = state_code(state) if state else ""
    wanted = name.casefold()
    return [each for each in _all() if code in {"", each.state} and wanted in each.name.casefold()]


def entry(name: str) -> CatalogueEntry:
    """By its name, in any case. Raises NotFound, with names that look alike."""
    wanted = " ".join(name.split()).casefold()
    for each in _all():
        if each.name.casefold() == wanted:
            return each
    near = nearest(name, [each.name for each in _all()])
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "kiebitz source catalogue lists them"
    raise NotFound(f"the catalogue has no {name!r}", hint=hint)


@cache
def _all() -> tuple[CatalogueEntry, ...]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(CatalogueEntry(**row) for row in csv.DictReader(file))
