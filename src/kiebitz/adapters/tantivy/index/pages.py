"""Which passages of a paper were meant: those with most of what was searched for."""

import tantivy
from tantivy import Occur, Query

from kiebitz.adapters.tantivy.index.reader import PartReader
from kiebitz.adapters.tantivy.index.streams import Streams
from kiebitz.model.query import FACETS, Either, Every, Fuzzy, Node, Phrase, Prefix, Within, Word
from kiebitz.search import schema
from kiebitz.search.analyse import tokens

EXPANDED = 64


def page_query(node: Node, reader: PartReader, streams: Streams) -> Query | None:
    """Any of the words, in any form; None if only titles, dates or facets were asked for."""
    found: list[Query] = []
    for leaf in leaves(node):
        match leaf:
            case Prefix(text):
                found.extend(_prefix(text, reader, streams))
            case Fuzzy(text, distance):
                found.extend(_words(text, reader, streams))
                found.extend(
                    Query.fuzzy_term_query(
                        reader.schema,
                        schema.PAGE,
                        schema.EXACT_MARK + streams.exact_word(word),
                        distance=max(0, min(2, distance)),
                    )
                    for word in tokens(text)
                )
            case Word(text) | Phrase(text):
                found.extend(_words(text, reader, streams))
    return Query.boolean_query([(Occur.Should, query) for query in found]) if found else None


def best_passages(query: Query, key: int, reader: PartReader, limit: int) -> list[tantivy.Document]:
    found = reader.searcher.search(_of_paper(query, key, reader), limit=limit, count=False)
    return [reader.searcher.doc(address) for _, address in found.hits]


def all_passages(key: int, reader: PartReader, limit: int) -> list[tantivy.Document]:
    found = reader.searcher.search(_of_paper(Query.all_query(), key, reader), limit=limit, count=False)
    return [reader.searcher.doc(address) for _, address in found.hits]


def _of_paper(query: Query, key: int, reader: PartReader) -> Query:
    level = Query.term_query(reader.schema, schema.LEVEL, schema.PAGE_LEVEL, index_option="basic")
    paper = Query.term_query(reader.schema, schema.PAPER, schema.word_of(key), index_option="basic")
    return Query.boolean_query(
        [
            (Occur.Must, query),
            (Occur.Must, Query.const_score_query(level, 0.0)),
            (Occur.Must, Query.const_score_query(paper, 0.0)),
        ]
    )


def leaves(node: Node) -> list[Node]:
    """The words, phrases, prefixes and fuzzy words that may be found in the text."""
    match node:
        case Word() | Phrase() | Prefix() | Fuzzy():
            return [node]
        case Every(nodes) | Either(nodes):
            return [leaf for inner in nodes for leaf in leaves(inner)]
        case Within(field, inner) if field not in FACETS:
            return leaves(inner)
    return []


def _words(text: str, reader: PartReader, streams: Streams) -> list[Query]:
    terms: dict[str, None] = {}
    for word in tokens(text):
        terms |= dict.fromkeys(streams.stems(word))
        terms[schema.EXACT_MARK + streams.exact_word(word)] = None
        terms[schema.PART_MARK + streams.stem(word, "de")] = None
        for part in streams.parts(word):
            terms |= dict.fromkeys((part, schema.PART_MARK + part))
    known = [term for term in terms if reader.document_frequency(schema.PAGE, term)]
    return [Query.term_query(reader.schema, schema.PAGE, term, index_option="freq") for term in known]


def _prefix(text: str, reader: PartReader, streams: Streams) -> list[Query]:
    queries = []
    for word in tokens(text):
        start = schema.EXACT_MARK + streams.exact_word(word)
        terms = [term for term, _ in reader.searcher.terms_with_prefix(schema.PAGE, start, limit=EXPANDED)]
        if terms:
            queries.append(Query.term_set_query(reader.schema, schema.PAGE, terms))
    return queries
