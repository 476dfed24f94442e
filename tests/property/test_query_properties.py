"""Nothing that is typed is an error, takes long or becomes large; and what is typed plainly is searched."""

from collections.abc import Iterator
from datetime import date
from time import process_time

from hypothesis import given, settings
from hypothesis import strategies as st

from kiebitz.model.query import Either, Every, Node, Not, Within, Word
from kiebitz.search.analyse import is_stop, located, tokens
from kiebitz.search.compounds import Splitter
from kiebitz.search.highlight import marks, passages
from kiebitz.search.parse import DEEPEST, parse
from kiebitz.search.scan import MOST_TERMS
from kiebitz.search.speak import speak

TODAY = date(2026, 11, 16)
SIGNS = ["(", ")", '"', "„", "“", "-", "+", "~", "*", ":", "..", "AND", "OR", "NICHT", "titel:", "jahr:", "seit", "bis", "2026", "März", "12.3.",
         " ", "\0", "\u202e", "\ud800", "[a-z]+", "§", "wort", "Bebauungsplan", "\\", "ß", "A\u0308", "…", "&&", "|", "~99"]  # fmt: skip
typed = (
    st.text(max_size=300)
    | st.lists(st.sampled_from(SIGNS), max_size=300).map("".join)
    | st.lists(st.sampled_from(SIGNS), max_size=200).map(" ".join)
)
days = st.dates(date(1, 1, 1), date(9999, 12, 31))
plain_words = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzäöüßABCÄÖÜ0123456789"), min_size=1, max_size=12)


def nodes_of(node: Node, depth: int = 0) -> Iterator[tuple[Node, int]]:
    yield node, depth
    if isinstance(node, Every | Either):
        for inner in node.nodes:
            yield from nodes_of(inner, depth + 1)
    elif isinstance(node, Not | Within):
        yield from nodes_of(node.node, depth + 1)


@given(typed, days)
@settings(max_examples=400, deadline=None)
def test_nothing_typed_is_an_error_or_takes_long_or_becomes_large(text: str, today: date) -> None:
    begin = process_time()
    tree = parse(text, today)
    assert process_time() - begin < 0.2
    found = list(nodes_of(tree))
    assert len(found) <= 4 * MOST_TERMS + 10
    assert max(depth for _, depth in found) <= 4 * (DEEPEST + 2)


@given(st.lists(plain_words, min_size=1, max_size=MOST_TERMS))
@settings(max_examples=300, deadline=None)
def test_words_typed_plainly_are_searched(words: list[str]) -> None:
    reserved = {"AND", "OR", "NOT", "UND", "ODER", "NICHT"}
    words = [word for word in words if word not in reserved and not _may_be_a_date(word)]
    tree = parse(" ".join(words), TODAY)
    assert [node.text for node, _ in nodes_of(tree) if isinstance(node, Word)] == words


def _may_be_a_date(word: str) -> bool:
    return word.lower() in {"seit", "ab", "vor", "nach", "bis", "im", "in", "von"}


@given(typed)
@settings(max_examples=200, deadline=None)
def test_what_is_spoken_is_stable(text: str) -> None:
    said = speak(parse(text, TODAY))
    assert speak(parse(speak(parse(said, TODAY)), TODAY)) == speak(parse(said, TODAY))


@given(typed, typed)
@settings(max_examples=200, deadline=None)
def test_marks_are_inside_the_text_in_order_and_apart(query: str, text: str) -> None:
    tree = parse(query, TODAY)
    last = 0
    for start, end in marks(text, tree):
        assert last <= start < end <= len(text)
        last = end
    for passage in passages(text, tree, limit=2):
        assert all(0 <= start < end <= len(passage.text) for start, end in passage.marks)


@given(plain_words, st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_a_word_that_stands_in_a_text_is_marked_there(word: str, around: str) -> None:
    text = f"{around} {word} {around}"
    if is_stop(word.lower()) or len(tokens(word)) != 1:
        return
    at = len(around) + 1
    assert any(start <= at and at + len(word) <= end for start, end in marks(text, Word(word)))


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_words_with_and_without_their_places_are_the_same(text: str) -> None:
    assert [token.word for token in located(text)] == tokens(text)


@given(st.text(st.sampled_from("bauenrtsgwplmäöüßhofdi-"), max_size=80))
@settings(max_examples=300, deadline=None)
def test_parts_are_never_empty_and_a_word_alone_is_itself(word: str) -> None:
    parts = Splitter.shipped().parts(word)
    assert parts
    assert all(parts) or parts == (word,)
    if len(parts) == 1 and "-" not in word:
        assert parts == (word.lower(),)
