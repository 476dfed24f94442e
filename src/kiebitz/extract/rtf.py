"""RTF, its text only: control words that make letters and lines are understood, all others are passed over."""

import codecs
import re

from kiebitz.extract.characters import plain
from kiebitz.extract.language import language_of
from kiebitz.extract.limits import DEFAULT, ReadLimits
from kiebitz.model.text import Line, Text, TextState

_TOKEN = re.compile(
    rb"\\([a-z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+", re.DOTALL
)
_BREAKS = {b"par": "\n", b"line": "\n", b"row": "\n", b"sect": "\n", b"page": "\n", b"tab": " ", b"cell": " "}
_SIGNS = {
    b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"bullet": "•",
}  # fmt: skip
_NAMES = (
    b"fonttbl colortbl stylesheet info pict object header footer themedata listtable listoverridetable rsidtbl generator "
    b"xmlnstbl datastore latentstyles fldinst bin"
)
_SILENT = frozenset(_NAMES.split())
_SYMBOLS = {b"~": " ", b"_": "-", b"-": "\u00ad", b"\n": "\n", b"\r": "\n"}
_DEEPEST = 10_000


def read_rtf(content: bytes, limits: ReadLimits = DEFAULT) -> Text:
    if not content.lstrip().startswith(b"{\\rtf"):
        return Text(TextState.DAMAGED, reason="not an RTF file")
    text = "".join(_parts(content, limits.characters))
    lines = [
        Line(shown) for line in text.splitlines() if (shown := " ".join(plain(line).replace("\u00ad", "").split()))
    ]
    return Text(
        TextState.READ if lines else TextState.EMPTY,
        tuple(lines),
        title=lines[0].text[:200] if lines else "",
        language=language_of(text[:4_000]),
        reason=f"the text was cut: at most {limits.characters:,} characters are read"
        if len(text) >= limits.characters
        else "",
    )


def _parts(content: bytes, most: int) -> list[str]:
    reader = _Reader()
    parts: list[str] = []
    length = 0
    for token in _TOKEN.finditer(content):
        word, number, escaped, symbol, brace, literal = token.groups()
        if brace:
            if not reader.group(brace):
                break
            continue
        if word or symbol:
            shown = reader.control(word, number) if word else reader.symbol(symbol)
        else:
            shown = reader.escaped(escaped) if escaped else reader.literal(literal or b"")
        if shown and not reader.is_silent:
            parts.append(shown)
            length += len(shown)
            if length >= most:
                break
    return parts


class _Reader:
    """What is remembered between tokens: the groups we are in, the code page, and stand-ins that are to be skipped."""

    def __init__(self) -> None:
        self._groups = [(False, 1)]  # is it silent, and how many characters stand in for one in Unicode
        self._codec = "cp1252"
        self._skip = 0

    @property
    def is_silent(self) -> bool:
        return self._groups[-1][0]

    def group(self, brace: bytes) -> bool:
        """False at the end of the document."""
        if brace == b"{":
            self._groups.append(self._groups[-1])
        else:
            self._groups.pop()
        return 0 < len(self._groups) <= _DEEPEST

    def control(self, word: bytes, number: bytes | None) -> str:
        silent, stand_ins = self._groups[-1]
        if word in _SILENT:
            self._groups[-1] = (True, stand_ins)
        elif word == b"ansicpg":
            self._codec = _codec(number)
        elif word == b"uc":
            self._groups[-1] = (silent, max(0, int(number or 1)))
        elif word == b"u" and number:
            self._skip = stand_ins
            code = int(number) % 0x10000
            return "" if 0xD800 <= code < 0xE000 else chr(code)
        return _BREAKS.get(word) or _SIGNS.get(word, "")

    def symbol(self, symbol: bytes) -> str:
        if symbol == b"*":
            self._groups[-1] = (True, self._groups[-1][1])
            return ""
        return _SYMBOLS.get(symbol, symbol.decode("latin-1"))

    def escaped(self, digits: bytes) -> str:
        if self._skip:
            self._skip -= 1
            return ""
        return bytes([int(digits, 16)]).decode(self._codec, "replace")

    def literal(self, text: bytes) -> str:
        shown, self._skip = text[self._skip :], max(0, self._skip - len(text))
        return shown.decode(self._codec, "replace")


def _codec(number: bytes | None) -> str:
    name = f"cp{int(number or 1252)}"
    try:
        codecs.lookup(name)
    except LookupError:
        return "cp1252"
    return name
