"""Sources as JSON: an array of objects, or an object per line. A line is known for each, also in an array."""

import json
from collections.abc import Iterable, Iterator, Mapping

from kiebitz.errors import InputError
from kiebitz.model.source import Source
from kiebitz.sources.definition import fields_of
from kiebitz.sources.formats.columns import LABELS, known_column
from kiebitz.sources.registry import SourceRow

HINT = "an array of objects, or an object per line; kiebitz source export --format json shows how"
_SPACE = " \t\r\n"
_decode = json.JSONDecoder().raw_decode


def read(content: bytes) -> Iterator[SourceRow]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"not JSON: byte {error.start} is no UTF-8", hint=HINT) from None
    for line, value in _values(text):
        if isinstance(value, Mapping):
            yield _row(line, value)
        else:
            yield SourceRow(line, {}, f"{str(value)[:40]!r} is no object")


def write(sources: Iterable[Source]) -> str:
    lines = ",\n".join(json.dumps(fields_of(source), ensure_ascii=False) for source in sources)
    return f"[\n{lines}\n]\n"


def _values(text: str) -> Iterator[tuple[int, object]]:
    """The values of an array, or those that follow each other, with the line each begins in."""
    at = _skip(text, 0)
    is_array = text.startswith("[", at)
    at = _skip(text, at + is_array)
    line, counted, first = 1, 0, True
    while at < len(text) and not (is_array and text[at] == "]"):
        if is_array and not first:
            at = _skip(text, at + 1) if text[at] == "," else _wrong(line, "a comma is missing")
        line, counted, first = line + text.count("\n", counted, at), at, False
        try:
            value, at = _decode(text, at)
        except json.JSONDecodeError as error:
            _wrong(error.lineno, error.msg)
        except RecursionError:
            _wrong(line, "too deep")
        yield line, value
        at = _skip(text, at)
    if is_array and (at >= len(text) or text[at + 1 :].strip(_SPACE)):
        _wrong(text.count("\n") + 1, "the array does not end, or something follows it")


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _wrong(line: int, why: str) -> int:
    raise InputError(f"line {line}: not JSON: {why}", hint=HINT)


def _row(line: int, value: Mapping[str, object]) -> SourceRow:
    """A null says nothing, but of the delay: that is the setting's then."""
    fields: dict[str, object] = {}
    labels = value.get("labels", {})
    for key, given in value.items():
        name = known_column(key)
        if name in LABELS and isinstance(labels, Mapping):
            labels = {name: given, **labels}
        elif name and (given is not None or name == "delay"):
            fields[name] = given
    return SourceRow(line, {**fields, "labels": labels} if labels else fields)
