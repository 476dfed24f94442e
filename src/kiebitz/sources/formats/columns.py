"""Formats of plain text (CSV, OPML): one text per field, labels beside the others, several values in one text."""

from collections.abc import Mapping

from kiebitz.model.source import Source
from kiebitz.sources.definition import FIELDS, fields_of

LABELS = ("municipality", "ags", "state")
PREFIX = "label."
COLUMNS = (
    "name",
    "entry_urls",
    *LABELS,
    "focus",
    "schedule",
    "delay",
    "max_per_run",
    "budget",
    "enabled",
    "rules",
    "id",
)
_OTHER_NAMES = dict.fromkeys(("url", "urls", "entry_url", "page_url", "link"), "entry_urls")


def known_column(title: str) -> str:
    """Our name of a column, or nothing: lists of other programs have columns of their own."""
    name = title.strip().lower().replace(" ", "_")
    name = _OTHER_NAMES.get(name, name)
    return name if name in FIELDS or name in LABELS or name.startswith(PREFIX) else ""


def texts_of(source: Source) -> dict[str, str]:
    fields = fields_of(source)
    labels = {key if key in LABELS else PREFIX + key: value for key, value in source.labels.items()}
    texts = {
        **{key: "" if value is None else str(value) for key, value in fields.items() if key != "labels"},
        "entry_urls": " ".join(source.entry_urls),
        "rules": "\n".join(map(str, source.rules)),
        "enabled": "yes" if source.enabled else "no",
    }
    return {**texts, **labels}


def fields_from(texts: Mapping[str, str]) -> dict[str, object]:
    """An empty text says nothing: the field stays as it was."""
    said = {key: text.strip() for key, text in texts.items() if text.strip()}
    of_labels = {key.removeprefix(PREFIX): text for key, text in said.items() if key in LABELS or key[:6] == PREFIX}
    fields: dict[str, object] = {key: text for key, text in said.items() if key in FIELDS and key != "labels"}
    return {**fields, "labels": of_labels} if of_labels else fields
