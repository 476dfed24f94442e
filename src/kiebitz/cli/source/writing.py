"""``kiebitz source export``: the sources as a file that import reads."""

from pathlib import Path
from typing import Annotated

import typer

from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.settings import Settings
from kiebitz.sources.formats import Format, format_of, write


def command(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="Where to write; without one, to standard output.")] = None,
    kind: Annotated[
        Format | None, typer.Option("--format", help="How to write it.", show_default="by the file's name, else csv")
    ] = None,
) -> None:
    """Write all sources as CSV, JSON or OPML; kiebitz source import reads it."""
    chosen = kind or (format_of(file.name) if file else None) or Format.CSV
    run_async(_export(settings_of(context), file, chosen))


async def _export(settings: Settings, file: Path | None, kind: Format) -> None:
    from kiebitz.adapters.local.disk import translated
    from kiebitz.sources.registry import all_sources

    async with opened(settings) as backend:
        sources = await all_sources(backend.state.sources)
    text = write(sources, kind)
    if file is None:
        print(text, end="")
        return
    with translated(file), file.open("w", encoding="utf-8", newline="") as out:
        out.write(text)
    print(f"{len(sources)} sources written to {file}")
