"""Each misbehaviour, seen by a client that reads bytes: does it really misbehave, and does its truth make sense?"""

import ssl
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from kiebitz.lab.misbehaviour import expected, misbehaving_hosts
from kiebitz.lab.misbehaviour.case import Case
from kiebitz.lab.misbehaviour.redirects import LONG_CHAIN, PRIVATE
from kiebitz.lab.running import RunningLab, threaded_lab
from kiebitz.lab.world import Blueprint
from kiebitz.standards.url import canonical, join
from tests.lab_client import connect, get, read, read_exactly, request


@pytest.fixture(scope="module")
def lab() -> Iterator[RunningLab]:
    with threaded_lab(Blueprint(misbehaving=True, tls=True)) as running:
        yield running


@pytest.fixture(autouse=True)
def forgetful(lab: RunningLab) -> None:
    lab.reset()


# -- the truth as such ----------------------------------------------------------------------------


def test_every_case_is_a_canonical_url_of_its_own() -> None:
    cases = expected(certified=True)
    assert all(canonical(case.url) == case.url for case in cases)
    assert [url for url, count in Counter(case.url for case in cases).items() if count > 1] == []
    assert len(cases) > 100


def test_a_case_accepts_what_it_says() -> None:
    case = Case("http://a.example/x", "skipped|failed", "limit|size")
    assert case.accepts("skipped", "limit: size")
    assert case.accepts("failed", "size")
    assert not case.accepts("done", "size")
    assert not case.accepts("skipped", "type")
    assert (case.host, case.target) == ("a.example", "/x")


def test_the_index_of_each_host_leads_to_all_its_cases(lab: RunningLab) -> None:
    unindexed = ("robots500.example", "robotsvanish.example", "twins.example", "tls.example")
    for host in misbehaving_hosts():
        if host.name.endswith(unindexed) or not host.cases:
            continue
        _, _, body = get(lab, host.name, "/")
        for case in host.cases:
            if case.host == host.name and case.state:
                assert f'href="{case.url}"'.encode() in body, case.url


def test_seeds_name_every_host_that_has_something_to_show(lab: RunningLab) -> None:
    hosts = {seed.split("/")[2] for seed in lab.seeds}
    assert hosts >= {"drip.example", "calendar.example", "robots500.example", "expired.tls.example"}
    assert not hosts & {"loop2.example", "robotsthere.example"}


# -- bodies ---------------------------------------------------------------------------------------


def test_drip_ends_or_does_not(lab: RunningLab) -> None:
    started = time.monotonic()
    whole = read(lab, "drip.example", "/langsam")
    assert b"Alles gut" in whole.replace(b"\r\n10\r\n", b"")
    assert whole.endswith(b"0\r\n\r\n")
    assert time.monotonic() - started > 0.3
    assert 0 < len(read(lab, "drip.example", "/tropfen", seconds=0.7)) < 200
    assert b"\r\n\r\n" not in read(lab, "drip.example", "/kopf", seconds=0.7)


@pytest.mark.parametrize("path", ["/ohne-ende", "/ohne-laenge", "/angekuendigt"])
def test_endless_goes_on(lab: RunningLab, path: str) -> None:
    assert len(read(lab, "endless.example", path, at_most=20 << 20)) >= 20 << 20
    time.sleep(0.1)
    entry = lab.log()[-1]
    assert not entry.complete
    assert entry.sent >= 20 << 20


def test_shortlength_sends_an_answer_that_nobody_asked_for(lab: RunningLab) -> None:
    answer = read(lab, "shortlength.example", "/eins", seconds=0.3)
    assert answer.count(b"HTTP/1.1 200 OK") == 2
    assert b"untergeschoben" in answer


def test_longlength_ends_too_early(lab: RunningLab) -> None:
    head, _, body = read(lab, "longlength.example", "/mehr").partition(b"\r\n\r\n")
    assert int(head.rpartition(b": ")[2]) == len(body) + 5000


def test_chunks_are_broken(lab: RunningLab) -> None:
    assert b"\r\n\r\nzz\r\n" in read(lab, "chunks.example", "/kaputt")
    assert not read(lab, "chunks.example", "/abgebrochen").endswith(b"0\r\n\r\n")
    assert b"\r\nffffffffffffffff\r\n" in read(lab, "chunks.example", "/riesig")
    assert b"5\r\nabcdefghij" in read(lab, "chunks.example", "/ohne-zeilenende")
    assert b"Content-Length: 3" in read(lab, "chunks.example", "/beides")
    assert read(lab, "chunks.example", "/gut", seconds=0.3).endswith(b"0\r\nTrailer-Feld: ja\r\n\r\n")


@pytest.mark.parametrize("path", ["/mitten-im-text", "/mitten-im-kopf"])
def test_reset_resets(lab: RunningLab, path: str) -> None:
    with connect(lab, "reset.example") as sock:
        sock.sendall(request("reset.example", path))
        assert sock.recv(1 << 16).startswith(b"HTTP/1.1 200")
        with pytest.raises(ConnectionResetError):
            sock.recv(1 << 16)


