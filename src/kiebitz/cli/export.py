"""``kiebitz export``: take what was collected elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.settings import Settings

app = typer.Typer(help="Write what was collected to files.", no_args_is_help=True, add_completion=False)


@app.command()
def documents(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="Where to write the tree.")],
    source: Annotated[
        str, typer.Option(help="Only this source; of a plain crawl, the host of the page that links to it.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON object.")] = False,
) -> None:
    """Write documents as a browsable tree: {source name}+{source id}/{id}.{extension}."""
    run_async(_documents(settings_of(context), folder, source, as_json=as_json))


async def _documents(settings: Settings, folder: Path, source: str, *, as_json: bool) -> None:
    from kiebitz.cli.console import emit
    from kiebitz.deploy.exporting import export_documents

    async with opened(settings) as backend:
        written, kept = await export_documents(backend, folder, source)
    if as_json:
        emit({"folder": str(folder), "written": written, "present": kept})
    else:
        print(f"{written} documents written to {folder}, {kept} were there already")


@app.command()
def jsonl(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="Where to write; without one, to standard output.")] = None,
    source: Annotated[
        str, typer.Option(help="Only this source; of a plain crawl, the host of the page that links to it.")
    ] = "",
    thesis: Annotated[
        bool, typer.Option("--thesis", help="Only ten fields, named as in the thesis (figure 37).")
    ] = False,
) -> None:
    """Write the records of the documents, one JSON object per line."""
    run_async(_jsonl(settings_of(context), file, source, thesis=thesis))


async def _jsonl(settings: Settings, file: Path | None, source: str, *, thesis: bool) -> None:
    from kiebitz.deploy.exporting import document_lines

    async with opened(settings) as backend:
        lines = document_lines(backend, source, thesis=thesis)
        if file is None:
            async for line in lines:
                print(line)
            return
        from kiebitz.deploy.exporting import written_to

        with written_to(file), file.open("w", encoding="utf-8") as out:
            async for line in lines:
                out.write(line + "\n")
