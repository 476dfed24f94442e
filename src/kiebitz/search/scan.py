"""What people type, cut into signs: words, phrases, brackets, operators, fields and spans of time.

Everything is bounded: what lies behind the first thousand characters or fifty terms is not read. Nothing is an error; a sign
that makes no sense where it stands is left out, and what is no sign is words.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from datetime import date
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from kiebitz.model.query import FACETS, Between, Fuzzy, Node, Phrase, Prefix, Word
from kiebitz.search.analyse import tokens
from kiebitz.search.periods import period_at, whole_period

MOST_CHARACTERS = 1_000
MOST_TERMS = 50
FARTHEST = 2  # letters wrong

_OPENING = '"„“”«»‟″＂'
_CLOSING = '"“”«»″＂'
_OPERATORS = {
    "AND": "and", "UND": "and", "&&": "and", "&": "and",
    "OR": "or", "ODER": "or", "||": "or", "|": "or",
    "NOT": "not", "NICHT": "not",
}  # fmt: skip
_RUN = re.compile(rf"[^\s(){_OPENING}]+")
_FIELD = re.compile(r"([^\W\d_]{2,20}):(?=[^\s)])")
_FUZZY = re.compile(r"(.+?)~([0-9]{0,3})\Z")
_EDGES = re.compile(r"\A[^\w§]+|[^\w§]+\Z")


class Sign(NamedTuple):
    """``kind``: term, field, and, or, not, open, close."""

    kind: str
    node: Node | None = None
    name: str = ""


def signs(text: str, today: date) -> list[Sign]:
    return _Scanner(_clean(text), today).run()


class _Scanner:
    def __init__(self, text: str, today: date) -> None:
        self._text = text
        self._today = today
        self._at = 0
        self._terms = 0
        self._found: list[Sign] = []

    def run(self) -> list[Sign]:
        while self._at < len(self._text) and self._terms < MOST_TERMS:
            self._step(self._text[self._at])
        return self._found

    def _step(self, letter: str) -> None:
        if letter.isspace():
            self._at += 1
        elif letter in "()":
            self._add(Sign("open" if letter == "(" else "close"), self._at + 1)
        elif letter in _OPENING:
            self._read_quoted()
        elif letter in "-−–!" and self._begins_something():
            self._add(Sign("not"), self._at + 1)
        elif letter == "+" and self._begins_something():
            self._at += 1
        elif not self._read_period():
            self._read_run()

    def _begins_something(self) -> bool:
        before, behind = self._text[self._at - 1 : self._at], self._text[self._at + 1 : self._at + 2]
        return (not before or before.isspace() or before == "(") and (behind.isalnum() or behind in ("(", *_OPENING))

    def _read_quoted(self) -> None:
        begin = self._at + 1
        ends = [end for end in (self._text.find(mark, begin) for mark in _CLOSING) if end >= 0]
        if not ends:
            self._at = begin  # an open quotation mark is none
            return
        inside = self._text[begin : min(ends)].strip()
        self._at = min(ends) + 1
        self._term(Phrase(inside) if len(tokens(inside)) > 1 else Word(inside))

    def _read_period(self) -> bool:
        if self._facet():
            return False
        found = period_at(self._text, self._at, self._today)
        behind = self._text[found.end : found.end + 1] if found else ""
        if not found or behind.isalnum():
            return False
        self._add(Sign("term", found.between), found.end)
        self._terms += 1
        return True

    def _read_run(self) -> None:
        field = _FIELD.match(self._text, self._at)
        name = _field_names().get(field[1].lower()) if field else None
        if field and name:
            self._add(Sign("field", name=name), field.end())
            return
        match = _RUN.match(self._text, self._at)
        run = match[0] if match else self._text[self._at]
        self._at += len(run)
        if run in _OPERATORS and not self._facet():
            self._found.append(Sign(_OPERATORS[run]))
        else:
            self._read_word(run)

    def _read_word(self, run: str) -> None:
        facet = self._facet()
        if facet in ("year", "date"):
            between = whole_period(run, self._today)
            if between:
                self._term(between)
                return
        fuzzy = _FUZZY.match(run)
        word = _EDGES.sub("", fuzzy[1] if fuzzy else run)
        if facet in FACETS:
            self._term(Word(_facet_value(facet, word)))
        elif run == "*" or not tokens(word):
            return
        elif fuzzy:
            distance = min(int(fuzzy[2] or 1), FARTHEST)
            self._term(Fuzzy(word, distance) if distance else Word(word))
        elif run.rstrip(".,;:!?").endswith("*"):
            self._term(Prefix(word))
        else:
            self._word(word)

    def _word(self, word: str) -> None:
        """A number behind § belongs to it."""
        before = self._found[-1].node if self._found else None
        if before == Word("§") and word[:1].isdigit():
            self._found[-1] = Sign("term", Phrase(f"§ {word}"))
        else:
            self._term(Word(word))

    def _facet(self) -> str:
        """The field that the next term belongs to, if one was just named."""
        last = self._found[-1] if self._found else None
        return last.name if last and last.kind == "field" else ""

    def _term(self, node: Node) -> None:
        if isinstance(node, Between) or tokens(node.text if isinstance(node, Word | Phrase | Prefix | Fuzzy) else ""):
            self._terms += 1
            self._found.append(Sign("term", node))

    def _add(self, sign: Sign, end: int) -> None:
        self._found.append(sign)
        self._at = end


def _clean(text: str) -> str:
    """Without what cannot be seen: control and direction marks, halves of characters."""
    text = unicodedata.normalize("NFC", text[:MOST_CHARACTERS])[:MOST_CHARACTERS]
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(letter) for letter in text)


def _visible(letter: str) -> str:
    category = unicodedata.category(letter)
    if category in ("Cf", "Cs", "Co", "Cn"):
        return ""
    return " " if category in ("Cc", "Zl", "Zp", "Zs") else letter


@cache
def _table() -> dict[str, object]:
    return tomllib.loads((files("kiebitz.search") / "fields.toml").read_text("utf-8"))


@cache
def _field_names() -> dict[str, str]:
    return {alias: name for name, aliases in _table().items() if isinstance(aliases, list) for alias in aliases}


def _facet_value(facet: str, value: str) -> str:
    lower = value.lower()
    if facet == "language":
        languages = _table()["languages"]
        assert isinstance(languages, dict)
        return next((code for code, names in languages.items() if lower in names), lower)
    return lower if facet in ("type", "domain") else value
