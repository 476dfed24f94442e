"""Regular expressions of strangers: matched in time that grows with the text, never with the cleverness of the pattern.

A rule of a source comes from a file that somebody sent, and is asked about links that somebody else wrote. Python's own
engine goes back and tries again, so ``(a+)+$`` takes for ever. This one walks all ways at once (Thompson, 1968) and
remembers where they led: a dictionary look-up per character. The language is Python's, without what needs going back
(references, looking ahead or behind); what one character matches is asked of Python itself.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from kiebitz.errors import InputError

MAX_LENGTH = 500
MAX_STEPS = 1_000  # of the machine, once {m,n} is written out
MAX_TEXT = 2_048  # a longer URL is a trap anyway, and fits nothing
MAX_STATES = 500
MAX_NESTING = 50
_REPEAT = re.compile(r"([*+?])|\{(\d*)(,?)(\d*)\}")
_FLAGS = re.compile(r"\(\?([aiu]+)\)")
_GROUP = re.compile(r"\((?:\?:|\?P<\w+>|(?!\?))")
_ATOM = re.compile(r"\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\]", re.DOTALL)
_HINT = "a regular expression without look-around, back-references and flags other than a leading (?i)"

_Edge = tuple[str, int]  # a kind of assertion, or "" for none, and where it leads
_START, _WORD, _OTHER, _END = "start", "word", "other", "end"


class Pattern:
    """A compiled pattern. Raises InputError if it is none, or needs more than walking forwards."""

    def __init__(self, text: str) -> None:
        machine = _Machine(text)
        self._free: list[list[_Edge]] = machine.free
        self._atoms = machine.atoms
        self._entry, self._exit = machine.entry, machine.exit
        self._states: dict[tuple[frozenset[int], str], dict[str, tuple[frozenset[int], str] | None]] = {}

    def fits(self, text: str) -> bool:
        """Does it match somewhere in the text?"""
        if len(text) > MAX_TEXT:
            return False
        state: tuple[frozenset[int], str] = (frozenset((self._entry,)), _START)
        for char in text:
            ways = self._states.get(state)
            if ways is None:
                ways = self._remembered(state)
            if char in ways:
                following = ways[char]
            else:
                following = ways[char] = self._step(state, char)
            if following is None:
                return True
            state = following
        return self._exit in self._reached(*state, _END)

    def _remembered(self, state: tuple[frozenset[int], str]) -> dict[str, tuple[frozenset[int], str] | None]:
        if len(self._states) >= MAX_STATES:
            self._states.clear()
        return self._states.setdefault(state, {})

    def _step(self, state: tuple[frozenset[int], str], char: str) -> tuple[frozenset[int], str] | None:
        """Where the character leads; None if the pattern has matched before it."""
        kind = _WORD if char.isalnum() or char == "_" else _OTHER
        reached = self._reached(*state, kind)
        if self._exit in reached:
            return None
        onward = {target for node in reached for accepts, target in self._atoms[node] if accepts(char)}
        return frozenset({*onward, self._entry}), kind

    def _reached(self, nodes: frozenset[int], before: str, after: str) -> set[int]:
        """All nodes that can be had without a character, between these two."""
        found, waiting = set(nodes), list(nodes)
        while waiting:
            for assertion, target in self._free[waiting.pop()]:
                if target not in found and _holds(assertion, before, after):
                    found.add(target)
                    waiting.append(target)
        return found


def _holds(assertion: str, before: str, after: str) -> bool:
    if not assertion:
        return True
    if assertion in ("^", "\\A"):
        return before == _START
    if assertion in ("$", "\\Z"):
        return after == _END
    return ((before == _WORD) != (after == _WORD)) == (assertion == "\\b")


class _Machine:
    """The parser: from the pattern to nodes, with edges that cost a character (``atoms``) and such that do not (``free``)."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise InputError(f"the pattern is longer than {MAX_LENGTH} characters", hint=_HINT)
        try:
            re.compile(text)
        except (re.error, OverflowError, RecursionError) as error:
            raise InputError(f"bad pattern {text!r}: {error}", hint="write a regular expression of Python") from None
        self._text = text
        self._at = 0
        self._flags = re.RegexFlag(0)
        self.free: list[list[_Edge]] = []
        self.atoms: list[list[tuple[Callable[[str], object], int]]] = []
        if flags := _FLAGS.match(text):
            self._at = flags.end()
            self._flags = re.IGNORECASE if "i" in flags[1] else self._flags
        self.entry, self.exit = self._choice(0)
        if self._at < len(text):
            raise self._refusal()

    def _choice(self, depth: int) -> tuple[int, int]:
        if depth > MAX_NESTING:
            raise InputError(f"the pattern is nested more than {MAX_NESTING} deep", hint=_HINT)
        entry, leave = self._node(), self._node()
        while True:
            first, last = self._sequence(depth)
            self._link(entry, first)
            self._link(last, leave)
            if not self._text.startswith("|", self._at):
                return entry, leave
            self._at += 1

    def _sequence(self, depth: int) -> tuple[int, int]:
        entry = last = self._node()
        while self._at < len(self._text) and self._text[self._at] not in "|)":
            first, end = self._repeated(depth)
            self._link(last, first)
            last = end
        return entry, last

    def _repeated(self, depth: int) -> tuple[int, int]:
        begin = self._at
        piece = self._piece(depth)
        repeat = _REPEAT.match(self._text, self._at)
        if repeat is None or (repeat[1] is None and not (repeat[2] or repeat[4])):
            return piece
        self._at = repeat.end()
        if self._text.startswith("+", self._at):
            raise self._refusal()  # possessive: it must not go back, so it would match less
        if self._text.startswith("?", self._at):
            self._at += 1  # lazy: the same, as long as the question is yes or no
        least, most = _bounds(repeat)
        after = self._at
        entry = last = self._node()
        for number in range(max(least, most or 0, 1)):
            if number:  # once more from the text; the first one stands already
                self._at = begin
                piece = self._piece(depth)
            first, end = piece
            self._link(last, first)
            if number >= least:
                self._link(first, end)
            if most is None and number == max(least, 1) - 1:
                self._link(end, first)
            last = end
        if most == 0:
            last = entry
        self._at = after
        return entry, last

    def _piece(self, depth: int) -> tuple[int, int]:
        """A group, an assertion, or what matches one character."""
        text, at = self._text, self._at
        if group := _GROUP.match(text, at):
            self._at = group.end()
            inner = self._choice(depth + 1)
            self._at += 1  # its closing bracket: Python has found it well-formed
            return inner
        entry, leave = self._node(), self._node()
        if text[at] in "^$" or text[at : at + 2] in ("\\b", "\\B", "\\A", "\\Z"):
            assertion = text[at] if text[at] in "^$" else text[at : at + 2]
            self._at += len(assertion)
            self.free[entry].append((assertion, leave))
            return entry, leave
        atom = _ATOM.match(text, at)
        if atom is None or text[at] == "(" or re.match(r"\\\d", atom[0]):
            raise self._refusal()
        self._at = atom.end()
        try:
            accepts = re.compile(atom[0] if len(atom[0]) > 1 or atom[0] == "." else re.escape(atom[0]), self._flags)
        except re.error:
            raise self._refusal() from None
        self.atoms[entry].append((accepts.match, leave))
        return entry, leave

    def _node(self) -> int:
        if len(self.free) >= MAX_STEPS:
            raise InputError(
                f"the pattern {self._text!r} repeats too much", hint="write smaller numbers in braces, or *"
            )
        self.free.append([])
        self.atoms.append([])
        return len(self.free) - 1

    def _link(self, one: int, other: int) -> None:
        self.free[one].append(("", other))

    def _refusal(self) -> InputError:
        part = self._text[self._at : self._at + 12]
        return InputError(f"the pattern {self._text!r} cannot be used: {part!r} is not allowed", hint=_HINT)


def _bounds(repeat: re.Match[str]) -> tuple[int, int | None]:
    if repeat[1]:
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[repeat[1]]
    least = int(repeat[2] or 0)
    return least, least if not repeat[3] else int(repeat[4]) if repeat[4] else None


@lru_cache(maxsize=256)
def pattern_of(text: str) -> Pattern:
    """Raises InputError."""
    return Pattern(text)
