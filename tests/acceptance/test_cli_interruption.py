"""A crawl that is ended from outside ends cleanly, and goes on later as if nothing had happened."""

from pathlib import Path

from kiebitz.lab.log import repeated
from kiebitz.lab.running import RunningLab
from tests.program import Program, until

SLOWLY = ("--scope", "any", "--depth", "-1", "--delay", "0.15", "--json")
SOME = 12  # requests after which a crawl is certainly under way, and far from its end


def crawl_of(lab: RunningLab) -> tuple[str, ...]:
    return ("crawl", lab.graph.start, *SLOWLY)


def under_way(lab: RunningLab, requests: int = SOME) -> None:
    until(lambda: len(lab.log()) >= requests)


def state(program: Program) -> str:
    return str(program("status", "--json").json["run"]["state"])


def goes_on_and_finishes(lab: RunningLab, program: Program, run: str) -> None:
    """With the same command, and with no page fetched twice."""
    done = program(*crawl_of(lab))
    assert done.code == 0
    assert (done.json["run"], done.json["state"], done.json["pending"]) == (run, "finished", 0)
    log = lab.log()
    assert {entry.url for entry in log if entry.target != "/robots.txt"} == lab.graph.visited(lab.graph.start)
    assert not repeated(log)


def test_ctrl_c_ends_a_crawl_cleanly_and_the_same_command_resumes_it(lab: RunningLab, program: Program) -> None:
    with program.running(*crawl_of(lab)) as crawl:
        under_way(lab)
        crawl.interrupt()
        ended = crawl.wait(15)
    assert (ended.code, ended.err) == (130, "")
    assert ended.json["ending"] == "stopped"
    assert ended.json["state"] == state(program) == "stopped"
    assert ended.json["pending"] > 0
    assert len(lab.log()) < len(lab.graph.visited(lab.graph.start))
    assert not list((program.home / "spool").iterdir())
    goes_on_and_finishes(lab, program, ended.json["run"])


def test_ctrl_c_before_the_first_request_is_not_forgotten(lab: RunningLab, program: Program) -> None:
    with program.running(*crawl_of(lab)) as crawl:
        until((program.home / "workers").exists)
        crawl.interrupt()
        ended = crawl.wait(15)
    assert ended.code == 130
    assert len(lab.log()) < SOME
    assert program(*crawl_of(lab)).json["state"] == "finished"


def test_a_termination_is_as_clean_as_ctrl_c(lab: RunningLab, program: Program) -> None:
    with program.running("crawl", lab.graph.start, *SLOWLY[:-1]) as crawl:
        under_way(lab)
        crawl.terminate()
        ended = crawl.wait(15)
    assert ended.code == 130
    assert "stopped after" in ended.out
    assert "next: the same command goes on where it stopped" in ended.out
    assert state(program) == "stopped"


def test_stop_from_another_process_ends_the_run_and_the_same_command_resumes_it(
    lab: RunningLab, program: Program
) -> None:
    with program.running(*crawl_of(lab)) as crawl:
        under_way(lab)
        stopped = program("stop", "--json")
        ended = crawl.wait(15)
    assert stopped.code == 0
    assert stopped.json == {"run": ended.json["run"], "state": "stopped"}
    assert ended.code == 0
    assert ended.json["ending"] == "stopped"
    assert ended.json["state"] == state(program) == "stopped"
    assert ended.json["pending"] > 0
    assert ended.json["skipped"] <= len(lab.graph.forbidden())
    again = program("stop")
    assert again.code == 4
    assert "no run is running" in again.err
    goes_on_and_finishes(lab, program, ended.json["run"])


def test_a_run_that_is_stopped_between_two_visits_is_not_taken_for_finished(lab: RunningLab, program: Program) -> None:
    """At the end of its batches a worker finds nothing to lease: it must ask why before it gives the rest up."""
    crawl_slowly = ("crawl", lab.graph.start, "--scope", "host", "--depth", "-1", "--delay", "1", "--json")
    with program.running(*crawl_slowly) as crawl:
        under_way(lab, 2)  # robots.txt and the first page: its links wait for a second before they are leased
        stopped = program("stop", "--json").json
        ended = crawl.wait(15)
    assert ended.json["state"] == stopped["state"] == "stopped"
    assert {row["reason"] for row in program("urls", "--json", "--state", "skipped").lines} <= {"robots"}


def test_a_named_run_can_be_stopped_by_the_beginning_of_its_id(lab: RunningLab, program: Program) -> None:
    run = program("submit", "http://h0002.example/", "--json").json["crawl_id"]
    assert program("stop", run[:10], "--json").json == {"run": run, "state": "stopped"}
    assert program("stop", run[:10]).out == f"run {run} is stopped\n"


def test_a_crawl_ended_by_an_error_frees_what_it_held(lab: RunningLab, program: Program, tmp_path: Path) -> None:
    """A home that becomes unusable under way: the next process does not wait for leases to lapse."""
    blobs = program.home / "blobs"
    with program.running(*crawl_of(lab)) as crawl:
        under_way(lab)
        blobs.rename(tmp_path / "away")
        blobs.write_text("in the way")
        ended = crawl.wait(30)
    assert ended.code == 6
    assert ended.json["error"]["code"] == "home-unwritable"
    blobs.unlink()
    (tmp_path / "away").rename(blobs)
    done = program(*crawl_of(lab))
    assert done.code == 0
    assert done.json["state"] == "finished"
    assert done.json["seconds"] < 60
    found = {row["url"] for row in program("urls", "--json", "--state", "done").lines}
    assert lab.graph.reachable(lab.graph.start) <= found
    doctor = program("doctor")
    assert doctor.code == 0, doctor.out
