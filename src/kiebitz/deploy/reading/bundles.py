"""Pages out of sealed bundles. The crawl pays nothing for it: whoever reads lists the bundles and makes a job of each."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from datetime import datetime
from typing import NamedTuple

from kiebitz.crawl.commit import EXTRACT
from kiebitz.errors import FetchError, HomeCorrupt
from kiebitz.fetch.decode import decode
from kiebitz.model.job import Job
from kiebitz.model.response import Limits
from kiebitz.ports.archive import bundle_key
from kiebitz.ports.blobs import Blobs
from kiebitz.ports.jobs import Jobs
from kiebitz.standards.http_headers import parse_head
from kiebitz.standards.media_type import XML, Kind, essence, kind_of, sniff
from kiebitz.standards.warc_records import BundleReader, StoredResponse

PART = 4 << 20  # bytes of a bundle that are held at a time
BATCH = 500
FOLDER = "bundles/"


class StoredPage(NamedTuple):
    url: str
    at: datetime
    content: bytes
    content_type: str
    fault: str = ""  # why its content cannot be had


async def offer_bundles(blobs: Blobs, jobs: Jobs, *, since: str = "") -> tuple[int, str]:
    """One job for each sealed bundle, once and for all; returns how many are new, and where to begin the next time.

    ``since`` is a day (``20261115``). A bundle is named after the time it was begun, so the next look begins a day earlier
    than the newest bundle's.
    """
    new, newest, batch = 0, since, list[Job]()
    async for blob in blobs.list(FOLDER):
        name = blob.key.rpartition("/")[2]
        if name[:8] < since:
            continue
        newest = max(newest, name[:8])
        batch.append(Job(EXTRACT, f"bundle:{name}", json.dumps({"bundle": name})))
        if len(batch) == BATCH:
            new += await jobs.put(batch)
            batch = []
    return new + await jobs.put(batch), _day_before(newest)


def _day_before(day: str) -> str:
    """Good enough for an order: the last of a month may be looked at a few days longer."""
    return f"{int(day) - 1:08d}" if day.isdecimal() else ""


async def pages_of(blobs: Blobs, name: str, limits: Limits, most_bytes: int) -> AsyncIterator[list[StoredPage]]:
    """The pages with status 200, in order, some at a time. Raises NotFound, and HomeCorrupt after what could be read."""
    reader, offset = BundleReader(most_bytes), 0
    while data := await blobs.get(bundle_key(name), start=offset, length=PART):
        offset += len(data)
        pages, damage = await asyncio.to_thread(_pages, reader, data, limits)
        yield pages
        if damage:
            raise damage
    reader.close()


def _pages(reader: BundleReader, data: bytes, limits: Limits) -> tuple[list[StoredPage], HomeCorrupt | None]:
    pages: list[StoredPage] = []
    try:
        for response in reader.feed(data):
            page = _page(response, limits)
            if page is not None:
                pages.append(page)
    except HomeCorrupt as damage:
        return pages, damage
    return pages, None


def _page(response: StoredResponse, limits: Limits) -> StoredPage | None:
    """None for what is no page: redirects, errors, feeds, site maps."""
    status, headers = parse_head(response.head)
    if status != 200:
        return None
    content_type = headers.get("content-type", "")
    try:
        content = decode(response.raw, headers.get("content-encoding", ""), limits)
    except FetchError as error:
        return StoredPage(response.url, response.at, b"", content_type, str(error))
    found = sniff(essence(content_type), content)
    if kind_of(found) is not Kind.PAGE or found in (XML, "text/xml"):
        return None
    return StoredPage(response.url, response.at, content, content_type or found)


def newest_of_each(pages: Iterable[StoredPage]) -> list[StoredPage]:
    """One page per URL, the youngest; of two of one second the later."""
    newest: dict[str, StoredPage] = {}
    for page in pages:
        if page.url not in newest or newest[page.url].at <= page.at:
            newest[page.url] = page
    return list(newest.values())
