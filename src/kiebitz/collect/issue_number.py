"""The number of an issue in a line of text: "Nr. 12/2026", "Ausgabe 03/04 2018", "abl_2019_26_3781_3956", "AB 3-20".

A line is full of other numbers (pages, sizes, paragraphs, plans, telephones), so a number counts only by what stands
around it: the word "Nr.", the name of a gazette, or a year behind a slash. Two numbers with equal claims cancel each
other: a row that lists several issues says nothing about one of them.
"""

import re
from typing import NamedTuple

from kiebitz.standards.german_date import MONTH_NAME, full_year

FIRST_YEAR, LAST_YEAR = 1945, 2049
REACH = 90  # characters before a number in which its gazette may be named
NAME = 60  # characters of a town between the gazette and its number
WORD = 40  # characters of the longest word right before a number that matters
NAME_WORDS = 4  # of a paper that is no "-blatt"; more of them are a sentence
LONGEST_RUN = 3  # "Nr. 1-4" is one issue; a second figure of two digits may be a year and must follow at once
NOTHING, MONTH = "\ue000", "\ue001"  # stand for what was struck out

_LETTER = r"[^\W\d_]"
GAZETTE = re.compile(
    rf"(?<!{_LETTER})(?!(?:merk|deck|falt|daten|form|titel|kalender|plan|informations|tage|arbeits)bl)"
    rf"(?:(?:{_LETTER}|-){{0,40}}(?:blatt|blattes|blätter|blaetter|anzeigers?|boten?|kurier|zeitung|journal|nachrichten"
    rf"|rundschau|echo|gazette|bulletin|magazin|ausgabe)|amtsbl\.?|amtsblat|abl\.?|gabl\.?)(?!{_LETTER})"
    r"|bekanntmachung(?:en)?(?=\s(?:nr|nummer|[0-9]{1,3}\s?/))"
    rf"|(?<!{_LETTER})(?-i:AB)(?!{_LETTER})|\Aab(?=[\s_-]?[0-9])",
    re.IGNORECASE,
)
# What is about a resolution, a plan or a form, and not a gazette.
NOTICE = re.compile(
    r"bekanntmachung|satzung|beschlu|beschlü|änderung|einladung|sitzung|tagesordnung|niederschrift|protokoll|haushalt"
    r"|plans?\b|pläne|wahl|verordnung|ausschreibung|steuer|gebühr|antrag|anträge|formular|merkblatt|flyer|gesetz"
    r"|niederlegung|zustellung|genehmigung|vertrag|richtlinie|entgelt|stellenangebot|kundeninformation",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    rf"(?:(?<!{_LETTER})(?:(?:ausgaben|heft)?nummer|nr|nro|no\.|ausg|heft|folge|stück|issue|edition|{_LETTER}{{0,20}}-?ausgabe)"
    r"|№|n°|#)[.:]{0,2}[\s_-]{0,2}\Z",
    re.IGNORECASE,
)
_ORDINAL = re.compile(rf"\.\s?{_LETTER}{{0,15}}-?(?:ausgabe|amtsblatt|heft|stück)(?!{_LETTER})", re.IGNORECASE)
# Words whose numbers are their own; the long ones also at the end of a compound.
_FOREIGN = re.compile(
    rf"(?:plan|plans|planes|satzung|beschlu(?:ss|ß)|beschlusses|vorlage|drucksache|flurstücke?s?|gesetz|verordnung"
    rf"|telefon|änderung|wahlkreis|gemarkung|verfahren|vergabe|ausschreibung|straße|projekt|maßnahme|protokoll|sitzung"
    rf"|grundbuch|fassung|formular|merkblatt|schuljahr|hausnummer|scan|foto|bild|kalender|rechnung|termine?|liste|verzeichnis"
    rf"|register|katalog|prospekt|tarif"
    rf"|(?<!{_LETTER})(?:flur|tel|fax|haus|zimmer|artikel|art|abs|absatz|los|bezirk|konto|anlage|beilage|bp|ziffer|satz"
    rf"|top|az|band|teil|stand|ab|seit|bis|gültig|version|plz|quartal|halbjahr|str))[\s.:,(_-]{{0,4}}\Z",
    re.IGNORECASE,
)
_RUNNING = re.compile(rf"(?<!{_LETTER})(?:lf|lfd|laufende|fortlaufende)\.?\Z", re.IGNORECASE)
_BETWEEN = r"\s{0,2}(?:[/|_–—+&.-]|und|u\.|bis)\s{0,2}|\s{1,2}|\s?[(,]\s?|[Il]"
_FURTHER = (
    rf"[0-9]{{4}}(?![0-9])|[0-9]{{1,3}}(?![0-9]|[.,][0-9]|\.?[\s_-]{{0,2}}{MONTH}|\.\s?{_LETTER}{{0,15}}-?ausgabe)"
)
_FIGURES = re.compile(
    rf"(?<![0-9])(?<![0-9][.,])(?P<first>[0-9]{{1,4}})(?![0-9]|[.,][0-9]{{1,3}}(?![0-9]))"
    rf"(?:-?(?P<letter>[a-h](?!{_LETTER})))?(?:(?P<mark>{_BETWEEN})(?P<second>{_FURTHER}))?"
    rf"(?P<letter2>[a-h](?!{_LETTER}))?(?:(?P<mark2>{_BETWEEN})(?P<third>{_FURTHER}))?",
    re.IGNORECASE,
)
_DAY_FOLLOWS = re.compile(rf"\.\s?(?:{MONTH}|(?:/|-|–|bis|und)\s?(?:{NOTHING}|{MONTH}))|[\s_-]{{0,2}}{MONTH}")
_ROMAN = re.compile(r"(?<=[\s.])(?P<roman>[IVX]{1,6})(?=\s?[/-]\s?(?:19|20)[0-9]{2})")
_ROMANS = {
    f"{ten}{one}": 10 * tens + ones
    for tens, ten in enumerate(("", "X", "XX"))
    for ones, one in enumerate(("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"))
    if tens or ones
}
_VOLUME = re.compile(
    r"(?<![0-9])[0-9]{1,3}\.[\s_]{0,2}(?:jahrgang|jg)\b\.?"
    r"|\b(?:jahrgang|jg)[.:]?[\s_]{0,2}(?:[0-9]{1,3}(?![0-9])|[IVXLC]{1,8}\b)\.?"
    r"|(?<![0-9])[0-9]{1,3}\s(?:jahrgang|jg)\b(?![.\s]{0,2}[0-9])",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"[0-9]{1,6}(?:[.,][0-9]{1,3})?[\s_]?(?:[kmg]i?b|bytes?|€|eur|euro|cent|%|mm|cm|m²|ha)(?![^\W_])"
    r"|(?<![^\W_])(?:seiten?|s\.|pp?\.)\s?[0-9]{1,5}(?:\s?[-–/]\s?[0-9]{1,5})?"
    r"|(?:[0-9]{1,2}/)?[0-9]{1,4}\s?(?:seiten?|pages?|blatt)(?![^\W_])"
    r"|(?<![0-9])[0-9]{1,3}[\s-]{0,2}(?:täglich|tägig|wöchentlich|wöchig|monatlich|jährlich|jährig|fach|köpfig)[^\W\d_]{0,3}(?![^\W_])"
    r"|(?:§{1,2}|&sect;)\s?[0-9]{1,4}[a-z]?(?:\s?(?:(?:absatz|abs|nummer|nr|satz|s|ff|i\.v\.m|und)(?![^\W\d_])|,)\.?\s?(?:[0-9]{1,3}[a-z]?)?){0,6}"
    r"|(?<![^\W_])(?:absatz|abs|artikel|art)\.?\s[0-9]{1,3}(?:\s(?:nummer|nr|satz)\.?\s?[0-9]{1,3}){0,3}"
    r"|(?<![^\W_])(?:tel|telefon|fax|mobil|phone)[.:]{0,2}\s?[0-9+(][0-9\s/()+-]{4,24}"
    r"|\+49[0-9\s/()-]{5,20}|(?<![0-9])0[0-9]{2,5}\s?[/-]\s?(?!(?:19|20)[0-9]{2}(?![0-9]))[0-9]{4,10}(?![0-9])"
    r"|(?<![^\W_])(?:pdf|version|v)[-\s_.]?[0-9]{1,2}(?:\.[0-9]{1,3}){0,3}(?![0-9])"
    r"|(?<![0-9])[0-9]{1,2}[:.][0-9]{2}(?::[0-9]{2})?\s?uhr|[0-9]{1,2}\s?uhr|(?<![0-9])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
    r"|(?<![0-9])[0-9]\.\s?(?:quartal|halbjahr)|(?<![^\W_])(?:anlagen?|beilagen?|teil|quartal)\s?[0-9]{1,3}(?![0-9])"
    r"|(?<![0-9])[0-9]{1,3}[a-z]?\.\s?(?:flächennutzungs|änderung|sitzung|nachtrag|satzung)"
    r"|(?:plans?|satzung|haushalt|haushaltsjahr|kalenderjahr|schuljahr|beschluss)\s(?:nr\.?\s?)?[0-9]{1,4}(?:/[0-9]{1,4})?(?![0-9])",
    re.IGNORECASE,
)
# What noise and months cannot do without, in lower case: most lines have none of it, and looking for it is cheap.
_MAYBE_NOISE = re.compile(
    r"[0-9][\s_]?(?:[kmg]i?b|byte|€|eur|cent|%|mm|cm|m²|ha)|(?:seiten?|s\.|p\.)\s?[0-9]|[0-9]\s?(?:seite|page|blatt)"
    r"|[0-9][\s-]{0,2}(?:tä|wö|mo|jä|fa|kö)|§|&sect|(?:absatz|abs|artikel|art)\.?\s[0-9]|(?:tel|telefon|fax|mobil|phone)[.:]{0,2}\s?[0-9+(]"
    r"|\+49|0[0-9]{2,5}\s?[/-]|(?:pdf|version|v)[-\s_.]?[0-9]|uhr|[0-9]:[0-9]|[0-9]\.\s?[qh]|(?:lagen?|teil|quartal)\s?[0-9]"
    r"|[0-9][a-z]?\.\s?[fäsn]|(?:plans?|satzung|haushalt|jahr|beschluss)\s(?:nr|[0-9])"
)
_MAYBE_MONTH = re.compile(r"j[aäu]|feb|m[aä]|mrz|apr|aug|sep|okt|oct|nov|dez|dec")
_DIGIT = re.compile(r"[0-9]")
_YEARS = re.compile(r"(?<![0-9])(?<![0-9],)(?:19|20)[0-9]{2}(?![0-9]|[.,][0-9])")


