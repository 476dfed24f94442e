"""``kiebitz index``: how the index is doing, and what is done to it as a whole."""

from typing import TYPE_CHECKING, Annotated

import typer

from kiebitz.cli.console import clean, emit, moment, next_step, rfc3339, size
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.settings import Settings

if TYPE_CHECKING:
    from kiebitz.deploy.indexes import IndexReport

UNSOUND = 1

app = typer.Typer(
    help="How the index is doing; build it anew, check it, make it small.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.command()
def status(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Show what was read, in which states, what waits, what could not be had, and what the index holds."""
    run_async(_status(settings_of(context), as_json=as_json))


async def _status(settings: Settings, *, as_json: bool) -> None:
    from kiebitz.deploy.indexes import report

    async with opened(settings) as backend:
        found = await report(backend, settings)
    if as_json:
        emit(_object(found))
    else:
        _print(found, settings)


def _object(found: "IndexReport") -> dict[str, object]:
    return {
        **found.status._asdict(),
        "behind": found.behind,
        "texts": found.states,
        "jobs": {"waiting": found.waiting, "leased": found.leased, "dead": found.dead},
        "dead": [
            {"key": each.job.key, "tries": each.tries, "error": each.error, "at": rfc3339(each.at)}
            for each in found.letters
        ],
    }


def _print(found: "IndexReport", settings: Settings) -> None:
    index = found.status
    print(f"index   {index.papers} papers in {index.parts} parts, {size(index.bytes)}, schema {index.schema}")
    print(f"texts   {', '.join(f'{count} {state}' for state, count in sorted(found.states.items())) or 'none'}")
    print(f"jobs    {found.waiting} waiting, {found.leased} leased, {found.dead} dead")
    for each in found.letters:
        print(f"  {moment(each.at)}  {clean(each.job.key)}: {clean(each.error)} ({each.tries} tries)")
    if found.behind:
        print(f"behind  up to {found.behind} texts")
    if found.behind or found.waiting or not index.papers:
        print(f"next: {next_step(settings, 'read')}")
    if found.dead:
        print(f"next: {next_step(settings, 'read --retry')} tries the dead ones again")
    if found.states.get("needs-ocr"):
        print(f"next: {next_step(settings, 'text --state needs-ocr')} lists what is pictures only")


@app.command()
def rebuild(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Build the index anew from the texts that were read. The old one is searched until the new one is ready."""
    run_async(_rebuild(settings_of(context), as_json=as_json))


async def _rebuild(settings: Settings, *, as_json: bool) -> None:
    from kiebitz.deploy.indexes import rebuild as built

    async with opened(settings) as backend:
        papers = await built(backend, settings)
    if as_json:
        emit({"papers": papers})
    else:
        print(f"{papers} papers indexed anew")


@app.command()
def verify(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> int:
    """Check the files of the index, and whether everything that is stored can be found. Exit code 1 if something is wrong."""
    return run_async(_verify(settings_of(context), as_json=as_json))


async def _verify(settings: Settings, *, as_json: bool) -> int:
    from kiebitz.deploy.indexes import check_index, faults

    check_index(settings)
    async with opened(settings) as backend:
        found = await faults(backend, settings)
    if as_json:
        emit({"sound": not found, "faults": found})
    else:
        print("\n".join(clean(each) for each in found) or "nothing is wrong")
    return UNSOUND if found else 0


@app.command()
def compact(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Merge the parts of the index, and drop what was replaced or deleted."""
    run_async(_compact(settings_of(context), as_json=as_json))


async def _compact(settings: Settings, *, as_json: bool) -> None:
    from kiebitz.deploy.indexes import check_index
    from kiebitz.deploy.indexes import compact as compacted

    check_index(settings)
    async with opened(settings) as backend:
        before, after = await compacted(backend, settings)
    if as_json:
        emit({"before": before._asdict(), "after": after._asdict()})
    else:
        print(f"{before.parts} parts, {size(before.bytes)} → {after.parts} parts, {size(after.bytes)}")
