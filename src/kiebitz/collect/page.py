"""From the bytes of a page to what is collected from it: the one entry point of this package.

It decides without fetching anything. A document whose type is unknown, and an announcement of an issue, are decided by the
response: what turns out to be a page is given to ``collect_page`` in turn.
"""

import re
from codecs import BOM_UTF8
from datetime import date

from kiebitz.collect.archives import leads
from kiebitz.collect.classify import Weights, judge
from kiebitz.collect.context import look
from kiebitz.collect.feeds import is_feed, read_feed
from kiebitz.collect.harm import without_harm
from kiebitz.collect.sitemaps import is_sitemap, read_sitemap, unpacked
from kiebitz.model.candidate import Collection, Follow, Outlook, Verdict
from kiebitz.standards.charset import sniff
from kiebitz.standards.html import DEPTH, is_too_deep, parse
from kiebitz.standards.url import canonical, origin_of

BYTES = 20_000_000
WORDS_OF_A_PAGE = 300
_FILES = (b"%PDF", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8")
_MEDIA = ("", "text/html", "application/xhtml+xml", "text/plain", "application/octet-stream")
_MARKUP = re.compile(rb"<(?:!doctype html|[a-z][a-z0-9]*[\s/>])", re.IGNORECASE)
_SHELL = re.compile(
    rb"""<noscript|<div[^>]+id=["'](?:app|root|__next|__nuxt|q-app)["']|ng-app|data-reactroot""", re.IGNORECASE
)
_LOGIN = re.compile(r"anmeld|log-?in|einlogg|passwor", re.IGNORECASE)


def collect_page(url: str, content: bytes, content_type: str, today: date, scale: Weights | None = None) -> Collection:
    """What the page (or feed) at the canonical ``url`` yields. Never raises for any content."""
    try:
        outlook = read_page(canonical(url), content, content_type)
    except ValueError as error:
        return Collection((), (), (), "not-a-page", str(error))
    verdicts = judge(outlook, scale)
    documents = tuple(verdict for verdict in verdicts if verdict.is_document)
    rejected = tuple(verdict for verdict in verdicts if not verdict.is_document)
    follow, notes = leads(outlook, verdicts, today)
    state, reason = _state(outlook, documents, follow, content)
    sitemap = f"{origin_of(outlook.url)}/sitemap.xml"
    if state == "empty" and outlook.url != sitemap:
        follow = [Follow(sitemap, "sitemap", "the page shows nothing; the sitemap may")]
    return Collection(documents, rejected, tuple(follow), state, reason, (*outlook.notes, *notes))


def read_page(url: str, content: bytes, content_type: str) -> Outlook:
    """The page or feed as collecting sees it, without what may change something. Raises ValueError with the reason if it is neither."""
    return without_harm(_read(url, content, content_type))


def _read(url: str, content: bytes, content_type: str) -> Outlook:
    if len(content) > BYTES:
        raise ValueError(f"the page is larger than {BYTES:,} bytes")
    content = unpacked(content)
    if is_sitemap(content):
        return read_sitemap(url, content, content_type)
    if is_feed(content, content_type):
        return read_feed(url, content, content_type)
    media = content_type.partition(";")[0].strip().lower()
    start = content[:1024].lstrip(BOM_UTF8 + b" \t\r\n")
    is_text = b"\0" not in start or sniff(content, content_type).startswith("utf-16")
    if start.startswith(_FILES) or not is_text:
        raise ValueError("not a web page but a file")
    if media not in _MEDIA:
        raise ValueError(f"not a web page but {media}")
    if not content.strip(BOM_UTF8 + b" \t\r\n\f\v"):
        raise ValueError("the answer is empty")
    if not _MARKUP.search(content):
        raise ValueError("not a web page: it has no markup")
    if is_too_deep(content):
        raise ValueError(f"the page is nested more than {DEPTH:,} elements deep")
    return look(url, parse(content, content_type))


def _state(outlook: Outlook, documents: tuple[Verdict, ...], follow: list[Follow], content: bytes) -> tuple[str, str]:
    if documents:
        return "documents", f"{len(documents)} documents"
    if any(form.password for form in outlook.forms) and (_LOGIN.search(outlook.title) or outlook.characters < 3000):
        return "login", "the page asks for a password"
    shell = outlook.scripts > 0 and outlook.characters < WORDS_OF_A_PAGE and len(outlook.candidates) < 10
    if shell and (_SHELL.search(content) or not outlook.candidates):
        return "needs-browser", "the page is drawn by a script: it needs the browser fetcher"
    if follow:
        return "leads-on", f"no documents here, but {len(follow)} links lead on"
    return "empty", "no link on the page looks like a gazette"
