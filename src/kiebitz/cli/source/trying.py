"""``kiebitz source try``: what would be collected from a page, and why, before anything is saved."""

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from kiebitz.cli.console import clean, emit
from kiebitz.cli.session import run_async, settings_of
from kiebitz.settings import Settings

if TYPE_CHECKING:
    from kiebitz.deploy.trial import Trial
    from kiebitz.model.candidate import Verdict

UNREACHED = 7
SHOWN = 8


def command(
    context: typer.Context,
    url: Annotated[str, typer.Argument(help="The page that lists the gazettes or notices.")],
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> int:
    """Show what would be collected from a page, with reasons. At most 12 requests and 20 seconds; nothing is saved."""
    return run_async(_try(settings_of(context), url, as_json=as_json))


async def _try(settings: Settings, text: str, *, as_json: bool) -> int:
    from kiebitz.adapters.local.clock import SystemClock
    from kiebitz.deploy.trial import try_source
    from kiebitz.standards.url import canonical, from_user

    trial = await try_source(settings, SystemClock(), canonical(from_user(text)))
    if as_json:
        emit(_object(trial))
    else:
        _print(trial)
    return UNREACHED if trial.state == "unreachable" else 0


def _object(trial: "Trial") -> dict[str, object]:
    return {
        "url": trial.url,
        "state": trial.state,
        "reason": trial.reason,
        "documents": [_verdict(verdict) for verdict in trial.documents],
        "rejected": [_verdict(verdict) for verdict in trial.rejected],
        "follow": [
            {"url": stop.lead.url, "kind": stop.lead.kind, "why": stop.lead.why, "outcome": stop.outcome}
            for stop in trial.follow
        ],
        "requests": trial.requests,
        "seconds": round(trial.seconds, 2),
    }


def _verdict(verdict: "Verdict") -> dict[str, object]:
    issue, candidate = verdict.issue, verdict.candidate
    return {
        "url": candidate.url,
        "method": candidate.method,
        "title": _title(verdict),
        "number": issue.number if issue else None,
        "year": issue.year if issue else None,
        "date": issue.when if issue else None,
        "kind": issue.kind.value if issue else None,
        "score": round(verdict.score, 2),
        "group": verdict.group,
        "reasons": [f"{evidence.points:+.1f} {evidence.reason}" for evidence in verdict.evidence],
    }


def _title(verdict: "Verdict") -> str:
    candidate = verdict.candidate
    issue_title = verdict.issue.title if verdict.issue else ""
    return clean(issue_title or candidate.text or candidate.title or candidate.label or candidate.file_name)


def _print(trial: "Trial") -> None:
    print(f"{trial.url}: {trial.state} ({trial.reason}), {trial.requests} requests in {trial.seconds:.1f} s")
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
            print(f"  {verdict.score:+6.1f}  {_title(verdict)[:60]:60}  {_worst(verdict)}")
    if trial.follow:
        print("\nwould look on:")
        for stop in trial.follow[: 2 * SHOWN]:
            print(f"  {stop.lead.kind:8} {stop.lead.url}  ({clean(stop.outcome or 'not within this trial')})")
    print(
        f"\nnext: kiebitz source add {trial.url}" if trial.documents else "\nnext: try the page that lists the issues"
    )


def _print_document(verdict: "Verdict") -> None:
    issue = verdict.issue
    number = f"{issue.number or '?'}/{issue.year or '?'}" if issue and (issue.number or issue.year) else ""
    when = (issue.when if issue else None) or ""
    reasons = ", ".join(evidence.reason for evidence in verdict.evidence if evidence.points > 0)
    print(f"  {verdict.score:+6.1f}  {number:8} {when:10}  {_title(verdict)[:60]}")
    print(f"          {verdict.candidate.url}")
    print(f"          {clean(reasons)[:100]}")


def _worst(verdict: "Verdict") -> str:
    if not verdict.evidence:
        return "nothing speaks for it"
    return clean(min(verdict.evidence).reason)
