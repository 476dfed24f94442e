import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiebitz.model.text import Box, Line, Text, TextState, from_json, to_json

coordinates = st.floats(0, 2000).map(lambda value: round(value, 1))
lines = st.tuples(st.text(), st.integers(1, 5000), st.none() | st.tuples(*[coordinates] * 4).map(Box._make)).map(
    Line._make
)
texts = st.builds(
    Text, st.sampled_from(TextState), st.lists(lines | st.text().map(Line)).map(tuple), st.text(), st.text(),
    st.lists(st.text()).map(tuple), st.lists(st.text()).map(tuple), st.text(), st.text(), st.text(), st.text(), st.integers(0, 9999),
    st.lists(st.integers(1, 9999)).map(tuple), st.lists(st.tuples(st.text(), st.text())).map(tuple), st.text(),
)  # fmt: skip


@given(texts)
def test_a_text_survives_the_pipe(text: Text) -> None:
    assert from_json(to_json(text)) == text


def test_the_form_is_compact_and_has_a_version() -> None:
    stored = json.loads(
        to_json(Text(TextState.READ, (Line("eins"), Line("zwei", 3), Line("drei", 3, Box(1, 2.04, 3, 4)))))
    )
    assert stored == {"version": 1, "state": "read", "lines": [["eins"], ["zwei", 3], ["drei", 3, 1, 2.0, 3, 4]]}


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"[]",
        b'{"version":2}',
        b'{"version":1,"state":"odd","lines":[]}',
        b'{"version":1}',
        b'{"version":1,"state":"read","lines":[[]]}',
    ],
)
def test_what_is_no_text_of_ours_is_refused(wrong: bytes) -> None:
    with pytest.raises(ValueError):
        from_json(wrong)


def test_a_lone_surrogate_does_not_break_the_pipe() -> None:
    assert from_json(to_json(Text(TextState.READ, (Line("a\ud800b"),)))).plain == "a?b"
