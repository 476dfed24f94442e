"""The stored copy of a URL: a page out of its bundle, a document out of the blobs."""

from kiebitz.adapters.local.archive import FolderArchive
from kiebitz.deploy.backends import Backend
from kiebitz.deploy.outfit import policy_of
from kiebitz.errors import NotFound
from kiebitz.fetch.decode import decode
from kiebitz.model.document import Document, document_key
from kiebitz.model.request import Capture
from kiebitz.settings import Settings
from kiebitz.standards.http_headers import parse_head


def reading_archive(backend: Backend) -> FolderArchive:
    """An archive that only reads: it has no holder and opens no bundle."""
    return FolderArchive(backend.folder / "spool", "", backend.blobs, backend.state.frontier, backend.clock)


async def stored_copy(
    backend: Backend, settings: Settings, captures: list[Capture], document: Document | None, which: int
) -> tuple[bytes, str]:
    """Content and Content-Type of the copy numbered ``which`` (−1: the newest), content codings undone. Raises NotFound."""
    try:
        if document:
            version = document.versions[which]
            return await backend.blobs.get(document_key(version.sha256)), version.content_type
        head, raw = await reading_archive(backend).read(captures[which])
    except IndexError:
        count = len(document.versions if document else captures)
        raise NotFound(f"there is no copy number {which}", hint=f"{count} are stored") from None
    _, headers = parse_head(head)
    content = decode(raw, headers.get("content-encoding", ""), policy_of(settings).limits)
    return content, headers.get("content-type", "")
