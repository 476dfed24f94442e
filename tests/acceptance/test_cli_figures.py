"""What a run says of itself: what is gone, what is new, and how it went over time."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from kiebitz.cli.plot import BLOCKS
from kiebitz.lab.running import RunningLab
from tests.acceptance.conftest import QUICK
from tests.program import COMMAND, Program, environment, until

pytestmark = pytest.mark.slow

PDF = b"%PDF-1.4\n%%EOF\n"
SAMPLE = {"seconds", "fetched", "urls_per_second", "hosts", "queue"}


class Town:
    """A site with three pages and a document; what is in ``gone`` answers 410."""

    def __init__(self) -> None:
        self.gone: set[str] = set()
        self.document = PDF

    def answer(self, path: str) -> tuple[int, str, bytes]:
        links = b"<a href=/a>a</a> <a href=/b>b</a> <a href=/issue.pdf>issue</a> <a href=/never>never</a>"
        pages = {"/": links, "/a": b"page a", "/b": b"page b"}
        if path in self.gone:
            return 410, "text/plain", b"gone"
        if path == "/issue.pdf":
            return 200, "application/pdf", self.document
        return (200, "text/html", pages[path]) if path in pages else (404, "text/plain", b"none")


@contextmanager
def served(town: Town) -> Iterator[int]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, kind, body = town.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_a_page_that_was_there_and_answers_410_is_gone_and_a_retry_asks_for_it_again(tmp_path: Path) -> None:
    town = Town()
    crawl = ("crawl", "http://town.example/", "--json")
    with served(town) as port:
        program = Program(tmp_path / "home", {**QUICK, "KIEBITZ_RESOLVE": f"*.example=127.0.0.1:{port}"})
        first = program(*crawl).json
        assert (first["failed"], first["gone"], first["new_documents"], first["documents"]) == (1, 0, 1, 1)
        town.gone.add("/a")
        second = program(*crawl, "--recrawl").json
        assert (second["failed"], second["gone"], second["unchanged"], second["new_documents"]) == (2, 1, 3, 0)
        (row,) = [row for row in program("urls", "--state", "failed", "--json").lines if row["url"].endswith("/a")]
        assert (row["reason"], row["status"]) == ("http 410", 410)
        assert "2 failed (1 gone)" in program("status").out
        assert [run["gone"] for run in program("runs", "--json").lines] == [1, 0]
        town.gone.clear()
        assert program("retry", "http://town.example/a", "--json").json == {"run": second["run"], "retried": 1}
        assert program("status", "--json").json["run"]["gone"] == 0
        third = program("crawl", "--json").json
        assert (third["run"], third["failed"], third["gone"], third["unchanged"]) == (second["run"], 1, 0, 4)
        town.document = PDF + b"%changed\n"
        fourth = program(*crawl, "--recrawl").json
        assert (fourth["new_documents"], fourth["unchanged"]) == (1, 3)
        status = program("status", "--json").json
        assert (status["documents"], status["run"]["new_documents"]) == (1, 1)
        of_first = program("status", first["run"], "--json").json
        assert (of_first["run"]["run"], of_first["run"]["failed"]) == (first["run"], 1)


def test_the_series_of_a_run_goes_on_when_another_process_resumes_it(lab: RunningLab, program: Program) -> None:
    crawl = ("crawl", lab.graph.start, "--scope", "any", "--depth", "-1", "--delay", "0.3", "--json")
    with program.running(*crawl) as first:
        until(lambda: len(program("status", "--json").json["series"]) >= 3)
        first.interrupt()
        stopped = first.wait().json
    before = program("status", stopped["run"], "--json").json["series"]
    done = program(*crawl).json
    assert (done["run"], done["state"]) == (stopped["run"], "finished")
    series = program("status", done["run"][:10], "--json").json["series"]
    assert all(set(sample) == SAMPLE for sample in series)
    kept = len(before) - 1  # the last one may have shared its step with the first of the next process
    assert series[:kept] == before[:kept]
    assert len(series) > len(before)
    moments = [sample["seconds"] for sample in series]
    assert moments == sorted(set(moments))
    assert moments[-1] == pytest.approx(done["seconds"], abs=0.2)
    fetched = [sample["fetched"] for sample in series]
    assert fetched == sorted(fetched)
    assert fetched[-1] == done["pages"] + done["documents"]
    assert series[-1]["queue"] == series[-1]["hosts"] == 0
    assert 0 < max(sample["hosts"] for sample in series) <= lab.blueprint.hosts
    assert max(sample["queue"] for sample in series) > 0
    assert 0 < max(sample["urls_per_second"] for sample in series) < 500


def test_even_a_run_of_no_time_has_a_sample(lab: RunningLab, program: Program) -> None:
    run = program("crawl", lab.graph.start, "--depth", "0", "--json").json
    last = program("status", "--json").json["series"][-1]
    assert (last["fetched"], last["queue"]) == (run["pages"], 0)
    assert last["seconds"] > 0


def on_terminal(program: Program, *args: str, columns: int) -> list[str]:
    """What a terminal of this width shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    env = {name: value for name, value in environment(program.env).items() if name not in ("COLUMNS", "NO_COLOR")}
    command = [*COMMAND, "--home", str(program.home), *args]
    with subprocess.Popen(command, env={**env, "TERM": "xterm"}, stdin=theirs, stdout=theirs, stderr=theirs):
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 65536):
                shown += chunk
        except OSError:
            pass  # Linux says so when the other side is closed
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).splitlines()


@pytest.mark.parametrize("columns", [40, 80, 100, 200])
def test_ids_of_runs_stay_whole_on_every_terminal_and_a_wide_one_shows_all(kept: Program, columns: int) -> None:
    (run,) = kept("runs", "--json").lines
    header, *rows = on_terminal(kept, "runs", columns=columns)
    assert rows[0].split()[0] == run["run"]
    assert all(row.startswith(" " * len(run["run"])) for row in rows[1:]), "only seeds wrap"
    assert len(rows) == 1 or columns < 200
    assert all(len(line) <= columns for line in (header, *rows))
    assert {"run", "fetched", "failed", "seeds"} <= set(header.split())
    assert ({"new", "gone"} <= set(header.split())) == (columns >= 100)
    assert kept("runs").out.splitlines()[0].split("\t") == on_terminal(kept, "runs", columns=200)[0].split()


def test_a_terminal_shows_the_series_as_a_plot_of_its_width_and_a_pipe_does_not(kept: Program) -> None:
    shown = on_terminal(kept, "status", columns=60)
    plotted = [line for line in shown if line.startswith(("  URLs/s", "  hosts", "  queue"))]
    assert len(plotted) == 3
    assert all(set(line) & set(BLOCKS) and len(line) <= 60 for line in plotted)
    assert not set(kept("status").out) & set(BLOCKS)
    assert set(kept("status", "--plot").out) & set(BLOCKS)
    assert not set("".join(on_terminal(kept, "status", "--no-plot", columns=60))) & set(BLOCKS)


def test_a_home_with_a_blank_in_its_name_is_repeated_so_that_a_shell_understands_it(
    program: Program, tmp_path: Path
) -> None:
    blank = program.at(tmp_path / "my home")
    assert f"next: kiebitz --home '{tmp_path / 'my home'}' crawl" in blank("status").out


def test_a_home_that_was_not_named_on_the_command_line_is_not_repeated(tmp_path: Path) -> None:
    env = environment({"KIEBITZ_HOME": str(tmp_path / "home")})
    done = subprocess.run([*COMMAND, "status"], env=env, capture_output=True, text=True, check=True, timeout=60)
    assert "next: kiebitz crawl" in done.stdout
