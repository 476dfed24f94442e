"""A link with the text of its row: what the walk has seen, cut out of the pieces of the page."""

from collections.abc import Sequence

from kiebitz.collect.elements import TEXT, Frame, SeenLink
from kiebitz.collect.forms import submission
from kiebitz.collect.names import type_of
from kiebitz.model.candidate import Candidate, Form

PIECES = 100  # of a row, before and after the link


def candidate_of(number: int, link: SeenLink, pieces: Sequence[str], owners: Sequence[int]) -> Candidate:
    """``owners``: the link that a piece of text belongs to, or less than zero."""
    first, last = link.row if link.row[1] > link.row[0] else (link.before, max(link.after, link.last))
    return Candidate(
        url=link.url,
        position=number,
        method=link.method,
        body=link.body,
        text=" ".join(pieces[link.first : link.last])[:TEXT],
        title=link.title,
        label=link.label,
        file_name=link.name,
        type="unknown" if link.method == "POST" else type_of(link.url, link.name, link.hints),
        heading=link.outline[-TEXT:],
        row_before=_others(pieces, owners, first, link.first)[-TEXT:],
        row_after=_others(pieces, owners, link.last, last)[:TEXT],
        path=link.path,
        region=link.region,
        line=first if link.row[1] > link.row[0] else -1,
    )


def form_link(form: Form, frame: Frame, outline: str) -> SeenLink:
    """A form that asks nothing, as a link; the walk knows where it ends."""
    url, body = submission(form)
    said = " ".join(value for name, value in form.fields if name.lower() in ("submit", "button", "download"))
    link = SeenLink(url, said[:TEXT], "", "download", "", frame.region, outline, "", frame.first_piece)
    link.method, link.body, link.is_sent = form.method, body, True
    return link


def _others(pieces: Sequence[str], owners: Sequence[int], first: int, last: int) -> str:
    return " ".join(pieces[piece] for piece in range(first, min(last, first + PIECES)) if owners[piece] < 0)
