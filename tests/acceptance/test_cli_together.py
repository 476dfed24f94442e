"""Several commands on one home at once: workers share the work, readers read, and there is at most one ``up``."""

import fcntl
import sqlite3
import time
from collections import Counter
from pathlib import Path

import pytest

from kiebitz.lab.demo import TOWNS
from kiebitz.lab.log import most_at_once, repeated
from kiebitz.lab.running import RunningLab
from tests.program import Program, until

SLOWLY = ("--scope", "any", "--depth", "-1", "--delay", "0.15", "--json")


def all_of(lab: RunningLab) -> set[str]:
    return lab.graph.visited(lab.graph.start)


def asked(lab: RunningLab) -> set[str]:
    return {entry.url for entry in lab.log() if entry.target != "/robots.txt"}


def test_two_crawls_started_at_once_share_the_work_and_fetch_nothing_twice(lab: RunningLab, program: Program) -> None:
    crawl = ("crawl", lab.graph.start, *SLOWLY)
    with program.running(*crawl) as first, program.running(*crawl) as second:
        until(lambda: program("status", "--json").json["workers"] == 2)
        ends = [first.wait(), second.wait()]
    assert [(end.code, end.err) for end in ends] == [(0, ""), (0, "")]
    assert ends[0].json["run"] == ends[1].json["run"]
    assert {end.json["state"] for end in ends} == {"finished"}
    log = lab.log()
    assert asked(lab) == all_of(lab)
    assert not repeated(log)
    assert max(Counter(entry.host for entry in log if entry.target == "/robots.txt").values()) == 1
    assert set(most_at_once(log, lambda entry: entry.host).values()) == {1}
    (run,) = program("runs", "--json").lines
    assert run["pages"] + run["documents"] + run["failed"] == len(asked(lab))


def test_two_crawls_that_begin_in_the_same_instant_agree_on_one_run(lab: RunningLab, program: Program) -> None:
    assert program("status").code == 0
    crawl = ("crawl", lab.graph.start, "--depth", "1", "--json")
    records = sqlite3.connect(program.home / "records.db", isolation_level=None)
    records.execute("begin immediate")
    with program.running(*crawl) as first, program.running(*crawl) as second:
        time.sleep(1.5)  # both have seen that there is no run yet, and want to write one
        records.execute("rollback")
        records.close()
        ends = [first.wait(), second.wait()]
    assert [end.code for end in ends] == [0, 0]
    assert len(program("runs", "--json").lines) == 1
    assert not repeated(lab.log())


def test_of_two_workers_one_may_be_interrupted_and_the_other_finishes(lab: RunningLab, program: Program) -> None:
    crawl = ("crawl", lab.graph.start, *SLOWLY)
    with program.running(*crawl) as first, program.running(*crawl) as second:
        until(lambda: program("status", "--json").json["workers"] == 2)
        first.interrupt()
        assert first.wait(15).code == 130
        other = second.wait()
    assert other.code == 0
    assert other.json["state"] == "finished"
    assert asked(lab) == all_of(lab)
    assert not repeated(lab.log())


def test_others_may_look_and_add_while_a_crawl_runs(lab: RunningLab, program: Program) -> None:
    slowly = ("--scope", "host", "--depth", "-1", "--delay", "0.8")
    with program.running("crawl", lab.graph.start, *slowly, "--json") as crawl:
        until(lambda: len(lab.log()) > 2)
        submitted = program("submit", "http://h0005.example/", "--json").json
        status = program("status", "--json").json
        assert (status["workers"], status["run"]["state"]) == (1, "running")
        shown = program("show", lab.graph.start, "--json")
        assert (shown.code, shown.json["state"]) == (0, "done")
        assert program("show", lab.graph.start, "--body").raw == lab.graph.page("h0001.example", "/")
        found = Counter(row["state"] for row in program("urls", "--json").lines)
        assert found["done"] > 0
        assert found["leased"] + found["pending"] > 0
        assert [run["state"] for run in program("runs", "--json").lines] == ["running"]
        ended = crawl.wait()
    assert ended.code == 0
    assert submitted == {"status": "added", "url": "http://h0005.example/", "crawl_id": ended.json["run"]}
    assert "http://h0005.example/" in asked(lab)
    assert not repeated(lab.log())


def test_a_second_up_on_one_home_is_refused(lab: RunningLab, program: Program) -> None:
    url = "http://h0001.example/"
    assert program("submit", url).code == 0
    with (program.home / "up.lock").open("ab") as held:
        fcntl.flock(held.fileno(), fcntl.LOCK_EX)
        refused = program("up")
    assert (refused.code, refused.out) == (5, "")
    assert f"another `kiebitz up` works on {program.home}" in refused.err
    assert "  next: " in refused.err
    assert asked(lab) == set()
    done = program("up", "--json")
    assert (done.code, done.json["state"]) == (0, "finished")
    assert asked(lab) == {url}
    assert program("up", "--json").out == "{}\n"
    idle = program("up")
    assert idle.code == 0
    assert f"nothing to do in {program.home}" in idle.out


@pytest.mark.slow
def test_up_with_the_demo_crawls_all_towns_and_refuses_a_second_one(tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    with program.running("up", "--demo", "--json") as demo:
        until((program.home / "demo" / "frontier.db").exists)
        second = program("up", "--demo")
        assert (second.code, second.out) == (5, "")
        assert f"another `kiebitz up` works on {program.home / 'demo'}" in second.err
        assert "  next: " in second.err
        as_json = program("up", "--demo", "--json")
        assert as_json.code == 5
        assert as_json.json["error"]["code"] == "locked"
        assert as_json.json["error"]["retryable"] is True
        ended = demo.wait(120)
    assert ended.code == 0
    assert ended.json["state"] == "finished"
    assert ended.json["documents"] == sum(town.issues for town in TOWNS)
    assert ended.json["failed"] == 1  # the broken link of one town
    documents = program.at(program.home / "demo")("status", "--json").json["documents"]
    assert documents == ended.json["documents"]


def test_two_different_crawls_that_meet_on_a_host_both_finish(lab: RunningLab, program: Program) -> None:
    """The second waits until the first gives the host back, also if that takes longer than its patience."""
    slow = ("--scope", "host", "--depth", "-1", "--delay", "0.3", "--json")
    with program.running("crawl", lab.graph.start, *slow) as first:
        until(lambda: len(lab.log()) > 2)
        second = program("crawl", lab.graph.start, "--scope", "list", "--json")
        assert (second.code, second.json["state"], second.json["pending"]) == (0, "finished", 0)
        ended = first.wait()
    assert (ended.code, ended.json["state"], ended.json["pending"]) == (0, "finished", 0)


def test_a_url_is_submitted_to_the_run_that_is_worked_on(lab: RunningLab, program: Program) -> None:
    with program.running("crawl", lab.graph.start, "--scope", "host", "--delay", "0.8", "--json") as worked_on:
        until(lambda: len(lab.log()) > 2)
        program("submit", "http://h0003.example/", "--run", program("runs", "--json").lines[0]["run"])
        submitted = program("submit", "http://h0004.example/", "--json").json
        ended = worked_on.wait()
    assert submitted["crawl_id"] == ended.json["run"]
    assert "http://h0004.example/" in asked(lab)
