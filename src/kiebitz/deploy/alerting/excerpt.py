"""A line of a paper that shows why it matched. Cheap: there may be thousands of matches in a batch.

It is looked for by the letters of the query as they were typed, and of long words by their beginning, so that other endings
are met too. Whoever wants every form marked searches the index.
"""

from collections.abc import Iterator, Sequence

from kiebitz.model.announcement import one_line
from kiebitz.model.hit import Paper
from kiebitz.model.query import Either, Every, Fuzzy, Node, Phrase, Prefix, Within, Word

LONGEST = 300
BEFORE = 100  # characters of what stands before the word
LOOKED_AT = 200_000  # characters of a paper
LONG_WORD, BEGINNING = 8, 6


class Excerpts:
    """Of one paper; its text is made ready once for all searches."""

    def __init__(self, paper: Paper) -> None:
        self._text = " ".join(page.text for page in paper.pages)[:LOOKED_AT]
        self._letters = " " + self._text.lower()
        self._beginning = one_line(paper.description or self._text[: 2 * LONGEST], LONGEST)

    def showing(self, words: Sequence[str]) -> str:
        """Around the first of the words that is there; at the beginning of a word rather than within one."""
        for form in (*(f" {word}" for word in words), *words):
            at = self._letters.find(form)
            if at >= 0:
                begin = max(0, at - BEFORE)
                begin = self._text.find(" ", begin, at) + 1 or begin if begin else 0
                return one_line(("… " if begin else "") + self._text[begin : begin + LONGEST + BEFORE], LONGEST)
        return self._beginning


def words_of(node: Node) -> Iterator[str]:
    """What a paper must or may have, as it was typed; what it must not have is no reason."""
    match node:
        case Word(text) | Prefix(text) | Fuzzy(text, _) if text.strip():
            yield text.lower()[:BEGINNING] if len(text) >= LONG_WORD else text.lower()
        case Phrase(text) if text.strip():
            yield text.lower()
        case Within(_, inner):
            yield from words_of(inner)
        case Every(nodes) | Either(nodes):
            for inner in nodes:
                yield from words_of(inner)
