"""What may be meant by what is being typed, and by what was typed wrong: words of the index, and titles."""

from collections import Counter

from tantivy import Query

from kiebitz.adapters.tantivy.index.documents import record_of
from kiebitz.adapters.tantivy.index.ranking import find
from kiebitz.adapters.tantivy.index.reader import Snapshot
from kiebitz.adapters.tantivy.index.streams import Streams
from kiebitz.model.query import Every, Prefix, Search, Within, Word
from kiebitz.search import schema
from kiebitz.search.analyse import tokens
from kiebitz.search.correct import correction

LONGEST = 200
NEIGHBOURS = 3_000
_FOLDED = ("ae", "oe", "ue", "ss")


def suggestions(snapshot: Snapshot, streams: Streams, text: str, limit: int) -> list[str]:
    text = text[:LONGEST]
    typed = tokens(text)
    if not typed or not text[-1:].isalnum() or limit < 1:
        return []
    head = text[: len(text) - len(typed[-1])]
    found = [head + word for word in _words(snapshot, streams, typed[-1], limit)]
    titles = _titles(snapshot, streams, typed, limit)
    words = max(limit - len(titles), (limit + 1) // 2)
    return list(dict.fromkeys([*found[:words], *titles, *found]))[:limit]


def corrected(snapshot: Snapshot, text: str) -> str:
    """The text with words that the index knows, or ""."""
    return correction(text, lambda word: snapshot.frequency(schema.EXACT, word), lambda start: _begun(snapshot, start))


def _begun(snapshot: Snapshot, start: str) -> list[tuple[str, int]]:
    counts: Counter[str] = Counter()
    for reader in snapshot.readers:
        counts.update(dict(reader.searcher.terms_with_prefix(schema.EXACT, start, limit=NEIGHBOURS)))
    return counts.most_common(NEIGHBOURS)


def _words(snapshot: Snapshot, streams: Streams, start: str, limit: int) -> list[str]:
    counts: Counter[str] = Counter()
    for reader in snapshot.readers:
        counts.update(dict(reader.searcher.terms_with_prefix(schema.EXACT, streams.exact_word(start), limit=4 * limit)))
    return [_spelling(snapshot, streams, word) for word, _ in counts.most_common(limit)]


def _spelling(snapshot: Snapshot, streams: Streams, word: str) -> str:
    """As a paper writes it: the index has only the folded form."""
    if not any(pair in word for pair in _FOLDED):
        return word
    for reader in snapshot.readers:
        query = Query.term_query(reader.schema, schema.EXACT, word, index_option="basic")
        for _, address in reader.searcher.search(query, limit=1, count=False).hits:
            record = record_of(reader.searcher.doc(address))
            texts = [record.get("title", ""), *(text for _, text in record["text"])]
            for token in tokens(" ".join(texts)):
                if token != word and streams.exact_word(token) == word:
                    return token
    return word


def _titles(snapshot: Snapshot, streams: Streams, typed: list[str], limit: int) -> list[str]:
    *before, last = typed
    nodes = (*(Within("title", Word(word)) for word in before), Within("title", Prefix(last)))
    finding = find(snapshot, streams, Search(Every(nodes), limit=limit))
    titles = [record_of(best.reader.searcher.doc(best.address)).get("title", "") for best, _ in finding.papers]
    return [title for title in dict.fromkeys(titles) if title]
