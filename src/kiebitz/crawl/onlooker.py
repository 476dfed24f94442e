"""What a run takes from a page of a source that is watched for its pages: the links as always, and the text that matters."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from kiebitz.model.document import document_id
from kiebitz.model.sight import PageSight
from kiebitz.standards.html import is_too_deep, parse
from kiebitz.standards.identity import stable
from kiebitz.watch.text import lines_of, title_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from kiebitz.crawl.links import LinkReader
    from kiebitz.model.candidate import Collection
    from kiebitz.model.request import Link

STATE = "page"


class Onlooker:
    """Stands where a collector stands; it judges no links."""

    reads_feeds = False

    def __init__(self, reader: LinkReader) -> None:
        self._reader = reader
        self._alone = threading.Lock()  # pages are read in threads, and the reader remembers what it has seen
        self._texts: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.findings: dict[str, Collection] = {}

    def links(
        self, url: str, depth: int, content: bytes, content_type: str, refusal: Callable[[str], str]
    ) -> list[Link]:
        if is_too_deep(content):  # kept, but not read: the tree would take minutes
            return []
        tree = parse(content, content_type)
        self._texts[url] = (title_of(tree), lines_of(tree))
        with self._alone:
            return self._reader.read(url, depth + 1, tree, refusal)

    def sight(self, url: str, body: bytes | None, run: str, at: datetime) -> PageSight | None:
        seen = self._texts.pop(url, None)
        if seen is None:
            return None
        title, text = seen
        return PageSight(stable(url, body), url, run, at, STATE, title=title, text=text)

    def beside(self, _url: str) -> list[Link]:
        """A page's links all lead deeper."""
        return []

    def document_id(self, url: str, body: bytes | None) -> str:
        return document_id(url, body)

    def issue(self, _url: str, _body: bytes | None) -> None:
        """Pages are not read as lists of issues."""
