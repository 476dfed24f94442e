import json
import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from kiebitz.errors import InputError, KiebitzError
from kiebitz.lab.log import from_lines
from kiebitz.lab.running import RunningLab, threaded_lab
from kiebitz.lab.world import Blueprint


@pytest.fixture(scope="module")
def lab() -> Iterator[RunningLab]:
    with threaded_lab(Blueprint(hosts=12, pages=30, demo=True)) as running:
        yield running


@pytest.fixture(autouse=True)
def forgetful(lab: RunningLab) -> None:
    lab.reset()


def seat(lab: RunningLab, host: str) -> tuple[str, int]:
    places = dict(pair.split("=") for pair in lab.resolve.split(","))
    address, port = places.get(host, places["*.example"]).split(":")
    return address, int(port)


def ask(lab: RunningLab, host: str, path: str, method: str = "GET", **fields: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(*seat(lab, host), timeout=10)
    try:
        connection.request(method, path, headers={"Host": host, "User-Agent": "test/1", **fields})
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def say(lab: RunningLab, host: str, *pieces: bytes) -> bytes:
    """Send these bytes one after another, and read until the server closes."""
    with socket.create_connection(seat(lab, host), timeout=10) as sock:
        for piece in pieces:
            sock.sendall(piece)
        found = b""
        while data := sock.recv(65536):
            found += data
        return found


def test_a_page_is_served_as_the_truth_has_it(lab: RunningLab) -> None:
    response, body = ask(lab, "h0003.example", "/")
    assert response.status == 200
    assert body == lab.graph.page("h0003.example", "/")
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"


def test_every_request_is_logged_with_its_times(lab: RunningLab) -> None:
    response, body = ask(lab, "h0003.example", "/fehlt/0", **{"If-None-Match": '"x"'})
    (entry,) = lab.log()
    assert entry.url == "http://h0003.example/fehlt/0"
    assert (entry.method, entry.status, entry.agent, entry.etag) == ("GET", response.status, "test/1", '"x"')
    assert entry.address == seat(lab, "h0003.example")[0]
    assert entry.sent > len(body)
    assert entry.start <= entry.end
    assert entry.complete


def test_validators_are_obeyed(lab: RunningLab) -> None:
    first, _ = ask(lab, "h0001.example", "/")
    etag, modified = first.headers["ETag"], first.headers["Last-Modified"]
    for fields, status in [
        ({"If-None-Match": etag}, 304),
        ({"If-None-Match": '"other"'}, 200),
        ({"If-None-Match": '"other"', "If-Modified-Since": modified}, 200),
        ({"If-Modified-Since": modified}, 304),
        ({"If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"}, 200),
        ({"If-Modified-Since": "yesterday"}, 200),
    ]:
        response, body = ask(lab, "h0001.example", "/", **fields)
        assert response.status == status
        assert bool(body) == (status == 200)


def test_head_has_no_body(lab: RunningLab) -> None:
    response, body = ask(lab, "h0001.example", "/", method="HEAD")
    assert int(response.headers["Content-Length"]) > 0
    assert body == b""


def test_connections_are_kept_and_requests_may_be_pipelined_or_cut(lab: RunningLab) -> None:
    one = b"GET /robots.txt HTTP/1.1\r\nHost: h0001.example\r\n\r\n"
    posted = b"POST /robots.txt HTTP/1.1\r\nHost: h0001.example\r\nContent-Length: 3\r\n\r\nabc"
    last = one.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    answer = say(lab, "h0001.example", one + one[:20], one[20:] + posted[:-1], posted[-1:] + last)
    assert answer.count(b"HTTP/1.1 200 OK") == 4
    entries = lab.log()
    assert [entry.method for entry in entries] == ["GET", "GET", "POST", "GET"]
    assert len({entry.connection for entry in entries}) == 1


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"NONSENSE\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: h0001.example\r\nContent-Length: many\r\n\r\n", b"413"),
        (b"GET / HTTP/1.1\r\nA: " + b"x" * 70_000, b"431"),
    ],
)
def test_what_is_not_a_request_is_refused(lab: RunningLab, request_bytes: bytes, status: bytes) -> None:
    assert say(lab, "h0001.example", request_bytes).startswith(b"HTTP/1.1 " + status)


def test_a_name_that_nobody_has_gets_no_page(lab: RunningLab) -> None:
    response, _ = ask(lab, "nobody.example", "/")
    assert response.status == 421


def test_the_control_port_counts_strays(lab: RunningLab) -> None:
    connection = HTTPConnection("127.0.0.1", lab.info.control, timeout=10)
    connection.request("GET", "/canary")
    connection.getresponse().read()
    connection.close()
    assert lab.stats()["strays"] == 1
    assert lab.log() == []
    lab.reset()
    assert lab.stats()["strays"] == 0


def test_stats_and_the_tail_of_the_log(lab: RunningLab) -> None:
    for _ in range(3):
        ask(lab, "h0002.example", "/")
    stats = lab.stats()
    assert (stats["requests"], stats["connections"], stats["statuses"]) == (3, 3, {"200": 3})
    assert len(lab.log(after=2)) == 1


def test_the_log_file_grows_with_every_request(tmp_path: Path) -> None:
    file = tmp_path / "access.jsonl"
    with threaded_lab(Blueprint(hosts=1, pages=3), log_file=file) as other:
        ask(other, "h0001.example", "/")
        entries = other.log()
        assert from_lines(file.read_text().splitlines()) == entries
    assert json.loads(file.read_text())["host"] == "h0001.example"


def test_a_dripping_host_takes_its_time() -> None:
    with threaded_lab(Blueprint(hosts=4, pages=3, dripping=0.5, drip_seconds=0.4)) as other:
        assert other.graph.dripping == {"h0002.example", "h0004.example"}
        for host in ("h0001.example", "h0002.example"):
            _, body = ask(other, host, "/")
            assert body == other.graph.page(host, "/")
        quick, slow = other.log()
        assert quick.end - quick.start < 0.3
        assert slow.end - slow.start >= 0.4


def test_a_lab_without_a_graph_says_so() -> None:
    with threaded_lab(Blueprint(demo=True)) as other, pytest.raises(KiebitzError, match="no graph"):
        other.graph  # noqa: B018


def test_a_lab_that_cannot_start_says_why(lab: RunningLab, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="access"), threaded_lab(Blueprint(), log_file=tmp_path / "no" / "access"):
        pass


def test_days_pass_when_told(lab: RunningLab) -> None:
    before, _ = ask(lab, "rathaus.lindenau.example", "/amtsblatt/")
    today = lab.stats()["today"]
    lab.advance(7)
    after, _ = ask(lab, "rathaus.lindenau.example", "/amtsblatt/", **{"If-None-Match": before.headers["ETag"]})
    assert lab.stats()["today"] > today
    assert after.status == 200
    assert after.headers["ETag"] != before.headers["ETag"]


def test_two_labs_cannot_have_the_same_port(lab: RunningLab) -> None:
    import asyncio

    from kiebitz.lab.server import Ports, open_lab

    async def second() -> None:
        async with open_lab(Blueprint(), ports=Ports(web=lab.info.port)):
            pass

    with pytest.raises(InputError, match="in use"):
        asyncio.run(second())
