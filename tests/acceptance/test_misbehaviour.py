"""Hosts with every kind of bad manners: each request ends as a careful crawler would end it, and nothing gets in."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.lab.misbehaviour import expected, traps_set
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests.program import kiebitz

LIMITS = {
    "KIEBITZ_RETRY_DELAY": "0.2",
    "KIEBITZ_FIRST_BYTE_SECONDS": "2",
    "KIEBITZ_TOTAL_SECONDS": "5",
    "KIEBITZ_PATIENCE": "20",
    "KIEBITZ_MAX_BYTES": "20000000",
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningLab, Path, dict[str, dict[str, str]]]]:
    home = tmp_path_factory.mktemp("misbehaviour") / "home"
    with running_lab(Blueprint(misbehaving=True, tls=True)) as lab:
        env = {"KIEBITZ_RESOLVE": lab.resolve, **LIMITS}
        scope = ("--scope", "host", "--depth", "-1", "--max-pages", "0", "--max-per-host", "0", "--delay", "0")
        done = kiebitz(home, "crawl", *lab.seeds, *scope, "--json", env=env, timeout=200)
        assert done.code == 0, done.err
        rows = {row["url"]: row for row in kiebitz(home, "urls", "--json", env=env).lines}
        yield lab, home, rows


Crawled = tuple[RunningLab, Path, dict[str, dict[str, str]]]


@pytest.mark.slow
def test_every_request_ends_as_it_should(crawled: Crawled) -> None:
    _, _, rows = crawled
    wrong = []
    for case in expected(certified=True):
        row = rows.get(case.url)
        if row is None:
            if case.state:
                wrong.append((case.url, "not known"))
        elif not case.accepts(row["state"], row["reason"]):
            wrong.append((case.url, f"{row['state']}: {row['reason']}, expected {case.state}: {case.reason}"))
    assert not wrong


@pytest.mark.slow
def test_what_must_never_be_asked_for_was_not(crawled: Crawled) -> None:
    lab, _, _ = crawled
    asked = {entry.url for entry in lab.log()}
    assert not [case.url for case in expected(certified=True) if case.unasked and case.url in asked]
    assert lab.stats()["strays"] == 0


@pytest.mark.slow
def test_nobody_sends_us_more_than_we_allow(crawled: Crawled) -> None:
    lab, _, _ = crawled
    sent = Counter[str]()
    for entry in lab.log():
        sent[entry.url] = max(sent[entry.url], entry.sent)
    limits = {case.url: case.bytes_at_most for case in expected(certified=True) if case.bytes_at_most}
    assert {url: sent[url] for url, most in limits.items() if sent[url] > most} == {}


@pytest.mark.slow
def test_traps_end_by_themselves(crawled: Crawled) -> None:
    lab, _, rows = crawled
    requests = Counter(entry.host for entry in lab.log())
    for trap in traps_set():
        host = trap.start.split("/")[2]
        assert requests[host] <= trap.requests_at_most
        assert [url for url in trap.wanted if rows[url]["state"] != "done"] == []
        if trap.reason:
            assert any(host in url and row["reason"].startswith("trap") for url, row in rows.items())


@pytest.mark.slow
def test_pages_are_readable_whatever_their_charset_claims(crawled: Crawled) -> None:
    _, home, _ = crawled
    for case in expected(certified=True):
        if case.text:
            assert case.text in kiebitz(home, "show", case.url, "--text").out, case.url
