"""``kiebitz suggest``: how what is being typed may go on."""

from typing import Annotated

import typer

from kiebitz.cli.console import clean, emit
from kiebitz.cli.session import run_async, settings_of
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    text: Annotated[list[str], typer.Argument(help="The beginning of a word, or of a title.")],
    limit: Annotated[int, typer.Option(min=1, max=100, help="So many at most.")] = 8,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Suggest words and titles that begin with what is being typed, the most frequent first."""
    run_async(_suggest(settings_of(context), " ".join(text), limit, as_json=as_json))


async def _suggest(settings: Settings, text: str, limit: int, *, as_json: bool) -> None:
    from kiebitz.deploy.indexes import check_index, index_folder, opener_of

    check_index(settings)
    index = opener_of(index_folder(settings))(None)
    try:
        found = await index.suggest(text, limit=limit)
    finally:
        await index.close()
    if as_json:
        emit({"text": text, "suggestions": found})
    else:
        for each in found:
            print(clean(each))
