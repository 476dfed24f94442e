"""Google's own cases for its robots.txt matcher, and the three where RFC 9309 says otherwise."""

import json
import re

import pytest

from kiebitz.standards import robots
from tests.shared_data import CONFORMANCE

CASES = CONFORMANCE / "robots-google.json"

# (rule, path) of cases that are not ours: the RFC's table in section 2.2.2 has the opposite answer.
EXCLUDED = {
    ("Allow: /foo/bar/ツ", "/foo/bar/ツ"): "Google leaves encoding the URL to its caller; the RFC encodes both sides",
    (
        "Allow: /foo/bar/%E3%83%84",
        "/foo/bar/ツ",
    ): "Google leaves encoding the URL to its caller; the RFC encodes both sides",
    ("Allow: /foo/bar/%62%61%7A", "/foo/bar/baz"): "Google compares escapes; the RFC decodes unreserved characters",
}


def path_of(url: str) -> str:
    """As the suite's own caller does: without scheme, host and fragment, otherwise untouched."""
    return re.sub(r"^(?:[a-z]+:)?//[^/?#]*", "", url).partition("#")[0]


def test_googles_cases_have_googles_answers() -> None:
    wrong, excluded = [], set()
    cases = json.loads(CASES.read_text("utf-8"))
    for case in cases:
        path = path_of(case["url"])
        allowed = robots.parse(case["robots"], case["ua"]).allows(path)
        if allowed == case["allowed"]:
            continue
        reasons = [key for key in EXCLUDED if key[0] in case["robots"] and key[1] == path]
        excluded.update(reasons)
        if not reasons:
            wrong.append(case)
    assert len(cases) == 140
    assert wrong == []
    assert excluded == EXCLUDED.keys()


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar"),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/ツ"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"),
        ("/path/foo-%24", "/path/foo-$"),
    ],
)
def test_the_rfcs_own_table_of_encodings_holds(rule: str, path: str) -> None:
    assert not robots.parse(f"User-agent: *\nDisallow: {rule}", "kiebitz").allows(path)
