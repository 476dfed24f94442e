"""What people search for, as a tree: the parser makes it of what they type, the index answers it.

Every node is meaningful by itself. Depth and size are bounded by the parser, so that nothing that walks a tree needs to care.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date


class Word(NamedTuple):
    """One word in any of its forms; the form that was typed ranks first."""

    text: str


class Phrase(NamedTuple):
    """Words in this order, next to each other."""

    text: str


class Prefix(NamedTuple):
    """``bebau*``"""

    text: str


class Fuzzy(NamedTuple):
    """``wort~``, with so many letters wrong at most."""

    text: str
    distance: int = 1


class Within(NamedTuple):
    """``title:wort``: only in this field."""

    field: str
    node: Node


class Between(NamedTuple):
    """``2024..2026``, ``seit März 2026``: published in this time, both days included; None is open."""

    first: date | None
    last: date | None


class Not(NamedTuple):
    node: Node


class Every(NamedTuple):
    """All of them (AND)."""

    nodes: tuple[Node, ...]


class Either(NamedTuple):
    """At least one of them (OR)."""

    nodes: tuple[Node, ...]


class Everything(NamedTuple):
    """Nothing was asked for in particular."""


Node = Word | Phrase | Prefix | Fuzzy | Within | Between | Not | Every | Either | Everything

FIELDS = ("title", "description", "keywords", "headings", "content", "url")  # searched as text
FACETS = ("source", "year", "kind", "language", "type", "domain")  # compared as they are


class Search(NamedTuple):
    """A question to the index. ``filters``: by facet, any of the values. ``cursor``: of the page of results before."""

    query: Node
    filters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    sort: str = "relevance"  # or "date": the newest first
    limit: int = 10
    cursor: str = ""
    facets: bool = False
    text: str = ""  # as it was typed, if a correction of it is wanted
