"""Links that lead to more of the list, never to an issue: further pages, years, archives."""

import re

from kiebitz.collect.marks import fold, is_dated, is_numbered, says, words
from kiebitz.model.candidate import Candidate

_DIGITS = re.compile(r"(?:seite |page )?\d{1,3}")
_PAGING = re.compile(
    r"[?&/](?:page|seite|paged?|start|offset|pagenum|p|limitstart|skip|from|currentpage|cp|pn|s|entrant_[a-z_]+)(?:%5B[^=]*)?[=/]\d+"
    r"|[?&][^=&]*(?:page|seite|start|pager|offset)[^=&]*=\d+|/(?:seite|page)-\d+|[?&]gtp=|[?&]b_start:int=",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def turns_page(candidate: Candidate, text: str) -> bool:
    """Does it lead to another page of the list? ``text``: what it says, folded."""
    pager = (
        "pag" in candidate.path
        or b"__EVENTARGUMENT=Page%24" in (candidate.body or b"")
        or _PAGING.search(candidate.url) is not None
    )
    if text in words().next_page or fold(candidate.title).strip() in words().next_page:
        return pager
    return _DIGITS.fullmatch(text) is not None and pager


def is_overview(text: str) -> bool:
    """Does a folded text speak of a year or an archive and not of one issue: "Amtsblätter 2025", "Archiv"?"""
    if is_numbered(text) or is_dated(text) or says(words().notice, text):
        return False
    left = _YEAR.sub("", text)
    return (left != text and not re.search(r"\d", left)) or bool(says(words().archive, text))
