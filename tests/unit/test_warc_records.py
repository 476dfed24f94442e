"""A bundle is read from front to back, in pieces of any size, and damage is told where it begins."""

from datetime import UTC, datetime

import pytest

from kiebitz.adapters.memory.fetcher import answer
from kiebitz.errors import HomeCorrupt
from kiebitz.standards import warc
from kiebitz.standards.warc_records import BundleReader, StoredResponse

AT = 1_800_000_000.9
MOST = 1_000_000


def record(url: str, content: bytes) -> bytes:
    found = answer(url, content)
    return warc.exchange(url, AT, found, warc.payload_digest(found.raw))


def bundle(*contents: bytes) -> bytes:
    records = [record(f"https://stadt.example/{number}", content) for number, content in enumerate(contents)]
    return b"".join([warc.opening("x.warc.gz", AT, "kiebitz"), *records])


def read(data: bytes, step: int, most: int = MOST) -> list[StoredResponse]:
    reader, found = BundleReader(most), list[StoredResponse]()
    for start in range(0, len(data), step):
        found += reader.feed(data[start : start + step])
    reader.close()
    return found


@pytest.mark.parametrize("step", [1, 7, 1000, 100_000])
def test_responses_come_out_whole_however_the_bytes_arrive(step: int) -> None:
    contents = [b"<p>eins\r\n\r\nzwei</p>" * 9, b"", bytes(range(256)) * 3]
    found = read(bundle(*contents), step)
    assert [each.raw for each in found] == contents
    assert [each.url for each in found] == [f"https://stadt.example/{number}" for number in range(3)]
    assert found[0].head.startswith(b"HTTP/1.1 200 ")
    assert found[0].at == datetime.fromtimestamp(int(AT), UTC)


def test_a_record_beyond_the_size_is_passed_over_and_the_next_one_read() -> None:
    found = read(bundle(b"first", b"x" * 3_000_000, b"third"), 4096, most=2_000_000)
    assert [each.raw for each in found] == [b"first", b"third"]


def test_what_stands_before_the_damage_is_read() -> None:
    whole = bundle(b"first", b"second")
    damaged = bytearray(whole)
    place = len(bundle(b"first")) + 40
    damaged[place : place + 20] = bytes(20)
    responses = BundleReader(MOST).feed(bytes(damaged))
    assert next(responses).raw == b"first"
    with pytest.raises(HomeCorrupt, match="damaged"):
        next(responses)


def test_a_bundle_that_is_cut_off_says_so() -> None:
    with pytest.raises(HomeCorrupt, match="cut off"):
        read(bundle(b"first")[:-5], 100)
    with pytest.raises(HomeCorrupt, match="without a head"):
        read(warc._member(b"nonsense"), 100)
    assert read(b"", 100) == []
