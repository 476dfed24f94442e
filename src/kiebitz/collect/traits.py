"""What is known about one link for itself, before its neighbours are asked.

Each trait is read from one place (text, row, file name, heading, page), because the same word weighs differently in each.
"""

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from kiebitz.collect.marks import (
    fold,
    gazette_in,
    is_bare,
    is_dated,
    is_loosely_marked,
    is_numbered,
    says,
    series,
    unofficial_in,
    words,
)
from kiebitz.collect.names import is_opaque
from kiebitz.collect.paging import is_overview, turns_page
from kiebitz.collect.subject import CONTENT, NOTICES, Subject, notices_in
from kiebitz.model.candidate import Candidate
from kiebitz.standards.url import host_of, registrable

SPECIAL = ("ausgabe", "sonder", "beilage", "extra")
_COUNTED = re.compile(r"\b(?:nr|nummer|ausgabe|heft|folge)\b")
_COUNTED_BEFORE = re.compile(r"(?:lfd\W{0,2})?(?:nr|nummer|ausgabe|heft|stueck)\W{0,3}\d{1,3}\b")
_ABOUT = ("des ", "zum ", "das ", "fuers ", "beim ", "vom ", "ins ")  # "Auslagestellen des Amtsblattes" is no issue
_CITING = ("im ", "siehe ", "vgl. ", "dem ", "aus ")


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
    counted_row: bool  # "Nr. 5" stands before it
    marked_heading: bool  # the heading right above names an issue of the gazette
    bare: bool
    foreign: str
    foreign_heading: str
    council: str
    notice: str
    notices_folder: str
    on_notices: str  # the word that makes its page or section one of notices
    is_external: bool
    leads_on: bool  # to another page of the list, a year or an archive
    ordinary: str  # the word for something that offices number through, where nothing speaks of a gazette
    spoken_of: bool  # a gazette, by the page or around the link, or an issue by number
    line: int

    @property
    def is_marked(self) -> bool:
        return self.marked_text or self.marked_row or self.marked_file or self.marked_heading or self.bare

    @property
    def is_file(self) -> bool:
        """May it be a document, as far as one sees?"""
        return self.type in ("pdf", "file", "unknown")

    @property
    def is_wordy(self) -> bool:
        """Does it say something of its own, and neither what issue nor whose it is: "Verteilgebiet"?"""
        if self.is_marked or self.on_notices or any(word in self.text for word in SPECIAL):
            return False
        return bool(series(self.text.partition(self.named_text)[0] if self.named_text else self.text))

    @property
    def is_announced(self) -> bool:
        """On a page of notices: does it look like one of them?"""
        return bool(self.on_notices) and (bool(self.notice or self.notices_folder) or self.is_marked)

    @property
    def may_be_notice(self) -> bool:
        """May it be one notice that has a page of its own? "Satzungen" is a page of many."""
        told = self.is_marked or len(series(self.text).split()) >= NOTICES
        return bool(self.on_notices) and self.type == "page" and told and not self.leads_on and not self.foreign

    @property
    def is_notice_page(self) -> bool:
        return bool(self.notice) and self.may_be_notice

    @property
    def heads_notice(self) -> bool:
        """Does it lie below a heading that is one notice?"""
        heading = self.heading.rpartition(" › ")[2]
        plural = "bekanntmachungen" in heading or len(series(heading).split()) < NOTICES
        return bool(self.on_notices) and not plural and bool(says(words().notice, heading))

    @property
    def is_like_number(self) -> bool:
        """Does it begin with a number, whatever words follow?"""
        return is_numbered(self.text) and not series(re.split(r"\d", self.text, maxsplit=1)[0])

    @property
    def is_paper(self) -> bool:
        """Does it look like one of the papers of this page, whatever their name?"""
        return self.is_marked and not self.foreign and self.region in CONTENT

    @property
    def is_issue(self) -> bool:
        """Is it an issue as far as itself and its place say?"""
        named = bool(self.named) or (bool(self.context) and self.is_file)
        return named and self.is_marked and self.type != "other" and not self.foreign and not self.leads_on


