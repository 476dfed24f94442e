"""A question as queries of Tantivy, for one part.

Never by Tantivy's own parser: nested parentheses crash it. Each word becomes what it may stand as: its stem in each weighted
field, its exact form, a part of compounds, or, if it is a compound itself, all of its parts. Only terms that the part has
become queries, so that most words cost two or three look-ups.
"""

from collections.abc import Iterable, Sequence

import tantivy
from tantivy import Occur, Query

from kiebitz.adapters.tantivy.index.documents import midnight, writable
from kiebitz.adapters.tantivy.index.reader import PartReader, Snapshot, rarity
from kiebitz.adapters.tantivy.index.streams import Streams
from kiebitz.model.query import (
    FACETS,
    Between,
    Either,
    Every,
    Everything,
    Fuzzy,
    Node,
    Not,
    Phrase,
    Prefix,
    Search,
    Within,
    Word,
)
from kiebitz.search import schema
from kiebitz.search.analyse import LANGUAGES, tokens
from kiebitz.search.weights import weights

EXPANDED = 512  # words that a prefix stands for, the most frequent
RANKED = 16  # of them, those that are ranked by how rare they are
SHORTEST_FUZZY = 3
COMPLETE = 1_000.0  # what a paper with all words has before one with most of them


class Compiler:
    def __init__(self, snapshot: Snapshot, reader: PartReader, streams: Streams) -> None:
        self._snapshot = snapshot
        self._reader = reader
        self._schema = reader.schema
        self._streams = streams
        self._nothing = Query.empty_query()
        self._fields, self._forms, _, _ = weights()

    def papers(self, search: Search, *, relaxed: bool) -> Query:
        """What is searched for, among papers that are not deleted, within the filters."""
        wanted = self._relaxed(search.query) if relaxed else self._node(search.query, "")
        clauses = [(Occur.Must, wanted or Query.all_query()), (Occur.Must, self._level(schema.PAPER_LEVEL))]
        for facet, values in search.filters:
            if facet in FACETS:
                clauses.append(
                    (
                        Occur.Must,
                        _constant(Query.term_set_query(self._schema, facet, [writable(value) for value in values])),
                    )
                )
        return self._without_deleted(clauses)

    def _without_deleted(self, clauses: list[tuple[Occur, Query]]) -> Query:
        excluded = self._snapshot.exclusion(self._reader)
        return Query.boolean_query([*clauses, *([(Occur.MustNot, excluded)] if excluded else [])])

    def _level(self, level: str) -> Query:
        return _constant(Query.term_query(self._schema, schema.LEVEL, level, index_option="basic"))

    def _relaxed(self, node: Node) -> Query | None:
        """Most of the words; papers with all of them before the others. What is not a plain word must hold in any case."""
        nodes = node.nodes if isinstance(node, Every) else ()
        words, _, _ = self._sorted([inner for inner in nodes if isinstance(inner, Word)], "")
        if len(words) < 2:
            return self._node(node, "")
        least = len(words) - 1 if len(words) <= 4 else (3 * len(words) + 4) // 5
        most = Query.boolean_query([(Occur.Should, query) for query in words], minimum_number_should_match=least)
        everything = Query.boolean_query([(Occur.Must, query) for query in words])
        required, _, unwanted = self._sorted([inner for inner in nodes if not isinstance(inner, Word)], "")
        return Query.boolean_query(
            [
                (Occur.Must, most),
                (Occur.Should, Query.const_score_query(everything, COMPLETE)),
                *((Occur.Must, query) for query in required),
                *((Occur.MustNot, query) for query in unwanted),
            ]
        )

    def _node(self, node: Node, scope: str) -> Query | None:  # noqa: C901  one case per kind of node
        """None if the node says nothing: a word without letters."""
        match node:
            case Everything():
                return Query.all_query()
            case Word(text):
                return self._words(text, scope)
            case Phrase(text):
                return self._phrase(text, scope)
            case Prefix(text):
                return self._prefix(text, scope)
            case Fuzzy(text, distance):
                return self._fuzzy(text, distance, scope)
            case Within(field, inner):
                return self._node(inner, field)
            case Between():
                return self._between(node)
            case Not(inner):
                return self._every((node,), scope)
            case Every(nodes):
                return self._every(nodes, scope)
            case Either(nodes):
                found = [query for inner in nodes if (query := self._node(inner, scope)) is not None]
                return self._any(found) if found else None

    def _sorted(self, nodes: Iterable[Node], scope: str) -> tuple[list[Query], list[Query], list[Query]]:
        """What must be there, what may be (stop words), and what must not."""
        wanted: list[Query] = []
        welcome: list[Query] = []
        unwanted: list[Query] = []
        for node in nodes:
            query = self._node(node.node if isinstance(node, Not) else node, scope)
            if query is None:
                continue
            if isinstance(node, Not):
                unwanted.append(query)
            elif isinstance(node, Word) and not scope and self._streams.is_stop(node.text.lower()):
                welcome.append(query)
            else:
                wanted.append(query)
        return (wanted, welcome, unwanted) if wanted else (welcome, [], unwanted)

    def _every(self, nodes: Sequence[Node], scope: str) -> Query | None:
        wanted, welcome, unwanted = self._sorted(nodes, scope)
        if not wanted and not unwanted:
            return None
        return Query.boolean_query(
            [
                *((Occur.Must, query) for query in wanted or [Query.all_query()]),
                *((Occur.Should, query) for query in welcome),
                *((Occur.MustNot, query) for query in unwanted),
            ]
        )

    def _words(self, text: str, scope: str) -> Query | None:
        if scope in FACETS:
            return self._facet(scope, text)
        found = tokens(text)
        if len(found) == 1:
            return self._word(found[0], scope)
        return self._phrase(text, scope) if found else None

    def _word(self, word: str, scope: str) -> Query:
        exact = self._streams.exact_word(word)
        if scope == schema.URL:
            return self._term(schema.URL, exact, 1.0)
        fields = (scope,) if scope else schema.STEMMED
        evidence = [
            self._term(field, stem, self._forms["stem"] * self._fields[field])
            for stem in self._streams.stems(word)
            for field in fields
        ]
        if schema.CONTENT in fields:
            evidence.append(self._term(schema.EXACT, exact, self._forms["exact"]))
        ways = [self._any(evidence), self._any(self._as_part(self._streams.stem(word, "de"), fields, "part"))]
        parts = self._streams.parts(word)
        if parts:
            ways.append(self._compound(parts, fields))
        return self._best(ways)

    def _as_part(self, stem: str, fields: Sequence[str], form: str) -> list[Query]:
        """Inside a compound, in any of the fields."""
        weight = self._forms[form]
        return [
            self._term(schema.PARTS, stem, weight)
            if field == schema.CONTENT
            else self._term(field, schema.PART_MARK + stem, weight * self._fields[field])
            for field in fields
        ]

    def _compound(self, parts: Sequence[str], fields: Sequence[str]) -> Query:
        """All parts of the word, each by itself or inside another compound."""
        weight = self._forms["apart"]
        found = []
        for part in dict.fromkeys(parts):
            ways = [self._term(field, part, self._fields[field] * weight) for field in fields]
            found.append(self._any([*ways, *self._as_part(part, fields, "apart")]))
        if any(query is self._nothing for query in found):
            return self._nothing
        return Query.boolean_query([(Occur.Must, query) for query in found])

    def _phrase(self, text: str, scope: str) -> Query | None:
        if scope in FACETS:
            return self._facet(scope, text)
        found = tokens(text)
        if len(found) < 2:
            return self._word(found[0], scope) if found else None
        if scope == schema.URL:
            terms = [self._term(schema.URL, self._streams.exact_word(word), 1.0) for word in found]
            return self._nothing if self._nothing in terms else Query.boolean_query([(Occur.Must, t) for t in terms])
        fields = (scope,) if scope else schema.STEMMED
        readings = dict.fromkeys(tuple(self._streams.stem(word, language) for word in found) for language in LANGUAGES)
        phrases = [self._stems_in_order(field, stems) for stems in readings for field in fields]
        wanted = self._any(phrases)
        if wanted is self._nothing:
            return wanted
        exact = [self._term(schema.EXACT, self._streams.exact_word(word), self._forms["exact"]) for word in found]
        bonus = [(Occur.Should, query) for query in exact if query is not self._nothing]
        return Query.boolean_query([(Occur.Must, wanted), *bonus])

    def _stems_in_order(self, field: str, stems: Sequence[str]) -> Query:
        here = [self._reader.document_frequency(field, stem) for stem in stems]
        if not all(here):
            return self._nothing
        local = sum(rarity(self._reader.documents, frequency) for frequency in here)
        everywhere = sum(self._snapshot.rarity(field, stem) for stem in stems)
        query = Query.phrase_query(self._schema, field, list(stems))
        return Query.boost_query(query, self._fields[field] * self._forms["phrase"] * everywhere / local)

    def _prefix(self, text: str, scope: str) -> Query | None:
        found = tokens(text)
        if scope in FACETS:
            terms = self._reader.searcher.terms_with_prefix(scope, writable(text), limit=EXPANDED)
            return _constant(Query.term_set_query(self._schema, scope, [term for term, _ in terms]))
        if not found:
            return None
        *before, last = found
        field = schema.EXACT if scope in {"", schema.CONTENT} else scope
        terms = self._reader.searcher.terms_with_prefix(field, self._streams.exact_word(last), limit=EXPANDED)
        if not terms:
            return self._nothing
        words = [term for term, _ in terms]
        any_of_them = Query.const_score_query(Query.term_set_query(self._schema, field, words), self._forms["prefix"])
        ranked = self._best([self._term(field, word, self._forms["exact"]) for word in words[:RANKED]])
        prefix = Query.boolean_query([(Occur.Must, any_of_them), (Occur.Should, ranked)])
        if not before:
            return prefix
        return Query.boolean_query([*((Occur.Must, self._word(w, scope)) for w in before), (Occur.Must, prefix)])

    def _fuzzy(self, text: str, distance: int, scope: str) -> Query | None:
        found = tokens(text)
        if scope in FACETS or scope == schema.URL or len(found) != 1 or len(found[0]) < SHORTEST_FUZZY:
            return self._words(text, scope)
        word = self._streams.exact_word(found[0])
        field = schema.EXACT if scope in {"", schema.CONTENT} else scope
        similar = Query.fuzzy_term_query(self._schema, field, word, distance=max(0, min(2, distance)))
        return self._any([Query.boost_query(similar, self._forms["fuzzy"]), self._word(found[0], scope)])

    def _between(self, node: Between) -> Query:
        if node.first is None and node.last is None:
            return Query.all_query()
        lower = midnight(node.first) if node.first else None
        upper = midnight(node.last) if node.last else None
        kind = tantivy.FieldType.Date
        return _constant(Query.range_query(self._schema, schema.PUBLISHED, kind, lower, upper))

    def _facet(self, facet: str, text: str) -> Query:
        values = list(dict.fromkeys((writable(text), writable(text.lower()))))
        return _constant(Query.term_set_query(self._schema, facet, values))

    def _term(self, field: str, word: str, weight: float) -> Query:
        """Weighted as if all parts were one index."""
        here = self._reader.document_frequency(field, word)
        if not here:
            return self._nothing
        local, everywhere = rarity(self._reader.documents, here), self._snapshot.rarity(field, word)
        option = "basic" if field in {schema.EXACT, schema.PARTS, schema.URL} else "freq"
        return Query.boost_query(
            Query.term_query(self._schema, field, word, index_option=option), weight * everywhere / local
        )

    def _any(self, queries: Sequence[Query]) -> Query:
        found = [query for query in queries if query is not self._nothing]
        if len(found) < 2:
            return found[0] if found else self._nothing
        return Query.boolean_query([(Occur.Should, query) for query in found])

    def _best(self, queries: Sequence[Query]) -> Query:
        found = [query for query in queries if query is not self._nothing]
        if len(found) < 2:
            return found[0] if found else self._nothing
        return Query.disjunction_max_query(found)


def _constant(query: Query) -> Query:
    return Query.const_score_query(query, 0.0)


def is_ranked(node: Node) -> bool:
    """Is there anything to rank by? Dates, facets and what is excluded are yes or no."""
    match node:
        case Everything() | Between() | Not():
            return False
        case Within(field, inner):
            return field not in FACETS and is_ranked(inner)
        case Every(nodes) | Either(nodes):
            return any(map(is_ranked, nodes))
    return True
