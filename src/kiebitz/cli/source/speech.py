"""How the verbs of ``kiebitz source`` read their options and speak of a source."""

from collections.abc import Mapping

from kiebitz.errors import InputError
from kiebitz.model.source import Source
from kiebitz.sources.definition import fields_of


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