def traits_of(candidate: Candidate, subject: Subject) -> Traits:
    lists = words()
    text = fold(f"{candidate.text} {candidate.title} {candidate.label}".strip())
    plain = fold(candidate.text or candidate.title or candidate.label).strip(" .:…»›→>")
    row = fold(candidate.row)
    folder, name = _places(candidate)
    heading = _heading(candidate.heading)
    named_text, named_row = _naming(text), _naming(row)
    named_file, named_folder = gazette_in(name), gazette_in(folder)
    marked_text = _is_marked(text)
    marked_row = _is_marked(row)
    stem = _stem(text) or series(row) or ("" if marked_text or marked_row else series(name))
    context = heading.gazette or named_folder or subject.gazette
    stated = heading.notices or ("" if heading.is_besides else subject.notices)
    on_notices = _on_notices(candidate, stated, "" if context else folder)
    notice = says(lists.notice, text) or says(lists.notice, name)
    if not notice and candidate.type == "page":
        notice = says(lists.notices, folder)  # a page below that of the notices
    counted_row = _COUNTED_BEFORE.match(fold(candidate.row_before)) is not None
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
        marked_row=marked_row,
        counted_row=counted_row,
        marked_file=_is_marked(name) or (bool(named_file or named_folder) and is_loosely_marked(name)),
        marked_heading=heading.states_issue,
        bare=is_bare(fold(candidate.text)),
        foreign=heading.unofficial
        or ("" if counted_row and (on_notices or context) else _foreign(text, name, row, notice if on_notices else "")),
        foreign_heading=heading.foreign,
        council=_council(text, name, "" if context or named_row or series(text) else row),
        notice=notice,
        notices_folder=says(lists.notices, folder),
        on_notices=on_notices,
        is_external=registrable(host_of(candidate.url)) not in subject.home,
        leads_on=(candidate.type == "page" or candidate.method == "POST")
        and (turns_page(candidate, plain) or is_overview(plain)),
        ordinary=""
        if context or named_text or named_row or named_file
        else says(lists.ordinary, stem) or heading.foreign or ("" if subject.mentioned else says(lists.doubtful, stem)),
        spoken_of=bool(context or subject.mentioned or named_text or named_row or named_file)
        or _COUNTED.search(text) is not None,
        line=candidate.line,
    )


def _is_marked(text: str) -> bool:
    return bool(text) and (is_numbered(text) or is_dated(text))


def _naming(text: str) -> str:
    """The gazette word of a text, unless it only cites the gazette: "Satzung, veröffentlicht im Amtsblatt Nr. 3"."""
    lists = words()
    word = gazette_in(text)
    if not word:
        return ""
    before = text[: text.find(word)]
    spoken_of = before.endswith(_ABOUT) and not _is_marked(text)
    return "" if spoken_of or before.endswith(_CITING) or says(lists.law, before) else word


def _foreign(text: str, name: str, row: str, notice: str) -> str:
    """The word that makes it another kind of document. The row speaks only where the link itself says nothing."""
    silent = not series(text)
    if notice and says(words().announcing, text) and not says(words().foreign, text):
        return _attachment(text)  # it says of itself that it is a notice; its file is named after what it is about
    for place in (text, row if silent else "", name):
        if (silent or place is text) and (found := _attachment(place)):
            return found
        found = says(words().foreign, place)
        if found:
            return "" if _is_introduced(place[: place.find(found)], notice) else found
    return ""


def _stem(text: str) -> str:
    """The words of its series: those before the number, if there are any, for what follows is what the issue is about."""
    return (series(re.split(r"\d", text, maxsplit=1)[0]) if is_numbered(text) else "") or series(text)


def _council(*places: str) -> str:
    return next((word for place in places if (word := says(words().council, place))), "")


def _attachment(text: str) -> str:
    """The word that makes it a paper of a plan: "Begründung", but not "Bekanntmachung … mit Begründung"."""
    found = "anlage" if re.match(r"anlage \d", text) else says(words().attachment, text)
    before = text[: text.find(found)] if found else ""
    announced = says(words().announcing, before) or gazette_in(text)
    return "" if announced else found


def _is_introduced(before: str, notice: str) -> bool:
    """Has the text named an issue or a notice before, so that what follows is what it is about?"""
    if notice and notice in before:
        return True
    if gazette_in(before) and _is_marked(before):
        return True
    return is_numbered(before) and _COUNTED.search(before) is not None


def _on_notices(candidate: Candidate, stated: str, folder: str) -> str:
    """The word that puts it among notices: of its heading, its page or its folder."""
    if candidate.region not in CONTENT:
        return ""
    return stated or (says(words().notices, folder) if candidate.type == "pdf" else "")


class _Heading(NamedTuple):
    text: str
    gazette: str
    notices: str
    foreign: str
    states_issue: bool
    unofficial: str  # the word that says that what follows is not the official paper
    is_besides: bool  # what follows has nothing to do with what stands above it


@lru_cache(maxsize=1024)
def _heading(text: str) -> _Heading:
    """Headings are shared by many links. Only the innermost one can make its links foreign."""
    lists, folded = words(), fold(text)
    parts = folded.split(" › ")
    gazette = next((word for part in parts if (word := _naming(part))), "")
    besides = "" if _naming(parts[-1]) else says(lists.besides, parts[-1])
    foreign = "" if _naming(parts[-1]) else says(lists.foreign, parts[-1]) or besides
    states = bool(_naming(parts[-1])) and _is_marked(parts[-1])
    notices = notices_in(parts[-1] if besides else folded)
    return _Heading(folded, gazette, notices, foreign, states, unofficial_in(parts[-1]), bool(besides))


def _places(candidate: Candidate) -> tuple[str, str]:
    """The last folder and the file name, folded. Scripts have no name worth reading."""
    path = candidate.url.partition("#")[0].partition("?")[0]
    folders = unquote(path).split("/")[3:-1]
    name = "" if is_opaque(candidate.file_name) else candidate.file_name
    if candidate.type in ("pdf", "file") and name.lower().endswith((".php", ".phtml", ".asp", ".aspx", ".html")):
        name = ""
    return fold(" ".join(folders[-2:]))[:200], fold(name)
