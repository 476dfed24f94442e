"""Characters that stand for others: ligatures, odd spaces, bullets of symbol fonts; and those that stand for nothing."""

import re

_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xa0\u2000-\u200f\u2028-\u202f\u205f-\u206f\ufb00-\ufb06\ue000-\uf8ff\ufeff]"
)
_UNMAPPED = re.compile("[\ufffd\ue000-\uf8ff\x01\x03-\x08\x0e-\x1f\x7f-\x9f]")
_LATIN, _VOWEL = re.compile(r"[A-Za-z]+"), re.compile(r"[AEIOUYaeiouy]")
_ENOUGH, _SHORT, _FEWEST_VOWELS = 200, 3.5, 0.22  # German has 5.5 letters a word and 0.38 vowels a letter
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_BULLETS = {0xF0B7: "•", 0xF0A7: "•", 0xF0D8: "•", 0xF0FC: "✓", 0xF02D: "-", 0xF0E0: "→", 0xF0A8: "☐", 0xF0FE: "☒"}


def _meaning(code: int) -> str:
    if code in _BULLETS:
        return _BULLETS[code]
    if code == 0xA0 or 0x2000 <= code <= 0x200A or code in (0x202F, 0x205F):
        return " "
    return ""


_TABLE = {
    code: _meaning(code) for code in (*range(0x20), *range(0x7F, 0xA1), *range(0x2000, 0x2070), *range(0xE000, 0xF900))
}
for _kept in (*range(0x2010, 0x2028), *range(0x2030, 0x205F), 0x09, 0x0A, 0x02):
    _TABLE.pop(_kept, None)
_TABLE |= {0xFEFF: ""} | {ord(ligature): letters for ligature, letters in _LIGATURES.items()}


def is_odd(text: str) -> bool:
    return _ODD.search(text) is not None


def plain(text: str) -> str:
    """The same text in characters that people type. Marks of direction and width go, and so does the private use area."""
    return text.translate(_TABLE) if _ODD.search(text) else text


def unmapped(text: str) -> int:
    """How many characters have no meaning: the font does not say which letters its shapes are."""
    return len(_UNMAPPED.findall(text)) - sum(text.count(chr(code)) for code in _BULLETS)


def is_scrambled(text: str) -> bool:
    """Letters that are no language: a font whose codes are shifted ("*HPHLQGH"). Every language in Latin letters has vowels."""
    runs = _LATIN.findall(text)
    letters = sum(map(len, runs))
    if letters < _ENOUGH or letters < _SHORT * len(runs):
        return False  # abbreviations have few vowels, too
    return len(_VOWEL.findall(text)) < _FEWEST_VOWELS * letters
