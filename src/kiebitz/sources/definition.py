"""What a sound source is: the one place that checks it, whoever says it (a flag, a file, the API).

Its fields have the same names in every format: ``fields_of`` writes them, ``changed`` reads them, as text or as values.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from kiebitz.errors import InputError
from kiebitz.model.source import Focus, RuleAction, RuleKind, Source, SourceRule, source_id
from kiebitz.sources.pattern import pattern_of
from kiebitz.sources.schedule import schedule_of
from kiebitz.sources.states import state_code
from kiebitz.standards.url import canonical, from_user, host_of

MAX_NAME = 200
MAX_URLS = 100
MAX_RULES = 1000
MAX_PATTERNS = 50  # each is asked about every link
MAX_VALUE = 4000  # of a rule
MAX_DELAY = 3600.0
MAX_COUNT = 100_000_000
_KEY = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_TRUE, _FALSE = {"true", "yes", "1", "ja", "on"}, {"false", "no", "0", "nein", "off"}
_AGS_LENGTHS = {2, 3, 5, 8}  # state, region, district, municipality


def source_from(fields: Mapping[str, object]) -> Source:
    """A new source; without a name it is called like its host. Raises InputError."""
    urls = _urls(fields.get("entry_urls"))
    name = fields.get("name") or host_of(urls[0]).removeprefix("www.")
    draft = Source(id=_id(fields.get("id"), urls[0]), name=_name(name), entry_urls=urls)
    return changed(draft, {**fields, "entry_urls": urls, "name": name})


def changed(source: Source, fields: Mapping[str, object]) -> Source:
    """The source with these fields; the others stay, and so do other labels. Its id stays too. Raises InputError."""
    if "labels" in fields:
        fields = {**fields, "labels": dict(source.labels) | dict(_pairs(fields["labels"]))}
    values: dict[str, Any] = {key: check(fields[key]) for key, check in _CHECKS.items() if key in fields}
    manners = {key: values.pop(key) for key in ("delay", "max_per_run") if key in values}
    return replace(source, **values, politeness=replace(source.politeness, **manners))


def fields_of(source: Source) -> dict[str, object]:
    """What an operator says of a source; not what runs have found."""
    return {
        "id": source.id,
        "name": source.name,
        "entry_urls": list(source.entry_urls),
        "labels": dict(sorted(source.labels.items())),
        "focus": source.focus.value,
        "schedule": source.schedule,
        "delay": source.politeness.delay,
        "max_per_run": source.politeness.max_per_run,
        "budget": source.budget,
        "rules": [str(rule) for rule in source.rules],
        "enabled": source.enabled,
    }


def rule_of(text: str) -> SourceRule:
    """From ``take link https://…``, ``leave pattern /formulare/``."""
    hint = "as in 'take link https://…', 'leave group KEY', 'leave pattern /formulare/'"
    action, _, rest = text.strip().partition(" ")
    kind, _, value = rest.strip().partition(" ")
    value = value.strip()
    if action not in set(RuleAction) or kind not in set(RuleKind) or not value or not value.isprintable():
        raise InputError(f"bad rule {text[:80]!r}", hint=hint)
    if len(value) > MAX_VALUE:
        raise InputError(f"bad rule {text[:80]!r}: it is too long", hint=f"at most {MAX_VALUE:,} characters")
    if kind == RuleKind.LINK:
        value = canonical(from_user(value))
    if kind == RuleKind.PATTERN:
        try:
            pattern_of(value)
        except InputError as error:
            raise InputError(f"bad rule {text[:80]!r}: {error}", hint=error.hint) from None
    return SourceRule(RuleAction(action), RuleKind(kind), value)


def _id(value: object, url: str) -> str:
    if not value:
        return source_id(url)
    try:
        return str(UUID(str(value)))
    except ValueError:
        raise InputError(f"bad id {str(value)[:80]!r}", hint="leave it out; it is made from the first URL") from None


