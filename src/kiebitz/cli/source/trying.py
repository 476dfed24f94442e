"""``kiebitz source try``: what would be collected from a page, and why, before anything is saved."""

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from kiebitz.cli.console import clean, emit
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.cli.source.speech import title_of, verdict_object
from kiebitz.settings import Settings

if TYPE_CHECKING:
    from kiebitz.deploy.trial import Trial
    from kiebitz.model.candidate import Verdict
    from kiebitz.model.source import Source
    from kiebitz.sources.trouble import Trouble

UNREACHED = 7
SHOWN = 8


def command(
    context: typer.Context,
    url: Annotated[
        str,
        typer.Argument(metavar="URL|SOURCE", help="The page that lists the gazettes, or the name of a source."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> int:
    """Show what would be collected from a page, with reasons. At most 12 requests and 20 seconds; nothing is saved.

    A source that is known is tried with its rules, its delay and its budget.
    """
    return run_async(_try(settings_of(context), url, as_json=as_json))


async def _try(settings: Settings, text: str, *, as_json: bool) -> int:
    from kiebitz.adapters.local.clock import SystemClock
    from kiebitz.deploy.trial import try_source
    from kiebitz.sources.definition import source_from

    known = await _known(settings, text)
    trial = await try_source(settings, SystemClock(), known or source_from({"entry_urls": [text]}))
    if as_json:
        emit(_object(trial, known))
    else:
        _print(trial, known)
    return UNREACHED if trial.state == "unreachable" else 0


async def _known(settings: Settings, text: str) -> "Source | None":
    """The source of this name or entry page, if there is one; without a home nothing is known, and none is made."""
    from kiebitz.deploy.backends import state_folder
    from kiebitz.errors import BadUrl, NotFound
    from kiebitz.sources.registry import all_sources, named
    from kiebitz.standards.url import canonical, from_user

    try:
        url = canonical(from_user(text))
    except BadUrl:
        url = ""
    if not (state_folder(settings) / "records.db").exists():
        return None
    async with opened(settings) as backend:
        sources = await all_sources(backend.state.sources)
        found = next((each for each in sources if text in {each.name, each.id} or url in each.entry_urls), None)
        if found is None and not url:
            try:
                return await named(backend.state.sources, text)
            except NotFound as error:
                raise NotFound(f"{text!r} is neither a source nor a URL", hint=error.hint) from None
    return found


def _object(trial: "Trial", known: "Source | None") -> dict[str, object]:
    return {
        "url": trial.url,
        "source": known.name if known else None,
        "state": trial.state,
        "reason": trial.reason,
        "explanation": "" if trial.documents else _trouble(trial).words,
        "next": _next(trial, known),
        "documents": [verdict_object(verdict) for verdict in trial.documents],
        "rejected": [verdict_object(verdict) for verdict in trial.rejected],
        "follow": [
            {"url": stop.lead.url, "kind": stop.lead.kind, "why": stop.lead.why, "outcome": stop.outcome}
            for stop in trial.follow
        ],
        "requests": trial.requests,
        "seconds": round(trial.seconds, 2),
    }


def _print(trial: "Trial", known: "Source | None") -> None:
    spent = f"{trial.requests} requests in {trial.seconds:.1f} s"
    print(f"{trial.url}: {trial.state} ({clean(trial.reason)}), {spent}")
    if not trial.documents:
        print(f"that is: {_trouble(trial).words}")
    if known and known.rules:
        print(f"as {clean(known.name)}, with {len(known.rules)} rules of its own")
    by_group = sorted(trial.documents, key=lambda verdict: verdict.group)
    for group, members in groupby(by_group, key=lambda verdict: verdict.group):
        verdicts = list(members)
        print(f"\nwould take {len(verdicts)} of group {clean(group)}:")
        for verdict in verdicts[:SHOWN]:
            _print_document(verdict)
        if len(verdicts) > SHOWN:
            print(f"  … and {len(verdicts) - SHOWN} more (--json shows all)")
    if trial.rejected:
        print(f"\nwould leave {len(trial.rejected)}, among them:")
        for verdict in sorted(trial.rejected, key=lambda verdict: -verdict.score)[:SHOWN]:
            print(f"  {verdict.score:+6.1f}  {title_of(verdict)[:60]:60}  {_worst(verdict)}")
    if trial.follow:
        print("\nwould look on:")
        for stop in trial.follow[: 2 * SHOWN]:
            print(f"  {stop.lead.kind:8} {stop.lead.url}  ({clean(stop.outcome or 'not within this trial')})")
    print(f"\nnext: {clean(_next(trial, known))}")


def _trouble(trial: "Trial") -> "Trouble":
    from kiebitz.sources.trouble import explained

    return explained(f"{trial.state}: {trial.reason}")


def _next(trial: "Trial", known: "Source | None") -> str:
    if trial.documents:
        return f"kiebitz run {known.name!r}" if known else f"kiebitz source add {trial.url}"
    step = _trouble(trial).step
    if known:
        return step.replace("NAME", repr(known.name))
    return step if "NAME" not in step else "try the page that lists the issues: kiebitz source try URL"


def _print_document(verdict: "Verdict") -> None:
    issue = verdict.issue
    number = f"{issue.number or '?'}/{issue.year or '?'}" if issue and (issue.number or issue.year) else ""
    when = (issue.when if issue else None) or ""
    reasons = ", ".join(evidence.reason for evidence in verdict.evidence if evidence.points > 0)
    print(f"  {verdict.score:+6.1f}  {number:8} {when:10}  {title_of(verdict)[:60]}")
    print(f"          {verdict.candidate.url}")
    print(f"          {clean(reasons)[:100]}")


def _worst(verdict: "Verdict") -> str:
    if not verdict.evidence:
        return "nothing speaks for it"
    return clean(min(verdict.evidence).reason)
