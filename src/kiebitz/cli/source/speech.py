"""How the verbs of ``kiebitz source`` read their options and speak of a source."""

from collections.abc import Mapping, Sequence

from kiebitz.cli.console import clean
from kiebitz.errors import InputError
from kiebitz.model.candidate import Verdict
from kiebitz.model.source import Source, SourceRule
from kiebitz.sources.definition import fields_of
from kiebitz.sources.rules import fault


def object_of(source: Source) -> dict[str, object]:
    """For programs: what was said of it, then what was found."""
    return {
        **fields_of(source),
        "created_at": source.created_at,
        "last_crawled": source.last_crawled,
        "last_change": source.last_change,
        "last_error": source.last_error,
        "last_error_at": source.last_error_at,
    }


def rule_lines(rules: Sequence[SourceRule]) -> list[str]:
    """Rules with their numbers, as ``edit --drop-rule`` takes them; the first that fits decides."""
    lines = []
    for number, rule in enumerate(rules, 1):
        broken = fault(rule)
        lines.append(f"{number}. {rule}" + (f" (not in force: {broken})" if broken else ""))
    return lines


def pairs(texts: list[str] | None) -> dict[str, str]:
    """``KEY=VALUE``, any number of them."""
    found = {}
    for text in texts or []:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise InputError(f"bad label {text!r}", hint="write KEY=VALUE, as in state=BB")
        found[key.strip()] = value.strip()
    return found


def without_none(fields: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in fields.items() if value is not None}


def verdict_object(verdict: Verdict) -> dict[str, object]:
    issue, candidate = verdict.issue, verdict.candidate
    return {
        "url": candidate.url,
        "method": candidate.method,
        "title": title_of(verdict),
        "number": issue.number if issue else None,
        "year": issue.year if issue else None,
        "date": issue.when if issue else None,
        "kind": issue.kind.value if issue else None,
        "score": round(verdict.score, 2),
        "group": verdict.group,
        "reasons": [f"{evidence.points:+.1f} {evidence.reason}" for evidence in verdict.evidence],
    }


def title_of(verdict: Verdict) -> str:
    candidate = verdict.candidate
    issue_title = verdict.issue.title if verdict.issue else ""
    return clean(issue_title or candidate.text or candidate.title or candidate.label or candidate.file_name)
