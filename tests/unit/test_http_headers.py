"""Heads and dates of HTTP, as servers really write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiebitz.standards.http_headers import RETRY_AFTER_MAX, http_date, parse_head, retry_after

NOVEMBER = 784_111_777.0  # 6 November 1994, 08:49:37


def test_names_are_lower_case_and_repetitions_are_joined() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nVary: a\r\nVARY:  b \r\nX-Empty:\r\n"
    assert parse_head(head) == (200, {"content-type": "text/html", "vary": "a, b", "x-empty": ""})


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"HTTP/1.1 404 Not Found", 404), (b"HTTP/1.0 200", 200), (b"HTTP/2 301 ", 301), (b"HTTP/1.1  204 x", 204),
        (b"HTTP/1.1 abc", 0), (b"", 0), (b"HTTP/1.1 20", 0), (b"HTTP/1.1 \xb2\xb2\xb2", 0),
    ],
)  # fmt: skip
def test_the_status_is_read_from_every_version(line: bytes, status: int) -> None:
    assert parse_head(line + b"\r\n") == (status, {})


def test_folded_lines_bare_newlines_and_rubbish_are_tolerated() -> None:
    head = b"HTTP/1.1 200 OK\nA: one\n\ttwo\r\n  three\r\nno colon\r\n: no name\r\nB : b\r\nC: caf\xe9\r\n\r\n"
    assert parse_head(head) == (200, {"a": "one two three", "b": "b", "c": "café"})


@given(st.binary(max_size=300))
def test_no_bytes_break_the_parser(head: bytes) -> None:
    status, fields = parse_head(head)
    assert 0 <= status <= 999
    assert all(name == name.strip().lower() and name for name in fields)


@pytest.mark.parametrize(
    "text",
    [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "06 Nov 1994 08:49:37", "Sun, 6 Nov 1994 09:49:37 +0100", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 November 1994 03:49:37 -05:00",
    ],
)  # fmt: skip
def test_dates_are_read_in_every_form(text: str) -> None:
    assert http_date(text) == NOVEMBER


def test_two_digit_years_lie_in_the_century_that_makes_sense() -> None:
    assert http_date("Sunday, 06-Nov-26 08:49:37 GMT") == 1_793_954_977.0


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "now", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nop 1994 08:49:37 GMT", "Sun, 06 Nov 1994"]
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert http_date(text) is None


@given(st.text(max_size=40))
def test_no_text_breaks_the_dates(text: str) -> None:
    http_date(text)
    retry_after(text, 0.0)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0), (" 0 ", 0.0), ("1.5", 1.0), ("120, 120", 120.0), ("9" * 5000, RETRY_AFTER_MAX),
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60.0), ("Sun, 06 Nov 1994 08:00:00 GMT", 0.0),
        ("Sun, 06 Nov 1999 08:00:00 GMT", RETRY_AFTER_MAX), ("-5", None), ("soon", None), ("", None), ("10 s", None),
    ],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date_within_a_week(value: str, seconds: float | None) -> None:
    assert retry_after(value, NOVEMBER) == seconds
