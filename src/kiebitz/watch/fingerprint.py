"""The fingerprint of what matters on a source, and what is different from the last one.

What matters are the documents with their labels and the lines of the text. Their order does not: menus and lists are
reordered, and an issue moves from the first page of a list to the second without anything having happened.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from hashlib import blake2b

from kiebitz.model.candidate import Verdict
from kiebitz.model.sight import Change, Item, PageSight, Sight
from kiebitz.standards.identity import stable
from kiebitz.watch.text import steady, trimmed

LABEL = 200
TELLING = 12  # characters of a link; "Download" and "hier" are shorter
RESTLESS = 2  # looks in a row at which only the figures of a line were new
COMPARED = 200  # lines; beyond that what is gone and what is new are not matched up
ALIKE = 0.6
_FIGURES = re.compile(r"[0-9]+(?:[.,:][0-9]+)*")
_OTHERS = re.compile(r"[\W_]+")


def sight_of(pages: Iterable[PageSight], run: str, at: datetime, before: Sight | None = None) -> Sight:
    """All that is seen now. What was restless before stays out of it."""
    restless = dict(before.restless) if before else {}
    items: dict[str, Item] = {}
    for page in pages:
        documents = documents_of(page.verdicts)
        found = [*(_document(*each) for each in documents), *_lines(page, documents)]
        for item in found:
            items.setdefault(item.key, item)
    kept = _calm(items.values(), restless)
    return Sight(run, at, fingerprint(kept), kept, restless)


def fingerprint(items: Sequence[Item]) -> str:
    digest = blake2b(digest_size=16)
    for line in sorted(f"{item.key}\t{item.mark}" for item in items):
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def difference(before: Sight | None, now: Sight) -> tuple[Change | None, Sight]:
    """What is new, gone and changed, if anything; and ``now`` with what was learned about restless lines."""
    known = before.items if before else ()
    if before:
        now = _learned(before, now)
        known = _calm(known, now.restless)
    old = {item.key: item for item in known}
    young = {item.key: item for item in now.items}
    new = [item for key, item in young.items() if key not in old]
    gone = [item for key, item in old.items() if key not in young]
    changed = [(old[key], item) for key, item in young.items() if key in old and old[key].mark != item.mark]
    changed += _paired(new, gone)
    since, fingerprint_before = (before.at, before.fingerprint) if before else (None, "")
    change = Change(
        now.run, now.at, since, fingerprint_before, now.fingerprint, tuple(new), tuple(gone), tuple(changed)
    )
    return (change or None), now


def documents_of(verdicts: Iterable[Verdict]) -> list[tuple[str, str, Verdict]]:
    """The documents of a page, each with what identifies it and its label, both without what changes by itself.

    Two documents of one page whose requests differ in tokens only are told apart by their labels.
    """
    chosen = [verdict for verdict in verdicts if verdict.is_document]
    keys = [stable(verdict.candidate.request_url, verdict.candidate.body) for verdict in chosen]
    often = Counter(keys)
    found = []
    for key, verdict in zip(keys, chosen, strict=True):
        mark = _mark(verdict)
        found.append((f"{key}\n{mark}" if often[key] > 1 else key, mark, verdict))
    return found


def _document(key: str, mark: str, verdict: Verdict) -> Item:
    return Item("document", key, verdict.candidate.request_url, _label(verdict)[:LABEL], mark, _issue(verdict))


def _mark(verdict: Verdict) -> str:
    """What the link itself says, the heading above it, and which issue it is; its row may hold anything, a clock too."""
    candidate = verdict.candidate
    when = (verdict.issue.when or "") if verdict.issue else ""
    own = trimmed(f"{candidate.text} {candidate.title} {candidate.label}")
    heading = steady(candidate.heading.rpartition(" › ")[2])
    return f"{_issue(verdict)} {when} {own} {heading}".casefold()


def _label(verdict: Verdict) -> str:
    candidate = verdict.candidate
    if len(candidate.text) >= TELLING:
        return candidate.text
    title = verdict.issue.title if verdict.issue else ""
    return title or candidate.title or candidate.label or candidate.row or candidate.text or candidate.file_name


def _issue(verdict: Verdict) -> str:
    issue = verdict.issue
    return f"{issue.year}/{issue.number}{issue.letter} {issue.kind}" if issue and issue.number and issue.year else ""


def _lines(page: PageSight, documents: list[tuple[str, str, Verdict]]) -> list[Item]:
    """The text beside the documents: their own rows are told by them."""
    candidates = [verdict.candidate for _, _, verdict in documents]
    rows = "\n".join(_letters(f"{each.row_before} {each.text} {each.row_after}") for each in candidates)
    return [_line(page, line) for line in page.text if not rows or _letters(line) not in rows]


def _line(page: PageSight, line: str) -> Item:
    digest = blake2b(f"{page.url}\n{line.casefold()}".encode(), digest_size=12).hexdigest()
    return Item("text", f"text:{digest}", page.url, line, "")


def _letters(text: str) -> str:
    return _OTHERS.sub("", trimmed(text).casefold())


def _template(item: Item) -> str:
    """A line without its figures."""
    digest = blake2b(f"{item.url}\n{_FIGURES.sub('0', item.label.casefold())}".encode(), digest_size=8)
    return digest.hexdigest()


def _calm(items: Iterable[Item], restless: dict[str, int]) -> tuple[Item, ...]:
    """Without the lines that are known for changing by themselves."""
    loud = {template for template, count in restless.items() if count >= RESTLESS}
    if not loud:
        return tuple(items)
    return tuple(item for item in items if item.kind != "text" or _template(item) not in loud)


def _learned(before: Sight, now: Sight) -> Sight:
    """Count the lines that are new in their figures only; at the second time in a row they are taken for a counter."""
    old, young = ({item.key: item for item in sight.items if item.kind == "text"} for sight in (before, now))
    gone = {_template(item) for key, item in old.items() if key not in young}
    again = gone & {_template(item) for key, item in young.items() if key not in old}
    counts = {template: count for template, count in now.restless.items() if count >= RESTLESS or template in again}
    for template in again:
        counts[template] = counts.get(template, 0) + 1
    kept = _calm(now.items, counts)
    return now._replace(restless=counts, items=kept, fingerprint=fingerprint(kept))


def _paired(new: list[Item], gone: list[Item]) -> list[tuple[Item, Item]]:
    """The same issue under another address, or a line that reads almost as before. Takes them out of both lists."""
    pairs: list[tuple[Item, Item]] = []
    by_issue = {item.issue: item for item in gone if item.issue}
    for item in list(new):
        match = by_issue.pop(item.issue, None) if item.issue else None
        if match is None and item.kind == "text" and len(gone) <= COMPARED >= len(new):
            match = next((old for old in gone if old.kind == "text" and _alike(old, item)), None)
        if match is not None:
            new.remove(item)
            gone.remove(match)
            pairs.append((match, item))
    return pairs


def _alike(old: Item, young: Item) -> bool:
    return old.url == young.url and SequenceMatcher(None, old.label, young.label).quick_ratio() > ALIKE
