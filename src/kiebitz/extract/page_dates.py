"""When a page was published and changed: by its metadata, its JSON-LD, its ``<time>``, or the dates in its text."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from kiebitz.model.issue import Precision
from kiebitz.model.text import Line
from kiebitz.standards.german_date import find_dates

_PUBLISHED = (
    "article:published_time", "og:published_time", "datepublished", "dc.date.issued", "dcterms.issued", "dcterms.created",
    "dc.date.created", "dc.date", "dcterms.date", "date", "pubdate", "publish-date", "publishdate", "sailthru.date",
)  # fmt: skip
_MODIFIED = (
    "article:modified_time", "og:updated_time", "datemodified", "dc.date.modified", "dcterms.modified", "last-modified",
    "lastmod", "revised",
)  # fmt: skip
_ISO = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?")
_CUE = re.compile(
    r"(?:\bstand|veröffentlicht|bekannt ?gemacht|eingestellt|published|posted)\b[^0-9\n]{0,20}$", re.IGNORECASE
)
_CHANGED = re.compile(
    r"(?:geändert|aktualisiert|änderung|aktualisierung|updated|modified)\b[^0-9\n]{0,20}$", re.IGNORECASE
)
_DIGITS = re.compile(r"[0-9]{2}")
_JSON_BYTES = 200_000
_HEAD = 500  # characters of the text in which a date without any cue is believed
_SEARCHED = 1_500
_FEW = 3


class Dates(NamedTuple):
    published: str
    modified: str

    def completed(self, lines: Sequence[Line]) -> tuple[str, str]:
        """The last resort: dates in the text itself."""
        if self.published and self.modified:
            return self.published, self.modified
        text = "\n".join(line.text for line in lines)
        text = text if len(text) <= 2 * _SEARCHED else f"{text[:_SEARCHED]}\n{text[-_SEARCHED:]}"
        found = [each for each in find_dates(text) if each.precision is Precision.DAY]
        published, modified = self.published, self.modified
        for each in found:
            before = text[max(0, each.span[0] - 50) : each.span[0]]
            if not modified and _CHANGED.search(before):
                modified = each.date.isoformat()
            elif not published and _CUE.search(before):
                published = each.date.isoformat()
        is_list = (
            len({each.date for each in found}) > _FEW
        )  # of issues, appointments, minutes: none of them is the page's
        if not published and not modified and found and not is_list and found[0].span[0] < _HEAD:
            published = found[0].date.isoformat()
        return published, modified


def dates_of(tree: Any) -> Dates:
    """Of a page whose furniture has not been removed yet: JSON-LD is a script."""
    named: dict[str, str] = {}
    for meta in tree.css("meta[content]")[:500]:
        attributes = meta.attributes
        name = next(
            (attributes[key] for key in ("name", "property", "itemprop", "http-equiv") if attributes.get(key)), ""
        )
        named.setdefault((name or "").lower(), attributes.get("content") or "")
    published = _first(named.get(name, "") for name in _PUBLISHED)
    modified = _first(named.get(name, "") for name in _MODIFIED)
    if not published or not modified:
        linked = list(_linked_data(tree))
        published = published or _first(value for name, value in linked if name in ("datePublished", "dateCreated"))
        modified = modified or _first(value for name, value in linked if name == "dateModified")
    if not published:
        times = tree.css("time[datetime], [itemprop=datePublished]")[:20]
        published = _first(
            node.attributes.get("datetime") or node.attributes.get("content") or node.text() for node in times
        )
    return Dates(published, modified)


def _first(values: Iterator[str]) -> str:
    return next((iso for iso in map(iso_date, values) if iso), "")


def iso_date(written: str) -> str:
    """ISO 8601 of what authors write into metadata; "" if it is no date."""
    written = written.strip()[:100]
    if not _DIGITS.search(written):
        return ""
    match = _ISO.match(written)
    if match and _is_day(match[1]):
        if not match[2]:
            return match[1]
        zone = match[3] or ""
        zone = f"{zone[:3]}:{zone[3:]}" if len(zone) == 5 else zone
        return f"{match[1]}T{match[2]}{zone}"
    found = [each for each in find_dates(written) if each.precision is Precision.DAY]
    return found[0].date.isoformat() if found else ""


def _is_day(text: str) -> bool:
    return any(each.precision is Precision.DAY for each in find_dates(text))


def _linked_data(tree: Any) -> Iterator[tuple[str, str]]:
    for script in tree.css('script[type="application/ld+json"]')[:20]:
        text = script.text()
        if len(text) > _JSON_BYTES:
            continue
        try:
            waiting: list[Any] = [json.loads(text)]
        except (ValueError, RecursionError):
            continue
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                yield from ((name, each) for name, each in value.items() if isinstance(each, str))
                waiting += value.values()
            elif isinstance(value, list):
                waiting += value
