"""``kiebitz source verdicts``: what was decided about every link that was considered, and why."""

from typing import TYPE_CHECKING, Annotated

import typer

from kiebitz.cli.console import clean, emit, table
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.cli.source.speech import title_of, verdict_object
from kiebitz.settings import Settings

if TYPE_CHECKING:
    from kiebitz.model.candidate import Verdict
    from kiebitz.model.sight import PageSight

PAGES = 100
REASONS = 3


def command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The source: its name or its id.")],
    taken: Annotated[bool, typer.Option("--taken", help="Only the links that were taken.")] = False,
    left: Annotated[bool, typer.Option("--left", help="Only the links that were left.")] = False,
    url: Annotated[str, typer.Option(help="Only links whose address contains this.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per link.")] = False,
) -> None:
    """Show the verdict on every link that the last look considered, with its reasons.

    Wrong? `kiebitz source edit` makes a rule of a correction.
    """
    wanted = {True: taken or not left, False: left or not taken}
    run_async(_verdicts(settings_of(context), name, url, wanted, as_json=as_json))


async def _verdicts(settings: Settings, name: str, part: str, wanted: dict[bool, bool], *, as_json: bool) -> None:
    from kiebitz.sources.registry import named

    rows: list[tuple[object, ...]] = []
    after, more = "", True
    async with opened(settings) as backend:
        source = await named(backend.state.sources, name)
        while more:
            pages = await backend.state.sightings.pages(source.id, after=after, limit=PAGES)
            more = len(pages) == PAGES
            for page in pages:
                after = page.page
                chosen = [each for each in page.verdicts if wanted[each.is_document] and part in each.candidate.url]
                for verdict in chosen:
                    if as_json:
                        emit(_object(page, verdict))
                    else:
                        rows.append(_row(verdict))
    if not as_json:
        table(("verdict", "score", "title", "url", "reasons"), rows)


def _object(page: "PageSight", verdict: "Verdict") -> dict[str, object]:
    verdict_of = "taken" if verdict.is_document else "left"
    return {"verdict": verdict_of, **verdict_object(verdict), "page": page.url, "seen_at": page.at, "run": page.run}


def _row(verdict: "Verdict") -> tuple[object, ...]:
    strongest = sorted(verdict.evidence, key=lambda evidence: -abs(evidence.points))[:REASONS]
    reasons = ", ".join(f"{evidence.points:+.1f} {evidence.reason}" for evidence in strongest)
    decided = "taken" if verdict.is_document else "left"
    return decided, f"{verdict.score:+.1f}", title_of(verdict)[:60], verdict.candidate.url, clean(reasons)
