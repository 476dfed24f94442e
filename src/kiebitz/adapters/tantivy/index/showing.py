"""What a search shows of the papers it found: their texts with marks, facets with counts."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from kiebitz.adapters.tantivy.index.documents import crawled_of, published_of, record_of
from kiebitz.adapters.tantivy.index.lens import WordSieve
from kiebitz.adapters.tantivy.index.pages import all_passages, best_passages, page_query
from kiebitz.adapters.tantivy.index.ranking import Contender, Queries, RankedPage
from kiebitz.adapters.tantivy.index.streams import Streams
from kiebitz.model.hit import Hit, Passage
from kiebitz.model.query import FACETS, Everything, Node
from kiebitz.search import schema
from kiebitz.search.highlight import marks, passages

PASSAGES = 3  # shown of each paper
FACET_VALUES = 100
BEGINNING = 300


def hits_of(finding: RankedPage, node: Node, streams: Streams) -> tuple[Hit, ...]:
    lens = WordSieve(node, streams)
    return tuple(_hit(candidate, similar, node, lens) for candidate, similar in finding.papers)


def _hit(candidate: Contender, similar: Sequence[Contender], node: Node, lens: WordSieve) -> Hit:
    record = record_of(candidate.reader.searcher.doc(candidate.address))
    title = record.get("title", "")
    return Hit(
        record["id"],
        record.get("url", ""),
        title,
        candidate.score,
        passages=_passages(candidate, record, node, lens),
        title_marks=tuple(marks(title, node, field="title", splitter=lens.splitter)) if lens.has(title) else (),
        domain=record.get("domain", ""),
        source=record.get("source", ""),
        kind=record.get("kind", ""),
        language=record.get("language", ""),
        type=record.get("type", ""),
        published=published_of(record),
        crawled_at=crawled_of(record),
        similar=tuple(record_of(other.reader.searcher.doc(other.address))["id"] for other in similar),
    )


def _passages(candidate: Contender, record: dict[str, Any], node: Node, lens: WordSieve) -> tuple[Passage, ...]:
    texts = record["text"] or _stored(candidate, record, node, lens.streams)
    found = [
        passage
        for page, text in texts
        if (window := lens.window(text))
        for passage in passages(window, node, page=page, splitter=lens.splitter)
    ]
    if not found:
        return tuple(
            passage for page, text in texts[:1] for passage in passages(text[:BEGINNING], Everything(), page=page)
        )
    found.sort(key=lambda passage: -len(passage.marks))  # stable: the better page stays first
    return tuple(found)


def _stored(candidate: Contender, record: dict[str, Any], node: Node, streams: Streams) -> list[tuple[int, str]]:
    if not record["passages"]:
        return []
    key = schema.key_of(record["id"])
    query = page_query(node, candidate.reader, streams)
    found = best_passages(query, key, candidate.reader, PASSAGES) if query else []
    found = found or all_passages(key, candidate.reader, 1)
    return [(page, text) for _, page, text in map(record_of, found)]


def facets_of(queries: Queries) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    """All facets in one pass over each part."""
    wanted = {name: {"terms": {"field": name, "size": FACET_VALUES}} for name in FACETS}
    counts: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
    for reader, query in queries:
        for name, result in reader.searcher.aggregate(query, wanted).items():
            for bucket in result["buckets"]:
                counts[name][str(bucket["key"])] += bucket["doc_count"]
    return tuple((name, tuple(sorted(c.items(), key=lambda item: (-item[1], item[0])))) for name, c in counts.items())
