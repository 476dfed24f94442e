"""``kiebitz show``: what we know of a URL, why, and the stored copy."""

import sys
from typing import Annotated

import typer

from kiebitz.cli.console import emit, moment, rfc3339, size
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.errors import InputError, NotFound
from kiebitz.model.document import Document, document_id
from kiebitz.model.request import Capture, RequestQuery, RequestRecord, request_key
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    url: Annotated[str, typer.Argument(help="The URL.")],
    body: Annotated[bool, typer.Option("--body", help="Write the stored copy to standard output, as bytes.")] = False,
    text: Annotated[bool, typer.Option("--text", help="Write the stored copy as text in UTF-8.")] = False,
    at: Annotated[int, typer.Option(help="Which copy: -1 the newest, -2 the one before, 0 the oldest.")] = -1,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Show state and reason of a URL, where it was found, and its stored copies."""
    write = "text" if text else "body" if body else ""
    run_async(show(settings_of(context), url, at, write=write, as_json=as_json))


async def show(settings: Settings, text: str, at: int, *, write: str, as_json: bool) -> None:
    from kiebitz.standards.url import canonical, from_user, host_of

    url = canonical(from_user(text))
    async with opened(settings) as backend:
        rows = await backend.state.frontier.read(RequestQuery(url=url))
        if not rows:
            raise NotFound(f"{url} is not known here", hint="kiebitz submit URL adds it")
        record = rows[0][1]
        captures = await backend.state.frontier.captures(host_of(url), request_key(url))
        try:
            document: Document | None = await backend.state.documents.get(document_id(url))
        except NotFound:
            document = None
        if write:
            from kiebitz.deploy.copies import stored_copy
            from kiebitz.standards.charset import decode
            from kiebitz.standards.media_type import Kind, essence, kind_of, sniff

            content, content_type = await stored_copy(backend, settings, captures, document, at)
            if write == "body":
                sys.stdout.buffer.write(content)
                return
            if kind_of(sniff(essence(content_type), content)) is Kind.DOCUMENT:
                raise InputError("this is a file, not text", hint="--body writes it: kiebitz show URL --body > FILE")
            readable = "".join(char for char in decode(content, content_type) if char.isprintable() or char in "\n\t")
            sys.stdout.buffer.write(readable.encode(errors="replace"))
            return
    if as_json:
        emit(_object(record, captures, document))
    else:
        _print(record, captures, document)


def _object(record: RequestRecord, captures: list[Capture], document: Document | None) -> dict[str, object]:
    from kiebitz.deploy.exporting import document_object

    return {
        "url": record.url,
        "state": record.state.label,
        "reason": record.reason,
        "status": record.status,
        "run": record.run,
        "depth": record.depth,
        "tries": record.tries,
        "next_at": rfc3339(record.next_at),
        "visited_at": rfc3339(record.visited_at),
        "parent": record.parent,
        "text": record.text,
        "content_type": record.content_type,
        "bytes": record.size,
        "sha256": record.digest.hex(),
        "etag": record.etag,
        "last_modified": record.modified,
        "copies": [{"at": rfc3339(c.at), "bundle": c.bundle, "offset": c.offset, "length": c.length} for c in captures],
        "document": document_object(document) if document else None,
    }


def _print(record: RequestRecord, captures: list[Capture], document: Document | None) -> None:
    from kiebitz.cli.console import clean

    reason = f" ({record.reason})" if record.reason else ""
    print(f"{record.url}")
    print(f"  state    {record.state.label}{clean(reason)}, status {record.status or '-'}, {record.tries} tries")
    if record.parent:
        print(f"  found    on {record.parent}, {record.depth} links from a seed: {clean(record.text)!r}")
    else:
        print("  found    as a seed")
    if record.visited_at:
        print(f"  visited  {moment(record.visited_at)} by run {record.run}")
    if record.next_at:
        print(f"  next     {moment(record.next_at)}")
    if record.size:
        print(f"  content  {clean(record.content_type)}, {size(record.size)}, sha256 {record.digest.hex()[:16]}…")
    for capture in captures:
        print(f"  copy     {moment(capture.at)} in {capture.bundle} at {capture.offset}")
    if document:
        print(f"  document {document.id}, {len(document.versions)} version(s), valid: {document.valid}")
    if captures or document:
        print("next: --body writes the stored copy to standard output")
