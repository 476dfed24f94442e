"""``kiebitz source import``: take over a list of sources, row by row."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from kiebitz.cli.console import clean, emit
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.errors import InputError, NotFound
from kiebitz.settings import Settings

REFUSED = InputError.exit_code  # of some row


def command(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="CSV, JSON or OPML; - reads standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> int:
    """Add and update sources from a file. Ends with 3 if a row was refused; the others are in then."""
    return run_async(take_over(settings_of(context), file, as_json=as_json))


async def take_over(settings: Settings, file: Path, *, as_json: bool) -> int:
    from kiebitz.sources.formats import read
    from kiebitz.sources.registry import take_in

    rows = read(_content(file), file.name)
    async with opened(settings) as backend:
        intake = await take_in(backend.state.sources, rows, backend.clock.utc())
    if as_json:
        emit(intake)
    else:
        done = f"{len(intake.added)} added, {len(intake.updated)} updated, {len(intake.unchanged)} as they were"
        print(f"{done}, {len(intake.refused)} refused")
        for refusal in intake.refused:
            print(f"  line {refusal.line}: {clean(refusal.name) or 'no name'}: {clean(refusal.reason)}")
    return REFUSED if intake.refused else 0


def _content(file: Path) -> bytes:
    from kiebitz.sources.formats import MAX_BYTES

    if str(file) == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        with file.open("rb") as handle:
            return handle.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise NotFound(f"there is no file {str(file)!r}", hint="give the path of a CSV, JSON or OPML file") from None
    except OSError as error:
        raise InputError(f"cannot read {str(file)!r}: {error.strerror}", hint="give a file that can be read") from None
