"""Words that were divided at the end of a line become whole again; hyphens that belong to a word stay.

The rest of the word moves up to the line it began in, so that every word stands in one line, also across columns and
pages. *Bau-* before *und* is a hyphen of the language (Bau- und Planungsamt), so is one before a capital letter or a
number (Baden-Württemberg, 2020-2021), and one after letters that are no word (CO2-neutral, E-mail).
"""

import re
from collections.abc import Sequence

from kiebitz.model.text import Line

SOFT = "\u00ad"
MARK = "\ufffe"
_DIVIDED = re.compile(rf"(?P<stem>[^\s]*[^\W_])(?P<mark>[-\u2010{SOFT}{MARK}\x02]+)$")
_MOST_LINES = 3  # over which one word is divided
_FIRST = re.compile(r"\S+")
_WORDS = "und oder bzw bzw. sowie u. u o. bis als noch and or y et e ou"
_CONJUNCTIONS = frozenset(_WORDS.split())
_SHORT_NAME = re.compile(r"(?:^|[^\w])(?:[A-ZÄÖÜ0-9]{1,5}|[euxEUX])$")

_ADDRESS = re.compile(r"://|www\.|@|\w/\w+\.")


def joined(lines: Sequence[Line]) -> list[Line]:
    """Without lines that became empty because their only word moved up."""
    texts = [line.text for line in lines]
    for number in range(len(texts) - 1):
        for follower in range(number + 1, min(number + 1 + _MOST_LINES, len(texts))):
            joint = _joint(texts[number], texts[follower])
            if joint is None:
                break
            texts[number], texts[follower] = joint
            if texts[follower]:
                break  # else its only word moved up, and may go on in the line after it
    return [line._replace(text=_clean(text)) for line, text in zip(lines, texts, strict=True) if text]


def _joint(line: str, following: str) -> tuple[str, str] | None:
    """Both lines after the divided word moved up; None if there is none."""
    match = _DIVIDED.search(line)
    first = _FIRST.match(following) if match else None
    if match is None or first is None:
        return None
    whole = _whole(match["stem"], match["mark"], first[0])
    return None if whole is None else (line[: match.start()] + whole, following[first.end() :].lstrip())


def _whole(stem: str, mark: str, rest: str) -> str | None:
    """The whole word, or None if nothing is to be joined."""
    if SOFT in mark:
        return stem + rest
    bare = rest.rstrip(",;:.!?)").lower()
    if bare in _CONJUNCTIONS or not rest[0].isalnum():
        return None
    if _ADDRESS.search(stem):
        return f"{stem}-{rest}"
    hyphenated = rest[0].isupper() or rest[0].isdigit() or stem[-1].isdigit() or _SHORT_NAME.search(stem)
    return f"{stem}-{rest}" if hyphenated else stem + rest


def _clean(text: str) -> str:
    """No mark of pdfium survives; a soft hyphen inside a line is invisible, so it goes."""
    if MARK in text or SOFT in text or "\x02" in text:
        text = text.replace(SOFT, "").replace("\x02", "-").replace(MARK, "-")
    return text
