"""The shapes a list of documents has on a page. Each takes a canvas and some of its items, and returns HTML."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from html import escape
from itertools import groupby

from kiebitz.lab.demo.notices import MONTHS, german
from kiebitz.lab.municipalities.listing import Canvas, Listed, control
from kiebitz.model.issue import IssueKind

Shape = Callable[[Canvas, Sequence[Listed]], str]
_BUTTON = ' class="button"'
_REMARKS = {
    IssueKind.REGULAR: "",
    IssueKind.SPECIAL: "Sonderausgabe",
    IssueKind.SUPPLEMENT: "Beilage",
    IssueKind.CORRECTION: "korrigierte Fassung",
}


def bullets(canvas: Canvas, items: Sequence[Listed]) -> str:
    size = ' <span class="size">(PDF, 1,4 MB)</span>' if canvas.look % 2 else ""
    rows = "".join(f"<li>{control(canvas, item, escape(item.label))}{size}</li>" for item in items)
    return f'<ul class="csc-linklist">{rows}</ul>'


def paragraphs(canvas: Canvas, items: Sequence[Listed]) -> str:
    """As editors write them: a paragraph with line breaks."""
    return "<p>" + "<br>\n".join(control(canvas, item, escape(item.label)) for item in items) + "</p>"


def boxes(canvas: Canvas, items: Sequence[Listed]) -> str:
    rows = "".join(
        f'<div class="download-item"><h3>{escape(item.label)}</h3><time datetime="{item.publication.day}">'
        f"{item.publication.day:%d.%m.%Y}</time>{control(canvas, item, 'Herunterladen')}</div>"
        for item in items
    )
    return f'<div class="downloads">{rows}</div>'


def table(canvas: Canvas, items: Sequence[Listed]) -> str:
    """The number is the link, the date is beside it."""
    rows = "".join(
        f"<tr><td>{control(canvas, item, f'Nr. {item.number}/{item.publication.day.year}{_mark(item)}')}</td>"
        f"<td>{item.publication.day:%d.%m.%Y}</td><td>{remark(item)}</td></tr>"
        for item in items
    )
    head = "<thead><tr><th>Ausgabe</th><th>Erscheinungsdatum</th><th>Bemerkung</th></tr></thead>"
    return f'<table class="contenttable">{head}<tbody>{rows}</tbody></table>'


def download_table(canvas: Canvas, items: Sequence[Listed]) -> str:
    """The link says nothing; the row does."""
    word = "hier" if canvas.look % 2 else "Download"
    rows = "".join(
        f"<tr><td>Nr. {item.number}/{item.publication.day.year}{_mark(item)}</td><td>{item.publication.day:%d.%m.%Y}</td>"
        f"<td>{remark(item)}</td><td>[{control(canvas, item, word)}]</td></tr>"
        for item in items
    )
    return f"<table><tr><th>Nummer</th><th>Datum</th><th></th><th>Datei</th></tr>{rows}</table>"


def download_rows(canvas: Canvas, items: Sequence[Listed]) -> str:
    return "".join(
        f'<div class="row datei"><span class="titel">{escape(item.label)}</span> '
        f"{control(canvas, item, 'Download', _BUTTON)}</div>"
        for item in items
    )


def thumbnails(canvas: Canvas, items: Sequence[Listed]) -> str:
    """Pictures of the title pages. Where the address says nothing either, a caption does."""
    cells = []
    for item in items:
        picture = blake2b(item.address.target.encode(), digest_size=5).hexdigest()
        image = f'<img src="{canvas.view.asset(f"/assets/titel-{picture}.gif")}" alt="" width="120">'
        link = control(canvas, item, image, ' target="_blank"')
        caption = f"<figcaption>{escape(item.label)}</figcaption>" if canvas.look % 2 else ""
        cells.append(f'<figure class="titelseite">{link}{caption}</figure>')
    return f'<div class="galerie">{"".join(cells)}</div>'


def accordions(canvas: Canvas, items: Sequence[Listed]) -> str:
    parts = []
    for year, inside in by_year(items):
        if canvas.look % 2:
            parts.append(f"<details><summary>Jahrgang {year}</summary>{bullets(canvas, inside)}</details>")
        else:
            parts.append(
                f'<div class="accordion-item"><h2 class="accordion-header"><button aria-controls="j{year}">{year}</button></h2>'
                f'<div id="j{year}" class="accordion-collapse collapse" hidden>{bullets(canvas, inside)}</div></div>'
            )
    return f'<div class="accordion">{"".join(parts)}</div>'


def tabs(canvas: Canvas, items: Sequence[Listed]) -> str:
    years = [(year, list(inside)) for year, inside in by_year(items)]
    heads = "".join(f'<li role="presentation"><a href="#tab-{y}" role="tab">{y}</a></li>' for y, _ in years)
    panes = "".join(
        f'<div role="tabpanel" class="tab-pane" id="tab-{year}">{bullets(canvas, inside)}</div>'
        for year, inside in years
    )
    return f'<ul class="nav nav-tabs" role="tablist">{heads}</ul><div class="tab-content">{panes}</div>'


def months(canvas: Canvas, items: Sequence[Listed]) -> str:
    """Under the year, the link says "Mai"."""
    parts = []
    for year, inside in by_year(items):
        links = []
        for item in inside:
            more = f" ({remark(item)})" if remark(item) else ""
            links.append(
                f"<li>{control(canvas, item, MONTHS[item.publication.day.month - 1] + more + _mark(item))}</li>"
            )
        parts.append(f'<h2>{year}</h2><ul class="monate">{"".join(links)}</ul>')
    return "".join(parts)


def notices(canvas: Canvas, items: Sequence[Listed]) -> str:
    if canvas.look % 2:
        rows = "".join(
            f"<tr><td>{item.publication.day:%d.%m.%Y}</td><td>{control(canvas, item, escape(item.label))}</td></tr>"
            for item in items
        )
        return f'<table class="bekanntmachungen"><tr><th>Veröffentlicht am</th><th>Gegenstand</th></tr>{rows}</table>'
    rows = "".join(
        f'<article class="bekanntmachung"><p class="datum">Bekannt gemacht am {german(item.publication.day)}</p>'
        f"<h3>{escape(item.label)}</h3>{control(canvas, item, 'Öffentliche Bekanntmachung (PDF)')}</article>"
        for item in items
    )
    return f'<div class="liste">{rows}</div>'


def by_year(items: Sequence[Listed]) -> list[tuple[int, list[Listed]]]:
    return [(year, list(inside)) for year, inside in groupby(items, key=lambda item: item.publication.day.year)]


def remark(item: Listed) -> str:
    return _REMARKS[item.publication.kind]


def _mark(item: Listed) -> str:
    return " (korrigiert)" if item.label.endswith("(korrigiert)") else ""
