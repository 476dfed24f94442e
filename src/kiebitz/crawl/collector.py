"""What a run of a source takes from a page: its documents, and the pages where more of them may be.

In place of every link, it follows what ``collect`` finds, corrected by the source's own rules. A document that is held
already is not asked for again, but for the newest ones of a page, which are sometimes replaced.
"""

import re
from collections.abc import Callable
from datetime import date

from kiebitz.collect.page import collect_page
from kiebitz.model.candidate import Collection, Verdict
from kiebitz.model.document import document_id
from kiebitz.model.request import Link
from kiebitz.model.source import RuleAction, RuleKind, Source, SourceRule
from kiebitz.standards.url import host_of, origin_of, registrable

MAX_DEPTH = 4
LOOKED_AT_AGAIN = 3
TEXT = 300
PAGES_REMEMBERED = 10_000


class Collector:
    """``held``: ids of the documents that the source has. ``findings``: what each page of this process yielded."""

    def __init__(self, source: Source, held: frozenset[str], today: Callable[[], date]) -> None:
        self._rules = source.rules
        self._home = {registrable(host_of(url)) for url in source.entry_urls}
        self._held = held
        self._today = today
        self.findings: dict[str, Collection] = {}

    def links(
        self, url: str, depth: int, content: bytes, content_type: str, refusal: Callable[[str], str]
    ) -> list[Link]:
        found = collect_page(url, content, content_type, self._today())
        if len(self.findings) < PAGES_REMEMBERED:
            self.findings[url] = found
        same = origin_of(url) + "/"
        links = [self._document(verdict, same, refusal) for verdict in self._wanted(found)]
        if depth < MAX_DEPTH:
            for lead in found.follow:
                target, host = lead.url.partition("#")[0], host_of(lead.url)
                if registrable(host) in self._home:
                    reason = refusal(target) if target.startswith(same) else ""
                    links.append((host, target, lead.text[:TEXT], lead.body, reason))
        return links

    def _wanted(self, found: Collection) -> list[Verdict]:
        taken = [verdict for verdict in found.documents if self._ruling(verdict) is not RuleAction.LEAVE]
        taken += [verdict for verdict in found.rejected if self._ruling(verdict) is RuleAction.TAKE]
        return [
            verdict
            for position, verdict in enumerate(taken)
            if position < LOOKED_AT_AGAIN or _id(verdict) not in self._held
        ]

    def _ruling(self, verdict: Verdict) -> RuleAction | None:
        """What the operator said of this link; the first rule that fits decides."""
        return next((rule.action for rule in self._rules if _fits(rule, verdict)), None)

    def _document(self, verdict: Verdict, same: str, refusal: Callable[[str], str]) -> Link:
        candidate = verdict.candidate
        url = candidate.request_url
        text = candidate.text or candidate.title or candidate.label or candidate.row
        return (host_of(url), url, text[:TEXT], candidate.body, refusal(url) if url.startswith(same) else "")


def _id(verdict: Verdict) -> str:
    return document_id(verdict.candidate.request_url, verdict.candidate.body)


def _fits(rule: SourceRule, verdict: Verdict) -> bool:
    url = verdict.candidate.request_url
    if rule.kind is RuleKind.LINK:
        return url == rule.value
    if rule.kind is RuleKind.GROUP:
        return verdict.group == rule.value
    return re.search(rule.value, url) is not None
