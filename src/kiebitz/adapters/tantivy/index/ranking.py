"""The papers that a search finds, in order, over all parts, page by page.

A page continues after the last paper of the page before, by score and then by date and key, which never tie. Near-duplicates
are shown once, where the best of them stands.
"""

import base64
import json
from collections.abc import Sequence
from typing import NamedTuple

import tantivy

from kiebitz.adapters.tantivy.index.compiler import Compiler, is_ranked
from kiebitz.adapters.tantivy.index.reader import PartReader, Snapshot
from kiebitz.adapters.tantivy.index.streams import Streams
from kiebitz.model.query import Every, Search
from kiebitz.search import schema

FEW = 5  # papers with all words; with fewer, those with most of them follow
DEEPEST = 10_000  # papers that one can page to
TIED = 2_000  # papers of the same score that are put in order by date


class Contender(NamedTuple):
    score: float
    newest: int
    reader: PartReader
    address: tantivy.DocAddress
    cluster: int


class Cursor(NamedTuple):
    """Of the last paper shown; ``generation`` is that of the snapshot it was found in."""

    generation: int
    relaxed: bool
    seen: int
    score: float
    newest: int


Queries = list[tuple[PartReader, tantivy.Query]]


class _Page(NamedTuple):
    papers: list[tuple[Contender, list[Contender]]]  # each with its near-duplicates
    more: bool
    total: int
    queries: Queries


class RankedPage(NamedTuple):
    papers: list[tuple[Contender, list[Contender]]]  # each with its near-duplicates
    total: int
    cursor: str
    queries: Queries


def find(snapshot: Snapshot, streams: Streams, search: Search) -> RankedPage:
    cursor = read_cursor(search.cursor)
    relaxed = cursor.relaxed if cursor else False
    page = _page(compiled(snapshot, streams, search, relaxed=relaxed), search, cursor)
    if not cursor and page.total < FEW and isinstance(search.query, Every):
        relaxed = True
        page = _page(compiled(snapshot, streams, search, relaxed=True), search, cursor)
    seen = (cursor.seen if cursor else 0) + sum(1 + len(similar) for _, similar in page.papers)
    if not page.more or not page.papers or seen >= DEEPEST:
        return RankedPage(page.papers, page.total, "", page.queries)
    last = page.papers[-1][0]
    following = write_cursor(Cursor(snapshot.manifest.generation, relaxed, seen, last.score, last.newest))
    return RankedPage(page.papers, page.total, following, page.queries)


def compiled(snapshot: Snapshot, streams: Streams, search: Search, *, relaxed: bool) -> Queries:
    return [
        (reader, Compiler(snapshot, reader, streams).papers(search, relaxed=relaxed)) for reader in snapshot.readers
    ]


def _page(queries: Queries, search: Search, cursor: Cursor | None) -> _Page:
    by_date = search.sort == "date" or not is_ranked(search.query)
    seen, after = (cursor.seen, (cursor.score, cursor.newest)) if cursor else (0, None)
    limit = max(0, search.limit)
    depth = seen + limit + 1
    while True:
        found, total, sure = _best(queries, by_date, depth)
        rest = [group for group in _grouped(found) if after is None or group[0][:2] < after]
        certain = len(rest) if by_date else sum(group[0].score > sure for group in rest)
        if certain >= limit or sure < 0 or depth >= max(TIED, seen + 2 * limit):
            return _Page(rest[:limit], len(rest) > limit, total, queries)
        depth = min(depth * 8, max(TIED, seen + 2 * limit))


def _best(queries: Queries, by_date: bool, depth: int) -> tuple[list[Contender], int, float]:
    """The best of each part in order, how many there are, and the score above which none is missing (-1 if none is at all)."""
    found: list[Contender] = []
    total, sure = 0, -1.0
    order = schema.NEWEST if by_date else None
    for reader, query in queries:
        result = reader.searcher.search(query, limit=depth, count=True, order_by_field=order)
        total += result.count  # type: ignore[attr-defined]  # their type stub lacks it
        addresses = [address for _, address in result.hits]
        newest = _values(reader, schema.NEWEST, addresses)
        clusters = _values(reader, schema.CLUSTER, addresses)
        scores = [0.0 if by_date else float(score) for score, _ in result.hits]
        found.extend(map(Contender, scores, newest, [reader] * len(scores), addresses, clusters))
        if len(scores) == depth:
            sure = max(sure, scores[-1])
    found.sort(key=lambda candidate: candidate[:2], reverse=True)
    return found, total, sure


def _values(reader: PartReader, field: str, addresses: list[tantivy.DocAddress]) -> list[int]:
    return [int(value or 0) for value in reader.searcher.fast_field_values(field, addresses)]


def _grouped(found: Sequence[Contender]) -> list[tuple[Contender, list[Contender]]]:
    groups: list[tuple[Contender, list[Contender]]] = []
    first: dict[int, list[Contender]] = {}
    for candidate in found:
        if candidate.cluster and candidate.cluster in first:
            first[candidate.cluster].append(candidate)
            continue
        groups.append((candidate, []))
        if candidate.cluster:
            first[candidate.cluster] = groups[-1][1]
    return groups


def write_cursor(cursor: Cursor) -> str:
    return base64.urlsafe_b64encode(json.dumps(cursor).encode()).decode().rstrip("=")


def read_cursor(text: str) -> Cursor | None:
    """None for anything that is not ours: the search starts from the beginning."""
    if not text or len(text) > 400:
        return None
    try:
        values = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        generation, relaxed, seen, score, newest = values
        return Cursor(int(generation), bool(relaxed), min(max(0, int(seen)), DEEPEST), float(score), int(newest))
    except (ValueError, TypeError):
        return None
