"""``kiebitz text``: what was read of a document or a page."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kiebitz.cli.console import clean, emit, next_step, table
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.errors import BadUrl, InputError, NotFound
from kiebitz.model.text import Text, TextState
from kiebitz.settings import Settings

if TYPE_CHECKING:
    from kiebitz.model.text_record import TextRecord

LISTED = 1000


def command(
    context: typer.Context,
    target: Annotated[
        str, typer.Argument(metavar="[URL|FILE]", help="A URL that was read; or a file, which is read now.")
    ] = "",
    page: Annotated[int | None, typer.Option(min=1, help="Only this page.")] = None,
    state: Annotated[
        TextState | None, typer.Option(help="List what ended in this state, without a URL or file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object; with --state one per line.")] = False,
) -> None:
    """Show what was read of a URL, or what would be read of a file: its text page by page, its state and its facts."""
    if bool(target) == bool(state):
        raise InputError("say which text to show", hint="name a URL or a file, or use --state needs-ocr")
    settings = settings_of(context)
    if state:
        run_async(_list(settings, state, as_json=as_json))
    elif "://" not in target and Path(target).exists():
        run_async(_file(Path(target), _content(Path(target)), page, as_json=as_json))
    else:
        run_async(_url(settings, target, page, as_json=as_json))


def _content(path: Path) -> bytes:
    """No more than the sandbox takes, however long the file is: that is enough to hear that it is too large."""
    from kiebitz.extract.limits import DEFAULT

    try:
        with path.open("rb") as file:
            return file.read(DEFAULT.input_bytes + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}", hint="name a file") from error


async def _file(path: Path, content: bytes, page: int | None, *, as_json: bool) -> None:
    from kiebitz.extract.sandbox import Sandbox

    async with Sandbox(1) as sandbox:
        text = await sandbox.read(content, "", path.name)
    _show(text, {"file": str(path), "title": text.title}, page, as_json=as_json)


async def _url(settings: Settings, target: str, page: int | None, *, as_json: bool) -> None:
    from kiebitz.model.document import document_id
    from kiebitz.model.text_record import unpacked
    from kiebitz.standards.url import canonical, from_user

    try:
        url = canonical(from_user(target))
    except BadUrl as error:
        raise InputError(f"{target!r} is neither a file nor a URL", hint="check the name") from error
    async with opened(settings) as backend:
        try:
            record = await backend.state.texts.get(document_id(url))
        except NotFound:
            seen = next_step(settings, f"show {url}")
            raise NotFound(
                f"{url} has not been read",
                hint=f"{next_step(settings, 'read')} reads what waits; {seen} says what is known",
            ) from None
    _show(unpacked(record.content), _facts(record), page, as_json=as_json)


def _facts(record: "TextRecord") -> dict[str, object]:
    return {
        "url": record.url,
        "title": record.title,
        "source": record.source,
        "kind": record.kind,
        "content_type": record.content_type,
        "sha256": record.sha256,
        "crawled_at": record.crawled_at,
    }


def _show(text: Text, facts: dict[str, object], page: int | None, *, as_json: bool) -> None:
    from kiebitz.deploy.indexing import pages_of

    pages = [each for each in pages_of(text) if page in (None, each.number)]
    if as_json:
        told = {**text._asdict(), **facts, "lines": len(text.lines), "metadata": dict(text.metadata)}
        emit({**told, "page_count": text.pages, "pages": [each._asdict() for each in pages]})
        return
    for name, value in {**facts, "published": text.published, "language": text.language}.items():
        if value:
            print(f"{name + ':':<14}{clean(value)}", file=sys.stderr)
    count = f", {text.pages} pages" if text.pages else ""
    print(f"{'state:':<14}{text.state}{count}{f' ({clean(text.reason)})' if text.reason else ''}", file=sys.stderr)
    for each in pages:
        if each.number:
            print(f"--- page {each.number}")
        print("\n".join(clean(line) for line in each.text.split("\n")))


async def _list(settings: Settings, state: TextState, *, as_json: bool) -> None:
    async with opened(settings) as backend:
        after, found = "", []
        while page := await backend.state.texts.in_state(state, after=after, limit=LISTED):
            after = page[-1].id
            found += [each._replace(content=b"") for each in page]
    if as_json:
        for each in found:
            emit({**_facts(each), "state": each.state, "reason": each.reason, "pages": each.pages})
        return
    rows = [(each.title, each.pages, each.scanned, each.reason, each.url) for each in found]
    table(("title", "pages", "scanned", "reason", "url"), rows)
