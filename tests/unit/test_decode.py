"""Content codings undone, and bombs that do not go off."""

import gzip
import os
import time
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from kiebitz.errors import FetchError, LimitExceeded, Unreachable
from kiebitz.fetch.decode import MEMBERS, RATIO_FROM, decode
from kiebitz.model.response import Limits


def _raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data, wbits=-15)


def _brotli(data: bytes) -> bytes:
    return bytes(brotli.compress(data, quality=4))


def _streamed_zstd(data: bytes) -> bytes:
    compressor = zstandard.ZstdCompressor().compressobj()  # without the size in its header, as servers do
    return compressor.compress(data) + compressor.flush()


CODINGS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("gzip", gzip.compress),
    ("x-gzip", gzip.compress),
    ("deflate", zlib.compress),
    ("deflate", _raw_deflate),
    ("br", _brotli),
    ("zstd", zstandard.compress),
    ("zstd", _streamed_zstd),
    ("gzip, br", lambda data: _brotli(gzip.compress(data))),
    ("br,gzip", lambda data: gzip.compress(_brotli(data))),
    ("zstd, identity, GZIP", lambda data: gzip.compress(zstandard.compress(data))),
]
SIZES = [0, 1, 1000, 65_535, 65_536, 65_537, 400_000]


@pytest.mark.parametrize(("encoding", "encode"), CODINGS)
@pytest.mark.parametrize("size", SIZES)
def test_what_was_encoded_comes_back(encoding: str, encode: Callable[[bytes], bytes], size: int) -> None:
    limits = Limits(ratio=1_000_000)
    for data in (os.urandom(size), b"a" * size, (b"Amtsblatt der Stadt %d\n" * size)[:size]):
        assert decode(encode(data), encoding, limits) == data


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=5000), choice=st.sampled_from(CODINGS), repeat=st.integers(1, 200))
def test_any_bytes_come_back(data: bytes, choice: tuple[str, Callable[[bytes], bytes]], repeat: int) -> None:
    assert decode(choice[1](data * repeat), choice[0], Limits(ratio=1_000_000)) == data * repeat


@pytest.mark.parametrize(("encoding", "encode"), CODINGS)
@pytest.mark.parametrize("cut", [1, 5, 1000])
def test_a_truncated_body_is_broken_and_may_be_tried_again(
    encoding: str, encode: Callable[[bytes], bytes], cut: int
) -> None:
    with pytest.raises(Unreachable) as caught:
        decode(encode(os.urandom(5000))[:-cut], encoding, Limits())
    assert caught.value.reason == "broken encoding"
    assert caught.value.retryable


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_rubbish_is_broken(encoding: str) -> None:
    with pytest.raises(Unreachable, match="broken encoding"):
        decode(b"<!doctype html><p>Not compressed at all, whatever the head says.", encoding, Limits())


def test_a_flipped_bit_is_noticed() -> None:
    body = bytearray(gzip.compress(os.urandom(1000)))
    body[500] ^= 1
    with pytest.raises(Unreachable, match="broken encoding"):
        decode(bytes(body), "gzip", Limits())


@pytest.mark.parametrize("encoding", ["", "identity", "none", "UTF-8", " , "])
def test_no_coding_returns_the_body_itself(encoding: str) -> None:
    body = b"text"
    assert decode(body, encoding, Limits()) is body


def test_an_empty_body_needs_no_decoding() -> None:
    assert decode(b"", "gzip", Limits()) == b""


def test_an_unknown_coding_is_an_error() -> None:
    with pytest.raises(FetchError) as caught:
        decode(b"x", "compress", Limits())
    assert caught.value.reason == "encoding"


def test_several_members_are_one_body_and_padding_is_ignored() -> None:
    members = gzip.compress(b"a") + gzip.compress(b"b" * 100_000) + gzip.compress(b"c")
    assert decode(members + b"\0" * 10, "gzip", Limits(ratio=10_000)) == b"a" + b"b" * 100_000 + b"c"
    frames = zstandard.compress(b"a") + zstandard.compress(b"b")
    assert decode(frames, "zstd", Limits()) == b"ab"


@pytest.mark.parametrize("member", [gzip.compress(b""), zstandard.compress(b"")])
def test_endless_empty_members_are_refused(member: bytes) -> None:
    with pytest.raises(LimitExceeded, match="members"):
        decode(member * (MEMBERS + 1), "gzip" if member[0] == 0x1F else "zstd", Limits())


def test_more_layers_than_allowed_are_refused() -> None:
    body = gzip.compress(gzip.compress(gzip.compress(b"x")))
    assert decode(body, "gzip, gzip, gzip", Limits(layers=3)) == b"x"
    with pytest.raises(LimitExceeded) as caught:
        decode(body, "gzip, gzip, gzip", Limits(layers=2))
    assert caught.value.reason == "layers"


def test_a_small_page_may_have_any_ratio_and_a_large_one_not() -> None:
    assert len(decode(zlib.compress(bytes(RATIO_FROM)), "deflate", Limits(ratio=2))) == RATIO_FROM
    with pytest.raises(LimitExceeded) as caught:
        decode(zlib.compress(bytes(RATIO_FROM * 4)), "deflate", Limits(ratio=2))
    assert caught.value.reason == "ratio"


@pytest.mark.parametrize(("encoding", "encode"), CODINGS)
def test_the_cap_on_bytes_holds_exactly(encoding: str, encode: Callable[[bytes], bytes]) -> None:
    body = encode(b"ab" * 50_000)
    assert len(decode(body, encoding, Limits(max_bytes=100_000, ratio=10_000))) == 100_000
    with pytest.raises(LimitExceeded) as caught:
        decode(body, encoding, Limits(max_bytes=99_999, ratio=10_000))
    assert caught.value.reason == "size"


def _gzip_of_zeros(mebibytes: int) -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = compressor.compress(bytes(1 << 20)) + compressor.flush(zlib.Z_FULL_FLUSH)
    return gzip.compress(b"")[:10] + block * mebibytes  # it has no end, which is not reached


BOMBS: list[tuple[str, Callable[[], bytes]]] = [
    ("gzip", lambda: _gzip_of_zeros(10_240)),  # 10 MB that unfold to 10 GB
    ("br", lambda: _brotli(bytes(128 << 20))),
    ("zstd", lambda: zstandard.compress(bytes(256 << 20))),
    ("gzip, gzip", lambda: gzip.compress(_gzip_of_zeros(512))),
]


@pytest.mark.parametrize(("encoding", "make"), BOMBS, ids=[name for name, _ in BOMBS])
@pytest.mark.parametrize("ratio", [200, 1_000_000])
def test_a_bomb_costs_neither_memory_nor_time(encoding: str, make: Callable[[], bytes], ratio: int) -> None:
    bomb = make()
    tracemalloc.start()
    started = time.process_time()
    with pytest.raises(LimitExceeded):
        decode(bomb, encoding, Limits(ratio=ratio))
    seconds = time.process_time() - started
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100 << 20
    assert seconds < 1.0
