"""The pages of a town, as HTML: the frame they share, and the archive in its several layouts."""

from collections.abc import Sequence
from html import escape

from kiebitz.lab.demo.gazette import Edition, address
from kiebitz.lab.demo.notices import MONTHS, german
from kiebitz.lab.demo.towns import TOWNS, ArchiveStyle, Town

PER_PAGE = 10
_STYLE = (
    "body{font:17px/1.6 Georgia,serif;max-width:46rem;margin:0 auto;padding:1rem;color:#243}"
    "header{border-bottom:3px solid #386}nav a{margin-right:1rem}footer{margin-top:3rem;font-size:.8em;color:#576}"
    "table{border-collapse:collapse}td,th{padding:.3rem 1rem .3rem 0;border-bottom:1px solid #cdc}"
    ".karte{display:inline-block;width:12rem;margin:0 1rem 1rem 0;vertical-align:top}"
)
_NAVIGATION = (
    ("/", "Start"),
    ("/aktuelles/", "Aktuelles"),
    ("/amtsblatt/", "Amtsblatt"),
    ("/rathaus/", "Rathaus"),
    ("/kontakt", "Kontakt"),
)


def frame(town: Town, title: str, content: str) -> str:
    menu = "".join(f'<a href="{path}">{name}</a>' for path, name in _NAVIGATION)
    index = TOWNS.index(town)
    neighbours = [TOWNS[(index + step) % len(TOWNS)] for step in (1, 5)]
    links = " · ".join(f'<a href="http://{there.host}/">{escape(there.name)}</a>' for there in neighbours)
    return (
        f'<!doctype html>\n<html lang="de"><head><meta charset="{town.charset}">'
        f"<title>{escape(title)} – Gemeinde {escape(town.name)}</title><style>{_STYLE}</style></head>\n"
        f"<body><header><p><strong>Gemeinde {escape(town.name)}</strong></p><nav>{menu}</nav></header>\n"
        f"<main><h1>{escape(title)}</h1>\n{content}\n</main>\n"
        f'<footer><a href="/impressum">Impressum</a> · <a href="/datenschutz">Datenschutz</a> · '
        f"Nachbargemeinden: {links}</footer></body></html>\n"
    )


def paragraphs(*texts: str) -> str:
    return "".join(f"<p>{escape(text)}</p>" for text in texts)


def listing(links: Sequence[tuple[str, str]]) -> str:
    return "<ul>" + "".join(f'<li><a href="{escape(path)}">{escape(text)}</a></li>' for path, text in links) + "</ul>"


def archive_start(town: Town, out: Sequence[Edition]) -> str:
    """The page at ``/amtsblatt/``."""
    if town.archive is ArchiveStyle.YEARS:
        years = sorted({issue.day.year for issue in out}, reverse=True)
        return paragraphs("Wählen Sie ein Jahr:") + listing([(f"/amtsblatt/{y}/", f"Jahrgang {y}") for y in years])
    if town.archive is ArchiveStyle.PAGES:
        return archive_page(town, out, 1)
    return issue_list(town, out)


def archive_page(town: Town, out: Sequence[Edition], number: int) -> str:
    shown = out[(number - 1) * PER_PAGE : number * PER_PAGE]
    older = (
        f'<p><a href="/amtsblatt/?seite={number + 1}">ältere Ausgaben</a></p>' if len(out) > number * PER_PAGE else ""
    )
    return issue_list(town, shown) + older


def issue_list(town: Town, out: Sequence[Edition]) -> str:
    if town.archive is ArchiveStyle.TABLE:
        return _table(town, out)
    if town.archive is ArchiveStyle.CARDS:
        return _cards(town, out)
    return listing([(address(town, issue), f"{town.gazette} {issue.label} vom {german(issue.day)}") for issue in out])


def _table(town: Town, out: Sequence[Edition]) -> str:
    rows = "".join(
        f"<tr><td>{issue.number}</td><td>{german(issue.day)}</td>"
        f'<td><a href="{escape(address(town, issue))}">Download</a></td></tr>'
        for issue in out
    )
    return f"<table><tr><th>Ausgabe</th><th>Datum</th><th>Datei</th></tr>{rows}</table>"


def _cards(town: Town, out: Sequence[Edition]) -> str:
    return "".join(
        f'<div class="karte"><h3>{MONTHS[issue.day.month - 1]} {issue.day.year}</h3>'
        f'<a href="{escape(address(town, issue))}"><img src="/titelbild.png" alt=""></a><p>Ausgabe {issue.number}</p></div>'
        for issue in out
    )
