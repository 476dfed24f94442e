"""What we write is read back by warcio, which others use, and by us."""

import random
from gzip import compress
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from kiebitz.adapters.memory.fetcher import answer
from kiebitz.errors import HomeCorrupt
from kiebitz.model.response import Response
from kiebitz.standards import warc
from kiebitz.standards.http_headers import parse_head

URL = "https://stadt.example/b?a=%C3%A4"
AT = 1_800_000_000.9
BODY = "<p>Ä\r\n\r\nB</p>".encode() * 200


def response(content: bytes = BODY, head: str = "") -> Response:
    found = answer(URL, content)
    found.request_head = b"GET /b?a=%C3%A4 HTTP/1.1\r\nHost: stadt.example\r\nUser-Agent: kiebitz\r\n\r\n"
    if head:
        found.head = head.replace("\n", "\r\n").encode("latin-1")
        found.headers = parse_head(found.head)[1]
    return found


def exchange(found: Response) -> bytes:
    return warc.exchange(URL, AT, found, warc.payload_digest(found.raw))


def read(data: bytes) -> list[tuple[str, Any, bytes]]:
    """Type, record and raw payload, with every digest checked."""
    records = ArchiveIterator(BytesIO(data), check_digests="raise")
    return [(record.rec_type, record, record.raw_stream.read()) for record in records]


def test_warcio_reads_both_records_of_an_exchange_and_their_digest_holds() -> None:
    (kind, answered, body), (other, asked, _) = read(exchange(response()))
    assert (kind, other) == ("response", "request")
    assert body == BODY
    assert answered.http_headers.get_statuscode() == "200"
    assert answered.http_headers.get_header("content-type") == "text/html; charset=utf-8"
    fields = answered.rec_headers
    assert fields.get_header("WARC-Target-URI") == URL
    assert fields.get_header("WARC-Date") == "2027-01-15T08:00:00Z"
    assert fields.get_header("WARC-IP-Address") == "192.0.2.1"
    assert fields.get_header("WARC-Payload-Digest") == "sha256:" + sha256(BODY).hexdigest()
    assert asked.rec_headers.get_header("WARC-Concurrent-To") == fields.get_header("WARC-Record-ID")
    assert asked.http_headers.get_header("user-agent") == "kiebitz"


def test_a_wrong_digest_would_be_noticed() -> None:
    with pytest.raises(Exception, match=r"(?i)digest"):
        read(warc.exchange(URL, AT, response(), warc.payload_digest(b"something else")))


@pytest.mark.parametrize("body", [b"", b"\r\n\r\n", b"\0" * 70_000, compress(BODY)], ids=len)
def test_any_body_comes_back_as_it_was_sent(body: bytes) -> None:
    found = response(body)
    assert read(exchange(found))[0][2] == body
    assert warc.stored(exchange(found)) == (found.head, body)


def test_a_compressed_body_is_stored_as_sent_and_unpacked_by_readers() -> None:
    found = response(compress(BODY), "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Encoding: gzip")
    ((_, _, raw), _) = read(exchange(found))
    assert raw == found.raw
    first = next(iter(ArchiveIterator(BytesIO(exchange(found)))))
    assert first.content_stream().read() == BODY


@pytest.mark.parametrize(
    ("line", "stored"),
    [
        ("HTTP/2 200", "HTTP/1.1 200 "),
        ("HTTP/2 200 ", "HTTP/1.1 200 "),
        ("HTTP/3 404", "HTTP/1.1 404 "),
        ("HTTP/1.1 200 Ökay", "HTTP/1.1 200 Ökay"),
    ],
)
def test_readers_know_http_1_only_so_later_heads_are_written_as_such(line: str, stored: str) -> None:
    record = exchange(response(head=f"{line}\nContent-Type: text/html\nServer: x"))
    head, _ = warc.stored(record)
    assert head == f"{stored}\r\nContent-Type: text/html\r\nServer: x".encode("latin-1")
    assert read(record)[0][1].http_headers.get_header("server") == "x"


def test_fields_about_the_transfer_are_renamed_because_the_body_is_stored_without_it() -> None:
    head = "HTTP/1.1 200 OK\ntransfer-encoding: chunked\nTrailer: X-Sum\nX-Transfer-Encoding: stays\nServer: x"
    stored, body = warc.stored(exchange(response(head=head)))
    assert stored.split(b"\r\n")[1:] == [
        b"X-Archive-Orig-transfer-encoding: chunked",
        b"X-Archive-Orig-Trailer: X-Sum",
        b"X-Transfer-Encoding: stays",
        b"Server: x",
    ]
    assert body == BODY
    assert read(exchange(response(head=head)))[0][2] == BODY


def test_a_bundle_begins_with_a_record_about_itself() -> None:
    data = warc.opening("20270115T080000-0001-anna.warc.gz", AT, "kiebitz/1") + exchange(response())
    first, second, _ = read(data)
    assert first[0] == "warcinfo"
    assert first[1].rec_headers.get_header("WARC-Filename") == "20270115T080000-0001-anna.warc.gz"
    assert b"software: kiebitz/1\r\n" in first[2]
    assert second[2] == BODY


def test_every_record_has_an_id_of_its_own() -> None:
    records = read(b"".join(exchange(response()) for _ in range(50)))
    ids = {record.rec_headers.get_header("WARC-Record-ID") for _, record, _ in records}
    assert len(ids) == 100
    assert all(len(each) == len("<urn:uuid:>") + 36 for each in ids)


NOISE = random.Random(1).randbytes(20_000)


@pytest.mark.parametrize("missing", [1, 3, 8, 9, 100, 10_000])
def test_a_record_that_was_cut_is_corrupt_and_never_half_a_page(missing: int) -> None:
    record = exchange(response(NOISE))
    assert warc.stored(record[: _response_end(record)])[1] == NOISE
    with pytest.raises(HomeCorrupt):
        warc.stored(record[: _response_end(record) - missing])


@pytest.mark.parametrize("damaged", [b"", b"WARC/1.1\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", compress(b"no record")])
def test_what_is_no_record_is_corrupt(damaged: bytes) -> None:
    with pytest.raises(HomeCorrupt):
        warc.stored(damaged)


def test_a_record_of_which_a_bit_has_changed_is_corrupt() -> None:
    record = bytearray(exchange(response(NOISE)))
    record[9_000] ^= 0x10
    with pytest.raises(HomeCorrupt):
        warc.stored(bytes(record))


def _response_end(record: bytes) -> int:
    """Where the request's record begins: it is short, and the last one."""
    return record.rindex(b"\x1f\x8b\x08")
