"""What is known about one link for itself, before its neighbours are asked.

Each trait is read from one place (text, row, file name, heading, page), because the same word weighs differently in each.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from kiebitz.collect.marks import (
    fold,
    is_bare,
    is_dated,
    is_loosely_marked,
    is_numbered,
    says,
    series,
    words,
)
from kiebitz.model.candidate import Candidate, Outlook
from kiebitz.standards.url import host_of, path_of, registrable

NOTICES = 3
_CONTENT = frozenset({"main", "script", "feed"})
_COUNTED = re.compile(r"\b(?:nr|nummer|ausgabe|heft|folge)\b")
_CITING = ("im ", "siehe ", "vgl. ", "dem ", "aus ")


class Subject(NamedTuple):
    """What the page says about all its links."""

    home: frozenset[str]  # the sites its pages are on
    gazette: str
    notices: str


class Traits(NamedTuple):
    text: str
    heading: str
    region: str
    type: str
    shape: str
    series: str
    mark: str  # the part that tells it from its series
    named: str  # the gazette word of its text, row or file
    named_text: str
    named_row: str
    named_file: str
    named_heading: str
    named_folder: str
    context: str  # the gazette word of its heading, its folder or its page
    marked_text: bool
    marked_row: bool
    marked_file: bool
    marked_heading: bool  # the heading right above names an issue of the gazette
    bare: bool
    foreign: str
    foreign_heading: str
    council: str
    notice: str
    on_notices: str  # the word that makes its page or section one of notices
    is_external: bool

    @property
    def is_marked(self) -> bool:
        return self.marked_text or self.marked_row or self.marked_file or self.marked_heading or self.bare

    @property
    def is_file(self) -> bool:
        """May it be a document, as far as one sees?"""
        return self.type in ("pdf", "file", "unknown")

    @property
    def is_like_number(self) -> bool:
        """Does it begin with a number, whatever words follow?"""
        return is_numbered(self.text) and not series(re.split(r"\d", self.text, maxsplit=1)[0])

    @property
    def is_paper(self) -> bool:
        """Does it look like one of the papers of this page, whatever their name?"""
        return self.is_marked and not self.foreign and self.region in _CONTENT

    @property
    def is_issue(self) -> bool:
        """Is it an issue as far as itself and its place say?"""
        named = bool(self.named) or (bool(self.context) and self.is_file)
        return named and self.is_marked and self.type != "other" and not self.foreign


def subject_of(outlook: Outlook) -> Subject:
    """Title, headline and address say what the page is about; failing that, what most of its documents are."""
    path = unquote(path_of(outlook.url))[:300]
    about = fold(f"{outlook.title} {outlook.headline} {path}")
    lists = words()
    gazette, notices = says(lists.gazette, about), says(lists.notices, about)
    if not gazette and not notices:
        notices = _mostly_notices(outlook.candidates)
    return Subject(_home(outlook), gazette, notices)


def _mostly_notices(candidates: Sequence[Candidate]) -> str:
    lists = words()
    texts = [fold(entry.text) for entry in candidates if entry.type == "pdf" and entry.region in _CONTENT]
    plain = [text for text in texts if not says(lists.foreign, text)]
    announced = [word for text in plain if (word := says(lists.notices, text))]
    stated = sum(bool(says(lists.notice, text)) for text in plain)
    gazettes = any(says(lists.gazette, text) for text in plain)
    return announced[0] if len(announced) >= NOTICES and stated >= len(plain) / 2 and not gazettes else ""


def _home(outlook: Outlook) -> frozenset[str]:
    """Its own site, and the one that most links lead to: a copy of a page is at home where its links are."""
    hosts = Counter(host_of(candidate.url) for candidate in outlook.candidates)
    usual = [host for host, count in hosts.most_common(1) if count > len(outlook.candidates) / 2]
    return frozenset(map(registrable, (host_of(outlook.url), *usual)))


def traits_of(candidate: Candidate, subject: Subject) -> Traits:
    lists = words()
    text = fold(f"{candidate.text} {candidate.title} {candidate.label}".strip())
    row = fold(candidate.row)
    folder, name = _places(candidate)
    heading = _heading(candidate.heading)
    named_text, named_row = _naming(text), _naming(row)
    named_file, named_folder = says(lists.gazette, name), says(lists.gazette, folder)
    marked_text = _is_marked(text)
    stem = series(text) or series(row) or ("" if marked_text else series(name))
    context = heading.gazette or named_folder or subject.gazette
    on_notices = _on_notices(candidate, heading.notices or subject.notices, "" if context else folder)
    notice = says(lists.notice, text) or says(lists.notice, name)
    return Traits(
        *(text, heading.text, candidate.region, candidate.type, f"{candidate.region} {candidate.path}"),
        series=stem,
        mark=next((place for place in (text, row) if is_loosely_marked(place)), name),
        named=named_text or named_row or named_file,
        named_text=named_text,
        named_row=named_row,
        named_file=named_file,
        named_heading=heading.gazette,
        named_folder=named_folder,
        context=context,
        marked_text=marked_text,
        marked_row=_is_marked(row),
        marked_file=_is_marked(name) or (bool(named_file or named_folder) and is_loosely_marked(name)),
        marked_heading=heading.states_issue,
        bare=is_bare(fold(candidate.text)),
        foreign=_foreign(text, name, row, notice if on_notices else ""),
        foreign_heading=heading.foreign,
        council=says(lists.council, text) or says(lists.council, name),
        notice=notice,
        on_notices=on_notices,
        is_external=registrable(host_of(candidate.url)) not in subject.home,
    )


def _is_marked(text: str) -> bool:
    return bool(text) and (is_numbered(text) or is_dated(text))


def _naming(text: str) -> str:
    """The gazette word of a text, unless it only cites the gazette: "Satzung, veröffentlicht im Amtsblatt Nr. 3"."""
    lists = words()
    word = says(lists.gazette, text)
    if not word:
        return ""
    before = text[: text.find(word)]
    return "" if before.endswith(_CITING) or says(lists.law, before) else word


def _foreign(text: str, name: str, row: str, notice: str) -> str:
    """The word that makes it another kind of document. The row speaks only where the link itself says nothing."""
    for place in (text, "" if series(text) else row, name):
        found = says(words().foreign, place)
        if found:
            return "" if _is_introduced(place[: place.find(found)], notice) else found
    return ""


def _is_introduced(before: str, notice: str) -> bool:
    """Has the text named an issue or a notice before, so that what follows is what it is about?"""
    if notice and notice in before:
        return True
    if says(words().gazette, before) and _is_marked(before):
        return True
    return is_numbered(before) and _COUNTED.search(before) is not None


def _on_notices(candidate: Candidate, stated: str, folder: str) -> str:
    """The word that puts it among notices: of its heading, its page or its folder."""
    if candidate.region not in _CONTENT:
        return ""
    return stated or (says(words().notices, folder) if candidate.type == "pdf" else "")


class _Heading(NamedTuple):
    text: str
    gazette: str
    notices: str
    foreign: str
    states_issue: bool


@lru_cache(maxsize=1024)
def _heading(text: str) -> _Heading:
    """Headings are shared by many links. Only the innermost one can make its links foreign."""
    lists, folded = words(), fold(text)
    parts = folded.split(" › ")
    gazette = next((word for part in parts if (word := _naming(part))), "")
    foreign = "" if _naming(parts[-1]) else says(lists.foreign, parts[-1])
    states = bool(_naming(parts[-1])) and _is_marked(parts[-1])
    return _Heading(folded, gazette, says(lists.notices, folded), foreign, states)


def _places(candidate: Candidate) -> tuple[str, str]:
    """The last folder and the file name, folded. Scripts have no name worth reading."""
    path = candidate.url.partition("#")[0].partition("?")[0]
    folders = unquote(path).split("/")[3:-1]
    name = candidate.file_name
    if candidate.type in ("pdf", "file") and name.lower().endswith((".php", ".phtml", ".asp", ".aspx", ".html")):
        name = ""
    return fold(" ".join(folders[-2:]))[:200], fold(name)
