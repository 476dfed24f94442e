"""``kiebitz crawl``: complete, resumable, and asking for changes only when it looks again."""

from collections import Counter
from pathlib import Path

from kiebitz.lab.demo import TOWNS
from kiebitz.lab.graph import SpotKind
from kiebitz.lab.log import Entry, repeated
from kiebitz.lab.misbehaviour.media import TWIN_DOCUMENTS
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests.acceptance.conftest import program_for
from tests.program import Program

EVERYTHING = ("--scope", "any", "--depth", "-1")
FIGURES = {
    "run", "pages", "documents", "bytes", "unchanged", "deferred", "failed", "skipped", "seconds", "cpu_seconds",
}  # fmt: skip


def pages(entries: list[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.target != "/robots.txt"]


def states(program: Program) -> dict[str, str]:
    return {row["url"]: row["state"] for row in program("urls", "--json").lines}


def test_a_crawl_fetches_all_there_is_and_ends_with_its_figures(lab: RunningLab, program: Program) -> None:
    done = program("crawl", lab.graph.start, *EVERYTHING, "--json")
    assert (done.code, done.err) == (0, "")
    truth, log = lab.graph, pages(lab.log())
    assert {entry.url for entry in log} == truth.visited(truth.start)
    assert not repeated(log)
    result = done.json
    assert set(result) >= FIGURES
    assert len(done.out.splitlines()) == 1
    seen = Counter(truth.kind(entry.url) for entry in log)
    assert result["documents"] == seen[SpotKind.DOCUMENT]
    assert result["pages"] + result["documents"] == len(log) - seen[SpotKind.MISSING]
    assert result["failed"] == seen[SpotKind.MISSING]
    assert result["skipped"] == len(truth.forbidden())
    assert (result["unchanged"], result["deferred"]) == (0, 0)
    assert result["bytes"] == sum(len(truth.page(entry.host, entry.target)) for entry in log)
    assert 0 < result["cpu_seconds"] < 30
    assert 0 < result["seconds"] < 60


def test_without_json_people_read_a_summary_and_what_to_do_next(lab: RunningLab, program: Program) -> None:
    done = program("crawl", lab.graph.start, *EVERYTHING)
    assert done.code == 0
    assert "finished after" in done.out
    assert "5 documents" in done.out
    assert f"next: kiebitz --home {program.home} urls --state failed,skipped,deferred" in done.out
    assert f"next: kiebitz --home {program.home} export documents DIR" in done.out


def test_after_a_finished_crawl_the_same_command_says_so_and_asks_nobody(lab: RunningLab, program: Program) -> None:
    crawl = ("crawl", lab.graph.start, "--depth", "1")
    first = program(*crawl, "--json").json
    lab.reset()
    again = program(*crawl)
    assert again.code == 0
    assert f"run {first['run']} finished" in again.out
    assert "--recrawl" in again.out
    as_json = program(*crawl, "--json")
    assert as_json.code == 0
    assert {name: as_json.json[name] for name in ("run", "pages", "documents", "bytes")} == {
        name: first[name] for name in ("run", "pages", "documents", "bytes")
    }
    assert lab.log() == []
    assert len(program("runs", "--json").lines) == 1


def test_a_recrawl_asks_for_changes_only_and_follows_the_links_of_stored_copies(
    lab: RunningLab, program: Program
) -> None:
    crawl = ("crawl", lab.graph.start, *EVERYTHING, "--json")
    first = program(*crawl).json
    lab.reset()
    done = program(*crawl, "--recrawl")
    assert done.code == 0
    log = pages(lab.log())
    assert {entry.url for entry in log} == lab.graph.visited(lab.graph.start)
    assert not repeated(log)
    with_content = [entry for entry in log if entry.url in lab.graph.reachable(lab.graph.start)]
    assert {entry.status for entry in with_content} == {304}
    assert all(entry.etag and entry.since for entry in with_content)
    again = done.json
    assert again["run"] != first["run"]
    assert again["unchanged"] == len(with_content)
    assert (again["bytes"], again["documents"], again["failed"]) == (0, 0, first["failed"])
    assert [run["run"] for run in program("runs", "--json").lines] == [again["run"], first["run"]]


def test_a_week_later_a_recrawl_finds_the_new_documents_and_nothing_else_changes(tmp_path: Path) -> None:
    weekly, fortnightly = TOWNS[0].host, TOWNS[1].host
    with running_lab(Blueprint(demo=True)) as towns:
        program = program_for(towns, tmp_path / "home")
        crawl = ("crawl", f"http://{weekly}/", f"http://{fortnightly}/", "--depth", "5", "--json")
        first = program(*crawl).json
        before = {row["url"]: row for row in program("export", "jsonl").lines}
        assert first["documents"] == len(before) == TOWNS[0].issues + TOWNS[1].issues
        towns.advance(7)
        second = program(*crawl, "--recrawl").json
        after = {row["url"]: row for row in program("export", "jsonl").lines}
        new = after.keys() - before.keys()
        assert {url.split("/")[2] for url in new} == {weekly}
        assert second["documents"] == len(new) == 1
        for url, document in before.items():
            kept = {name: value for name, value in document.items() if name not in ("visited_on", "status", "tries")}
            assert kept.items() <= after[url].items()
            assert after[url]["visited_on"] > document["visited_on"]
        changed = [row["url"] for row in program("urls", "--json", "--state", "done").lines]
        assert set(changed) == {f"http://{weekly}/", f"http://{weekly}/amtsblatt/", *new}
        towns.reset()
        third = program(*crawl, "--recrawl").json
        assert (third["pages"], third["documents"], third["bytes"]) == (0, 0, 0)
        assert third["unchanged"] == second["unchanged"] + len(changed)
        assert {entry.status for entry in pages(towns.log())} == {304, 404}


def test_a_document_is_stored_once_per_content_and_recorded_once_per_url(rascals: RunningLab, tmp_path: Path) -> None:
    program = program_for(rascals, tmp_path / "home")
    done = program("crawl", "http://twins.example/", "--json")
    assert done.code == 0
    assert done.json["documents"] == len(TWIN_DOCUMENTS)
    records = program("export", "jsonl").lines
    assert {record["url"] for record in records} == {f"http://twins.example{path}" for path in TWIN_DOCUMENTS}
    assert len({record["sha256"] for record in records}) == 1
    blobs = [path for path in (program.home / "blobs" / "documents").rglob("*") if path.is_file()]
    assert [blob.name for blob in blobs] == [records[0]["sha256"]]


def test_without_a_url_the_newest_unfinished_run_goes_on(lab: RunningLab, program: Program) -> None:
    assert program("crawl", lab.graph.start, "--depth", "0").code == 0
    submitted = program("submit", "http://h0002.example/", "--json").json
    done = program("crawl", "--json")
    assert done.code == 0
    assert done.json["run"] == submitted["crawl_id"]
    assert states(program)["http://h0002.example/"] == "done"
    nothing = program("crawl")
    assert nothing.code == 3
    assert "nothing to crawl" in nothing.err


def test_the_user_agent_is_honest_and_names_the_contact(lab: RunningLab, program: Program) -> None:
    url = f"{lab.graph.start}seite-1.html"
    program("crawl", url, "--depth", "0", contact="https://operator.example/robot")
    assert {entry.agent for entry in lab.log()} == {"kiebitz/0.1.0 (+https://operator.example/robot)"}
    lab.reset()
    program("crawl", lab.graph.start, "--depth", "0")
    assert {entry.agent for entry in lab.log()} == {"kiebitz/0.1.0"}
