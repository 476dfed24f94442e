"""``kiebitz source edit``: say something else of a source; a correction of what it takes becomes a rule."""

from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

import typer

from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.cli.source.speech import object_of, pairs, rule_lines, without_none
from kiebitz.errors import InputError, NotFound
from kiebitz.model.source import Focus, Source
from kiebitz.settings import Settings

Texts = list[str] | None
Take = Annotated[Texts, typer.Option("--take", metavar="URL", help="Always take this link; repeatable.")]
Leave = Annotated[Texts, typer.Option("--leave", metavar="URL", help="Never take this link; repeatable.")]
TakeGroup = Annotated[Texts, typer.Option(metavar="GROUP", help="Take links of this shape, as source try names it.")]
LeaveGroup = Annotated[Texts, typer.Option(metavar="GROUP", help="Leave links of this shape.")]
TakePattern = Annotated[Texts, typer.Option(metavar="REGEX", help="Take links whose URL contains this.")]
LeavePattern = Annotated[Texts, typer.Option(metavar="REGEX", help="Leave links whose URL contains this.")]
Rule = Annotated[Texts, typer.Option(help="Add a rule by its text, as in 'leave pattern /formulare/'; repeatable.")]
DropRule = Annotated[Texts, typer.Option(metavar="N|RULE", help="Take a rule away: its number in show, or its text.")]


class RuleEdit(NamedTuple):
    """Texts of new rules, then what is taken away: numbers or texts, or everything."""

    added: Sequence[str]
    dropped: Sequence[str]
    clear: bool


def command(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help="The source: its name or its id.", metavar="NAME")],
    name: Annotated[str | None, typer.Option(help="Another name.")] = None,
    url: Annotated[Texts, typer.Option(help="Other entry pages, instead of all before; repeatable.")] = None,
    label: Annotated[Texts, typer.Option(help="KEY=VALUE; KEY= takes it away; repeatable.")] = None,
    focus: Annotated[Focus | None, typer.Option(help="What is wanted.")] = None,
    schedule: Annotated[str | None, typer.Option(help="Five cron fields and a zone, 'every 6h', or 'auto'.")] = None,
    delay: Annotated[str | None, typer.Option(help="Seconds between two requests; '' for the setting.")] = None,
    max_per_run: Annotated[int | None, typer.Option(help="Requests to one host in a run; 0: no limit.")] = None,
    budget: Annotated[int | None, typer.Option(help="Pages of one run; 0: no limit.")] = None,
    take: Take = None,
    leave: Leave = None,
    take_group: TakeGroup = None,
    leave_group: LeaveGroup = None,
    take_pattern: TakePattern = None,
    leave_pattern: LeavePattern = None,
    rule: Rule = None,
    drop_rule: DropRule = None,
    clear_rules: Annotated[bool, typer.Option("--clear-rules", help="Take all rules away.")] = False,
    enable: Annotated[bool, typer.Option("--enable", help="Watch it.")] = False,
    disable: Annotated[bool, typer.Option("--disable", help="Let it rest.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Change a source; what is not given stays. Among the rules, the first that fits decides; new ones go first."""
    given: dict[str, object] = {"name": name, "entry_urls": url or None, "focus": focus, "schedule": schedule}
    given |= {"delay": delay, "max_per_run": max_per_run, "budget": budget, "labels": pairs(label) or None}
    fields = without_none({**given, "enabled": enable if enable or disable else None})
    links = {"take link": take, "leave link": leave, "take group": take_group, "leave group": leave_group}
    texts = {**links, "take pattern": take_pattern, "leave pattern": leave_pattern}
    added = [f"{kind} {value}" for kind, values in texts.items() for value in values or []]
    edits = RuleEdit([*added, *(rule or [])], drop_rule or [], clear_rules)
    if enable and disable:
        raise InputError("enable it or disable it, not both", hint="leave one of them out")
    if not fields and not any(edits):
        raise InputError("nothing to change", hint="kiebitz source edit --help lists what can be")
    run_async(edit(settings_of(context), source, fields, edits, as_json=as_json))


async def edit(settings: Settings, name: str, fields: Mapping[str, object], edits: RuleEdit, *, as_json: bool) -> None:
    from kiebitz.cli.console import clean, emit
    from kiebitz.sources.definition import changed
    from kiebitz.sources.registry import named

    async with opened(settings) as backend:
        known = await named(backend.state.sources, name)
        said = {**fields, "rules": _rules(known, edits)} if any(edits) else fields
        source = changed(known, said)
        await backend.state.sources.put(source)
    if as_json:
        emit(object_of(source))
        return
    print(f"{clean(source.name)}: {'changed' if source != known else 'as it was'}")
    if any(edits):
        lines = rule_lines(source.rules)
        print("its rules, the first that fits decides:" if lines else "it has no rules now")
        for line in lines:
            print(f"  {clean(line)}")
        print(f"next: kiebitz source try {clean(repr(source.name))}    shows what it takes now")


def _rules(source: Source, edits: RuleEdit) -> list[str]:
    """New ones go before; what was said of the same link, group or pattern until now is no longer said."""
    from kiebitz.sources.definition import rule_of

    kept = {str(rule): rule for rule in source.rules}
    numbered = dict(enumerate(kept, 1))
    for text in edits.dropped:
        wanted = numbered.get(int(text), "") if text.isascii() and text.isdigit() else text.strip()
        if kept.pop(wanted, None) is None:
            raise NotFound(f"{source.name!r} has no rule {text!r}", hint="kiebitz source show prints its rules")
    added = [rule_of(text) for text in edits.added]
    said = {(rule.kind, rule.value) for rule in added}
    rest = [] if edits.clear else [text for text, rule in kept.items() if (rule.kind, rule.value) not in said]
    return [*map(str, added), *rest]
