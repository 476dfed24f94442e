"""The lab as its users have it: a child process, walked by a plain client that obeys the rules."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from kiebitz.lab.graph import SpotKind
from kiebitz.lab.graph.truth import FETCHED
from kiebitz.lab.log import from_lines, repeated
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.serve import new_loop
from kiebitz.lab.world import Blueprint
from kiebitz.standards.url import join


class Client:
    """One kept connection per host."""

    def __init__(self, lab: RunningLab) -> None:
        self._places = dict(pair.split("=") for pair in lab.resolve.split(","))
        self._open: dict[str, HTTPConnection] = {}

    def get(self, url: str) -> tuple[int, str, bytes]:
        """Status, Location, body."""
        _, _, host, path = url.split("/", 3)
        if host not in self._open:
            address, port = self._places.get(host, self._places["*.example"]).split(":")
            self._open[host] = HTTPConnection(address, int(port), timeout=10)
        self._open[host].request("GET", "/" + path, headers={"Host": host})
        response = self._open[host].getresponse()
        return response.status, response.headers.get("Location", ""), response.read()

    def close(self) -> None:
        for connection in self._open.values():
            connection.close()


def walk(lab: RunningLab, start: str) -> set[str]:
    """Every URL asked for on the way through all links, without those the truth calls forbidden."""
    client, seen, waiting = Client(lab), {start}, [start]
    try:
        while waiting:
            url = waiting.pop()
            status, location, body = client.get(url)
            links = [location] if location else []
            base = url
            if status == 200 and not body.startswith(b"%PDF-"):
                tree = LexborHTMLParser(body)
                links = [node.attributes["href"] or "" for node in tree.css("a[href]")]
                declared = tree.css_first("base")
                base = (join(url, declared.attributes["href"] or "") if declared else url) or url
            for link in links:
                target = join(base, link)
                if target and target not in seen and lab.graph.kind(target) is not SpotKind.FORBIDDEN:
                    seen.add(target)
                    waiting.append(target)
    finally:
        client.close()
    return seen


def test_a_walk_through_the_served_graph_finds_what_the_truth_says(tmp_path: Path) -> None:
    log_file = tmp_path / "access.jsonl"
    with running_lab(Blueprint(hosts=20, pages=60, seed=3), log_file=log_file) as lab:
        started = time.monotonic()
        seen = walk(lab, lab.graph.start)
        seconds = time.monotonic() - started
        print(f"\n{len(seen)} requests by one plain client in {seconds:.1f} s: {len(seen) / seconds:.0f}/s")
        assert seen == lab.graph.visited(lab.graph.start)
        entries = lab.log()
    assert from_lines(log_file.read_text().splitlines()) == entries
    assert {entry.url for entry in entries} == seen
    assert repeated(entries) == {}
    served = {entry.url for entry in entries if entry.status == 200}
    assert served == lab.graph.reachable(lab.graph.start) == lab.graph.urls(*FETCHED)
    assert {entry.status for entry in entries} >= {200, 301, 302, 307, 404, 410}


async def fetch_all(lab: RunningLab, host: str, urls: list[str]) -> int:
    """One connection, one request after the other; how many bodies came."""
    places = dict(pair.split("=") for pair in lab.resolve.split(","))
    address, port = places.get(host, places["*.example"]).split(":")
    reader, writer = await asyncio.open_connection(address, int(port))
    for url in urls:
        writer.write(f"GET /{url.split('/', 3)[3]} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]))
    writer.close()
    await writer.wait_closed()
    return len(urls)


def test_many_connections_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """How fast it is, is printed, not asserted: the machine is shared."""
    with running_lab(Blueprint(hosts=50, pages=100)) as lab:
        by_host: dict[str, list[str]] = {}
        for url in lab.graph.urls(SpotKind.PAGE):
            by_host.setdefault(url.split("/")[2], []).append(url)

        async def load() -> int:
            async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
                running = [tasks.create_task(fetch_all(lab, host, urls)) for host, urls in by_host.items()]
            return sum(task.result() for task in running)

        started, spent = time.monotonic(), _cpu_seconds(lab.info.pid)
        with asyncio.Runner(loop_factory=new_loop) as runner:
            count = runner.run(load())
        seconds, spent = time.monotonic() - started, _cpu_seconds(lab.info.pid) - spent
        stats = lab.stats()
    assert stats["statuses"] == {"200": count}
    assert stats["connections"] == 50
    with capsys.disabled():
        print(f"\nlab: {count / seconds:.0f} pages/s, {count / max(spent, 0.01):.0f} per CPU second of the lab")


def _cpu_seconds(pid: int) -> float:
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    ticks = stat.read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def test_the_lab_dies_with_its_parent() -> None:
    code = (
        "import time\n"
        "from kiebitz.lab.running import running_lab\n"
        "from kiebitz.lab.world import Blueprint\n"
        "with running_lab(Blueprint(demo=True)) as lab:\n"
        "    print(lab.info.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        os.kill(child, 0)
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 10
    while _is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_alive(child)


def test_the_lab_ends_cleanly_when_told() -> None:
    command = [sys.executable, "-m", "kiebitz.lab", "--hosts", "3", "--pages", "5", "--seed", "9"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        info = json.loads(child.stdout.readline())
        assert set(info) == {"resolve", "control", "port", "seeds", "authority", "pid"}
        assert info["seeds"] == ["http://h0001.example/"]
        child.terminate()
        assert child.wait(10) == 0
        assert child.stderr.read() == ""


def test_help_names_every_part_of_a_blueprint() -> None:
    done = subprocess.run([sys.executable, "-m", "kiebitz.lab", "--help"], capture_output=True, text=True, check=True)
    for flag in ("--hosts", "--pages", "--seed", "--demo", "--misbehaving", "--tls", "--dripping", "--port", "--log"):
        assert flag in done.stdout


def _is_alive(pid: int) -> bool:
    """A zombie that nobody reaps is as dead as can be."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
