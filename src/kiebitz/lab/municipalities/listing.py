"""The documents of a town as its pages list them: label, address, and the link or form that fetches each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from html import escape
from typing import NamedTuple

from kiebitz.lab.demo.notices import german
from kiebitz.lab.municipalities.condition import Condition
from kiebitz.lab.municipalities.places import Municipality
from kiebitz.lab.municipalities.publications import Publication
from kiebitz.lab.municipalities.styles import Addressing, Arrangement
from kiebitz.lab.municipalities.view import View
from kiebitz.model.issue import IssueKind

TOKEN = "token"  # noqa: S105
HASH = "hash"
_FOLDERS = ("/fileadmin/user_upload/amtsblatt", "/media/custom", "/dateien/gazette", "/sites/default/files")
_SUFFIX = {
    IssueKind.REGULAR: "",
    IssueKind.SPECIAL: "_Sonderausgabe",
    IssueKind.SUPPLEMENT: "_Beilage",
    IssueKind.CORRECTION: "_korr",
}
_NOT_A_NAME = re.compile(r"[^a-z0-9]+")


class Address(NamedTuple):
    """Where a document is, without what changes at each view. ``form``: the fields to POST that tell it apart."""

    host: str
    target: str
    form: str = ""

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.target}"


class Listed(NamedTuple):
    """A document on a page."""

    publication: Publication
    number: int
    label: str
    address: Address


@dataclass(frozen=True, slots=True)
class Canvas:
    """What a layout draws from. ``root`` is the address of the gazette's page."""

    town: Municipality
    root: str
    items: Sequence[Listed]
    view: View
    design: int = 0

    @property
    def look(self) -> int:
        return self.town.style + self.design


def listed(town: Municipality, out: Sequence[Publication], condition: Condition) -> list[Listed]:
    """What the pages show of what is out."""
    if condition.is_empty:
        return []
    found = []
    for publication in out:
        if publication.key not in condition.withdrawn:
            number = publication.number + condition.shift
            mark = " (korrigiert)" if publication.key in condition.corrected else ""
            found.append(
                Listed(
                    publication,
                    number,
                    label(town, publication, number) + mark,
                    address(town, publication, condition.moves),
                )
            )
    return found


def label(town: Municipality, publication: Publication, number: int) -> str:
    day, year, paper = publication.day, publication.day.year, town.papers[publication.paper].name
    if publication.subject:
        return publication.subject
    if publication.kind is IssueKind.SUPPLEMENT:
        return f"Beilage zum {paper} Nr. {number}/{year} vom {german(day)}"
    plain = (
        f"{paper} Nr. {number}/{year} vom {german(day)}",
        f"Ausgabe {number}/{year} vom {day:%d.%m.%Y}",
        f"{paper} {number:02}/{year} ({day:%d.%m.%Y})",
        f"{paper} der Stadt {town.name}, {number}. Ausgabe {year}, {german(day)}",
    )[town.style % 4]
    if publication.kind is IssueKind.SPECIAL:
        return f"Sonderausgabe: {plain}"
    return f"{plain} – korrigierte Fassung" if publication.kind is IssueKind.CORRECTION else plain


def address(town: Municipality, publication: Publication, moves: int) -> Address:
    """After each move it is another one."""
    serial = 1000 + 7 * publication.serial + 100_000 * publication.paper
    place, style = (f"/neu{moves}" if moves else ""), town.addressing
    if style is Addressing.FORM:
        return Address(town.host, f"{place}/amtsblatt/index.php", f"form=gazette_download&gazette={serial}")
    if style is Addressing.TOKEN:
        return Address(town.host, f"{place}/dokumente/abruf?doc={serial}")
    if style is Addressing.NUMBER:
        return Address(town.host, f"{place}/output/download.php?fid=3631.{serial}.1")
    if style is Addressing.BARE:
        return Address(town.host, f"{place}/resource/blob/{serial}/{_digest(town, publication)}/data")
    if style is Addressing.OPAQUE:
        return Address(town.host, f"{place}/media/{_digest(town, publication)[:10]}.pdf")
    day, name = publication.day, _file_name(town, publication)
    if style is Addressing.DATED:
        return Address(town.host, f"{place}/wp-content/uploads/{day:%Y/%m}/{day:%Y%m%d}_{name}")
    if style is Addressing.SHARED_SERVER:
        return Address(town.server, f"{place}/dateien/gazette/{town.slug}/{'/'.join(str(serial))}/{name}")
    if style is Addressing.OWN_SERVER:
        return Address(town.server, f"{place}/ablage/{day.year}/{name}")
    folder = "/fileadmin/bekanntmachungen" if publication.subject else _FOLDERS[town.style % 4]
    return Address(town.host, f"{place}{folder}/{day.year}/{name}")


def control(canvas: Canvas, item: Listed, inner: str, attributes: str = "") -> str:
    """The link (or the form) that fetches the document; ``inner`` is HTML."""
    there = item.address
    if there.form:
        return _form(canvas, item, inner)
    token = f"&{TOKEN}={canvas.view.token()}" if canvas.town.addressing is Addressing.TOKEN else ""
    href = there.target if there.host == canvas.town.host else there.url
    return f'<a href="{escape(href + token)}"{attributes}>{inner}</a>'


def _form(canvas: Canvas, item: Listed, inner: str) -> str:
    fields = dict(pair.split("=") for pair in item.address.form.split("&"))
    # one of the towns protects its forms anew at each view, the others once and for all
    is_fresh = canvas.town.style % 3 == 1
    fields[HASH] = canvas.view.token() if is_fresh else _digest(canvas.town, item.publication)
    hidden = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in fields.items())
    action = f"{item.address.target}#gazette_{fields['gazette']}"
    return f'<form method="post" action="{action}">{hidden}<button type="submit">{inner}</button></form>'


def _file_name(town: Municipality, publication: Publication) -> str:
    if publication.subject:
        return f"{publication.day}-{file_stem(publication.subject)}-{publication.serial}.pdf"
    paper, year = town.papers[publication.paper].name, publication.day.year
    return f"{paper}_{publication.number:02}_{year}{_SUFFIX[publication.kind]}.pdf"


def file_stem(text: str) -> str:
    """A text as editors name their files: bekanntmachung-bebauungsplan-nr-12."""
    folded = text.lower().replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("ß", "ss")
    return _NOT_A_NAME.sub("-", folded).strip("-")


def _digest(town: Municipality, publication: Publication) -> str:
    return blake2b(f"{town.host} {publication.key}".encode(), digest_size=16).hexdigest()


def is_notices(town: Municipality) -> bool:
    return town.arrangement is Arrangement.NOTICES
