"""``kiebitz search``: find words in what was read."""

import os
import re
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from kiebitz.cli.console import clean, emit, next_step
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.errors import InputError, NotFound
from kiebitz.settings import Settings

if TYPE_CHECKING:
    from kiebitz.deploy.backends import Backend
    from kiebitz.model.hit import Hit, Results
    from kiebitz.model.query import Search

MARK, TITLE, FAINT, PLAIN = "\x1b[1;33m", "\x1b[1m", "\x1b[2m", "\x1b[0m"
SHOWN_FACETS = 8
SHOWN_SIMILAR = 3
_SINCE = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")


app = typer.Typer(add_completion=False, rich_markup_mode=None)
# "-entwurf" is a word that must not be there, not an option.
_WORDS_WITH_MINUS = {"ignore_unknown_options": True, "help_option_names": ["--help"]}


class Sort(StrEnum):
    RELEVANCE = "relevance"
    DATE = "date"


@app.command(context_settings=_WORDS_WITH_MINUS)
def command(
    context: typer.Context,
    query: Annotated[
        list[str],
        typer.Argument(help='Words, "phrases", AND OR NOT -, title:word, word*, word~, 2024..2026.'),
    ],
    limit: Annotated[int, typer.Option(min=1, max=100, help="So many hits at most.")] = 10,
    sort: Annotated[Sort, typer.Option(help="The best first, or the newest.")] = Sort.RELEVANCE,
    source: Annotated[
        list[str] | None,
        typer.Option(help="Only of this source, by name or id; of a plain crawl, the host (repeatable)."),
    ] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only gazette, notice, document or page (repeatable).")] = None,
    since: Annotated[
        str, typer.Option(metavar="DATE", help="Published then or later: 2026, 2026-03, 2026-03-12.")
    ] = "",
    facets: Annotated[bool, typer.Option("--facets", help="Count the hits by source, year, kind and so on.")] = False,
    cursor: Annotated[str, typer.Option(help="The next page of hits, as the last one said.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Search what was read: the title, date and source of each hit, the page, and the passage around what was found."""
    from kiebitz.model.query import Between, Every, Search
    from kiebitz.search.parse import parse

    unknown = next((word for word in query if word.startswith("--")), None)
    if unknown:
        raise InputError(f"there is no option {clean(unknown)}", hint="kiebitz search --help lists them")
    text = " ".join(query)
    node = parse(text, datetime.now(UTC).astimezone().date())
    if since:
        node = Every((node, Between(day_of(since), None)))
    filters = [("kind", tuple(kind))] if kind else []
    asked = Search(node, tuple(filters), sort.value, limit, cursor, facets, text)
    settings = settings_of(context)
    run_async(_search(settings, asked, source or [], text, as_json=as_json))


def day_of(text: str) -> date:
    found = _SINCE.fullmatch(text.strip())
    try:
        if found:
            return date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        pass
    raise InputError(f"--since {text!r} is not a date", hint="write 2026, 2026-03 or 2026-03-12")


async def _search(settings: Settings, asked: "Search", sources: Sequence[str], text: str, *, as_json: bool) -> None:
    from kiebitz.deploy.indexes import check_index, index_folder, opener_of

    check_index(settings)
    async with opened(settings) as backend:
        if sources:
            names = tuple([await _source_name(backend, name) for name in sources])
            asked = asked._replace(filters=(*asked.filters, ("source", names)))
        index = opener_of(index_folder(settings))(None)
        try:
            results = await index.search(asked)
        finally:
            await index.close()
        similar = {each: await _told(backend, each) for hit in results.hits for each in hit.similar}
    if as_json:
        emit(results_object(results, similar))
    else:
        _print(results, similar, settings, text)


async def _source_name(backend: "Backend", name: str) -> str:
    """What the index calls it."""
    try:
        return (await backend.state.sources.get(name)).name
    except NotFound:
        return name


async def _told(backend: "Backend", text_id: str) -> dict[str, str]:
    try:
        record = await backend.state.texts.get(text_id)
    except NotFound:
        return {"id": text_id, "url": "", "title": ""}
    return {"id": text_id, "url": record.url, "title": record.title}


def results_object(results: "Results", similar: dict[str, dict[str, str]]) -> dict[str, object]:
    return {
        "total": results.total,
        "cursor": results.cursor,
        "correction": results.correction,
        "facets": {
            name: [{"value": value, "count": count} for value, count in values] for name, values in results.facets
        },
        "hits": [
            {
                **hit._asdict(),
                "passages": [passage._asdict() for passage in hit.passages],
                "similar": [similar[each] for each in hit.similar],
            }
            for hit in results.hits
        ],
    }


def _print(results: "Results", similar: dict[str, dict[str, str]], settings: Settings, text: str) -> None:
    if not results.hits:
        print("nothing found")
        if results.correction:
            print(f"did you mean: {clean(results.correction)}")
        else:
            print(f"next: fewer or other words; {next_step(settings, 'index status')} says what is indexed")
    for number, hit in enumerate(results.hits, 1):
        _print_hit(number, hit, [similar[each] for each in hit.similar])
    if results.hits:
        print(f"{len(results.hits)} of {results.total} shown")
    for name, values in results.facets:
        if values:
            counts = ", ".join(f"{clean(value)} {count}" for value, count in values[:SHOWN_FACETS])
            print(f"{name + ':':<10}{counts}")
    if results.cursor:
        from shlex import quote

        print(f"next: {next_step(settings, f'search {quote(text)} --cursor {quote(results.cursor)}')}")


def _print_hit(number: int, hit: "Hit", similar: Sequence[dict[str, str]]) -> None:
    print(f"{number}. {marked(hit.title, hit.title_marks, TITLE)}")
    when = hit.published.isoformat() if hit.published else ""
    facts = " · ".join(clean(fact) for fact in (when, hit.source, hit.kind, hit.type) if fact)
    print(f"   {coloured(facts, FAINT)}")
    for passage in hit.passages:
        page = f"page {passage.page}: " if passage.page else ""
        print(f"   {page}{marked(passage.text, passage.marks)}")
    print(f"   {coloured(clean(hit.url), FAINT)}")
    for each in similar[:SHOWN_SIMILAR]:
        print(f"   nearly the same: {clean(each['url'] or each['id'])}")
    if len(similar) > SHOWN_SIMILAR:
        print(f"   and {len(similar) - SHOWN_SIMILAR} more")


def marked(text: str, marks: Sequence[tuple[int, int]], style: str = "") -> str:
    """Crawled text is hostile, so it is cleaned first: that keeps every character in its place."""
    plain, parts, last = clean(text), list[str](), 0
    for start, end in marks:
        parts += [coloured(plain[last:start], style), coloured(plain[start:end], MARK)]
        last = end
    return "".join([*parts, coloured(plain[last:], style)])


def coloured(text: str, style: str) -> str:
    wanted = bool(style and text) and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return f"{style}{text}{PLAIN}" if wanted else text
