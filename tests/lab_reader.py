"""A reader of the lab's municipalities: follows whatever a person could click on, and judges nothing."""

import json
from collections.abc import Callable, Iterator
from urllib.parse import urlencode, urljoin, urlsplit
from xml.etree import ElementTree as ET

from selectolax.lexbor import LexborHTMLParser, LexborNode

from kiebitz.lab.exchange import Reply
from kiebitz.lab.municipalities.truth import identity

Step = tuple[str, bytes | None]  # an address, and the body of a POST
Fetch = Callable[[str, bytes | None], Reply]
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/feed+json", "application/xml")


def read_all(fetch: Fetch, start: list[str]) -> dict[Step, Reply]:
    """Every answer that links, forms, feeds and sitemaps lead to; addresses that differ in a token only are one."""
    found: dict[Step, Reply] = {}
    seen: set[tuple[str, str]] = set()
    waiting: list[Step] = [(url, None) for url in start]
    while waiting:
        step = waiting.pop()
        if identity(*step) in seen:
            continue
        seen.add(identity(*step))
        reply = found[step] = fetch(*step)
        if reply.status == 200:
            waiting += steps(step[0], reply)
    return found


def steps(url: str, reply: Reply) -> Iterator[Step]:
    media = reply.content_type.partition(";")[0]
    if media == "text/html":
        yield from _of_page(url, reply)
    elif media in _FEEDS:
        yield from ((place, None) for place in _of_feed(url, reply))


def _of_page(url: str, reply: Reply) -> Iterator[Step]:
    charset = reply.content_type.partition("charset=")[2] or "windows-1252"
    tree = LexborHTMLParser(reply.body.decode(charset))
    base = tree.css_first("base")
    root = urljoin(url, (base.attributes["href"] or "") if base else "")
    for node in tree.css("a[href], link[rel=alternate]"):
        href = node.attributes["href"] or ""
        if not href.startswith(("#", "mailto:", "tel:")):
            yield urljoin(root, href).partition("#")[0], None
    for form in tree.css("form"):
        yield from _of_form(root, form)


def _of_form(root: str, form: LexborNode) -> Iterator[Step]:
    if form.css_first("input[type=email], input[type=password], input[type=search]"):
        return  # a person would have to type
    action = urljoin(root, form.attributes["action"] or "").partition("#")[0]
    fields = [(i.attributes["name"] or "", i.attributes.get("value") or "") for i in form.css("input[type=hidden]")]
    if form.attributes["method"] == "post":
        yield action, urlencode(fields).encode()
        return
    for select in form.css("select"):
        for option in select.css("option"):
            chosen = (select.attributes["name"] or "", option.attributes["value"] or "")
            yield f"{action}?{urlencode([*fields, chosen])}", None


def _of_feed(url: str, reply: Reply) -> Iterator[str]:
    if reply.body.startswith(b"{"):
        for item in json.loads(reply.body)["items"]:
            inside = LexborHTMLParser(item["content_html"])
            yield from (urljoin(url, node.attributes["href"] or "") for node in inside.css("a[href]"))
        return
    for element in ET.fromstring(reply.body).iter():
        place = element.get("url") or element.get("href") or ""
        if element.tag.endswith(("loc", "link")):
            place = place or (element.text or "").strip()
        if urlsplit(place).scheme:
            yield place
