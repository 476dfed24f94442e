"""The index in memory: the same analysis and ranking as on disk, for tests and a few thousand papers.

A cursor belongs to the commit of its first page; the last few commits that gave out cursors are kept, so that pages follow each
other while papers are added.
"""

import re
from collections import Counter, OrderedDict
from collections.abc import Sequence
from datetime import date

from kiebitz.model.hit import Hit, Paper, Passage, Results
from kiebitz.model.query import FACETS, Search
from kiebitz.ports.index import IndexStatus
from kiebitz.search.analyse import folded
from kiebitz.search.correct import correction
from kiebitz.search.highlight import marks, passages
from kiebitz.search.leaves import Leaves
from kiebitz.search.ranking import Ranking, facet_of
from kiebitz.search.speak import speak

SCHEMA = 1
MOST_HITS = 1_000
PINNED = 4  # commits that cursors point into
_NEVER = date.min
_CURSOR = re.compile(r"([0-9]{1,15})\|(-?[0-9.e+-]{1,30})\|(.*)\Z", re.DOTALL)


class MemoryIndex:
    def __init__(self, leaves: Leaves | None = None) -> None:
        self._ranking = Ranking(leaves)
        self._generation = 0
        self._pinned: OrderedDict[int, Ranking] = OrderedDict()
        self._added: dict[str, Paper | None] = {}  # None is deleted
        self._position = 0

    async def add(self, papers: Sequence[Paper]) -> None:
        self._added |= {paper.id: paper for paper in papers}

    async def delete(self, ids: Sequence[str]) -> None:
        self._added |= dict.fromkeys(ids)

    async def commit(self, position: int) -> None:
        self._ranking = self._ranking.copy()
        self._generation += 1
        for paper_id, paper in self._added.items():
            self._ranking.remove(paper_id)
            if paper is not None:
                self._ranking.add(paper)
        self._added.clear()
        self._position = position

    async def position(self) -> int:
        return self._position

    async def search(self, search: Search) -> Results:
        generation, last = _read_cursor(search.cursor)
        ranking = self._pinned.get(generation, self._ranking)
        if ranking is self._ranking:
            generation = self._generation
        scores = {key: score for key, score in ranking.scores(search.query).items() if _passes(ranking, key, search)}
        order = {key: _order(ranking.entries[key].paper, score, search.sort) for key, score in scores.items()}
        ranked = sorted(order, key=order.__getitem__)
        begin = sum(order[key] <= last for key in ranked) if last else 0
        shown = ranked[begin : begin + max(0, min(search.limit, MOST_HITS))]
        more = bool(shown) and begin + len(shown) < len(ranked)
        if more:
            self._pin(generation, ranking)
        return Results(
            tuple(_hit(ranking.entries[key].paper, scores[key], search) for key in shown),
            len(ranked),
            _cursor(generation, order[shown[-1]]) if more else "",
            _facets([ranking.entries[key].paper for key in ranked]) if search.facets else (),
            "" if ranked else self._correction(search),
        )

    async def suggest(self, text: str, *, limit: int = 8) -> list[str]:
        begin = folded(text.strip().lower())
        if not begin:
            return []
        words = Counter({word: count for word, count in self._ranking.words().items() if word.startswith(begin)})
        titles = Counter(entry.paper.title for entry in self._ranking.entries.values())
        fitting = Counter({title: count for title, count in titles.items() if folded(title.lower()).startswith(begin)})
        found = [word for word, _ in (words + fitting).most_common()]
        return list(dict.fromkeys(found))[:limit]

    async def status(self) -> IndexStatus:
        entries = self._ranking.entries
        size = sum(len(page.text) for entry in entries.values() for page in entry.paper.pages)
        return IndexStatus(len(entries), 1, size, self._position, SCHEMA)

    async def verify(self) -> list[str]:
        return []

    async def compact(self) -> None:
        pass

    async def close(self) -> None:
        pass

    def _pin(self, generation: int, ranking: Ranking) -> None:
        self._pinned[generation] = ranking
        self._pinned.move_to_end(generation)
        while len(self._pinned) > PINNED:
            self._pinned.popitem(last=False)

    def _correction(self, search: Search) -> str:
        words = self._ranking.words()
        ordered = sorted(words.items(), key=lambda item: (-item[1], item[0]))
        return correction(
            speak(search.query),
            lambda word: words.get(word, 0),
            lambda letters: (item for item in ordered if item[0].startswith(letters)),
        )


def _passes(ranking: Ranking, key: str, search: Search) -> bool:
    paper = ranking.entries[key].paper
    return all(facet_of(paper, facet) in values for facet, values in search.filters)


def _order(paper: Paper, score: float, sort: str) -> tuple[float, str]:
    if sort == "date":
        return (float(-(paper.published or _NEVER).toordinal()), paper.id)
    return (-score, paper.id)


def _hit(paper: Paper, score: float, search: Search) -> Hit:
    return Hit(
        paper.id, paper.url, paper.title, score, _passages(paper, search),
        tuple(marks(paper.title, search.query, field="title")),
        paper.domain, paper.source, paper.kind, paper.language, paper.type, paper.published, paper.crawled_at,
    )  # fmt: skip


def _passages(paper: Paper, search: Search) -> tuple[Passage, ...]:
    """Of the page with the most found on it."""
    found = [passage for page in paper.pages for passage in passages(page.text, search.query, page=page.number)]
    return tuple(sorted(found, key=lambda passage: (-len(passage.marks), passage.page))[:1])


def _facets(papers: list[Paper]) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    counts = {facet: Counter(facet_of(paper, facet) for paper in papers) for facet in FACETS}
    return tuple(
        (facet, tuple(sorted(((v, n) for v, n in found.items() if v), key=lambda item: (-item[1], item[0]))))
        for facet, found in counts.items()
    )


def _cursor(generation: int, order: tuple[float, str]) -> str:
    return f"{generation}|{order[0]!r}|{order[1]}"


def _read_cursor(cursor: str) -> tuple[int, tuple[float, str] | None]:
    """A cursor that is none of ours begins anew."""
    match = _CURSOR.match(cursor)
    try:
        return (int(match[1]), (float(match[2]), match[3])) if match else (-1, None)
    except ValueError:
        return (-1, None)
