"""Stored documents that nobody has read: no job speaks of them, because the queue was lost, or knows their content from before."""

import json

from kiebitz.crawl.commit import EXTRACT
from kiebitz.deploy.backends import Backend
from kiebitz.model.document import Document
from kiebitz.model.job import Job

PAGE = 500
LETTERS = 10_000


async def unread_documents(backend: Backend, *, offer: bool) -> int:
    """How many there are; with ``offer`` they are put on the queue, each time of a content once."""
    found, after = 0, ""
    dead = {letter.job.key for letter in await backend.state.jobs.dead(EXTRACT, limit=LETTERS)}
    while page := await backend.state.documents.list(after=after, limit=PAGE):
        after = page[-1].id
        known = await backend.state.texts.known([document.id for document in page])
        unread = [each for each in page if each.id not in known or known[each.id].sha256 != each.sha256]
        if offer and unread:
            fresh = [each for each in unread if f"{each.id}:{each.sha256}" not in dead]  # the dead wait for --retry
            await backend.state.jobs.put([_job(document) for document in fresh])
        found += len(unread)
    return found


def _job(document: Document) -> Job:
    payload = {"document": document.id, "sha256": document.sha256, "content_type": document.content_type}
    key = f"{document.id}:{document.sha256}:{document.downloaded_on.isoformat()}"
    return Job(EXTRACT, key, json.dumps(payload))
