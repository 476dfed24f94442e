"""Verbs that change what a crawl has to do: submit and retry."""

from pathlib import Path

from kiebitz.lab.graph import SpotKind
from kiebitz.lab.running import RunningLab
from tests.acceptance.conftest import program_for
from tests.program import Program

FLAPPING = "http://flap.example/1-mal"  # fails once, then works


def asked(lab: RunningLab) -> list[str]:
    return [entry.url for entry in lab.log() if entry.target != "/robots.txt"]


def state(program: Program, url: str) -> str:
    return str(program("show", url, "--json").json["state"])


def test_what_is_submitted_to_no_run_is_fetched_by_the_next_crawl_and_nothing_else_is(
    lab: RunningLab, program: Program
) -> None:
    first, second = "http://h0002.example/", "http://h0003.example/seite-7.html"
    added = program("submit", first)
    assert added.code == 0
    assert added.out.startswith(f"added: {first} (run ")
    assert f"next: kiebitz --home {program.home} crawl" in added.out
    answer = program("submit", second, "--json").json
    assert (answer["status"], answer["url"]) == ("added", second)
    assert program("submit", second, "--json").json["status"] == "known"
    assert asked(lab) == []
    done = program("crawl", "--json")
    assert (done.code, done.json["run"]) == (0, answer["crawl_id"])
    assert sorted(asked(lab)) == [first, second]


def test_a_url_is_submitted_in_its_canonical_form(program: Program) -> None:
    answer = program("submit", "HTTP://H0002.Example:80/a/../stra%c3%9fe?x=1#y", "--json").json
    assert answer["url"] == "http://h0002.example/stra%C3%9Fe?x=1"


def test_a_finished_run_that_is_given_a_url_is_open_again(lab: RunningLab, program: Program) -> None:
    run = program("crawl", lab.graph.start, "--depth", "0", "--json").json["run"]
    url = "http://h0004.example/"
    assert program("submit", url, "--run", run, "--json").json == {"status": "added", "url": url, "crawl_id": run}
    assert program("status", "--json").json["run"]["state"] == "running"
    done = program("crawl", lab.graph.start, "--depth", "0", "--json").json
    assert (done["run"], done["state"]) == (run, "finished")
    assert asked(lab) == [lab.graph.start, url]


def test_submitted_urls_obey_the_delay_that_is_set(lab: RunningLab, program: Program) -> None:
    for url in ("http://h0002.example/", "http://h0002.example/seite-1.html"):
        assert program("submit", url, delay="0.4").code == 0
    assert program("crawl").code == 0
    robots, first, second = lab.log()
    assert robots.target == "/robots.txt"
    assert first.start - robots.end > 0.35
    assert second.start - first.end > 0.35


def test_a_retry_sends_what_failed_back_and_the_same_crawl_fetches_it(rascals: RunningLab, tmp_path: Path) -> None:
    program = program_for(rascals, tmp_path / "home")
    crawl = ("crawl", FLAPPING, "--json")
    first = program(*crawl, max_tries="1")
    assert (first.code, first.json["failed"]) == (7, 1)
    assert state(program, FLAPPING) == "failed"
    finished = program(*crawl)
    assert (finished.code, len(asked(rascals))) == (0, 1)
    retried = program("retry", "--json")
    assert retried.json == {"run": first.json["run"], "retried": 1}
    assert state(program, FLAPPING) == "pending"
    done = program(*crawl)
    assert (done.code, done.json["run"], done.json["failed"]) == (0, first.json["run"], 0)
    assert state(program, FLAPPING) == "done"
    assert len(asked(rascals)) == 2


def test_a_retry_can_be_of_one_url_one_host_or_one_state(lab: RunningLab, program: Program) -> None:
    crawl = ("crawl", lab.graph.start, "--scope", "any", "--depth", "-1")
    assert program(*crawl).code == 0
    one, *others = sorted(lab.graph.urls(SpotKind.MISSING))
    lab.reset()
    assert program("retry", one, "--json").json["retried"] == 1
    assert program("crawl").code == 0
    assert asked(lab) == [one]
    lab.reset()
    host = others[0].split("/")[2]
    refused = program("retry", "--host", host, "--state", "failed,done")
    assert refused.code == 3
    assert "--recrawl" in refused.err
    people = program("retry", "--host", host, "--state", "failed,skipped")
    assert "wait again" in people.out
    assert f"next: kiebitz --home {program.home} crawl" in people.out
    assert program("crawl").code == 0
    assert {entry.host for entry in lab.log()} == {host}
    assert others[0] in asked(lab)


def test_deferred_requests_are_retried_by_themselves(rascals: RunningLab, tmp_path: Path) -> None:
    program = program_for(rascals, tmp_path / "home")
    url = "http://flap.example/2-mal"
    done = program("crawl", url, "--json")
    assert (done.code, done.json["pages"], done.json["failed"]) == (0, 1, 0)
    assert program("show", url, "--json").json["tries"] == 3
    assert [entry.status for entry in rascals.log() if entry.url == url] == [500, 502, 200]


def test_what_is_deferred_for_longer_than_the_patience_waits_for_the_next_crawl(
    rascals: RunningLab, tmp_path: Path
) -> None:
    program = program_for(rascals, tmp_path / "home")
    done = program("crawl", FLAPPING, "http://twins.example/start", "--depth", "0", "--json", retry_delay="600")
    assert done.code == 0
    assert (done.json["ending"], done.json["state"], done.json["deferred"]) == ("waiting", "running", 1)
    (row,) = program("urls", "--json", "--state", "deferred").lines
    assert (row["url"], row["reason"], row["status"]) == (FLAPPING, "http 500", 500)
    assert row["next_at"].endswith("Z")
    assert program("retry", FLAPPING, "--json").json["retried"] == 1
    assert program("crawl", "--json").json["state"] == "finished"
    assert state(program, FLAPPING) == "done"
