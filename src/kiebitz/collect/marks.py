"""What a text says: that it names a gazette, that it is numbered or dated, that it is something else.

Deciding needs only *whether* a text states an issue; ``issue`` reads *which*. The words live in ``words.toml``.
"""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

MONTHS = (
    "januar|jaenner|februar|feber|maerz|april|mai|juni|juli|august|september|oktober|november|dezember|"
    "jan|feb|mrz|maer|apr|jun|jul|aug|sept|sep|okt|nov|dez"
)
_YEAR = r"(?:19[5-9]\d|20\d\d)"
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_DECOMPOSED = (("a\u0308", "ä"), ("o\u0308", "ö"), ("u\u0308", "ü"))
_APART = re.compile(r"[_+]|%20|(?<=[a-z])-|-(?=[a-z])|\.(?=[a-z]{2})")
_NUMBERED = re.compile(
    rf"\b(?:nr|no|nummer|ausgabe|heft|folge|kw|ausg|lfd)\b[\s.:#-]*\d{{1,3}}[a-z]?\b"
    rf"|(?<![\d.])\d{{1,3}}[a-z]?\s?[/\-i|]\s?{_YEAR}\b|\b{_YEAR}\s?[/\-]\s?\d{{1,3}}[a-z]?(?![\d.])"
    rf"|(?<![\d./-])(?:0?[1-9]|[1-5]\d)\s?[/-]\s?\d\d(?![\d./-])|\b{_YEAR}[\s.]+(?:nr[\s.]*)?\d{{1,2}}[a-z]?\b(?![\d.])"
    rf"|(?<![\d.])\d{{1,2}}[a-z]?[\s.]+{_YEAR}\b|\d{{1,3}}\s?\.\s?(?:ausgabe|jahrgang|woche|kw|sonder)"
)
_DATED = re.compile(
    rf"\b\d{{1,2}}\.\s?\d{{1,2}}\.\s?(?:{_YEAR}|\d\d\b)|\b{_YEAR}-\d\d?-\d\d?\b|\b(?:{MONTHS})\b[\s./-]*(?:{_YEAR}|\d\d\b)"
    rf"|(?<!\d)(?:{_YEAR}[01]\d[0-3]\d|[0-3]\d[01]\d{_YEAR})(?!\d)|\b{_YEAR}[\s./-]+(?:{MONTHS})\b|\b{_YEAR} \d\d \d\d\b"
    rf"|\b\d{{1,2}}\.?\s?(?:{MONTHS})\b"
)
_BARE = re.compile(rf"\s*(?:(?:{MONTHS})\b[\s./-]*)+(?:{_YEAR}|\d\d)?\s*|\s*(?:nr\.?\s*)?\d{{1,3}}[a-z]?\s*")
_LOOSE = re.compile(rf"\b(?:{MONTHS})|\d{{2,}}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_MONTH = re.compile(rf"(?:{MONTHS})\b")


class Words(NamedTuple):
    gazette: tuple[str, ...]
    notice: tuple[str, ...]
    notices: tuple[str, ...]
    foreign: tuple[str, ...]
    council: tuple[str, ...]
    law: tuple[str, ...]
    attachment: tuple[str, ...]
    announcing: tuple[str, ...]
    ordinary: tuple[str, ...]
    doubtful: tuple[str, ...]
    besides: tuple[str, ...]
    unofficial: tuple[str, ...]
    paper_of: tuple[str, ...]
    paper_called: tuple[str, ...]
    archive: tuple[str, ...]
    act_endings: tuple[str, ...]
    act_stems: tuple[str, ...]
    generic: frozenset[str]
    next_page: frozenset[str]
    acts: frozenset[str]


@lru_cache(maxsize=1)
def words() -> Words:
    """The word lists, read once."""
    lists = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))
    whole: dict[str, Any] = {name: frozenset(lists[name]) for name in ("generic", "next_page", "acts")}
    return Words(**{name: tuple(entries) for name, entries in lists.items()} | whole)


def fold(text: str) -> str:
    """Lower case without umlauts, and separators of file names as spaces: "Amtsblätter_2026" is "amtsblaetter 2026"."""
    lowered = text.lower()
    if "\u0308" in lowered:
        for apart, together in _DECOMPOSED:
            lowered = lowered.replace(apart, together)
    return _APART.sub(" ", lowered.translate(_UMLAUTS))


def says(entries: tuple[str, ...], folded: str) -> str:
    """The first word of a list that a folded text contains, or ""."""
    if not folded:
        return ""
    padded = f" {folded} "
    return next((entry.strip() for entry in entries if entry in padded), "")


def gazette_in(folded: str) -> str:
    """The name of a gazette in a folded text, or "": a listed one, or one built like "Kreisanzeiger"."""
    lists = words()
    named = says(lists.gazette, folded)
    if named or not says(lists.paper_called, folded):
        return named
    built = _built_names().search(f"{folded} ")
    return built[0].strip() if built else ""


def unofficial_in(folded: str) -> str:
    """The word that says of a paper that it is none of an office: "Anzeigenblatt", "enthält Werbung"."""
    named = any(word in folded for word in ("amtsbl", "amtlich"))  # "liegt dem Anzeigenblatt bei"
    return "" if named else says(words().unofficial, folded)


@lru_cache(maxsize=1)
def _built_names() -> re.Pattern[str]:
    lists = words()
    return re.compile(f"(?<![a-z])(?:{'|'.join(lists.paper_of)}){{1,3}}(?:{'|'.join(lists.paper_called)})")


def is_numbered(folded: str) -> bool:
    return _NUMBERED.search(folded) is not None


def is_dated(folded: str) -> bool:
    return _DATED.search(folded) is not None


def is_bare(folded: str) -> bool:
    """Is it nothing but a month or a number, as in a calendar of issues?"""
    return _BARE.fullmatch(folded) is not None


def is_loosely_marked(folded: str) -> bool:
    """Is there anything that may tell one issue from the next: digits or a month?"""
    return _LOOSE.search(folded) is not None


def series(folded: str) -> str:
    """The words that remain when numbers, dates and empty phrases are taken away: what a series of links shares."""
    generic = words().generic
    kept = [word for word in _WORD.findall(folded)[:40] if word not in generic and not _MONTH.fullmatch(word)]
    return " ".join(kept[:6])
