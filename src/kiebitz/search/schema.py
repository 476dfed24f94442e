"""What the index holds, field by field: the names, what each is for, and the version of all of it.

Every text field holds words that were already analysed, joined by spaces, so that the engine only has to cut them. So one
field serves every language, the query and the highlighter see the same forms as the index, and each distinct word is
analysed once. The version rises with any change that makes old parts unreadable for new code.
"""

from hashlib import blake2b

VERSION = 1

STEMMED = ("content", "title", "headings", "description", "keywords")  # stems, with positions
CONTENT = "content"
EXACT = "exact"  # each distinct word of the paper as it is written, folded; fuzzy, prefix and suggestions run here
PARTS = "parts"  # stems of the parts of compounds, each once
URL = "url"  # the words of the address
PAGE = "page"  # only in passages: stems, =exact and +parts together, because nothing is ranked across papers by it

LEVEL = "level"
PAPER_LEVEL = "paper"
PAGE_LEVEL = "page"
KEY = "key"  # of the paper's id, as a number to read
PAPER = "paper"  # the same as a word to find and delete by; passages carry their paper's
CLUSTER = "cluster"  # of near-duplicates; 0 is none
NEWEST = "newest"  # day and key in one number: sorts by date, never ties
PUBLISHED = "published"
CRAWLED = "crawled"
RECORD = "record"  # stored JSON: what a hit shows, and all that is needed to index the paper again

EXACT_MARK = "="
PART_MARK = "+"

PASSAGE_CHARACTERS = 8_000
_KEY_BITS_IN_NEWEST = 40


def key_of(text: str) -> int:
    """A number for an id. 63 bits: among a million ids two meet with a chance of 5 in 100 million."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def word_of(key: int) -> str:
    """The engine's binding deletes nothing by a number, and finds none above 63 bits."""
    return f"{key:016x}"


def newest_of(day: int, key: int) -> int:
    """``day`` is a date's ordinal, 0 if unknown."""
    return (day << _KEY_BITS_IN_NEWEST) | (key >> (63 - _KEY_BITS_IN_NEWEST))
