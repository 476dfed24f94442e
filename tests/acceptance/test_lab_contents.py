"""Contents, heads and traps of the misbehaving hosts, seen by a client that reads bytes."""

import gzip
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from urllib.parse import urljoin

import brotli
import pytest
import zstandard

from kiebitz.lab.misbehaviour import expected, traps_set
from kiebitz.lab.misbehaviour.texts import PAGES, TEXT
from kiebitz.lab.running import RunningLab, threaded_lab
from kiebitz.lab.world import Blueprint
from tests.lab_client import get, read


@pytest.fixture(scope="module")
def lab() -> Iterator[RunningLab]:
    with threaded_lab(Blueprint(misbehaving=True)) as running:
        yield running


@pytest.fixture(autouse=True)
def forgetful(lab: RunningLab) -> None:
    lab.reset()


def test_bombs_unpack_to_much_more_than_they_weigh(lab: RunningLab) -> None:
    unpackers: dict[str, Callable[[bytes], bytes]] = {
        "/gzip": gzip.decompress,
        "/br": brotli.decompress,
        "/zstd": zstandard.decompress,
        "/verschachtelt": lambda data: gzip.decompress(gzip.decompress(data)),
    }
    for path, unpack in unpackers.items():
        _, fields, body = get(lab, "bomb.example", path)
        assert fields["content-encoding"]
        assert len(body) < 200_000
        assert len(unpack(body)) > 64 << 20
    _, fields, _ = get(lab, "bomb.example", "/schichten")
    assert fields["content-encoding"].count("gzip") == 6


def test_good_codings_are_good_and_far_from_a_bomb(lab: RunningLab) -> None:
    plain = get(lab, "coding.example", "/identity")[2]
    unpackers: dict[str, Callable[[bytes], bytes]] = {
        "/gzip": gzip.decompress,
        "/x-gzip": gzip.decompress,
        "/glieder": gzip.decompress,
        "/deflate": zlib.decompress,
        "/deflate-roh": lambda data: zlib.decompress(data, -15),
        "/br": brotli.decompress,
        "/zstd": zstandard.decompress,
        "/zweifach": lambda data: gzip.decompress(gzip.decompress(data)),
    }
    for path, unpack in unpackers.items():
        body = get(lab, "coding.example", path)[2]
        assert unpack(body) == plain, path
        assert len(plain) < 50 * len(body)
    with pytest.raises(EOFError):
        gzip.decompress(get(lab, "coding.example", "/abgeschnitten")[2])


def test_charsets_lie_as_they_say(lab: RunningLab) -> None:
    for path, (header, _, encoding, mark, _) in PAGES.items():
        _, fields, body = get(lab, "charset.example", path)
        assert body.startswith(mark)
        assert TEXT in body[len(mark) :].decode(encoding)
        assert fields["content-type"] == (f"text/html; charset={header}" if header else "text/html")


def test_types_are_as_wrong_as_they_say(lab: RunningLab) -> None:
    assert get(lab, "types.example", "/oktett")[1]["content-type"] == "application/octet-stream"
    assert get(lab, "types.example", "/oktett")[2].startswith(b"%PDF-")
    assert get(lab, "types.example", "/angeblich.pdf")[2].startswith(b"<!doctype html>")
    assert "content-type" not in get(lab, "types.example", "/ohne-typ")[1]
    film = read(lab, "types.example", "/film.mp4", at_most=1000)
    assert b"video/mp4" in film


def test_a_client_that_refuses_the_film_costs_little(lab: RunningLab) -> None:
    read(lab, "types.example", "/film.mp4", at_most=100)
    time.sleep(0.1)
    entry = lab.log()[-1]
    assert entry.sent < 16 << 20
    assert not entry.complete


def test_twins_are_the_same_bytes_everywhere(lab: RunningLab) -> None:
    cases = [case for case in expected() if case.host == "twins.example"]
    bodies = Counter(get(lab, "twins.example", case.target)[2] for case in cases)
    assert sorted(bodies.values()) == [3, 7]


def test_heads_are_too_large_or_not_http(lab: RunningLab) -> None:
    def head(path: str) -> bytes:
        return read(lab, "headers.example", path).partition(b"\r\n\r\n")[0]

    assert len(head("/riesig")) > 1 << 20
    assert head("/viele").count(b"\r\n") > 5000
    assert b"Ohne Doppelpunkt\r\n" in head("/kaputt")
    assert not head("/kein-status").startswith(b"HTTP/")
    assert head("/hinweise").startswith(b"HTTP/1.1 103")
    assert head("/zwei-laengen").count(b"Content-Length") == 2


def test_traps_have_no_end_but_their_real_pages_exist(lab: RunningLab) -> None:
    for trap in traps_set():
        seen, waiting = set[str](), [trap.start]
        while waiting and len(seen) < 300:
            url = waiting.pop(0)
            if url in seen:
                continue
            seen.add(url)
            _, _, host, path = url.split("/", 3)
            status, _, body = get(lab, host, "/" + path)
            assert status == 200, url
            hrefs = [part.partition('"')[0].replace("&amp;", "&") for part in body.decode().split('href="')[1:]]
            # Without the rules of the crawler: session ids stay, and every page has new ones.
            waiting += [urljoin(url, href) for href in hrefs]
        assert len(seen) == 300, trap.start
        assert set(trap.wanted) <= seen