def _name(value: object) -> str:
    name = " ".join(str(value).split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise InputError(f"bad name {name[:80]!r}", hint=f"1 to {MAX_NAME} printable characters")
    return name


def _urls(value: object) -> tuple[str, ...]:
    given = value.split() if isinstance(value, str) else _texts(value, "entry_urls")
    urls = tuple(dict.fromkeys(canonical(from_user(url)) for url in given))
    if not urls:
        raise InputError("no entry URL", hint="give the address of the page that lists the issues")
    if len(urls) > MAX_URLS:
        raise InputError(f"{len(urls)} entry URLs", hint=f"at most {MAX_URLS}; make several sources of them")
    return urls


def _pairs(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise InputError(f"bad labels {str(value)[:80]!r}", hint="pairs of key and value")
    return value


def _labels(value: object) -> dict[str, str]:
    """An empty value takes a label away."""
    return dict(sorted((key, text) for key, text in (_label(*pair) for pair in _pairs(value).items()) if text))


def _label(key: object, value: object) -> tuple[str, str]:
    name, text = str(key).strip().lower(), "" if value is None else " ".join(str(value).split())
    if not _KEY.fullmatch(name):
        raise InputError(f"bad label {name[:80]!r}", hint="a key has lower-case letters, digits, - and _")
    if len(text) > MAX_NAME or not text.isprintable():
        raise InputError(f"bad label {name}={text[:80]!r}", hint=f"at most {MAX_NAME} printable characters")
    if name == "ags" and text and (len(text) not in _AGS_LENGTHS or not (text.isascii() and text.isdigit())):
        raise InputError(f"bad AGS {text!r}", hint="eight digits for a municipality, five for a district")
    return name, state_code(text) if name == "state" and text else text


def _focus(value: object) -> Focus:
    try:
        return Focus(str(value).strip().lower())
    except ValueError:
        raise InputError(f"bad focus {str(value)[:80]!r}", hint=f"use {' or '.join(Focus)}") from None


def _delay(value: object) -> float | None:
    if value is None or value == "":
        return None
    delay = float(_number(value, "delay", float))
    if not 0 <= delay <= MAX_DELAY:
        raise InputError(f"bad delay {value!r}", hint=f"seconds between 0 and {MAX_DELAY:.0f}")
    return delay


def _count(name: str) -> Callable[[object], int]:
    def check(value: object) -> int:
        count = int(_number(value, name, int))
        if not 0 <= count <= MAX_COUNT:
            raise InputError(f"bad {name} {value!r}", hint="a whole number; 0 means no limit")
        return count

    return check


def _number(value: object, name: str, kind: Callable[[str], float]) -> float:
    """As text, so that ``true`` and ``1.5`` are no whole numbers."""
    try:
        number = kind(str(value).strip())
    except ValueError:
        number = math.nan
    if not abs(number) <= MAX_COUNT:  # nor if it is none
        raise InputError(f"bad {name} {str(value)[:80]!r}", hint="write a number")
    return number


def _enabled(value: object) -> bool:
    text = str(value).strip().lower()
    if text not in _TRUE | _FALSE:
        raise InputError(f"bad enabled {text[:80]!r}", hint="use yes or no")
    return text in _TRUE


def _rules(value: object) -> tuple[SourceRule, ...]:
    given = [line for line in value.splitlines() if line.strip()] if isinstance(value, str) else _texts(value, "rules")
    if len(given) > MAX_RULES:
        raise InputError(f"{len(given)} rules", hint=f"at most {MAX_RULES}")
    rules = tuple(dict.fromkeys(rule_of(text) for text in given))
    if (patterns := sum(rule.kind is RuleKind.PATTERN for rule in rules)) > MAX_PATTERNS:
        raise InputError(f"{patterns} patterns", hint=f"at most {MAX_PATTERNS}; several fit in one: a|b|c")
    return rules


def _texts(value: object, name: str) -> list[str]:
    given = [] if value is None else value
    if not isinstance(given, list | tuple) or not all(isinstance(each, str) for each in given):
        raise InputError(f"bad {name} {str(value)[:80]!r}", hint="a list of texts")
    return list(given)


_CHECKS: dict[str, Callable[[object], object]] = {
    "name": _name,
    "entry_urls": _urls,
    "labels": _labels,
    "focus": _focus,
    "schedule": lambda value: str(schedule_of(str(value))),
    "delay": _delay,
    "max_per_run": _count("max_per_run"),
    "budget": _count("budget"),
    "rules": _rules,
    "enabled": _enabled,
}
FIELDS = ("id", *_CHECKS)
