"""Words of a text and their forms: as written, folded, stemmed, and the parts of compounds.

A number and a letter beside it are two words ("12a", "K14"), and so are the pieces of a file number ("63-123/2026"), so that
each is found; what was typed in one piece is searched in one piece, as a phrase. § is a word.

Tantivy's own filters (lower_case, stemmer("german"), ascii_fold) give the same stems for words written with umlauts, but not
for ae, oe, ue, nor for the parts of compounds; that is why the words are made here, once for each distinct one.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from kiebitz.search.compounds import Splitter

LONGEST_WORD = 64
LANGUAGES = ("de", "en")

_MARKS = "\u0300-\u036f\u00ad\u200b-\u200d\u2060"  # accents of their own, soft hyphens and joiners stand inside words
_WORD = re.compile(rf"[^\W\d_]+(?:[{_MARKS}]+[^\W\d_]*)*|\d+|§")
_INVISIBLE = dict.fromkeys([0xAD, 0x200B, 0x200C, 0x200D, 0x2060])
_UMLAUTS = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "oe",
        "å": "aa",
        "ð": "d",
        "þ": "th",
        "ł": "l",
        "đ": "d",
    }
)


class Token(NamedTuple):
    """``word`` is in lower case; the text has it from ``start`` to ``end``."""

    word: str
    start: int
    end: int


class Forms(NamedTuple):
    """``exact``: folded; ``parts``: stems of the parts, empty if the word is no compound."""

    exact: str
    stem: str
    parts: tuple[str, ...]


def tokens(text: str) -> list[str]:
    """The words in lower case."""
    if text.isascii():
        return _WORD.findall(text.lower())
    return [word for word in map(_normal, _WORD.findall(text)) if word]


def located(text: str) -> Iterator[Token]:
    """The same words, with the place of each in the text as it is."""
    for match in _WORD.finditer(text):
        word = _normal(match[0])
        if word:
            yield Token(word, match.start(), match.end())


def folded(word: str) -> str:
    """A word in lower case without umlauts and accents: ä is ae, ß is ss, é is e."""
    if word.isascii():
        return word[:LONGEST_WORD]
    spoken = word.translate(_UMLAUTS)
    if not spoken.isascii():
        spoken = "".join(letter for letter in unicodedata.normalize("NFD", spoken) if not unicodedata.combining(letter))
    return spoken[:LONGEST_WORD]


def stem(word: str, language: str) -> str:
    """Of a word in lower case. Änderung, Aenderung and Anderung have one stem."""
    found = _stemmer("en" if language == "en" else "de").stemWord(word[:LONGEST_WORD])
    return folded(str(found)) or folded(word)


def is_stop(word: str) -> bool:
    """Too frequent to be asked for, in one of our languages."""
    return word in _stop_words()


def forms(word: str, language: str, splitter: Splitter | None = None) -> Forms:
    """Of a word in lower case; compounds are taken apart in everything but English."""
    parts: tuple[str, ...] = ()
    if language != "en":
        found = (splitter or Splitter.shipped()).parts(word)
        parts = tuple(stem(part, "de") for part in found) if len(found) > 1 else ()
    return Forms(folded(word), stem(word, language), parts)


def _normal(word: str) -> str:
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word.translate(_INVISIBLE)).lower()


@cache
def _stemmer(language: str) -> Any:
    import Stemmer

    return Stemmer.Stemmer({"de": "german", "en": "english"}[language], 100_000)


@cache
def _stop_words() -> frozenset[str]:
    table = tomllib.loads((files("kiebitz.search") / "stopwords.toml").read_text("utf-8"))
    return frozenset(word for words in table.values() for word in words.split())
