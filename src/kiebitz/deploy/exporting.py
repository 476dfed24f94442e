"""Export documents: the thesis' browsable tree, and records as lines of JSON."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from kiebitz.adapters.local.disk import translated
from kiebitz.deploy.backends import Backend
from kiebitz.errors import NotFound
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


async def export_documents(backend: Backend, folder: Path, source: str) -> tuple[int, int]:
    """Write ``{source name}+{source id}/{id}.pdf``; returns how many were written and how many were there."""
    written = kept = 0
    names: dict[str, str] = {}
    async for document in each_document(backend, source):
        if document.source not in names:
            names[document.source] = await _folder_name(backend, document.source)
        path = folder / names[document.source] / f"{document.id}{extension(document.content_type)}"
        with translated(path):
            if path.exists() and path.stat().st_size == document.bytes:
                kept += 1
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_name(path.name + ".part")
            draft.write_bytes(await backend.blobs.get(document.blob_key))
            draft.replace(path)
        written += 1
    return written, kept


async def _folder_name(backend: Backend, source: str) -> str:
    """A source's name and id; a document of a plain crawl has its host for a source."""
    try:
        known = await backend.state.sources.get(source)
    except NotFound:
        return f"{_UNSAFE.sub('_', source)}+{document_id(f'https://{source}/')}"
    return f"{_UNSAFE.sub('_', known.name)}+{known.id}"


async def document_lines(backend: Backend, source: str, *, thesis: bool) -> AsyncIterator[str]:
    async for document in each_document(backend, source):
        record = _thesis(document) if thesis else asdict(document)
        yield json.dumps(record, ensure_ascii=False, default=_moment)


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
