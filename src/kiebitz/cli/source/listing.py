"""``kiebitz source list`` and ``show``: what is watched, and how it is doing."""

from typing import Annotated

import typer

from kiebitz.cli.console import clean, emit, moment, table
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.cli.source.speech import object_of, rule_lines
from kiebitz.model.source import Source
from kiebitz.settings import Settings


def listed(
    context: typer.Context,
    state: Annotated[str, typer.Option(help="Only those of a state of Germany, as in BB or Brandenburg.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the sources by name."""
    from kiebitz.sources.states import state_code

    code = state_code(state) if state else ""
    run_async(_list(settings_of(context), code, as_json=as_json))


async def _list(settings: Settings, state: str, *, as_json: bool) -> None:
    from kiebitz.sources.registry import all_sources

    async with opened(settings) as backend:
        found = [each for each in await all_sources(backend.state.sources) if state in {"", each.labels.get("state")}]
    if as_json:
        for source in found:
            emit(object_of(source))
        return
    columns = ("name", "state", "focus", "schedule", "enabled", "crawled", "changed", "error", "url")
    table(columns, [_row(source) for source in found])


def _row(source: Source) -> tuple[object, ...]:
    return (
        source.name,
        source.labels.get("state", ""),
        source.focus.value,
        source.schedule,
        "yes" if source.enabled else "no",
        moment(source.last_crawled),
        moment(source.last_change),
        f"{moment(source.last_error_at)} {source.last_error}".strip(),
        source.entry_urls[0],
    )


def shown(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The source: its name or its id.")],
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Show all that is known of a source."""
    run_async(_show(settings_of(context), name, as_json=as_json))


async def _show(settings: Settings, name: str, *, as_json: bool) -> None:
    from kiebitz.sources.agenda import turn_of
    from kiebitz.sources.registry import named

    async with opened(settings) as backend:
        source = await named(backend.state.sources, name)
        turn = turn_of(source, backend.clock.utc())
        sight = await backend.state.sightings.current(source.id)
        changes = await backend.state.sightings.changes(source.id, limit=1)
    latest = changes[0] if changes else None
    if as_json:
        seen = {
            "fingerprint": sight.fingerprint if sight else None,
            "fingerprint_at": sight.at if sight else None,
            "previous_fingerprint": latest.before if latest else None,
            "previous_fingerprint_at": latest.since if latest else None,
        }
        advice = _step(source) if _is_in_trouble(source) else None
        emit({**object_of(source), "advice": advice, "next_at": turn.at, "why": turn.why, **seen})
        return
    manners = source.politeness
    delay = "the setting" if manners.delay is None else f"{manners.delay:g} s"
    lines = [("id", source.id), *(("entry", url) for url in source.entry_urls)]
    lines += [("label", f"{key}={value}") for key, value in sorted(source.labels.items())]
    lines += [
        ("focus", source.focus.value),
        ("schedule", source.schedule),
        ("enabled", "yes" if source.enabled else "no"),
        ("delay", delay),
        ("limits", f"{source.budget or 'any number of'} pages, {manners.max_per_run or 'any number'} per host and run"),
        *(("rule", line) for line in rule_lines(source.rules)),
        ("added", moment(source.created_at)),
        ("crawled", moment(source.last_crawled) or "never"),
        ("changed", f"{moment(source.last_change) or 'never'} {latest.summary if latest else ''}".strip()),
        *(("error", line) for line in _trouble(source)),
        ("next", f"{moment(turn.at) or 'never'} ({turn.why})"),
    ]
    print(clean(source.name))
    for key, value in lines:
        print(f"  {key:<9}{clean(value)}")


def _is_in_trouble(source: Source) -> bool:
    """Did the last look fail? An older error is over."""
    return bool(source.last_error_at and source.last_crawled and source.last_error_at >= source.last_crawled)


def _trouble(source: Source) -> list[str]:
    from kiebitz.sources.trouble import explained

    if not source.last_error:
        return ["none"]
    told = f"{moment(source.last_error_at)} {source.last_error}"
    if not _is_in_trouble(source):
        return [f"{told} (over: it works again)"]
    return [told, explained(source.last_error).words, f"next: {_step(source)}"]


def _step(source: Source) -> str:
    from kiebitz.sources.trouble import explained

    return explained(source.last_error).step.replace("NAME", repr(source.name))
