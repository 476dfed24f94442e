"""What must not be sent or followed, because it may change something: deleting, ordering, subscribing, logging out, voting.

Reading is safe by the rules of the web, but sites break them. A form, a button and a link that posts are judged by all they
say and send. A plain link is judged by its address: "löschen" as a folder or a parameter is an action, "Bestellung eines
Wahlleiters" in a title is none; what it says counts only where its address agrees.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote, unquote_plus

from selectolax.lexbor import LexborNode

from kiebitz.collect.marks import fold, words
from kiebitz.collect.names import extension
from kiebitz.collect.regions import Attributes
from kiebitz.model.candidate import Candidate, Form, Outlook

VALUE = 120  # a longer value is data or the state of a page
PARAMETERS = 500
BUTTONS = 50
ACTION = 3  # a folder or value of more words is a title
DOCUMENTS = frozenset({"pdf", "doc", "docx", "odt", "rtf", "zip", "epub"})
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_SCRIPTED = re.compile(r"\bconfirm\s*\(|fetch\s*\(|XMLHttpRequest|\.submit\s*\(", re.IGNORECASE)
_METHODS = ("data-method", "data-turbo-method", "data-verb", "data-http-method")
_PERSONAL = "textarea, input[type=email], input[type=tel], input[type=file]"
_BUTTON = "button:not([type=button]):not([type=reset]), input[type=submit], input[type=image]"
_STATE = ("__viewstate", "__eventvalidation", "__requestverificationtoken")


def without_harm(outlook: Outlook) -> Outlook:
    """The page without links that may change something, and a note about how many they are."""
    kept = tuple(candidate for candidate in outlook.candidates if not link_changes(candidate))
    left = len(outlook.candidates) - len(kept)
    return outlook._replace(
        candidates=kept,
        feeds=tuple(pair for pair in outlook.feeds if not address_acts(pair[0])),
        onward=tuple(pair for pair in outlook.onward if not address_acts(pair[0])),
        sitemaps=tuple(url for url in outlook.sitemaps if not address_acts(url)),
        following="" if address_acts(outlook.following) else outlook.following,
        notes=(*outlook.notes, *left_alone(left)),
    )


def left_alone(count: int) -> list[str]:
    return [f"left alone, because they may change something: {count:,} links or forms"] if count else []


def link_changes(candidate: Candidate) -> bool:
    """May following a plain link change something?"""
    if address_acts(candidate.url):
        return True
    said = (candidate.text, candidate.title, candidate.label)
    return any(_acts(text) for text in said if text) and _speaks_of_action(_parts(candidate.url))


def sending_changes(candidate: Candidate) -> bool:
    """May a click that sends a form change something? All it says and sends counts."""
    address, _, fragment = candidate.url.partition("#")
    sent = (candidate.text, candidate.title, candidate.label, fragment, *_pairs((candidate.body or b"").decode()))
    return _speaks_of_action([*_parts(address), *sent])


def form_changes(node: LexborNode, form: Form) -> bool:
    """May sending this form change something, or does it ask for what a reader has to say?"""
    state = any(name.lower() in _STATE for name, _ in form.fields)  # ASP.NET puts the whole page into one form
    if not state and node.css_first(_PERSONAL) is not None:
        return True
    pressed = form.buttons[0] if form.buttons else None
    labels = [] if pressed and state else [_label(button) for button in node.css(_BUTTON)[:BUTTONS]]
    sent = [text for name, value in form.fields for text in (name, value) if not name.startswith("__")]
    names = [choice.name for choice in form.choices]
    return _speaks_of_action([*_parts(form.url.partition("#")[0]), *labels, *sent, *names])


def element_changes(attributes: Attributes) -> bool:
    """Does its markup say so: another method than GET, a question whether one is sure, a script that sends?"""
    if any((attributes.get(name) or "get").strip().lower() not in ("get", "") for name in _METHODS):
        return True
    return any(
        name.startswith(("hx-", "data-hx-")) and name.endswith(("post", "put", "patch", "delete"))
        for name in attributes
    ) or (_SCRIPTED.search(attributes.get("onclick") or "") is not None)


def says_action(text: str) -> bool:
    """Does a label name something that changes?"""
    return _speaks_of_action([text])


def address_acts(url: str) -> bool:
    """Is a folder or a parameter of an address an action? The name of a document is none."""
    return any(_acts(part) for part in _parts(url))


def _parts(url: str) -> list[str]:
    """The folders and parameters of an address, without the names of documents."""
    path, _, query = url.partition("#")[0].partition("?")
    folders = path.split("/")[3:]
    shown = [unquote(folder) if "%" in folder else folder for folder in folders]
    return [part for part in (*shown, *_pairs(query)) if part and extension(part) not in DOCUMENTS]


def _pairs(query: str) -> list[str]:
    """Names and values, without the state of an ASP.NET page."""
    found: list[str] = []
    for pair in query.split("&", PARAMETERS)[:PARAMETERS] if query else ():
        name, _, value = pair.partition("=")
        if not name.startswith("__") or name.startswith("__EVENT"):
            found += (unquote_plus(text) for text in (name, value) if 0 < len(text) <= 3 * VALUE)
    return found


@lru_cache(maxsize=4096)
def _acts(text: str) -> bool:
    """Is it an action, as in "delete" and "newsletter-abmelden"?"""
    told = _tokens(text)
    if len(told) > ACTION:
        return False
    acts, endings = words().acts, words().act_endings
    return any(word in acts or word.endswith(endings) for word in told)


def _speaks_of_action(texts: Iterable[str]) -> bool:
    """Does any of them have a word that begins like an action?"""
    stems, acts = words().act_stems, words().acts
    return any(word in acts or word.startswith(stems) for text in texts if len(text) <= VALUE for word in _tokens(text))


def _tokens(text: str) -> list[str]:
    """Words in lower case; "deleteFile" has two."""
    plain = text if text.isascii() else fold(text)
    return [word.lower() for word in _WORDS.findall(plain)]


def _label(button: LexborNode) -> str:
    attributes = button.attributes
    said = (attributes.get(name) or "" for name in ("value", "title", "aria-label", "alt", "name"))
    return " ".join((button.text() or "", *said)).strip()[:VALUE]
