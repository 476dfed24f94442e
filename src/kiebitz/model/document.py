"""A document is a file worth keeping (PDF and the like): one record per URL, one blob per content."""

from dataclasses import dataclass
from datetime import datetime
from uuid import NAMESPACE_URL, uuid3


def document_id(url: str) -> str:
    """The thesis' id: uuid3 of the URL, so that ids agree with archives made by it."""
    return str(uuid3(NAMESPACE_URL, url))


@dataclass(frozen=True, slots=True)
class Version:
    """One content that the URL has had."""

    sha256: str
    bytes: int
    content_type: str
    downloaded_on: datetime


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    url: str
    parent_url: str
    link_text: str
    source: str
    valid: bool
    first_seen: datetime
    visited_on: datetime
    downloaded_on: datetime
    tries: int
    status: int
    content_type: str
    bytes: int
    sha256: str
    versions: tuple[Version, ...] = ()  # oldest first; the last one is the current content

    @property
    def blob_key(self) -> str:
        return document_key(self.sha256)


def document_key(sha256: str) -> str:
    """Where a content lies in the blobs: fanned out, so that no folder holds a million files."""
    return f"documents/{sha256[:2]}/{sha256}"
