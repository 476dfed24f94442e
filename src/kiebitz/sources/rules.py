"""What a source's own rules make of a page: the operator's corrections go before every score, the first that fits decides."""

from collections.abc import Sequence

from kiebitz.errors import InputError
from kiebitz.model.candidate import Collection, Evidence, Verdict
from kiebitz.model.source import RuleAction, RuleKind, SourceRule
from kiebitz.sources.pattern import pattern_of


def ruled(found: Collection, rules: Sequence[SourceRule]) -> Collection:
    """The verdicts as the operator corrected them."""
    if not rules:
        return found
    verdicts = [_corrected(verdict, rules) for verdict in (*found.documents, *found.rejected)]
    documents = tuple(verdict for verdict in verdicts if verdict.is_document)
    rejected = tuple(verdict for verdict in verdicts if not verdict.is_document)
    state, reason = found.state, found.reason
    if documents or state == "documents":
        state = "documents" if documents else "empty"
        reason = f"{len(documents)} documents, by rules of the source"
    return found._replace(documents=documents, rejected=rejected, state=state, reason=reason)


def fits(rule: SourceRule, url: str, group: str) -> bool:
    """A stored pattern that would be refused today fits nothing; ``kiebitz source show`` marks it."""
    if rule.kind is RuleKind.LINK:
        return url == rule.value
    if rule.kind is RuleKind.GROUP:
        return group == rule.value
    try:
        return pattern_of(rule.value).fits(url)
    except InputError:
        return False


def fault(rule: SourceRule) -> str:
    """Why a rule can no longer be used; "" if it can."""
    if rule.kind is not RuleKind.PATTERN:
        return ""
    try:
        pattern_of(rule.value)
    except InputError as error:
        return str(error)
    return ""


def _corrected(verdict: Verdict, rules: Sequence[SourceRule]) -> Verdict:
    url = verdict.candidate.request_url
    rule = next((rule for rule in rules if fits(rule, url, verdict.group)), None)
    if rule is None:
        return verdict
    evidence = (Evidence(0.0, f"rule of the source: {rule}"), *verdict.evidence)
    return verdict._replace(is_document=rule.action is RuleAction.TAKE, evidence=evidence)
