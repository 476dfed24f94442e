"""Pages as trees: any encoding, and none that would take minutes."""

import pytest

from kiebitz.standards.html import DEPTH, is_too_deep, parse


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        ("<p>Grüße</p>".encode(), "text/html; charset=utf-8"),
        ("\ufeff<p>Grüße</p>".encode(), "text/html"),
        ("<p>Grüße</p>".encode("cp1252"), "text/html; charset=iso-8859-1"),
        ("<p>Grüße</p>".encode("utf-16"), "text/html"),
    ],
)
def test_every_encoding_gives_the_same_tree(content: bytes, content_type: str) -> None:
    assert parse(content, content_type).tags("p")[0].text() == "Grüße"


def test_a_page_nested_beyond_reason_is_recognised_before_it_is_parsed() -> None:
    assert is_too_deep(b"<div>" * 100_000)
    assert not is_too_deep(b"<div>" * (DEPTH - 1))


def test_a_long_page_is_not_a_deep_one() -> None:
    assert not is_too_deep(b"<div><span>x</span></div>" * 50_000)
