"""What the reading verbs say about a home: status, runs, urls, show, doctor, settings."""

import os
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from kiebitz.lab.graph import SpotKind
from kiebitz.lab.misbehaviour.compression import LONG_PAGE
from kiebitz.lab.running import RunningLab
from tests.acceptance.conftest import program_for
from tests.program import COMMAND, Program, environment

LINE = ["url", "state", "reason", "status", "depth", "tries", "next_at"]
START = "http://h0001.example/"


def test_status_shows_the_home_its_run_and_what_is_kept(lab: RunningLab, kept: Program) -> None:
    status = kept("status", "--json").json
    assert status["home"] == str(kept.home)
    assert (status["workers"], status["documents"]) == (0, len(lab.graph.urls(SpotKind.DOCUMENT)))
    assert status["jobs"] == {"waiting": status["documents"], "leased": 0, "dead": 0}
    assert (status["run"]["state"], status["run"]["pending"]) == ("finished", 0)
    shown = kept("status").out
    assert str(kept.home) in shown
    assert f"newest run {status['run']['run']} finished" in shown


def test_the_status_of_an_empty_home_says_how_to_begin(program: Program) -> None:
    shown = program("status")
    assert shown.code == 0
    assert f"next: kiebitz --home {program.home} crawl" in shown.out
    assert program("status", "--json").json["run"] is None
    assert program("runs", "--json").out == program("urls", "--json").out == ""


def test_runs_lists_them_with_figures_and_seeds(kept: Program) -> None:
    (run,) = kept("runs", "--json").lines
    assert run["seeds"] == [START]
    assert run["created_at"] < run["finished_at"]
    header, row = kept("runs").out.splitlines()
    assert header.split("\t")[:3] == ["run", "state", "created"]
    assert row.split("\t")[:2] == [run["run"], "finished"]
    assert row.endswith(START)


def test_urls_prints_a_line_with_state_and_reason_for_every_request(lab: RunningLab, kept: Program) -> None:
    rows = {row["url"]: row for row in kept("urls", "--json").lines}
    truth = lab.graph
    assert all(list(row) == LINE for row in rows.values())
    assert rows.keys() == truth.visited(truth.start) | truth.forbidden()
    for url, row in rows.items():
        kind = truth.kind(url)
        if kind is SpotKind.FORBIDDEN:
            assert (row["state"], row["reason"], row["status"], row["tries"]) == ("skipped", "robots", 0, 0)
        elif kind is SpotKind.MISSING:
            assert (row["state"], row["reason"], row["tries"]) == ("failed", f"http {row['status']}", 1)
        elif kind is SpotKind.REDIRECT:
            assert (row["state"], row["reason"]) == ("done", f"redirect {truth.redirect(url)}")
        else:
            assert (row["state"], row["reason"], row["status"], row["next_at"]) == ("done", "", 200, None)
    assert rows[START]["depth"] == 0


def test_urls_can_be_chosen_by_state_host_run_and_number(lab: RunningLab, kept: Program) -> None:
    everything = kept("urls", "--json").lines
    chosen = kept("urls", "--json", "--state", "failed, skipped").lines
    assert chosen == [row for row in everything if row["state"] in ("failed", "skipped")]
    of_host = kept("urls", "--json", "--host", "h0002.example", "--state", "done").lines
    assert {row["url"].split("/")[2] for row in of_host} == {"h0002.example"}
    run = kept("runs", "--json").json["run"]
    assert kept("urls", "--json", "--run", run[:8], "--limit", "4").lines == everything[:4]
    header, *lines = kept("urls", "--state", "failed").out.splitlines()
    assert header.split("\t") == ["state", "reason", "status", "depth", "tries", "next", "url"]
    assert {line.split("\t")[6] for line in lines} == lab.graph.urls(SpotKind.MISSING)


