"""URLs as others test them: web-platform-tests (all of its http(s) cases) and crawler-commons (named differences)."""

import csv
import json
from collections.abc import Iterator
from typing import Any

from kiebitz.errors import BadUrl
from kiebitz.standards import url
from tests.shared_data import CONFORMANCE

FOLDER = CONFORMANCE
WEB = ("http:", "https:")

# Where crawler-commons goes further than rule 6 of kiebitz.standards.url, or does not know WHATWG: why, and which inputs.
DIFFERENCES = {
    "doubled slashes are kept: real portals (verwaltungsportal.de) answer under them only": (
        "http://foo.com//aa/bb/foo.html",
        "http://foo.com/aa//bb/foo.html",
        "http://foo.com/aa/bb//foo.html",
        "http://foo.com//aa//bb//foo.html",
        "http://foo.com////aa////bb//foo.html",
        "http://foo.com////aa////bb////foo.html",
    ),
    "the order of parameters is kept": (
        "http://example.com/?b=1&a=1",
        "http://foo.com/foo.html?b=1&a=1",
        "http://foo.com/index?b=2&a=1",
        "http://foo.com/index?b=2&a=1#c",
        "http://foo.com/index?b&a=1",
    ),
    "parameters without name or value are kept": (
        "http://foo.com/index?a=1&b=",
        "http://foo.com/index?b=&a=1",
        "http://foo.com/index?b=1&a=1&",
        "http://foo.com/index?&b=1&a=1",
        "http://foo.com/index?&=1&a=1",
        "http://foo.com/index?=1&b=1&a=1",
    ),
    "WHATWG leaves these characters of a query as they are": (
        "http://x.com/?x[y]=1",
        "http://www.example.com/a/c/../b/search?q=foobar^",
        "http://www.example.com/a/c/../b/search?q=foobar`",
        "http://www.example.com/a/c/../b/search?q=foobar|",
    ),
    "WHATWG leaves a stray percent sign as it is": (
        "https://www.last.fm/music/Prefuse+73/_/90%+of+My+Mind+Is+With+You",
        "http://www.example.com/a/c/../b/search?q=foobar%",
        "http://www.example.com/p%zz%77%v",
        "http://www.example.com/search?q=foobar%",
        "http://www.example.com/search?q=foobar%2",
    ),
    "WHATWG knows no http URL without a host": ("http:////", "http:///////"),
    "a URL without scheme is for from_user, which takes https": ("foo.com/index.html",),
    "other schemes are not crawled": (
        "file:///foo/bar.txt",
        "ftp:/",
        "ftp://foo.com/index.html",
        "file:/path/index.html",
        "file:/var/www/html/////./bar/index.html",
        "file:/var/www/html/foo/../bar/index.html",
        "//server/file",
    ),
}


def answer(text: str, base: str | None) -> str | None:
    try:
        return url.parse(text, base)
    except BadUrl:
        return None


def remembered(text: str) -> str | None:
    try:
        return url.canonical(text)
    except BadUrl:
        return None


def wpt_cases() -> list[dict[str, Any]]:
    """Cases with an http(s) URL as result, and failures in which one was given."""
    cases = [case for case in json.loads((FOLDER / "url-wpt.json").read_text("utf-8")) if isinstance(case, dict)]
    return [
        case
        for case in cases
        if case.get("href", "").startswith(WEB)
        or (
            case.get("failure")
            and (case["input"].strip().lower().startswith(WEB) or (case.get("base") or "").startswith(WEB))
        )
    ]


def rows(name: str) -> Iterator[list[str]]:
    for line in (FOLDER / f"url-crawler-commons-{name}.csv").read_text("utf-8").split("\n"):
        if line.strip() and not line.startswith("#"):
            yield [cell.strip(" ") for cell in next(csv.reader([line], skipinitialspace=True))]


def test_every_http_case_of_web_platform_tests_has_its_answer() -> None:
    cases = wpt_cases()
    wrong = [case for case in cases if answer(case["input"], case.get("base")) != case.get("href")]
    assert len(cases) == 446
    assert wrong == []


def test_join_leads_where_web_platform_tests_say_for_every_web_base() -> None:
    for case in wpt_cases():
        base = case.get("base") or ""
        if base.startswith(WEB):
            href = case.get("href")
            expected = url.canonical(href) if href else None
            assert url.join(base, case["input"]) == expected, case


def test_crawler_commons_answers_are_ours_but_for_named_differences() -> None:
    different = {
        *(text for text, expected in rows("weirdToNormalizedUrls") if remembered(text) != expected),
        *(text for text, base, expected in rows("url-resolve") if answer(text, base or None) != expected),
        *(text for (text,) in rows("invalidUrls") if remembered(text) is not None),
    }
    assert different == {text for texts in DIFFERENCES.values() for text in texts}
