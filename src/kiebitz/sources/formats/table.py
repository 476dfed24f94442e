"""Sources as CSV (RFC 4180), as spreadsheets write it: with commas, semicolons or tabs, in UTF-8 or Windows-1252."""

import csv
import io
from collections.abc import Iterable, Iterator

from kiebitz.errors import InputError
from kiebitz.model.source import Source
from kiebitz.sources.formats.columns import COLUMNS, fields_from, known_column, texts_of
from kiebitz.sources.registry import SourceRow

HINT = "the first line has the names of the columns, at least: entry_urls; kiebitz source export shows how"


def read(content: bytes) -> Iterator[SourceRow]:
    text = _decoded(content)
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: list[str] = []
    start = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InputError(f"line {start}: not CSV: {error}", hint=HINT) from None
        if cells is None:
            break
        if any(cell.strip() for cell in cells):
            if columns:
                yield _row(start, columns, cells)
            else:
                columns = _columns(start, cells)
        start = reader.line_num + 1
    if not columns:
        raise InputError("the list is empty", hint=HINT)


def write(sources: Iterable[Source]) -> str:
    rows = [texts_of(source) for source in sources]
    more = sorted({key for row in rows for key in row} - set(COLUMNS))
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, [*COLUMNS, *more], restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _decoded(content: bytes) -> str:
    if b"\0" in content:
        raise InputError("not CSV: it has bytes that are no text", hint="save it as CSV in UTF-8")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _columns(line: int, cells: list[str]) -> list[str]:
    columns = [known_column(cell) for cell in cells]
    if "entry_urls" not in columns:
        raise InputError(f"line {line}: there is no column entry_urls (or url)", hint=HINT)
    named = [column for column in columns if column]
    twice = sorted({column for column in named if named.count(column) > 1})
    if twice:
        raise InputError(f"line {line}: two columns are {', '.join(twice)}", hint=HINT)
    return columns


def _row(line: int, columns: list[str], cells: list[str]) -> SourceRow:
    fields = fields_from({column: cell for column, cell in zip(columns, cells, strict=False) if column})
    if len(cells) > len(columns):
        return SourceRow(line, fields, f"{len(cells)} cells, but {len(columns)} columns (is a quotation mark missing?)")
    return SourceRow(line, fields)