@pytest.mark.parametrize("verb", [("urls", "--json"), ("status",)], ids=["much to say", "little to say"])
def test_a_reader_that_stops_reading_is_no_error(kept: Program, verb: tuple[str, ...]) -> None:
    command = [*COMMAND, "--home", str(kept.home), *verb]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            command, env=environment(kept.env), stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_show_tells_where_a_page_was_found_and_what_is_stored(lab: RunningLab, kept: Program) -> None:
    url = "http://h0001.example/seite-1.html"
    content = lab.graph.page("h0001.example", "/seite-1.html")
    shown = kept("show", "HTTP://H0001.example:80/x/../seite-1.html#mitte", "--json").json
    assert (shown["url"], shown["state"], shown["parent"], shown["depth"]) == (url, "done", START, 1)
    assert (shown["status"], shown["content_type"], shown["bytes"]) == (200, "text/html", len(content))
    assert shown["sha256"] == sha256(content).hexdigest()
    assert shown["etag"]
    assert shown["text"]
    assert [set(copy) for copy in shown["copies"]] == [{"at", "bundle", "offset", "length"}]
    people = kept("show", url).out
    assert f"found    on {START}" in people
    assert shown["copies"][0]["bundle"] in people
    assert "found    as a seed" in kept("show", START).out


def test_show_body_is_what_the_site_served_for_pages_and_documents(lab: RunningLab, kept: Program) -> None:
    document = min(lab.graph.urls(SpotKind.DOCUMENT))
    for url in (START, "http://h0001.example/stra%C3%9Fe/6.html", document):
        _, _, host, path = url.split("/", 3)
        assert kept("show", url, "--body").raw == lab.graph.page(host, f"/{path}")
    record = kept("show", document, "--json").json["document"]
    assert (record["url"], record["valid"], len(record["versions"])) == (document, True, 1)


def test_show_body_undoes_compression(rascals: RunningLab, tmp_path: Path) -> None:
    program = program_for(rascals, tmp_path / "home")
    urls = [f"http://coding.example/{coding}" for coding in ("gzip", "br", "zstd")]
    assert program("crawl", *urls, "--scope", "list").code == 0
    for url in urls:
        assert program("show", url, "--body").raw == LONG_PAGE


def test_show_says_what_it_does_not_have(lab: RunningLab, kept: Program) -> None:
    unknown = kept("show", "http://h0001.example/never")
    assert (unknown.code, unknown.out) == (4, "")
    assert "next: " in unknown.err
    missing = min(lab.graph.urls(SpotKind.MISSING))
    assert kept("show", missing, "--body").code == 4
    assert kept("show", START, "--body", "--at", "7").code == 4
    assert kept("show", missing, "--json").json["copies"] == []


def test_the_doctor_finds_a_good_home_in_order(kept: Program, tmp_path: Path) -> None:
    done = kept("doctor", "--json")
    assert done.code == 0
    findings = {finding["subject"]: finding for finding in done.lines}
    assert findings.keys() >= {"python", "system", "space", "home", "frontier.db", "records.db", "jobs.db"}
    assert findings.keys() >= {"pages", "documents"}
    assert all(finding["ok"] for finding in findings.values())
    people = kept("doctor")
    assert people.code == 0
    assert "FAIL" not in people.out
    fresh = kept.at(tmp_path / "nowhere")
    assert fresh("doctor").code == 0
    assert not fresh.home.exists(), "it changes nothing"


def test_settings_name_the_origin_of_each_value(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("KIEBITZ_MAX_TRIES=4\nKIEBITZ_DELAY=9\n")
    (tmp_path / "kiebitz.toml").write_text("delay = 8\nmax_tries = 7\npatience = 6.5\n")
    program = Program(tmp_path / "home", {"KIEBITZ_DELAY": "2.5", "KIEBITZ_STATE": "postgresql://me:hunter2@db/k"})
    found = {row["name"]: row for row in program("settings", "--json").lines}
    assert (found["home"]["value"], found["home"]["origin"]) == (str(program.home), "flag")
    assert (found["delay"]["value"], found["delay"]["origin"]) == ("2.5", "environment")
    assert (found["max_tries"]["value"], found["max_tries"]["origin"]) == ("4", str(tmp_path / ".env"))
    assert (found["patience"]["value"], found["patience"]["origin"]) == ("6.5", str(tmp_path / "kiebitz.toml"))
    assert (found["ratio"]["value"], found["ratio"]["origin"]) == ("200", "default")
    assert (found["state"]["variable"], found["state"]["value"]) == ("KIEBITZ_STATE", "postgresql://me:***@db/k")
    assert all(row["meaning"] for row in found.values())
    people = program("settings").out
    assert "hunter2" not in people
    assert people.splitlines()[0].split("\t") == ["name", "value", "origin", "meaning"]
    assert not program.home.exists()