def test_vanish_says_nothing_and_once_only_at_first(lab: RunningLab) -> None:
    assert read(lab, "vanish.example", "/weg") == b""
    assert read(lab, "vanish.example", "/einmal") == b""
    assert b"Alles gut" in read_exactly(lab, "vanish.example", "/einmal")
    assert [entry.status for entry in lab.log()][:2] == [0, 0]


def test_stall_accepts_and_never_answers(lab: RunningLab) -> None:
    assert read(lab, "stall.example", "/schweigen", seconds=0.5) == b""
    time.sleep(0.1)
    entry = lab.log()[-1]
    assert (entry.host, entry.status, entry.complete) == ("stall.example", 0, False)


# -- redirects ------------------------------------------------------------------------------------


def follow(lab: RunningLab, url: str, limit: int) -> list[str]:
    way = [url]
    while len(way) <= limit:
        _, _, host, path = way[-1].split("/", 3)
        status, fields, _ = get(lab, host, "/" + path)
        if not 300 <= status < 400:
            break
        way.append(join(way[-1], fields["location"]) or "")
    return way


def test_loops_and_chains(lab: RunningLab) -> None:
    base = "http://loop.example"
    assert follow(lab, f"{base}/selbst", 1) == [f"{base}/selbst"] * 2
    assert follow(lab, f"{base}/hin", 2) == [f"{base}/hin", f"{base}/her", f"{base}/hin"]
    assert follow(lab, f"{base}/paar", 2) == [f"{base}/paar", "http://loop2.example/paar", f"{base}/paar"]
    assert len(follow(lab, f"{base}/kurz/1", 10)) == 3
    assert len(follow(lab, f"{base}/lang/1", 99)) == LONG_CHAIN
    assert len(set(follow(lab, f"{base}/wachsend", 20))) == 21
    assert "location" not in get(lab, "loop.example", "/ohne-ziel")[1]


def test_private_redirects_lead_where_they_say(lab: RunningLab) -> None:
    for path, (target, seen) in PRIVATE.items():
        status, fields, _ = get(lab, "private.example", path)
        assert (status, fields["location"]) == (302, target)
        assert (join("http://private.example/", target) or "") == seen
    _, fields, _ = get(lab, "private.example", "/kanarienvogel")
    assert fields["location"] == f"http://127.0.0.1:{lab.info.control}/canary"


# -- refusals -------------------------------------------------------------------------------------


def test_busy_says_when_to_come_back_and_means_it(lab: RunningLab) -> None:
    assert get(lab, "busy.example", "/sekunden")[1]["retry-after"] == "1"
    assert get(lab, "busy.example", "/sekunden")[0] == 200
    assert get(lab, "busy.example", "/datum")[1]["retry-after"].endswith("GMT")
    assert [get(lab, "busy.example", "/immer")[0] for _ in range(4)] == [429] * 4
    lab.reset()
    assert get(lab, "busy.example", "/sekunden")[0] == 429


def test_flap_recovers_after_as_many_times_as_it_says(lab: RunningLab) -> None:
    assert [get(lab, "flap.example", "/2-mal")[0] for _ in range(4)] == [500, 502, 200, 200]
    assert get(lab, "flap.example", "/1-mal")[0] == 500
    assert {get(lab, "flap.example", "/9-mal")[0] // 100 for _ in range(9)} == {5}
    assert get(lab, "dead.example", "/0")[0] == 503
    assert get(lab, "gone.example", "/410")[0] == 410


# -- robots and TLS -------------------------------------------------------------------------------


def test_robots_are_as_broken_as_they_say(lab: RunningLab) -> None:
    assert get(lab, "robots500.example", "/robots.txt")[0] == 500
    assert get(lab, "robots404.example", "/robots.txt")[0] == 404
    assert read(lab, "robotsvanish.example", "/robots.txt") == b""
    big = get(lab, "robotsbig.example", "/robots.txt")[2]
    assert big.index(b"/geheim") < 500 << 10 < big.index(b"/spaet")
    assert follow(lab, "http://robotsredirect.example/robots.txt", 5)[-1] == "http://robotsthere.example/fern.txt"
    assert get(lab, "robotsslow.example", "/robots.txt")[2].startswith(b"User-agent: *")
    (slow,) = [entry for entry in lab.log() if entry.host == "robotsslow.example"]
    assert slow.end - slow.start > 1


def handshake(lab: RunningLab, host: str) -> bytes:
    context = ssl.create_default_context(cafile=lab.info.authority)
    with connect(lab, host) as plain, context.wrap_socket(plain, server_hostname=host) as sock:
        sock.sendall(request(host, "/"))
        return sock.recv(1 << 16)


def test_tls_is_good_once_and_wrong_in_every_other_way(lab: RunningLab) -> None:
    assert handshake(lab, "good.tls.example").startswith(b"HTTP/1.1 200")
    for host, message in {
        "expired.tls.example": "expired",
        "notyet.tls.example": "not yet valid",
        "selfsigned.tls.example": "self-signed|self signed",
        "wrongname.tls.example": "Hostname mismatch",
    }.items():
        with pytest.raises(ssl.SSLCertVerificationError, match=message):
            handshake(lab, host)
    with pytest.raises(ssl.SSLError):
        handshake(lab, "plain.tls.example")
