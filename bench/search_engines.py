"""One engine indexes a corpus and answers queries; prints what it cost as one line of JSON.

``python bench/search_engines.py ENGINE CORPUS LIMIT QUERIES FOLDER``. Run by bench/search.py, each in a process of its own;
Whoosh in the environment that bench/peers/setup made for it, so nothing of Kiebitz is imported there.
"""

import asyncio
import json
import sqlite3
import sys
import time
from collections.abc import Callable
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

BATCH = 10_000  # documents a commit, as when an index is rebuilt
Ask = Callable[[str, str], int]
Opened = tuple[Callable[[list[dict[str, Any]]], None], Callable[[], Ask]]


def kiebitz(folder: Path) -> Opened:
    """Everything on: exact field, compounds, passages, facets, a durable commit for each batch."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from kiebitz.adapters.tantivy.index import TantivyIndex
    from kiebitz.model.hit import PageText, Paper
    from kiebitz.model.query import Search
    from kiebitz.search.parse import parse

    loop = asyncio.new_event_loop()
    index = TantivyIndex(folder)
    shapes = {"phrase": '"{}"', "prefix": "{}*", "fuzzy": "{}~"}
    today = date(2026, 11, 16)

    def add(documents: list[dict[str, Any]]) -> None:
        papers = [
            Paper(
                d["id"],
                f"https://stadt.example/{d['id']}",
                d["title"],
                (PageText(0, d["text"]),),
                language=d["language"],
                source=d["source"],
                kind=d["kind"],
                published=date.fromisoformat(d["day"]),
            )
            for d in documents
        ]
        loop.run_until_complete(index.add(papers))
        loop.run_until_complete(index.commit(len(papers)))

    def finish() -> Ask:
        loop.run_until_complete(index.close())

        def ask(kind: str, text: str) -> int:
            query = parse(shapes.get(kind, "{}").format(text), today)
            return loop.run_until_complete(index.search(Search(query, facets=kind == "facet"))).total

        return ask

    return add, finish


def whoosh(folder: Path) -> Opened:
    """German stemming, the default writer, one commit at the end; the ten best with highlights."""
    from whoosh import fields, index
    from whoosh.analysis import LanguageAnalyzer
    from whoosh.qparser import FuzzyTermPlugin, MultifieldParser

    folder.mkdir(parents=True)
    german = LanguageAnalyzer("de")
    schema = fields.Schema(
        id=fields.ID(unique=True, stored=True),
        title=fields.TEXT(analyzer=german, stored=True, field_boost=3.0),
        text=fields.TEXT(analyzer=german, stored=True),
        source=fields.ID(stored=True, sortable=True),
        kind=fields.ID(stored=True),
        language=fields.ID(stored=True),
        day=fields.ID(stored=True),
    )
    made = index.create_in(str(folder), schema)
    writer = made.writer()

    def add(documents: list[dict[str, Any]]) -> None:
        for document in documents:
            writer.add_document(**document)

    def finish() -> Ask:
        writer.commit()
        searcher = made.searcher()
        parser = MultifieldParser(["title", "text"], schema)
        parser.add_plugin(FuzzyTermPlugin())
        shapes = {"phrase": '"{}"', "prefix": "{}*", "fuzzy": "{}~"}

        def ask(kind: str, text: str) -> int:
            query = parser.parse(shapes.get(kind, "{}").format(text))
            found = searcher.search(query, limit=10, groupedby="source" if kind == "facet" else None)
            for hit in found:
                hit.highlights("text")
            return len(found)

        return ask

    return add, finish


def fts5(folder: Path) -> Opened:
    """SQLite as it comes: no stemmer for German, no fuzzy search; a transaction for each batch."""
    folder.mkdir(parents=True)
    sql = sqlite3.connect(folder / "index.db")
    sql.execute("pragma journal_mode = wal")
    sql.execute(
        "create virtual table paper using fts5(title, text, id unindexed, source unindexed, day unindexed,"
        " tokenize = 'unicode61 remove_diacritics 2', prefix = '4')"
    )
    counted = "select count(*) from paper where paper match ?"
    shown = (
        "select id, title, snippet(paper, 1, '<', '>', '…', 30) from paper where paper match ?"
        " order by bm25(paper, 3.0, 1.0) limit 10"
    )

    def add(documents: list[dict[str, Any]]) -> None:
        with sql:
            sql.executemany("insert into paper values (:title, :text, :id, :source, :day)", documents)

    def finish() -> Ask:
        sql.execute("pragma wal_checkpoint(truncate)")

        def ask(kind: str, text: str) -> int:
            words = [f'"{word}"' for word in text.split()]
            query = {"phrase": f'"{text}"', "prefix": f'"{text}"*'}.get(kind, " ".join(words))
            sql.execute(shown, (query,)).fetchall()
            if kind == "facet":
                sql.execute("select source, count(*) from paper where paper match ? group by 1", (query,)).fetchall()
            return int(sql.execute(counted, (query,)).fetchone()[0])

        return ask

    return add, finish


ENGINES = {"kiebitz": kiebitz, "whoosh": whoosh, "fts5": fts5}


def main() -> None:
    engine, corpus, limit, queries, folder = sys.argv[1:]
    with Path(corpus).open() as file:
        documents = [json.loads(line) for line in islice(file, int(limit))]
    start = time.process_time()
    add, finish = ENGINES[engine](Path(folder))
    for first in range(0, len(documents), BATCH):
        add(documents[first : first + BATCH])
    ask = finish()
    indexing = time.process_time() - start
    costs: dict[str, list[float]] = {}
    found: dict[str, int] = {}
    for kind, texts in json.loads(Path(queries).read_text()).items():
        if engine == "fts5" and kind == "fuzzy":
            continue
        ask(kind, texts[0])
        for text in texts:
            before = time.process_time()
            found[kind] = found.get(kind, 0) + bool(ask(kind, text))
            costs.setdefault(kind, []).append((time.process_time() - before) * 1_000)
    files = {(entry := path.stat()).st_ino: entry.st_size for path in Path(folder).rglob("*") if path.is_file()}
    size = sum(files.values())  # a file with two names is there once
    text = sum(len(document["text"].encode()) + len(document["title"].encode()) for document in documents)
    print(
        json.dumps({"docs": len(documents), "cpu": indexing, "bytes": size, "text": text, "ms": costs, "found": found})
    )


if __name__ == "__main__":
    main()
