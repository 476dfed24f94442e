"""Groups: a gazette archive is a repetition, so links are judged by the company they keep.

Links of one *shape* stand at the same kind of place in the tree. Links of one *series* share their words and differ in number,
date or month. A link that says nothing itself ("Download", "hier", a thumbnail) is known by its shape; a paper with a name of
its own is known by its series.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from kiebitz.collect.marks import is_numbered, series
from kiebitz.collect.traits import SPECIAL, Traits

COMPANY = 3
PERIODICAL = 4
MOST = 0.6
SOME = 0.3
NEARLY_ALL = 0.9
OUTNUMBERED = 8  # a few links that name a gazette do not outweigh a long series that does not
_YEAR = re.compile(r"(?:19|20)\d\d")


class Company(NamedTuple):
    """What the other links say about one link."""

    among_issues: bool  # most links of its shape are issues
    periodical: bool  # its series is numbered or dated through
    odd: bool  # the page has a gazette, and this is named otherwise
    among_notices: bool  # most links of its shape are pages of notices
    unannounced: bool  # a file on a page of notices that is none as far as itself and its shape say
    outweighed: bool  # nearly all of its shape are notices, and so is this, whatever its title is about
    attached: bool  # it lies beside the notice under one heading
    group: str  # for people: the name of the series


def companies(traits: Sequence[Traits]) -> list[Company]:
    """One entry per candidate, in the same order."""
    shapes: dict[str, list[int]] = defaultdict(list)
    named_alike: dict[str, list[int]] = defaultdict(list)
    for number, trait in enumerate(traits):
        shapes[trait.shape].append(number)
        if trait.series:
            named_alike[trait.series].append(number)
    issues = [trait.is_issue for trait in traits]
    crowded = {shape: sum(issues[n] for n in members) for shape, members in shapes.items()}
    periodicals = {name for name, members in named_alike.items() if _is_periodical([traits[n] for n in members])}
    announced = {shape: sum(traits[n].is_notice_page for n in members) for shape, members in shapes.items()}
    told = {shape: sum(traits[n].is_announced for n in members) for shape, members in shapes.items()}
    plain = {
        shape: sum(_is_dated_notice(traits[n]) and not traits[n].foreign for n in members)
        for shape, members in shapes.items()
    }
    attached = _attached(traits)
    vocabulary, strict = _vocabulary(traits)
    found = []
    for number, trait in enumerate(traits):
        others = len(shapes[trait.shape]) - 1
        among = others >= COMPANY - 1 and crowded[trait.shape] - trait.is_issue >= MOST * others
        periodical = trait.series in periodicals
        odd = (
            vocabulary is not None
            and _is_strange(trait, vocabulary)
            and (strict or periodical or not trait.is_like_number)
        )
        notices = others >= COMPANY - 1 and announced[trait.shape] >= MOST * (others + 1)
        alike = told[trait.shape] >= SOME * (others + 1)
        outweighed = (
            bool(trait.foreign)
            and _is_dated_notice(trait)
            and others >= PERIODICAL
            and plain[trait.shape] >= NEARLY_ALL * others
        )
        unannounced = (
            bool(trait.on_notices) and trait.is_file and not trait.named and not trait.is_announced and not alike
        )
        group = _name(trait, periodical, odd)
        found.append(Company(among, periodical, odd, notices, unannounced, outweighed, number in attached, group))
    return found


def _name(trait: Traits, periodical: bool, odd: bool) -> str:
    """What a person would call the group, the same on every page of the source: the paper, the notices, or something else."""
    if odd or trait.foreign or not trait.is_marked:
        return trait.series or series(trait.heading)
    if trait.on_notices and not trait.named and not periodical:
        return trait.on_notices
    paper = trait.named_text or trait.named_row or (trait.series if periodical else "") or trait.context
    return paper or trait.series or series(trait.heading)


def _is_dated_notice(trait: Traits) -> bool:
    return bool(trait.on_notices) and trait.is_file and (trait.marked_row or trait.marked_text)


def _attached(traits: Sequence[Traits]) -> set[int]:
    """The papers of a notice: beside it in one row, or below a heading that is the notice."""
    rows: dict[int, list[int]] = defaultdict(list)
    below: dict[str, list[int]] = defaultdict(list)
    for number, trait in enumerate(traits):
        if trait.heads_notice and trait.is_file:
            below[trait.heading].append(number)
        if trait.on_notices and trait.is_file and trait.line >= 0:
            rows[trait.line].append(number)
    found: set[int] = set()
    for members in rows.values():
        told = [number for number in members if traits[number].notice]
        found |= {number for number in members if told and number > told[0] and not traits[number].notice}
    for members in below.values():
        texts = [number for number in members if "bekanntmach" in traits[number].text]
        found |= set(members) - set(texts) if len(texts) == 1 else set()
    return found


def _is_periodical(members: list[Traits]) -> bool:
    stated = {_YEAR.sub("", trait.mark) for trait in members if trait.is_file and trait.mark}
    spoken_of = any(trait.spoken_of for trait in members)
    return len(stated) >= PERIODICAL and spoken_of and not any(trait.ordinary for trait in members)


def _vocabulary(traits: Sequence[Traits]) -> tuple[set[str] | None, bool]:
    """The words that the paper of this page uses for itself, None if there is none, and whether it always uses them.

    A gazette that is named settles it. Otherwise the series that most of the page's documents belong to is the paper, or
    the issues that are nothing but numbers.
    """
    papers = [trait for trait in traits if trait.named and trait.is_paper]
    documents = [trait for trait in traits if trait.is_paper and trait.is_file and not trait.on_notices]
    sizes = Counter(trait.series for trait in documents if not trait.named)
    name, size = sizes.most_common(1)[0] if sizes else ("", 0)
    if papers and len(papers) * OUTNUMBERED >= size:
        stated = [trait for trait in papers if trait.marked_text or trait.marked_row] or papers
        return {word for trait in stated for word in trait.series.split()}, True
    if size >= PERIODICAL and size >= len(documents) / 2:
        return set(name.split()), bool(name)
    numbers_only = any(trait.context and not trait.series for trait in documents)
    return (set(), False) if numbers_only else (None, False)


def _is_strange(trait: Traits, vocabulary: set[str]) -> bool:
    if trait.named_text and not trait.marked_text and not trait.marked_row:
        before = trait.text.partition(trait.named_text)[0]  # "Bestellformular Amtsblatt" is no issue
        return not vocabulary.issuperset(series(before).split())
    if trait.is_wordy:
        return not vocabulary.issuperset(series(trait.text).split())
    if (
        trait.named
        or (trait.on_notices and trait.is_file)
        or trait.may_be_notice
        or vocabulary.issuperset(trait.series.split())
    ):
        return False
    if (trait.named_folder and is_numbered(trait.text)) or (trait.context and trait.counted_row):
        return False
    return not any(word in trait.text for word in SPECIAL)