class Numbering(NamedTuple):
    number: int
    last_number: int | None = None
    letter: str = ""
    year: int | None = None


class _Claim(NamedTuple):
    strength: int
    numbering: Numbering


def struck(text: str, dates: list[tuple[int, int]]) -> str:
    """The text without what cannot be the number of an issue. The length stays."""
    for start, end in dates:
        text = text[:start] + NOTHING * (end - start) + text[end:]
    if not _DIGIT.search(text):
        return text  # nothing left that could be one
    lowered = text.lower()
    if "jahrgang" in lowered or "jg" in lowered:
        text = _VOLUME.sub(lambda match: " " * len(match[0]), text)
    if len(lowered) != len(text) or _MAYBE_NOISE.search(lowered):
        text = _NOISE.sub(lambda match: NOTHING * len(match[0]), text)
    if "I" in text or "V" in text or "X" in text:
        text = _ROMAN.sub(lambda match: f"{_ROMANS.get(match['roman'], ''):>{len(match['roman'])}}", text)
    return MONTH_NAME.sub(lambda match: MONTH * len(match[0]), text) if _MAYBE_MONTH.search(lowered) else text


def years_in(text: str) -> set[int]:
    """Of a struck text."""
    return {year for year in map(int, _YEARS.findall(text)) if FIRST_YEAR <= year <= LAST_YEAR}


