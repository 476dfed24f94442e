"""What a page is about: the gazette, single notices, or neither.

Title, headline and address say so; failing that, what most of its documents are.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

from kiebitz.collect.marks import fold, gazette_in, says, words
from kiebitz.model.candidate import Candidate, Outlook
from kiebitz.standards.url import host_of, path_of, registrable

NOTICES = 3
CONTENT = frozenset({"main", "script", "feed"})
_TRAIL = re.compile(r"crumb|krume|krumel|pathway|pfad")


class Subject(NamedTuple):
    """What the page says about all its links."""

    home: frozenset[str]  # the sites its pages are on
    gazette: str
    notices: str
    mentioned: str = ""  # the gazette, in its text or on the trail that leads to it


def subject_of(outlook: Outlook) -> Subject:
    """Title, headline and address say what the page is about; failing that, what most of its documents are."""
    path = unquote(path_of(outlook.url))[:300]
    last = re.sub(r"/(?:index\.\w+)?\Z", "", path.partition("?")[0]).rpartition("/")[2]
    own, about = (fold(f"{outlook.title} {outlook.headline} {place}") for place in (last, path))
    gazette, notices = gazette_in(about), notices_in(about)
    if gazette_in(own) and not notices_in(own):
        notices = ""  # a page about the gazette in a folder of notices
    if not gazette and not notices:
        notices = _mostly_notices(outlook.candidates)
    return Subject(_home(outlook), gazette, notices, gazette_in(fold(outlook.prose)) or _trail(outlook))


def _trail(outlook: Outlook) -> str:
    """The gazette in the breadcrumbs, or in the menu's entry for this very page."""
    ways = (entry for entry in outlook.candidates if entry.url == outlook.url or _TRAIL.search(entry.path))
    return next((word for entry in ways if (word := gazette_in(fold(entry.text)))), "")


def _mostly_notices(candidates: Sequence[Candidate]) -> str:
    lists = words()
    texts = [fold(entry.text) for entry in candidates if entry.type == "pdf" and entry.region in CONTENT]
    plain = [text for text in texts if not says(lists.foreign, text)]
    announced = [word for text in plain if (word := says(lists.notices, text))]
    stated = sum(bool(says(lists.notice, text)) for text in plain)
    gazettes = any(gazette_in(text) for text in plain)
    return announced[0] if len(announced) >= NOTICES and stated >= len(plain) / 2 and not gazettes else ""


def _home(outlook: Outlook) -> frozenset[str]:
    """Its own site, and the one that most links lead to: a copy of a page is at home where its links are."""
    hosts = Counter(host_of(candidate.url) for candidate in outlook.candidates)
    usual = [host for host, count in hosts.most_common(1) if count > len(outlook.candidates) / 2]
    return frozenset(map(registrable, (host_of(outlook.url), *usual)))


def notices_in(text: str) -> str:
    """The word for notices in a text; the name of a paper ("Amtliches Mitteilungsblatt") is none."""
    while word := gazette_in(text):
        text = re.sub(rf"(?:amtliche[rs]? )?{re.escape(word)}", " ", text)
    return says(words().notices, text)
