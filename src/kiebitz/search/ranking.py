"""A query on papers in memory: which are found, and how well (BM25F over all fields and forms of a word).

The simple and slow twin of the index on disk: it defines what is found and why one paper comes before another, serves where
there are few papers, and matches saved searches against what is new.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kiebitz.model.hit import Paper
from kiebitz.model.query import (
    FACETS,
    FIELDS,
    Between,
    Either,
    Every,
    Everything,
    Fuzzy,
    Node,
    Not,
    Phrase,
    Prefix,
    Within,
    Word,
)
from kiebitz.search.analyse import is_stop
from kiebitz.search.leaves import FieldWords, Leaf, Leaves, read
from kiebitz.search.weights import Scale, weights

Scores = dict[str, float]

ENOUGH = 10  # papers with all words; if there are fewer, those with most of them follow
MOST_OF = 0.3  # of the weight of the words
LACKING = 2.0  # how steeply a paper falls by the words that it lacks


class Indexed(NamedTuple):
    paper: Paper
    fields: dict[str, FieldWords]


class Ranking:
    """Papers, and how they answer queries."""

    def __init__(self, leaves: Leaves | None = None, scale: Scale | None = None) -> None:
        self._leaves = leaves or Leaves()
        self._scale = scale or weights()
        self.entries: dict[str, Indexed] = {}

    def copy(self) -> Ranking:
        """With the same papers; what is then added to one is not in the other."""
        other = Ranking(self._leaves, self._scale)
        other.entries = dict(self.entries)
        return other

    def add(self, paper: Paper) -> None:
        self.entries[paper.id] = Indexed(
            paper, {name: read(text, paper.language, self._leaves) for name, text in texts(paper)}
        )

    def remove(self, paper_id: str) -> None:
        self.entries.pop(paper_id, None)

    def words(self) -> dict[str, int]:
        """Every word as it is written, folded, and in how many papers it occurs."""
        counts: dict[str, int] = {}
        for entry in self.entries.values():
            for word in {key[1:] for reading in entry.fields.values() for key in reading.places if key[0] == "="}:
                counts[word] = counts.get(word, 0) + 1
        return counts

    def scores(self, node: Node) -> Scores:
        return _Question(self.entries, self._leaves, self._scale).scores(node)


def texts(paper: Paper) -> Iterable[tuple[str, str]]:
    yield "title", paper.title
    yield "description", paper.description
    yield "keywords", "\n".join(paper.keywords)
    yield "headings", "\n".join(paper.headings)
    yield "content", "\n".join(page.text for page in paper.pages)
    yield "url", paper.url


class _Question:
    def __init__(self, entries: Mapping[str, Indexed], leaves: Leaves, scale: Scale) -> None:
        self._entries = entries
        self._leaves = leaves
        self._scale = scale
        self._average = {name: self._average_length(name) for name in FIELDS}

    def scores(self, node: Node) -> Scores:
        if isinstance(node, Everything):
            return dict.fromkeys(self._entries, 0.0)
        if isinstance(node, Every):
            return self._every(node)
        if isinstance(node, Either):
            return _union([self.scores(inner) for inner in node.nodes])
        if isinstance(node, Not):
            found = self.scores(node.node)
            return {key: 0.0 for key in self._entries if key not in found}
        if isinstance(node, Between):
            return {key: 0.0 for key, entry in self._entries.items() if _is_between(entry.paper, node)}
        if isinstance(node, Within):
            return self._within(node)
        return self._text(node, FIELDS)

    def _every(self, node: Every) -> Scores:
        loose = [inner for inner in node.nodes if isinstance(inner, Word | Prefix | Fuzzy)]
        asked = [inner for inner in loose if not (isinstance(inner, Word) and is_stop(inner.text.lower()))] or loose
        strict = [self.scores(inner) for inner in node.nodes if inner not in loose]
        found = [self.scores(inner) for inner in asked]
        common = _intersection([*found, *strict])
        if (len(common) >= ENOUGH and self._leaves.analysis) or len(found) < 2:
            return common
        return {**self._most(found, strict), **common}

    def _most(self, found: list[Scores], strict: list[Scores]) -> Scores:
        """Papers with most of the words, worth less by the share that they lack."""
        found = [scores for scores in found if scores]  # a word that stands nowhere says nothing
        rarity = [self._idf(len(scores)) for scores in found]
        allowed = set.intersection(*(set(scores) for scores in strict)) if strict else None
        total = sum(rarity)
        most: Scores = {}
        for key, score in _union(found).items():
            share = sum(idf for idf, scores in zip(rarity, found, strict=True) if key in scores) / total
            if share >= (MOST_OF if self._leaves.analysis else 0) and (allowed is None or key in allowed):
                most[key] = score * share**LACKING
        return most

    def _within(self, node: Within) -> Scores:
        if node.field in FACETS:
            return {key: 0.0 for key, entry in self._entries.items() if _has_value(entry.paper, node.field, node.node)}
        if isinstance(node.node, Word | Phrase | Prefix | Fuzzy):
            return self._text(node.node, (node.field,))
        return self.scores(node.node)

    def _text(self, node: Word | Phrase | Prefix | Fuzzy, fields: Iterable[str]) -> Scores:
        leaf = self._leaves.leaf(node, self._vocabulary)
        weighted: Scores = {}
        for key, entry in self._entries.items():
            frequency = sum(self._frequency(entry.fields[name], name, leaf) for name in fields)
            if frequency:
                weighted[key] = frequency
        idf, k1 = self._idf(len(weighted)), self._scale.k1
        return {key: idf * found * (k1 + 1) / (found + k1) for key, found in weighted.items()}

    def _frequency(self, reading: FieldWords, name: str, leaf: Leaf) -> float:
        found = leaf.found_in(reading)
        if not found:
            return 0.0
        b = self._scale.b
        return self._scale.fields[name] * found / (1 - b + b * reading.length / self._average[name])

    def _idf(self, papers: int) -> float:
        return math.log(1 + (len(self._entries) - papers + 0.5) / (papers + 0.5))

    def _average_length(self, name: str) -> float:
        lengths = [entry.fields[name].length for entry in self._entries.values()]
        return max(1.0, sum(lengths) / max(1, sum(length > 0 for length in lengths)))

    def _vocabulary(self) -> Iterable[str]:
        keys = {key for entry in self._entries.values() for reading in entry.fields.values() for key in reading.places}
        return (key[1:] for key in keys if key[0] == "=")


def facet_of(paper: Paper, facet: str) -> str:
    if facet == "year":
        return str(paper.published.year) if paper.published else ""
    return str(getattr(paper, facet))


def _has_value(paper: Paper, facet: str, node: Node) -> bool:
    value = facet_of(paper, facet).casefold()
    if isinstance(node, Prefix):
        return value.startswith(node.text.casefold())
    return isinstance(node, Word | Phrase | Fuzzy) and value == node.text.casefold()


def _is_between(paper: Paper, node: Between) -> bool:
    when = paper.published
    return when is not None and (node.first is None or node.first <= when) and (node.last is None or when <= node.last)


def _union(scores: list[Scores]) -> Scores:
    together: Scores = {}
    for found in scores:
        for key, score in found.items():
            together[key] = together.get(key, 0.0) + score
    return together


def _intersection(scores: list[Scores]) -> Scores:
    smallest = min(scores, key=len)
    return {key: sum(found[key] for found in scores) for key in smallest if all(key in found for found in scores)}
