"""``kiebitz title``: which issue a title speaks of."""

import sys
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import typer

from kiebitz.cli.console import emit, table
from kiebitz.collect.issue import read_issue

LONGEST_LINE = 65536  # bytes of a line that are looked at


def command(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per title.")] = False,
) -> None:
    """Read titles of gazette issues from standard input, a line each, and print the number, year, date and kind that each states."""
    issues = ((title, read_issue(title)) for title in lines(sys.stdin.buffer))
    if as_json:
        for _, issue in issues:
            emit({"number": issue.number, "year": issue.year, "date": issue.when, "kind": issue.kind})
        return
    rows = ((issue.number, issue.year, issue.when, issue.kind, title) for title, issue in issues)
    table(("number", "year", "date", "kind", "title"), rows)


def lines(stream: BinaryIO) -> Iterator[str]:
    """One text per line, however long it is: the rest of an endless one is passed over."""
    while line := stream.readline(LONGEST_LINE):
        end = line
        while len(end) == LONGEST_LINE and not end.endswith(b"\n"):
            end = stream.readline(LONGEST_LINE)
        yield line.decode("utf-8", "replace").strip()