def numberings_in(text: str, known_year: int | None) -> list[Numbering]:
    """The best claims in a struck text, one for each issue. ``known_year`` tells "26-03" from "03-26"."""
    if not _DIGIT.search(text):
        return []
    gazettes = [match.span() for match in GAZETTE.finditer(text)]
    notice = not gazettes and NOTICE.search(text) is not None
    claims = []
    for match in _FIGURES.finditer(text):
        strength = _strength(text, match, gazettes)
        if notice and not (strength == 4 and _NUMBERED.fullmatch(text[: match.start()])):
            continue
        numbering = _interpreted(match, known_year, named=strength >= 4) if strength else None
        if numbering:
            claims.append(_Claim(strength + (numbering.year is not None and strength == 4), numbering))
    best = max((claim.strength for claim in claims), default=0)
    issues = {(claim.numbering.number, claim.numbering.letter): claim for claim in claims if claim.strength == best}
    return [claim.numbering for claim in issues.values()]


def _strength(text: str, match: re.Match[str], gazettes: list[tuple[int, int]]) -> int:
    """4: called a number; 3: with a year, after a gazette; 2: right after a gazette; 1: with a year; 0: no number."""
    before, after = text[max(0, match.start() - REACH) : match.start()], text[match.end() : match.end() + 40]
    figures: list[str | None] = [match[name] for name in ("first", "second", "third")]
    lone = figures[1] is None
    called = _NUMBERED.search(before, max(0, len(before) - WORD))
    if called:
        dotted_day = lone and after[:1] == "." and _DAY_FOLLOWS.match(after)
        noun = before[: called.start()].rstrip(" _-:")
        end = match.start() - len(before) + len(noun)
        if _RUNNING.search(noun, max(0, len(noun) - WORD)):
            return 1
        return (
            0
            if dotted_day
            or (_FOREIGN.search(noun, max(0, len(noun) - WORD)) and all(end != each for _, each in gazettes))
            else 4
        )
    if lone and _ORDINAL.match(after):
        return 4
    if re.match(_LETTER, after) or (lone and _DAY_FOLLOWS.match(after)):
        return 0
    gap = next((text[end : match.start()] for _, end in reversed(gazettes) if end <= match.start()), None)
    if gap is not None and not gap.strip(" _:,.-#"):
        return 2 if lone or not _has_year(figures) else 3
    if _FOREIGN.search(before, max(0, len(before) - WORD)):
        return 0
    if gap is not None and len(gap) <= NAME and not re.search(rf"[0-9{NOTHING};!?]", gap):
        return _after_name(text, figures, gap)
    return _alone(text, match, after) if _has_year(figures) and not lone else 0


