"""Is this link a gazette document? Additive evidence, every point with its reason.

Each kind of evidence has a weight in ``weights.toml``, learned from labelled pages by logistic regression (``bench/collect.py
--learn``) and rounded, so that a person can read, doubt and change it. A link is a document if its points are above zero.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from kiebitz.collect.groups import Company, companies
from kiebitz.collect.issue import read_issue
from kiebitz.collect.names import is_opaque
from kiebitz.collect.subject import Subject, subject_of
from kiebitz.collect.traits import Traits, traits_of
from kiebitz.model.candidate import Candidate, Evidence, Outlook, Verdict
from kiebitz.model.issue import Issue

_FURNITURE = frozenset({"header", "footer", "aside", "banner"})


class Weights(NamedTuple):
    start: float
    points: Mapping[str, float]
    reasons: Mapping[str, str]


@lru_cache(maxsize=1)
def weights() -> Weights:
    """What ships with the package, read once."""
    table = tomllib.loads(files(__package__).joinpath("weights.toml").read_text("utf-8"))
    evidence = table["evidence"]
    points = {name: float(entry["points"]) for name, entry in evidence.items()}
    return Weights(
        float(table["start"]["points"]), points, {name: str(entry["reason"]) for name, entry in evidence.items()}
    )


def judge(outlook: Outlook, scale: Weights | None = None) -> list[Verdict]:
    """A verdict for every candidate of the page, in its order."""
    scale = scale or weights()
    return [
        _verdict(candidate, facts, group, scale)
        for candidate, (facts, group) in zip(outlook.candidates, findings(outlook), strict=True)
    ]


def findings(outlook: Outlook) -> list[tuple[dict[str, str], str]]:
    """The evidence about each candidate, as (name: what was seen), and its group."""
    subject = subject_of(outlook)
    traits = [traits_of(candidate, subject) for candidate in outlook.candidates]
    return [
        (_facts(trait, company, subject), company.group)
        for trait, company in zip(traits, companies(traits), strict=True)
    ]


def _facts(trait: Traits, company: Company, subject: Subject) -> dict[str, str]:
    if company.outweighed:
        trait = trait._replace(foreign="", foreign_heading="")
    if company.attached:
        return _seen({"attached": True, **_place(trait)})
    facts = _words_found(trait) | _company_kept(trait, company, subject) | _seen(_place(trait))
    listed = company.among_notices and trait.may_be_notice
    facts |= _seen({"listed_notice": listed, "unannounced": company.unannounced})
    place = trait.context or trait.on_notices or company.periodical
    if (trait.named or (place and trait.is_file)) and not company.odd and not trait.foreign:
        facts |= _seen(_states(trait))
    if trait.type == "page" and not trait.is_notice_page and not listed:
        facts["page"] = ""
    if not trait.named and not place:
        facts["nowhere"] = ""
    return facts


def _words_found(trait: Traits) -> dict[str, str]:
    found = {
        "names_gazette": trait.named_text,
        "row_names_gazette": "" if trait.named_text else trait.named_row,
        "file_names_gazette": trait.named_file,
        "foreign": trait.foreign,
        "foreign_heading": trait.foreign_heading,
        "council": "" if trait.on_notices or trait.named_text else trait.council,
    }
    if trait.on_notices and not trait.foreign:
        found["on_notices"] = trait.on_notices if trait.is_file else ""
        found["notice"] = trait.notice if trait.is_file else ""
        found["notice_page"] = trait.notice if trait.is_notice_page else ""
    return {name: word for name, word in found.items() if word}


def _states(trait: Traits) -> dict[str, bool]:
    """Numbers and dates, which mean an issue only where issues may be."""
    return {
        "text_states_issue": trait.marked_text,
        "row_states_issue": trait.marked_row and not trait.marked_text,
        "file_states_issue": trait.marked_file,
        "heading_states_issue": trait.marked_heading and not trait.marked_row,
        "bare": trait.bare,
        "dated_notice": bool(trait.on_notices) and trait.is_file and trait.is_marked and not trait.named,
    }


def _place(trait: Traits) -> dict[str, bool]:
    return {
        "unmarked": not trait.is_marked,
        "wordy": trait.is_wordy,
        "pdf": trait.type == "pdf",
        "download": trait.type in ("unknown", "file"),
        "other": trait.type == "other",
        "leads_on": trait.leads_on,
        "nav": trait.region == "nav",
        "furniture": trait.region in _FURNITURE,
        "external_page": trait.is_external and trait.type == "page",
    }


def _seen(states: Mapping[str, bool]) -> dict[str, str]:
    return {name: "" for name, holds in states.items() if holds}


def _company_kept(trait: Traits, company: Company, subject: Subject) -> dict[str, str]:
    """What its place and its neighbours say; nothing good if it is the odd one among them, or of another kind."""
    if company.odd or trait.foreign or trait.leads_on:
        return {"odd": trait.series} if company.odd else {}
    issue = bool(trait.named) and trait.is_marked
    in_context = not issue and bool(trait.context) and trait.is_marked and trait.is_file
    plain = not trait.series or trait.is_like_number or company.periodical or not trait.marked_text
    found = {
        "issue": trait.named if issue else "",
        "issue_in_context": trait.context if in_context and plain else "",
        "worded_in_context": trait.context if in_context and not plain else "",
        "folder_names_gazette": trait.named_folder,
        "heading_names_gazette": trait.named_heading,
        "page_names_gazette": subject.gazette,
        "among_issues": "yes" if company.among_issues and trait.is_file else "",
        "periodical": trait.series if company.periodical and trait.is_file else "",
    }
    return {name: word for name, word in found.items() if word}


def _verdict(candidate: Candidate, facts: Mapping[str, str], group: str, scale: Weights) -> Verdict:
    evidence = [Evidence(scale.points[name], _reason(scale.reasons[name], word)) for name, word in facts.items()]
    evidence = sorted((entry for entry in evidence if entry.points), key=lambda entry: -abs(entry.points))
    score = round(scale.start + sum(entry.points for entry in evidence), 2)
    is_document = score > 0
    return Verdict(candidate, score, tuple(evidence), group, is_document, _issue(candidate) if is_document else None)


def _reason(reason: str, word: str) -> str:
    return f"{reason} ({word})" if word and word != "yes" else reason


def _issue(candidate: Candidate) -> Issue:
    texts: Sequence[str] = (candidate.text, candidate.title, candidate.label, candidate.row_before, candidate.row_after)
    stated = [text for text in texts if text]
    name = "" if is_opaque(candidate.file_name) else candidate.file_name
    return read_issue(*stated, candidate.heading, file_name=name)
