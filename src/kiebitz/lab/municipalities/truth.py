"""The truth about the municipalities on a day: every document with its address, number, date and content."""

import datetime as dt
import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from kiebitz.lab.municipalities.contents import digest, publication_pdf
from kiebitz.lab.municipalities.listing import HASH, TOKEN, Listed
from kiebitz.lab.municipalities.places import Municipality
from kiebitz.lab.municipalities.publications import Publication
from kiebitz.lab.municipalities.site import MunicipalitySite
from kiebitz.model.issue import IssueKind

_PASSING = frozenset({TOKEN, HASH, "sid", "__csrf"})


class TrueDocument(NamedTuple):
    """``url`` has no token; ``form`` are the fields of a POST that tell it apart, empty for a GET."""

    url: str
    form: str
    paper: str
    label: str
    number: int | None  # a single notice has none
    year: int
    date: dt.date
    kind: IssueKind
    sha256: str


class TrueMunicipality(NamedTuple):
    """``entry`` is what a watcher was given; ``page`` is where the gazette is now."""

    host: str
    name: str
    entry: tuple[str, ...]
    page: str
    layout: str
    documents: tuple[TrueDocument, ...]


def truth_of(site: MunicipalitySite, seed: int) -> TrueMunicipality:
    """Newest first."""
    town = site.town
    documents = tuple(_document(site, item, seed) for item in site.items())
    page = f"http://{town.host}{site.root}"
    return TrueMunicipality(town.host, town.name, (site.entry,), page, site.arrangement, documents)


def identity(url: str, body: bytes | None = None) -> tuple[str, str]:
    """What a request has in common with all others for the same document: (url, form) as the truth has them."""
    place, _, query = url.partition("#")[0].partition("?")
    kept = _without_passing(query)
    return (f"{place}?{kept}" if kept else place), _without_passing((body or b"").decode("latin-1"))


def to_json(towns: Iterable[TrueMunicipality]) -> str:
    return json.dumps([{**t._asdict(), "documents": [d._asdict() for d in t.documents]} for t in towns], default=str)


def from_json(text: str) -> list[TrueMunicipality]:
    return [_municipality(entry) for entry in json.loads(text)]


def _municipality(entry: dict[str, Any]) -> TrueMunicipality:
    documents = tuple(
        TrueDocument(**{**d, "date": dt.date.fromisoformat(d["date"]), "kind": IssueKind(d["kind"])})
        for d in entry["documents"]
    )
    return TrueMunicipality(**{**entry, "entry": tuple(entry["entry"]), "documents": documents})


def _document(site: MunicipalitySite, item: Listed, seed: int) -> TrueDocument:
    publication, town = item.publication, site.town
    is_corrected = publication.key in site.condition.corrected
    version = site.condition.versions.get(publication.key, 0)
    return TrueDocument(
        item.address.url,
        item.address.form,
        town.papers[publication.paper].name,
        item.label,
        None if publication.subject else item.number,
        publication.day.year,
        publication.day,
        IssueKind.CORRECTION if is_corrected else publication.kind,
        _sha256(town, publication, version, seed),
    )


@lru_cache(20_000)
def _sha256(town: Municipality, publication: Publication, version: int, seed: int) -> str:
    return digest(publication_pdf(town, publication, version, seed))


def _without_passing(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    return urlencode([pair for pair in pairs if pair[0] not in _PASSING])
