"""Export documents: the thesis' browsable tree, and records as lines of JSON."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from hashlib import file_digest
from pathlib import Path

from kiebitz.deploy.backends import Backend
from kiebitz.errors import InputError, NotFound
from kiebitz.model.document import Document, document_id
from kiebitz.standards.media_type import extension

PAGE = 500
_UNSAFE = re.compile(r"[^\w .()-]+")


async def each_document(backend: Backend, source: str) -> AsyncIterator[Document]:
    after = ""
    while True:
        page = await backend.state.documents.list(source=source, after=after, limit=PAGE)
        for document in page:
            yield document
        if len(page) < PAGE:
            return
        after = page[-1].id


async def source_key(backend: Backend, source: str) -> str:
    """A source's id from its name; what a plain crawl found is known by the host. Raises NotFound."""
    try:
        return (await backend.state.sources.get(source)).id if source else ""
    except NotFound:
        if await backend.state.documents.count(source=source):
            return source
        raise


async def export_documents(backend: Backend, folder: Path, source: str) -> tuple[int, int]:
    """Write ``{source name}+{source id}/{id}.pdf``; returns how many were written and how many were there."""
    written = kept = 0
    source = await source_key(backend, source)
    names: dict[str, str] = {}
    async for document in each_document(backend, source):
        if document.source not in names:
            names[document.source] = await _folder_name(backend, document.source)
        path = folder / names[document.source] / f"{document.id}{extension(document.content_type)}"
        with written_to(path):
            if path.exists() and _digest(path) == document.sha256:
                kept += 1
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_name(path.name + ".part")
            draft.write_bytes(await backend.blobs.get(document.blob_key))
            draft.replace(path)
        written += 1
    return written, kept


@contextmanager
def written_to(path: Path) -> Iterator[None]:
    """A target that cannot be written is the user's choice, not the home's fault."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}", hint="choose another target") from error


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


async def _folder_name(backend: Backend, source: str) -> str:
    """A source's name and id; a document of a plain crawl has its host for a source."""
    try:
        known = await backend.state.sources.get(source)
    except NotFound:
        return f"{_UNSAFE.sub('_', source)}+{document_id(f'https://{source}/')}"
    return f"{_UNSAFE.sub('_', known.name)}+{known.id}"


async def document_lines(backend: Backend, source: str, *, thesis: bool) -> AsyncIterator[str]:
    async for document in each_document(backend, await source_key(backend, source)):
        record = _thesis(document) if thesis else document_object(document)
        yield json.dumps(record, ensure_ascii=False, default=_moment)


def document_object(document: Document) -> dict[str, object]:
    issue = document.issue
    described = {**issue._asdict(), "date": issue.when} if issue else None
    return {**asdict(document), "issue": described}


def _thesis(document: Document) -> dict[str, object]:
    """The ten fields of the thesis' figure 37."""
    return {
        "downloaded": True,
        "downloaded_on": document.downloaded_on.replace(tzinfo=None).isoformat(),
        "downloaded_tries_number": document.tries - 1,
        "full_url": document.url,
        "link_text": document.link_text,
        "parent_url": document.parent_url,
        "uuid": document.id,
        "valid": document.valid,
        "visited": True,
        "visited_on": document.visited_on.replace(tzinfo=None).isoformat(),
    }


def _moment(value: object) -> str:
    assert isinstance(value, datetime)
    return value.isoformat().replace("+00:00", "Z")
