"""Texts that are nearly the same: MinHash signatures (Broder 1997; one permutation, Li et al. 2012) and bands to find them.

A signature is an estimate of the set of all runs of three words. Two texts agree in as many places of it as their sets
agree (Jaccard). A store that indexes the bands of each signature finds the candidates for a new text without comparing
it with all: texts that are alike share at least one band. Hashes are our own arithmetic, so a signature that was stored
means the same on every machine and in every version; ``VERSION`` is part of each.
"""

import operator
import re
import struct
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

VERSION = 1
PLACES = 128
BANDS = 32
ALIKE = 0.55  # 5 % of the words changed leave about 0.75, unrelated notices of one town less than 0.3
SHINGLE = 3
FEWEST_WORDS = 20  # shorter texts are alike by accident
MOST_WORDS = 200_000
_ROWS = PLACES // BANDS
_EMPTY = 0xFFFFFFFF
_MASK = (1 << 64) - 1
_WORD = re.compile(r"\w+")
_PACK = struct.Struct(f">B{PLACES}I")


class Likeness(NamedTuple):
    key: str
    similarity: float


def signature(text: str) -> bytes:
    """513 bytes; b"" for a text too short to be compared."""
    words = _WORD.findall(text.casefold())[:MOST_WORDS]
    if len(words) < FEWEST_WORDS:
        return b""
    numbers: dict[str, int] = {}
    for word in words:
        if word not in numbers:
            numbers[word] = int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest())
    hashed = [numbers[word] for word in words]
    places = [_EMPTY] * PLACES
    for first, second, third in set(zip(hashed, hashed[1:], hashed[2:], strict=False)):
        # Three odd factors keep the order of the words; the last one mixes all bits into the upper half.
        mixed = (first * 0x9E3779B97F4A7C15 + second * 0xC2B2AE3D27D4EB4F + third * 0x165667B19E3779F9) & _MASK
        mixed = ((mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9) & _MASK
        place = mixed >> 57
        value = (mixed >> 20) & 0x7FFFFFFF
        places[place] = min(places[place], value)
    return _PACK.pack(VERSION, *_filled(places))


def _filled(places: list[int]) -> list[int]:
    """An empty place borrows from the next one that is not, marked by the distance: alike texts borrow alike."""
    filled = list(places)
    for number, value in enumerate(places):
        if value == _EMPTY:
            distance = next(step for step in range(1, PLACES + 1) if places[(number + step) % PLACES] != _EMPTY)
            filled[number] = (places[(number + distance) % PLACES] + distance * 0x9E3779B1) & 0xFFFFFFFE
    return filled


def similarity(one: bytes, other: bytes) -> float:
    """The estimated share of runs of words that both have."""
    if not one or not other or one[0] != other[0]:
        return 0.0
    same = sum(map(operator.eq, _PACK.unpack(one)[1:], _PACK.unpack(other)[1:]))
    return int(same) / PLACES


def bands(signed: bytes) -> tuple[bytes, ...]:
    """Keys under which a store indexes the signature: 32 of 9 bytes, none for an empty one."""
    if not signed:
        return ()
    width = 4 * _ROWS
    parts = (signed[1 + number * width : 1 + (number + 1) * width] for number in range(BANDS))
    return tuple(bytes([number]) + blake2b(part, digest_size=8).digest() for number, part in enumerate(parts))


def near_duplicates(
    signed: bytes, candidates: Callable[[Sequence[bytes]], Iterable[tuple[str, bytes]]], alike: float = ALIKE
) -> list[Likeness]:
    """Those that are alike, the most alike first. ``candidates`` answers who shares any of the bands: key and signature."""
    if not signed:
        return []
    found = {key: similarity(signed, other) for key, other in candidates(bands(signed))}
    alikes = [Likeness(key, share) for key, share in found.items() if share >= alike]
    return sorted(alikes, key=lambda each: (-each.similarity, each.key))


class Clusters:
    """The index in memory, and groups of what is alike: a text joins the group of the one it is most alike to."""

    def __init__(self, alike: float = ALIKE) -> None:
        self._alike = alike
        self._signatures: dict[str, bytes] = {}
        self._holders: dict[bytes, list[str]] = {}
        self._first: dict[str, str] = {}

    def add(self, key: str, signed: bytes) -> str:
        """The key of the first of its group; its own if it is alone."""
        if key in self._first:
            return self._first[key]
        alike = near_duplicates(signed, self.candidates, self._alike)
        self._first[key] = self._first[alike[0].key] if alike else key
        if signed:
            self._signatures[key] = signed
            for band in bands(signed):
                self._holders.setdefault(band, []).append(key)
        return self._first[key]

    def candidates(self, keys: Sequence[bytes]) -> Iterable[tuple[str, bytes]]:
        holders = {key for band in keys for key in self._holders.get(band, ())}
        return [(key, self._signatures[key]) for key in holders]
