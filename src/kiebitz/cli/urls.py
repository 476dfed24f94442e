"""``kiebitz urls``: the requests the frontier knows, by state and host."""

from typing import Annotated

import typer

from kiebitz.cli.console import emit, moment, rfc3339, table
from kiebitz.cli.session import named_run, opened, run_async, settings_of
from kiebitz.errors import InputError
from kiebitz.model.request import RequestQuery, RequestRecord, State
from kiebitz.settings import Settings

PAGE = 1000


def command(
    context: typer.Context,
    state: Annotated[
        str | None,
        typer.Option(
            help="Only these states, comma-separated: pending, leased, done, unchanged, deferred, failed, skipped."
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Only this host.")] = "",
    run: Annotated[
        str | None, typer.Option(help="Only requests that this run asked for last (its id, or the beginning of it).")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="At most so many; 0: all.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List requests with their state and the reason for it."""
    run_async(urls(settings_of(context), RequestQuery(host=host, states=states_of(state)), run, limit, as_json=as_json))


def states_of(text: str | None) -> tuple[State, ...]:
    if not text:
        return ()
    names = {state.label: state for state in State}
    unknown = [name for name in text.split(",") if name.strip() not in names]
    if unknown:
        raise InputError(f"no such state: {', '.join(unknown)}", hint=f"use: {', '.join(names)}")
    return tuple(names[name.strip()] for name in text.split(","))


async def urls(settings: Settings, query: RequestQuery, run_id: str | None, limit: int, *, as_json: bool) -> None:
    async with opened(settings) as backend:
        if run_id:
            query = query._replace(run=(await named_run(backend, run_id)).id)
        shown, rows = 0, []
        while not limit or shown < limit:
            page = await backend.state.frontier.read(query._replace(limit=min(PAGE, limit - shown) if limit else PAGE))
            for _, record in page:
                if as_json:
                    emit(_line(record))
                else:
                    rows.append(_row(record))
            shown += len(page)
            if len(page) < PAGE:
                break
            query = query._replace(after=page[-1][0])
    if not as_json:
        table(("state", "reason", "status", "depth", "tries", "next", "url"), rows)


def _line(record: RequestRecord) -> dict[str, object]:
    return {
        "url": record.url,
        "state": record.state.label,
        "reason": record.reason,
        "status": record.status,
        "depth": record.depth,
        "tries": record.tries,
        "next_at": rfc3339(record.next_at),
    }


def _row(record: RequestRecord) -> tuple[object, ...]:
    return (
        record.state.label,
        record.reason,
        record.status or "",
        record.depth,
        record.tries,
        moment(record.next_at),
        record.url,
    )
