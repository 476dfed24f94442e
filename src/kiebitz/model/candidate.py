"""What collecting talks about: a link in its surroundings, what speaks for and against it, and where to look next.

A candidate is all a person sees around a link before clicking on it. The verdict keeps it together with every reason, so
that a decision can be shown, doubted and corrected.
"""

from typing import NamedTuple

from kiebitz.model.issue import Issue


class Candidate(NamedTuple):
    """A link, or a form that downloads. ``url`` of a form keeps its fragment: portals tell forms apart by it alone."""

    url: str
    position: int
    method: str = "GET"
    body: bytes | None = None
    text: str = ""
    title: str = ""
    label: str = ""  # aria-label, and the alternative texts of pictures inside
    file_name: str = ""
    type: str = "unknown"  # what the address and the markup promise: pdf, file, other, page, unknown
    heading: str = ""  # the outline above it, outermost first
    row_before: str = ""
    row_after: str = ""
    path: str = ""  # the shape of its place in the tree, without positions
    region: str = "main"  # main, nav, header, footer, aside, banner, script, feed
    published: str = ""  # what a feed says about its date
    line: int = -1  # links of one row share it

    @property
    def request_url(self) -> str:
        """What is asked for on the wire."""
        return self.url.partition("#")[0]

    @property
    def row(self) -> str:
        return f"{self.row_before} {self.row_after}".strip()


class Choice(NamedTuple):
    """A ``<select>``: its name and its options as (value, text)."""

    name: str
    options: tuple[tuple[str, str], ...]


class Form(NamedTuple):
    """A form that asks for something; one that only has hidden inputs is a candidate instead."""

    url: str
    method: str
    fields: tuple[tuple[str, str], ...]
    choices: tuple[Choice, ...]
    inputs: int  # fields a person would type into
    password: bool
    region: str
    left_out: int = 0  # options beyond the limit
    buttons: tuple[tuple[str, str], ...] = ()  # (name, value) of each that sends it; ``fields`` has the first one


class Outlook(NamedTuple):
    """A page as collecting sees it."""

    url: str
    title: str
    headline: str
    candidates: tuple[Candidate, ...]
    forms: tuple[Form, ...] = ()
    feeds: tuple[tuple[str, str], ...] = ()  # (url, title) of <link rel=alternate>
    sitemaps: tuple[str, ...] = ()
    following: str = ""  # <link rel=next>
    characters: int = 0
    scripts: int = 0
    notes: tuple[str, ...] = ()
    onward: tuple[tuple[str, str], ...] = ()  # (url, why): where the page itself sends its reader
    prose: str = ""  # the beginning of its text outside of links


class Evidence(NamedTuple):
    points: float
    reason: str


class Verdict(NamedTuple):
    candidate: Candidate
    score: float
    evidence: tuple[Evidence, ...]
    group: str
    is_document: bool
    issue: Issue | None = None


class Follow(NamedTuple):
    """Where more of the same may be. ``kind``: issue, year, month, archive, next, option, feed, sitemap."""

    url: str
    kind: str
    why: str
    text: str = ""
    method: str = "GET"
    body: bytes | None = None


class Collection(NamedTuple):
    """What a page yields. ``state``: documents, leads-on, empty, login, needs-browser, not-a-page."""

    documents: tuple[Verdict, ...]
    rejected: tuple[Verdict, ...]
    follow: tuple[Follow, ...]
    state: str
    reason: str = ""
    notes: tuple[str, ...] = ()
