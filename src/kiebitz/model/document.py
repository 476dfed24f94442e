"""A document is a file worth keeping (PDF and the like): one record per URL, one blob per content."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import NAMESPACE_URL, uuid3

from kiebitz.model.issue import Issue


def document_id(url: str, body: bytes | None = None) -> str:
    """The thesis' id: uuid3 of the URL, so that ids agree with archives made by it; a form's fields are part of it."""
    return str(uuid3(NAMESPACE_URL, url if body is None else f"{url}\n{body.decode('latin-1')}"))


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
    issue: Issue | None = None  # what the page that lists it says of it

    @property
    def blob_key(self) -> str:
        return document_key(self.sha256)


def document_key(sha256: str) -> str:
    """Where a content lies in the blobs: fanned out, so that no folder holds a million files."""
    return f"documents/{sha256[:2]}/{sha256}"


def recorded(known: Document | None, seen: Document) -> tuple[Document, bool]:
    """What the record of a URL becomes when ``seen`` was downloaded, and whether that is a new version.

    A download that is not younger than the record and brings a content the record has had already is a repetition
    (a settle that was tried again), not a change back: it changes nothing. One that is older but brings an unknown
    content is kept all the same, because clocks of two workers differ and a lost content would not come again.
    """
    version = Version(seen.sha256, seen.bytes, seen.content_type, seen.downloaded_on)
    if known is None:
        return replace(seen, versions=(version,)), True
    if seen.sha256 == known.sha256:
        if seen.visited_on < known.visited_on:
            return known, False
        visited = replace(
            known,
            visited_on=seen.visited_on,
            tries=seen.tries,
            status=seen.status,
            valid=seen.valid,
            link_text=seen.link_text if seen.issue else known.link_text,
            issue=seen.issue or known.issue,
        )
        return visited, False
    if seen.visited_on <= known.visited_on and any(old.sha256 == seen.sha256 for old in known.versions):
        return known, False
    visited_on = max(known.visited_on, seen.visited_on)
    versions = (*known.versions, version)
    return replace(seen, first_seen=known.first_seen, visited_on=visited_on, versions=versions), True
