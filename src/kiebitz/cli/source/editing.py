"""``kiebitz source edit``: say something else of a source."""

from collections.abc import Mapping
from typing import Annotated

import typer

from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.cli.source.speech import object_of, pairs, without_none
from kiebitz.errors import InputError, NotFound
from kiebitz.model.source import Focus, Source
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help="The source: its name or its id.", metavar="NAME")],
    name: Annotated[str | None, typer.Option(help="Another name.")] = None,
    url: Annotated[list[str] | None, typer.Option(help="Other entry pages, instead of all before; repeatable.")] = None,
    label: Annotated[list[str] | None, typer.Option(help="KEY=VALUE; KEY= takes it away; repeatable.")] = None,
    focus: Annotated[Focus | None, typer.Option(help="What is wanted.")] = None,
    schedule: Annotated[str | None, typer.Option(help="Five cron fields and a zone, 'every 6h', or 'auto'.")] = None,
    delay: Annotated[str | None, typer.Option(help="Seconds between two requests; '' for the setting.")] = None,
    max_per_run: Annotated[int | None, typer.Option(help="Requests to one host in a run; 0: no limit.")] = None,
    budget: Annotated[int | None, typer.Option(help="Pages of one run; 0: no limit.")] = None,
    rule: Annotated[
        list[str] | None, typer.Option(help="Add a rule, as in 'leave pattern /formulare/'; repeatable.")
    ] = None,
    drop_rule: Annotated[
        list[str] | None, typer.Option(help="Take a rule away, as show prints it; repeatable.")
    ] = None,
    enable: Annotated[bool, typer.Option("--enable", help="Watch it.")] = False,
    disable: Annotated[bool, typer.Option("--disable", help="Let it rest.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Change a source; what is not given stays."""
    given: dict[str, object] = {"name": name, "entry_urls": url or None, "focus": focus, "schedule": schedule}
    given |= {
        "delay": delay,
        "max_per_run": max_per_run,
        "budget": budget,
        "enabled": enable if enable or disable else None,
        "labels": pairs(label) or None,
    }
    fields = without_none(given)
    if enable and disable:
        raise InputError("enable it or disable it, not both", hint="leave one of them out")
    if not fields and not rule and not drop_rule:
        raise InputError("nothing to change", hint="kiebitz source edit --help lists what can be")
    run_async(edit(settings_of(context), source, fields, (rule or [], drop_rule or []), as_json=as_json))


async def edit(
    settings: Settings,
    name: str,
    fields: Mapping[str, object],
    rules: tuple[list[str], list[str]],
    *,
    as_json: bool,
) -> None:
    from kiebitz.cli.console import clean, emit
    from kiebitz.sources.definition import changed
    from kiebitz.sources.registry import named

    async with opened(settings) as backend:
        known = await named(backend.state.sources, name)
        source = changed(known, {**fields, "rules": _rules(known, *rules)})
        await backend.state.sources.put(source)
    if as_json:
        emit(object_of(source))
    else:
        print(f"{clean(source.name)}: {'changed' if source != known else 'as it was'}")


def _rules(source: Source, added: list[str], dropped: list[str]) -> list[str]:
    """New ones go before: the first that fits decides."""
    kept = [str(rule) for rule in source.rules]
    for text in dropped:
        if text.strip() not in kept:
            raise NotFound(f"{source.name!r} has no rule {text!r}", hint="kiebitz source show prints its rules")
        kept.remove(text.strip())
    return [*added, *kept]
