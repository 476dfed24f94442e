"""Patterns of strangers: Python's language, in linear time."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiebitz.errors import InputError
from kiebitz.sources.pattern import MAX_TEXT, Pattern

URL = "https://www.stadt.example/rathaus/amtsblatt/2026/Amtsblatt_12_2026_korr.pdf?x=1"
PIECES = [
    "a",
    "b",
    "(",
    ")",
    "|",
    "*",
    "+",
    "?",
    "{1,2}",
    "[ab]",
    "[^a]",
    ".",
    "^",
    "$",
    "\\b",
    "(?:",
    "\\d",
    "{2}",
    "*?",
]


@pytest.mark.parametrize(
    "pattern",
    [
        "/amtsblatt/",
        "(?i)FORMULAR|antrag",
        r"/\d{4}/[^/]+\.pdf",
        r"\.pdf$",
        r"^https://www\.stadt\.example/.*korr",
        r"(?:_\d+){2}_korr",
        r"\bkorr\b",
        r"[?&]x=\d*(?:&|$)",
        "nirgends",
        r"(?P<jahr>20\d\d)/",
        "a{2,}",
        "x{,2}=1",
        "",
    ],
)
def test_patterns_mean_what_they_mean_in_python(pattern: str) -> None:
    assert Pattern(pattern).fits(URL) == (re.search(pattern, URL) is not None)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=9), st.text("ab1 ", min_size=1, max_size=9))
def test_any_pattern_that_is_accepted_agrees_with_python(pieces: list[str], text: str) -> None:
    pattern = "".join(pieces)
    try:
        made = Pattern(pattern)
    except InputError:
        return
    assert made.fits(text) == (re.search(pattern, text) is not None)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a+)+$", "a" * 2000 + "!"),
        ("(a|a)*b", "a" * 2000),
        ("(.*a){12}b", "a" * 2000),
        (".*.*.*.*.*.*x", "a" * 2000),
        ("(a|b)*a(a|b){60}c", "ab" * 1000),
        ("(x+x+)+y", "x" * 2000),
    ],
)
def test_what_takes_pythons_engine_for_ever_takes_a_moment_here(pattern: str, text: str) -> None:
    made = Pattern(pattern)
    began = time.process_time()
    assert not made.fits(text)
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize(
    "pattern",
    ["(?=a)b", "(?!a)b", "(?<!a)b", r"(a)\1", "(?P<n>a)(?P=n)", "a++", "(?>a)b", "(?s)a", "(?i:a)", "(a)(?(1)b|c)"],
)
def test_what_needs_going_back_is_refused_with_the_place(pattern: str) -> None:
    with pytest.raises(InputError, match="cannot be used") as refused:
        Pattern(pattern)
    assert "look-around" in refused.value.hint


@pytest.mark.parametrize(
    "pattern", ["(", "[a", "*a", "a{2,1}", "x" * 501, "a{1000}", "((a{50}){50}){50}", "(" * 60 + ")" * 60]
)
def test_what_is_no_pattern_or_too_large_is_refused(pattern: str) -> None:
    with pytest.raises(InputError) as refused:
        Pattern(pattern)
    assert refused.value.hint


def test_a_text_beyond_reason_fits_nothing() -> None:
    assert Pattern("a").fits("a" * MAX_TEXT)
    assert not Pattern("a").fits("a" * (MAX_TEXT + 1))
