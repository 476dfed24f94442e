"""Text without a format: plain text, Markdown, CSV. Only its encoding has to be found out."""

import re

from kiebitz.extract.characters import plain
from kiebitz.extract.language import language_of
from kiebitz.extract.limits import DEFAULT, ReadLimits
from kiebitz.model.text import Line, Text, TextState
from kiebitz.standards.charset import decode

_STRANGE = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")
_SAMPLE = 20_000
_BINARY = 0.02  # share of characters that no text has


def read_plain(content: bytes, content_type: str, limits: ReadLimits = DEFAULT) -> Text:
    most = 4 * limits.characters  # no encoding needs more bytes for a character
    text = decode(content[:most], content_type)
    sample = text[:_SAMPLE]
    if len(_STRANGE.findall(sample)) > _BINARY * len(sample):
        return Text(TextState.UNSUPPORTED, reason="not a text, although it is said to be one")
    cut = len(content) > most or len(text) > limits.characters
    lines = [Line(shown) for line in text[: limits.characters].splitlines() if (shown := plain(line).strip())]
    return Text(
        TextState.READ if lines else TextState.EMPTY,
        tuple(lines),
        title=lines[0].text[:200] if lines else "",
        language=language_of(text[:_SAMPLE]),
        reason=f"the text was cut: at most {limits.characters:,} characters are read" if cut else "",
    )
