"""A paper as documents of Tantivy, and back.

A paper is one document that is ranked. Its text is stored beside it, or, if it has several pages or a very long one, in
passages of their own, so that a hit knows its page and only the pages that are shown are read.
"""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from typing import Any

import tantivy

from kiebitz.adapters.tantivy.index.streams import Streams
from kiebitz.model.hit import PageText, Paper
from kiebitz.search import schema
from kiebitz.search.analyse import folded, tokens

_STORED = ("id", "url", "title", "description", "domain", "source", "kind", "language", "type", "cluster")
_LONGEST_VALUE = 1_000
_FACETS = ("source", "kind", "language", "type", "domain")


def documents_of(paper: Paper, streams: Streams) -> Iterator[tantivy.Document]:
    """The paper's own document first, then its passages."""
    key = schema.key_of(paper.id)
    chunks = [chunk for page in paper.pages for chunk in _chunks(page)]
    by_itself = len(chunks) <= 1
    analysed = [streams.of(chunk.text, paper.language) for chunk in chunks]
    fields = {
        "title": streams.of(paper.title, paper.language),
        "description": streams.of(paper.description, paper.language),
        "keywords": streams.of(" ".join(paper.keywords), paper.language),
        "headings": streams.of("\n".join(paper.headings), paper.language),
    }
    document = tantivy.Document()
    document.add_text(schema.LEVEL, schema.PAPER_LEVEL)
    document.add_unsigned(schema.KEY, key)
    document.add_text(schema.PAPER, schema.word_of(key))
    document.add_unsigned(schema.NEWEST, schema.newest_of(_day(paper), key))
    document.add_unsigned(schema.CLUSTER, schema.key_of(paper.cluster) if paper.cluster else 0)
    for name, stream in fields.items():
        if stream.stems:
            document.add_text(name, stream.with_parts)
    document.add_text(schema.CONTENT, " ".join(stream.stems for stream in analysed))
    document.add_text(schema.EXACT, " ".join(stream.exact for stream in (*fields.values(), *analysed)))
    parts = frozenset().union(*(stream.parts for stream in (*fields.values(), *analysed)))
    if parts:
        document.add_text(schema.PARTS, " ".join(parts))
    document.add_text(schema.URL, " ".join(map(folded, tokens(paper.url))))
    _add_facets(document, paper)
    text = [(chunks[0].number, chunks[0].text)] if by_itself and chunks else []
    document.add_bytes(schema.RECORD, _record(paper, text, 0 if by_itself else len(chunks)))
    yield document
    if by_itself:
        return
    for number, (chunk, stream) in enumerate(zip(chunks, analysed, strict=True)):
        passage = tantivy.Document()
        passage.add_text(schema.LEVEL, schema.PAGE_LEVEL)
        passage.add_text(schema.PAPER, schema.word_of(key))
        passage.add_text(schema.PAGE, stream.marked)
        passage.add_bytes(schema.RECORD, _packed([number, chunk.number, chunk.text]))
        yield passage


def _chunks(page: PageText) -> Iterator[PageText]:
    """A page in pieces of bounded size that end at a space; together they are the page."""
    text, start = page.text, 0
    while len(text) - start > schema.PASSAGE_CHARACTERS:
        end = start + schema.PASSAGE_CHARACTERS
        space = max(text.rfind(" ", start + 1, end), text.rfind("\n", start + 1, end))
        end = space + 1 if space > 0 else end
        yield PageText(page.number, text[start:end])
        start = end
    yield PageText(page.number, text[start:])


def _day(paper: Paper) -> int:
    if paper.published:
        return paper.published.toordinal()
    return paper.crawled_at.date().toordinal() if paper.crawled_at else 0


def _add_facets(document: tantivy.Document, paper: Paper) -> None:
    for name in _FACETS:
        value = getattr(paper, name)
        if value:
            document.add_text(name, writable(value))
    if paper.published:
        document.add_text("year", str(paper.published.year))
        document.add_date(schema.PUBLISHED, midnight(paper.published))
    if paper.crawled_at:
        document.add_date(schema.CRAWLED, paper.crawled_at.astimezone(UTC))


def writable(text: str) -> str:
    """Without what UTF-8 cannot say, and no longer than a term may be."""
    return text[:_LONGEST_VALUE].encode("utf-8", "replace").decode()


def midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _record(paper: Paper, text: list[tuple[int, str]], passages: int) -> bytes:
    values: dict[str, Any] = {name: value for name in _STORED if (value := getattr(paper, name))}
    values |= {"keywords": paper.keywords, "headings": paper.headings, "metadata": paper.metadata}
    values |= {"text": text, "passages": passages}
    if paper.published:
        values["published"] = paper.published.isoformat()
    if paper.crawled_at:
        values["crawled_at"] = paper.crawled_at.isoformat()
    return _packed(values)


def _packed(values: object) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")


def record_of(document: tantivy.Document) -> Any:
    """As ``_record`` wrote it; of a passage: (its number, its page, its text)."""
    return json.loads(bytes(document.get_first(schema.RECORD) or b"{}"))


def paper_of(record: dict[str, Any], passages: list[tuple[int, int, str]]) -> Paper:
    """The paper as it was added. Its passages come in any order."""
    pages: dict[int, list[str]] = {}
    pieces = record["text"] or [(page, text) for _, page, text in sorted(passages)]
    for page, text in pieces:
        pages.setdefault(page, []).append(text)
    return Paper(
        **{name: record.get(name, "") for name in _STORED},
        pages=tuple(PageText(number, "".join(texts)) for number, texts in pages.items()),
        keywords=tuple(record["keywords"]),
        headings=tuple(record["headings"]),
        metadata=tuple((name, value) for name, value in record["metadata"]),
        published=published_of(record),
        crawled_at=crawled_of(record),
    )


def published_of(record: dict[str, Any]) -> date | None:
    return date.fromisoformat(record["published"]) if "published" in record else None


def crawled_of(record: dict[str, Any]) -> datetime | None:
    return datetime.fromisoformat(record["crawled_at"]) if "crawled_at" in record else None
