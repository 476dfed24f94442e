"""What a run of a source takes from a page: its documents, and the pages where more of them may be.

In place of every link, it follows what ``collect`` finds, corrected by the source's own rules. A document that is held
already is not asked for again, unless its label is new, or it is one of the newest and asking whether it was replaced costs
no download.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import NamedTuple

from kiebitz.collect.page import collect_page
from kiebitz.crawl.traps import LeadRules, TrapRules
from kiebitz.model.candidate import Collection, Verdict
from kiebitz.model.document import document_id
from kiebitz.model.issue import Issue
from kiebitz.model.request import Link
from kiebitz.model.sight import PageSight
from kiebitz.model.source import Source
from kiebitz.sources.rules import ruled
from kiebitz.standards.html import is_too_deep, parse
from kiebitz.standards.identity import stable
from kiebitz.standards.url import host_of, origin_of, registrable
from kiebitz.watch.fingerprint import documents_of
from kiebitz.watch.text import lines_of, title_of

MAX_DEPTH = 4
MOST_TURNS = 200  # pages of lists that are turned over in a run
TEXT = 300

Refusal = Callable[[str], str]
Request = tuple[str, bytes | None]


class Holdings(NamedTuple):
    """What is known of a source before it is looked at: ids of the documents held, and the labels last seen, by key.

    ``checked``: ids of those that are asked for again, to learn whether they were replaced.
    """

    held: frozenset[str] = frozenset()
    checked: frozenset[str] = frozenset()
    labels: Mapping[str, str] = {}


class Collector:
    """``findings``: what the pages under way yielded, until ``sight`` takes it."""

    reads_feeds = True

    def __init__(self, source: Source, known: Holdings, today: Callable[[], date]) -> None:
        self._rules = source.rules
        self._home = {registrable(host_of(url)) for url in source.entry_urls}
        self._known = known
        self._today = today
        self._keys: dict[Request, str] = {}
        self._issues: dict[Request, Issue | None] = {}
        self._asked: dict[str, Request] = {}
        self._pages: dict[str, Request] = {stable(url): (url, None) for url in source.entry_urls}
        self._texts: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._beside: dict[str, list[Link]] = {}
        self._turns = 0
        self._leads = LeadRules(TrapRules())
        self.findings: dict[str, Collection] = {}

    def links(self, url: str, depth: int, content: bytes, content_type: str, refusal: Refusal) -> list[Link]:
        found = ruled(collect_page(url, content, content_type, self._today()), self._rules)
        self.findings[url] = found
        self._texts[url] = _text(content, content_type) if depth == 0 else ("", ())
        self._pages.setdefault(stable(url), (url, None))
        same = origin_of(url) + "/"
        links = [self._document(verdict, same, refusal) for verdict in self._wanted(found.documents)]
        self._beside[url] = []
        self._leads.looked(documents=bool(found.documents))
        for lead in found.follow:
            target, host = lead.url.partition("#")[0], host_of(lead.url)
            page = (target, lead.body)
            if registrable(host) not in self._home or self._pages.setdefault(stable(*page), page) != page:
                continue  # elsewhere, or a page that is known under an address with another token
            trap = self._leads.refusal(target, lead.body)
            reason = trap or (refusal(target) if target.startswith(same) else "")
            link = (host, target, lead.text[:TEXT], lead.body, reason)
            if found.documents and (lead.kind == "next" or target.partition("?")[0] == url.partition("?")[0]):
                self._turn(url, link)
            elif depth < MAX_DEPTH:
                links.append(link)
            if trap:
                break  # said once; the page has no end
        return links

    def beside(self, url: str) -> list[Link]:
        """Further pages of the list that was just read: they are as deep as it is, however many they are."""
        return self._beside.pop(url, [])

    def sight(self, url: str, body: bytes | None, run: str, at: datetime) -> PageSight | None:
        """What the page that was just read showed; None if it was no page."""
        found = self.findings.pop(url, None)
        title, text = self._texts.pop(url, ("", ()))
        if found is None:
            return None
        verdicts = (*found.documents, *found.rejected)
        return PageSight(stable(url, body), url, run, at, found.state, found.reason, title, verdicts, text)

    def remember(self, pages: Iterable[PageSight]) -> None:
        """What an earlier process of this run saw: the documents it asked for keep their identity."""
        for page in pages:
            self._note(documents_of(page.verdicts))

    def document_id(self, url: str, body: bytes | None) -> str:
        """Of a request: the same although its tokens are new."""
        key = self._keys.get((url, body))
        return document_id(url, body) if key is None else document_id(key)

    def issue(self, url: str, body: bytes | None) -> Issue | None:
        """What the page that lists a document says of it."""
        return self._issues.get((url, body))

    def _turn(self, url: str, link: Link) -> None:
        self._turns += 1
        if self._turns <= MOST_TURNS:
            self._beside[url].append(link)

    def _wanted(self, verdicts: Iterable[Verdict]) -> list[Verdict]:
        wanted = []
        for key, label, verdict in self._note(documents_of(verdicts)):
            identity = document_id(key)
            is_known = identity in self._known.held and identity not in self._known.checked
            if not is_known or self._known.labels.get(key, label) != label:
                wanted.append(verdict)
        return wanted

    def _note(self, found: Iterable[tuple[str, str, Verdict]]) -> list[tuple[str, str, Verdict]]:
        """Those that were not asked for under another address; tokens make one document look like many."""
        fresh = []
        for key, label, verdict in found:
            request = (verdict.candidate.request_url, verdict.candidate.body)
            if self._asked.setdefault(key, request) == request:
                self._keys[request] = key
                self._issues[request] = verdict.issue
                fresh.append((key, label, verdict))
        return fresh

    def _document(self, verdict: Verdict, same: str, refusal: Refusal) -> Link:
        candidate = verdict.candidate
        url = candidate.request_url
        text = candidate.text or candidate.title or candidate.label or candidate.row
        return (host_of(url), url, text[:TEXT], candidate.body, refusal(url) if url.startswith(same) else "")


def _text(content: bytes, content_type: str) -> tuple[str, tuple[str, ...]]:
    if is_too_deep(content):
        return "", ()
    tree = parse(content, content_type)
    return title_of(tree), lines_of(tree)
