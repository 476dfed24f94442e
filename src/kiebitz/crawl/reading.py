"""Read an answer: is it a page, a document, a redirect, an error, or the same as last time?"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from hashlib import sha256

from kiebitz.crawl.kit import Kit, RunContext
from kiebitz.errors import FetchError, KiebitzError, NotFound
from kiebitz.fetch.decode import decode
from kiebitz.model.document import Document, document_id, document_key
from kiebitz.model.request import Due, Link, State
from kiebitz.model.response import Response
from kiebitz.standards import warc
from kiebitz.standards.html import is_too_deep, parse
from kiebitz.standards.http_headers import parse_head, retry_after
from kiebitz.standards.media_type import Kind, essence, kind_of, sniff
from kiebitz.standards.robots import Rules
from kiebitz.standards.url import host_of, join, path_of

TEMPORARY = frozenset({408, 425, 429})
LARGE_PAGE = 1 << 20
MAX_WAIT = 7 * 86_400.0


@dataclass(slots=True)
class Answer:
    """What a response means for its request."""

    state: State
    reason: str = ""
    etag: str = ""
    modified: str = ""
    digest: bytes = b""
    size: int = 0
    content_type: str = ""
    wait: float = 0.0
    redirect: bool = False
    links: list[Link] = field(default_factory=list)
    record: bytes = b""
    document: Document | None = None


async def read_answer(due: Due, response: Response, rules: Rules, context: RunContext, kit: Kit) -> Answer:
    status = response.status
    try:
        if status == 304 and (due.etag or due.modified):
            return await _not_modified(due, response, rules, context, kit)
        if 200 <= status < 300:
            return await _content(due, response, rules, context, kit)
    except FetchError as error:  # the page was had, but not drawn
        return Answer(State.DEFERRED, f"browser: {error.reason}")
    location = response.headers.get("location", "")
    if 300 <= status < 400 and location:
        return _redirect(due, response, location, context, kit)
    if status in TEMPORARY or status >= 500:
        wait = retry_after(response.headers.get("retry-after", ""), kit.clock.now()) or 0.0
        return Answer(State.DEFERRED, f"http {status}", wait=min(wait, MAX_WAIT))
    return Answer(State.FAILED, f"http {status}")


def _redirect(due: Due, response: Response, location: str, context: RunContext, kit: Kit) -> Answer:
    """A redirect is done, and its target is a link at the same depth: so no page is fetched twice (ADR 3)."""
    target = join(due.url, location)
    if target is None:
        return Answer(State.SKIPPED, "scheme" if ":" in location else "redirect")
    if target == due.url or due.hops >= kit.policy.max_hops:
        return Answer(State.FAILED, "redirect loop")
    host = host_of(target)
    if due.depth == 0 and context.scope.widen(host, target):
        context.reader.forget()  # it remembers refused links as handled
    answer = Answer(State.DONE, f"redirect {target}", redirect=True)
    refused = "" if context.scope.admits(target, host, due.depth) else "scope"
    answer.links = [(host, target, due.text, None, refused)]
    answer.record = warc.exchange(due.url, kit.clock.now(), response, warc.payload_digest(response.raw))
    return answer


async def _content(due: Due, response: Response, rules: Rules, context: RunContext, kit: Kit) -> Answer:
    if response.stopped:
        return Answer(State.SKIPPED, response.stopped)
    content = response.content
    content_type = response.headers.get("content-type", "")
    media = sniff(essence(content_type), content)
    kind = kind_of(media)
    if kind is Kind.OTHER:
        return Answer(State.SKIPPED, "type")
    if kind is not Kind.DOCUMENT and len(content) > kit.policy.max_page_bytes:
        return Answer(State.SKIPPED, "size")
    raw_digest = warc.payload_digest(response.raw)
    digest = raw_digest if content is response.raw else sha256(content).digest()
    headers = response.headers
    answer = Answer(
        State.DONE, "", headers.get("etag", ""), headers.get("last-modified", ""), digest, len(content), media
    )
    if kind is Kind.DOCUMENT:
        answer.document = await _store_document(due, response, answer, context, kit)
        if context.collector and await _is_held(answer.document, kit):
            answer.state = State.UNCHANGED  # under another address: its token was new
    elif digest != due.digest:
        answer.record = warc.exchange(due.url, kit.clock.now(), response, raw_digest)
    if digest == due.digest:
        answer.state = State.UNCHANGED
    if _leads_on(media, context):
        answer.links = await _links(due, content, content_type, rules, context, kit)
    return answer


HTML = frozenset({"text/html", "application/xhtml+xml"})


def _leads_on(media: str, context: RunContext) -> bool:
    collector = context.collector
    return media in HTML or (collector is not None and collector.reads_feeds and kind_of(media) is Kind.FEED)


async def _links(
    due: Due, content: bytes, content_type: str, rules: Rules, context: RunContext, kit: Kit
) -> list[Link]:
    if not context.scope.follows(due.depth):
        return []

    def refusal(target: str) -> str:
        return "" if rules.allows(path_of(target)) else "robots"

    if context.collector is not None:  # looking closely takes milliseconds, which the other visits should not wait
        collect = context.collector.links
        links = await asyncio.to_thread(collect, due.url, due.depth, content, content_type, refusal)
        return [*links, *await _drawn_links(due, rules, context, kit, refusal)]
    large = len(content) > LARGE_PAGE
    if is_too_deep(content):  # kept, but not read: the tree would take minutes
        return []
    tree = await asyncio.to_thread(parse, content, content_type) if large else parse(content, content_type)
    return context.reader.read(due.url, due.depth + 1, tree, refusal)


async def _drawn_links(
    due: Due, rules: Rules, context: RunContext, kit: Kit, refusal: Callable[[str], str]
) -> list[Link]:
    """Those that only a browser sees, also if the page is unchanged: the data behind it may have changed."""
    from kiebitz.crawl.rendering import needs_browser, rendered_links

    return await rendered_links(due, rules, context, kit, refusal) if needs_browser(due, context) else []


def _document_id(due: Due, context: RunContext) -> str:
    return (context.collector.document_id if context.collector else document_id)(due.url, due.body)


async def _store_document(due: Due, response: Response, answer: Answer, context: RunContext, kit: Kit) -> Document:
    name = answer.digest.hex()
    if await kit.blobs.info(document_key(name)) is None:
        await kit.blobs.put(document_key(name), response.content)
    now = kit.clock.utc()
    return Document(
        id=_document_id(due, context),
        url=due.url,
        parent_url=due.parent,
        link_text=due.text,
        source=context.run.source or host_of(due.parent or due.url),
        valid=answer.content_type != "application/pdf" or response.content[:1024].lstrip().startswith(b"%PDF"),
        first_seen=now,
        visited_on=now,
        downloaded_on=now,
        tries=due.tries + 1,
        status=response.status,
        content_type=answer.content_type,
        bytes=answer.size,
        sha256=name,
        issue=context.collector.issue(due.url, due.body) if context.collector else None,
    )


async def _is_held(document: Document, kit: Kit) -> bool:
    try:
        return (await kit.documents.get(document.id)).sha256 == document.sha256
    except NotFound:
        return False


async def _not_modified(due: Due, response: Response, rules: Rules, context: RunContext, kit: Kit) -> Answer:
    """304 is free, but its links still lead on: they are read from the stored copy."""
    headers = response.headers
    answer = Answer(State.UNCHANGED, "", headers.get("etag", ""), headers.get("last-modified", ""))
    if kind_of(due.content_type) is Kind.DOCUMENT:
        try:
            known = await kit.documents.get(_document_id(due, context))
        except NotFound:
            return answer
        issue = context.collector.issue(due.url, due.body) if context.collector else None
        answer.document = replaced(
            known,
            visited_on=kit.clock.utc(),
            status=304,
            link_text=due.text or known.link_text,
            issue=issue or known.issue,
        )
    elif _leads_on(due.content_type, context) and context.scope.follows(due.depth):
        answer.links = await _stored_links(due, rules, context, kit)
    return answer


async def _stored_links(due: Due, rules: Rules, context: RunContext, kit: Kit) -> list[Link]:
    try:
        captures = await kit.frontier.captures(host_of(due.url), due.key)
        if not captures:
            return []
        head, raw = await kit.archive.read(captures[-1])
        _, headers = parse_head(head)
        content = decode(raw, headers.get("content-encoding", ""), kit.policy.limits)
    except KiebitzError:
        return []  # a damaged copy costs links of this visit; doctor reports it
    return await _links(due, content, headers.get("content-type", ""), rules, context, kit)
