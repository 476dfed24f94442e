"""What was seen of a source: page by page, all together, and how that differs from the time before.

A *page sight* is one page of a source as a run saw it, with the verdict on every link that was considered. A *sight* is what
matters of the whole source at one time. A *change* is the readable difference between two sights.
"""

import json
from datetime import datetime
from typing import Any, NamedTuple

from isal import isal_zlib

from kiebitz.model.candidate import Candidate, Evidence, Verdict
from kiebitz.model.issue import issue_from


class PageSight(NamedTuple):
    """``page`` is the address without tokens; it tells the pages of one form apart. ``text`` are the lines that matter."""

    page: str
    url: str
    run: str
    at: datetime
    state: str  # as in Collection: documents, leads-on, empty, login, needs-browser, not-a-page
    reason: str = ""
    title: str = ""
    verdicts: tuple[Verdict, ...] = ()
    text: tuple[str, ...] = ()


class Item(NamedTuple):
    """A document or a line of text that a reader would miss. ``mark`` is its label without what changes by itself."""

    kind: str  # "document" or "text"
    key: str
    url: str
    label: str
    mark: str
    issue: str = ""  # "2026/12 regular": the same issue under another address


class Sight(NamedTuple):
    """``fingerprint`` is of all items, in whatever order. ``restless``: lines whose figures change with every look."""

    run: str
    at: datetime
    fingerprint: str
    items: tuple[Item, ...] = ()
    restless: dict[str, int] = {}  # noqa: RUF012 -- a default that nobody writes to


class Change(NamedTuple):
    """``before`` and ``after`` are fingerprints; ``changed`` holds pairs. ``since``: when the old state was last seen."""

    run: str
    at: datetime
    since: datetime | None
    before: str
    after: str
    new: tuple[Item, ...] = ()
    gone: tuple[Item, ...] = ()
    changed: tuple[tuple[Item, Item], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.new or self.gone or self.changed)

    @property
    def summary(self) -> str:
        counts = (("new", self.new), ("gone", self.gone), ("changed", self.changed))
        return ", ".join(f"{len(items)} {name}" for name, items in counts if items) or "no change"


def pack_page(sight: PageSight) -> bytes:
    """Everything but its page, run and time, which stores keep apart."""
    return _pack([sight.url, sight.state, sight.reason, sight.title, sight.text, [_plain(v) for v in sight.verdicts]])


def unpack_page(data: bytes, page: str, run: str, at: datetime) -> PageSight:
    url, state, reason, title, text, verdicts = _unpack(data)
    return PageSight(page, url, run, at, state, reason, title, tuple(map(_verdict, verdicts)), tuple(text))


def pack_sight(sight: Sight) -> bytes:
    return _pack([sight.items, sight.restless])


def unpack_sight(data: bytes, run: str, at: datetime, fingerprint: str) -> Sight:
    items, restless = _unpack(data)
    return Sight(run, at, fingerprint, tuple(Item(*item) for item in items), restless)


def pack_change(change: Change) -> bytes:
    return _pack([change.new, change.gone, change.changed])


def unpack_change(data: bytes, change: Change) -> Change:
    """``change`` with its items."""
    new, gone, changed = _unpack(data)
    pairs = tuple((Item(*old), Item(*young)) for old, young in changed)
    return change._replace(new=tuple(Item(*e) for e in new), gone=tuple(Item(*e) for e in gone), changed=pairs)


def _plain(verdict: Verdict) -> list[object]:
    candidate = verdict.candidate
    body = None if candidate.body is None else candidate.body.decode("latin-1")
    issue = verdict.issue.plain if verdict.issue else None
    return [candidate._replace(body=body), verdict.score, verdict.evidence, verdict.group, verdict.is_document, issue]  # type: ignore[arg-type]


def _verdict(plain: list[Any]) -> Verdict:
    fields, score, evidence, group, is_document, issue = plain
    candidate = Candidate(*fields)
    if fields[3] is not None:
        candidate = candidate._replace(body=fields[3].encode("latin-1"))
    return Verdict(candidate, score, tuple(Evidence(*each) for each in evidence), group, is_document, issue_from(issue))


def _pack(value: object) -> bytes:
    return bytes(isal_zlib.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), 1))


def _unpack(data: bytes) -> Any:
    return json.loads(isal_zlib.decompress(data))
