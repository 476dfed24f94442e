"""Why a source yields nothing, in plain words, and what to do next.

Reasons are stored as short codes (``http 410``, ``dns``, ``login: …``), so that programs can count them. People get the
sentence and the next step from here, whoever tells them: ``source try``, ``source show``.
"""

import re
from typing import NamedTuple


class Trouble(NamedTuple):
    words: str
    step: str


_OTHER_PAGE = "name the page that lists the issues: kiebitz source edit NAME --url URL"
_WAIT = "nothing: it is tried again by itself; kiebitz run NAME tries at once"
_LOOK = "open the page in a browser; if it has moved: kiebitz source edit NAME --url URL"
# The first that is found in the reason speaks; the more telling ones stand first.
_TROUBLES = tuple(
    (re.compile(pattern), Trouble(words, step))
    for pattern, words, step in (
        (r"\blogin\b", "the page asks for a password, and Kiebitz has none", "name a page that everybody may read"),
        (r"needs-browser", "the page is drawn by a script", "install the browser: kiebitz doctor says how"),
        (r"(?:: |^)robots$|robots\.txt forbids", "its robots.txt forbids the page", "ask the site's owner, or name another page"),
        (r"has no address|: dns$|no answer for", "its name is unknown", "check the spelling of the host, and the network"),
        (r"[Cc]ertificate|SSL|: tls$", "its certificate is not in order", "tell the site's owner; Kiebitz does not look away"),
        (r"[Rr]efused|: (?:refused|connect|no route|reset)$", "nobody answers there", _WAIT),
        (r"in time|timed? ?out|[Tt]imeout|within \d+ seconds|: (?:total|first byte|browser)$", "it answers too slowly", _WAIT),
        (r"robots\.txt: ", "its robots.txt cannot be had, so nothing may be asked for", _WAIT),
        (r"\b(?:http|status) 410\b", "the page is gone for good (410)", _LOOK),
        (r"\b(?:http|status) 404\b", "the page does not exist (404)", _LOOK),
        (r"\b(?:http|status) 40[13]\b", "the site does not let us in", "ask the site's owner; set contact, so that they know who asks"),
        (r"\b(?:http|status) 429\b", "the site asks for fewer requests", "kiebitz source edit NAME --delay 5"),
        (r"\b(?:http|status) 5\d\d\b", "the site has an error of its own", _WAIT),
        (r"\b(?:http|status) \d", "the site answers with an error", _LOOK),
        (r"redirect", "the page leads in a circle", _LOOK),
        (r"may not connect|: address$", "it leads to a private address", "check the URL; KIEBITZ_ALLOW_NETWORKS allows one"),
        (r"larger than|: size$|limit: size", "the page is too large to be read", _OTHER_PAGE),
        (r"unfolds|limit: (?:ratio|layers|members)", "it unpacks to far more than was sent", "nothing: it is not taken"),
        (r"expand without end", "the feed could expand without end", "tell the site's owner; name the page instead of the feed"),
        (r"nested", "the page is nested without end", _OTHER_PAGE),
        (r": limit$", "the budget of the run is used up", "kiebitz source edit NAME --budget N raises it"),
        (r"not-a-page|not a web page|: type$", "it is no web page", _OTHER_PAGE),
        (r"vanished|layout changed", "the documents are no longer where they were", "kiebitz source try NAME shows what is left"),
        (r"leads-on", "neither the page nor those it leads to list a document", "kiebitz source try NAME shows where it looked"),
        (r"empty", "no link on the page looks like a gazette", "kiebitz source try NAME shows why; --take corrects it"),
    )
)  # fmt: skip
_ADDRESS = re.compile(r"https?://\S*?(?=:? |:?$)")  # a host may be called login.example
_UNKNOWN = Trouble("it could not be read", "kiebitz source try NAME looks at it now")


def explained(reason: str) -> Trouble:
    """Of a reason as it is stored with a source, or as an error says it."""
    said = _ADDRESS.sub("it", reason)
    return next((trouble for pattern, trouble in _TROUBLES if pattern.search(said)), _UNKNOWN)