def _after_name(text: str, figures: list[str | None], gap: str) -> int:
    """Between the gazette and the number stands a town, or a month."""
    if MONTH in gap:
        return 3 if _is_year(figures[1]) else 0
    if figures[1] is not None:
        return 3 if _has_year(figures) else 2
    padded = figures[0] is not None and len(figures[0]) == 2 and figures[0].startswith("0")
    return 2 if padded and years_in(text) else 0


def _alone(text: str, match: re.Match[str], after: str) -> int:
    """No gazette before it: then one right behind it, or a short name and a slash, or nothing else in the line."""
    before = text[: match.start()]
    season = _is_year(match["first"]) and (int(match["first"]) + 1) % 100 == int(match["second"])
    if season or re.search(rf"{_LETTER}\Z", before) or len(re.findall(rf"{_LETTER}+", before)) > NAME_WORDS:
        return 0
    follows = GAZETTE.search(after)
    if follows and not after[: follows.start()].strip(" _-"):
        return 3
    whole = not (before + text[match.end() :]).strip(f" .,:;()[]_-{NOTHING}{MONTH}")
    last = _is_year(match["second"]) and not match["third"] and not after.strip(f" {NOTHING}{MONTH}")
    return 1 if whole or match["mark"].strip() in ("/", "|", "I", "l", *("-_–" if last else "")) else 0


def _interpreted(match: re.Match[str], known_year: int | None, *, named: bool) -> Numbering | None:
    first, second, third = match["first"], match["second"], match["third"]
    mark, mark2 = (match["mark"] or "").strip(), (match["mark2"] or "").strip()
    letter = (match["letter"] or "").lower()
    if _is_year(first):
        return _after_year(first, second, (mark2, third), (match["letter2"] or "").lower())
    if len(first) == 4 and not named:
        return None
    if second is not None and not _is_year(second) and mark in ("", "(", ",", ".", "I", "l"):
        second = third = None  # loosely beside it; only a year may stand so
    if int(first) == 0:
        return None
    if second is None:
        return Numbering(int(first), letter=letter)
    if _is_year(second):
        return Numbering(int(first), letter=letter, year=int(second))
    year = int(third) if third and _is_year(third) else None
    run = _run(first, second)
    if year is not None:
        return Numbering(int(first), run, letter, year) if run or named else None
    return _with_short_year(first, second, known_year, named=named, dateish=bool(third and len(third) == 2))


def _after_year(year: str, second: str | None, further: tuple[str, str | None], letter: str) -> Numbering | None:
    if second is None or len(second) > 3 or int(second) == 0:
        return None
    mark, third = further
    run = _run(second, third) if third and mark in ("/", "+", "&", "und") else None
    return Numbering(int(second), run, letter, int(year))


def _with_short_year(
    first: str, second: str, known_year: int | None, *, named: bool, dateish: bool
) -> Numbering | None:
    """Two short figures: number and year, year and number, or a double issue."""
    one, two = int(first), int(second)
    short = None if known_year is None else known_year % 100
    if dateish and not named:
        return None
    if len(second) == 2 and two == short:
        return Numbering(one, year=known_year)
    if not named and len(first) == 2 and one == short and two:
        return Numbering(two, year=known_year)
    run = _run(first, second)
    if run:
        return Numbering(one, run)
    if len(second) == 2 and not named and 13 <= one < 50 and 1 <= two <= 12:
        return Numbering(two, year=full_year(first))
    if len(second) == 2 and FIRST_YEAR + 45 <= full_year(second) <= LAST_YEAR:
        return Numbering(one, year=full_year(second))
    return Numbering(one) if named else None


def _run(first: str, second: str) -> int | None:
    """The last number of a double issue."""
    return int(second) if 0 < int(second) - int(first) <= (1 if len(second) > 1 else LONGEST_RUN) else None


def _has_year(figures: list[str | None]) -> bool:
    return any(map(_is_year, figures))


def _is_year(figure: str | None) -> bool:
    return figure is not None and len(figure) == 4 and FIRST_YEAR <= int(figure) <= LAST_YEAR
