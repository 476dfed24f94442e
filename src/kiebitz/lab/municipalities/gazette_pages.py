"""The pages of a gazette: what is at its address and below, for each arrangement."""

from collections.abc import Callable, Sequence
from html import escape
from urllib.parse import parse_qs

from kiebitz.lab.demo.notices import german
from kiebitz.lab.municipalities import shapes
from kiebitz.lab.municipalities.decoys import ADVERTISER, Decoy, decoys
from kiebitz.lab.municipalities.frame import FramedText, listing
from kiebitz.lab.municipalities.listing import Canvas, Listed, control, is_notices
from kiebitz.lab.municipalities.news import news_page
from kiebitz.lab.municipalities.styles import Arrangement

PER_PAGE = 12
_SHAPES: dict[Arrangement, tuple[shapes.Shape, ...]] = {
    Arrangement.FLAT: (shapes.bullets, shapes.paragraphs),
    Arrangement.ACCORDION: (shapes.accordions,),
    Arrangement.TABS: (shapes.tabs,),
    Arrangement.TABLE: (shapes.table,),
    Arrangement.MONTHS: (shapes.months,),
    Arrangement.DOWNLOAD: (shapes.download_table, shapes.download_rows),
    Arrangement.THUMBNAILS: (shapes.thumbnails,),
    Arrangement.FOREIGN: (shapes.download_table, shapes.bullets),
    Arrangement.BARE: (shapes.bullets, shapes.boxes),
    Arrangement.TOKEN: (shapes.table, shapes.bullets),
    Arrangement.POST: (shapes.boxes, shapes.download_table),
    Arrangement.IDS: (shapes.bullets, shapes.table),
    Arrangement.BASE: (shapes.bullets, shapes.table),
    Arrangement.WINDOWS: (shapes.bullets, shapes.paragraphs),
    Arrangement.NOTICES: (shapes.notices,),
}


def gazette_page(canvas: Canvas, arrangement: Arrangement, rest: str, query: str) -> FramedText | None:
    """The page at ``rest`` below the gazette's root; None if there is none."""
    special: dict[Arrangement, Callable[[Canvas, str, str], FramedText | None]] = {
        Arrangement.YEARS: _years,
        Arrangement.SEARCH: _search,
        Arrangement.PAGES: _pages,
        Arrangement.NEWS: news_page,
        Arrangement.SEVERAL: _several,
    }
    if not canvas.items and not rest:
        return _page(canvas, "<p>Zurzeit liegen keine Ausgaben vor.</p>")
    draw = special.get(arrangement)
    if draw:
        return draw(canvas, rest, query)
    if rest:
        return None
    forms = _SHAPES[arrangement]
    content = forms[canvas.look % len(forms)](canvas, canvas.items)
    return _page(canvas, _with_intruders(canvas, content))


def headline(canvas: Canvas) -> str:
    if is_notices(canvas.town):
        return "Öffentliche Bekanntmachungen"
    return canvas.town.papers[0].name


def neighbourhood(canvas: Canvas) -> str:
    """What stands below the list, in its own manner: none of it is the gazette."""
    others = decoys(canvas.town)
    look = canvas.town.style
    parts = []
    if look % 2 == 0:
        parts.append("<h2>Formulare und Merkblätter</h2>" + _decoy_table(others.forms, look))
    if look % 3 == 0:
        parts.append("<h2>Sitzungsniederschriften</h2>" + listing(others.minutes, css="csc-linklist"))
    if look % 3 == 1:
        parts.append("<h2>Weitere Veröffentlichungen</h2>" + listing(others.service, css="csc-linklist"))
    if look % 5 < 2:
        parts.append("<h2>Abonnement und Anzeigen</h2>" + listing(others.about))
    return "".join(parts)


def _with_intruders(canvas: Canvas, content: str) -> str:
    """In some towns the order form and the dates of the next year stand in the list of issues itself."""
    if canvas.town.style % 4 or "</ul>" not in content:
        return content
    rows = "".join(f'<li><a href="{d.path}">{d.text}</a></li>' for d in decoys(canvas.town).about)
    before, _, after = content.rpartition("</ul>")
    return f"{before}{rows}</ul>{after}"


def _decoy_table(entries: Sequence[Decoy], look: int) -> str:
    word = "hier" if look % 4 else "Download"
    rows = "".join(f'<tr><td>{d.text}</td><td></td><td><a href="{d.path}">{word}</a></td></tr>' for d in entries)
    return f"<table><tr><th>Formular</th><th></th><th>Datei</th></tr>{rows}</table>"


def _page(canvas: Canvas, content: str, title: str = "", intro: str = "") -> FramedText:
    name = headline(canvas)
    text = (
        intro
        or f"Das {name} der Stadt {canvas.town.name} erscheint als elektronische Ausgabe und kann hier gelesen werden."
    )
    if is_notices(canvas.town):
        text = "Hier finden Sie die öffentlichen Bekanntmachungen der Stadt."
    crumbs: tuple[tuple[str, str], ...] = (("/rathaus/", "Rathaus & Politik"),)
    if title:
        crumbs = (*crumbs, (canvas.root, name))
    return FramedText(title or name, f"<p>{escape(text)}</p>{content}{neighbourhood(canvas)}", crumbs)


def _years(canvas: Canvas, rest: str, query: str) -> FramedText | None:
    del query
    groups = dict(shapes.by_year(canvas.items))
    if not rest:
        links = [(f"{canvas.root}{year}/", str(year) if canvas.look % 2 else f"Jahrgang {year}") for year in groups]
        return _page(canvas, "<h2>Archiv</h2>" + listing(links, css="jahre"), intro="Bitte wählen Sie ein Jahr.")
    year = rest.removesuffix("/")
    if not year.isdecimal() or int(year) not in groups:
        return None
    return _page(canvas, shapes.bullets(canvas, groups[int(year)]), f"{headline(canvas)} {year}")


def _search(canvas: Canvas, rest: str, query: str) -> FramedText | None:
    """One town shows the newest at once, the others nothing before they are asked."""
    if rest not in ("", "suche"):
        return None
    groups = dict(shapes.by_year(canvas.items))
    wanted = parse_qs(query).get("jahr", [""])[0]
    options = "".join(f'<option value="{y}"{" selected" * (str(y) == wanted)}>{y}</option>' for y in groups)
    form = (
        f'<form action="{canvas.root}suche" method="get" class="archivsuche"><label>Suchbegriff <input type="text" name="begriff"></label>'
        f'<label>Jahr <select name="jahr"><option value="">alle Jahre</option>{options}</select></label>'
        '<input type="hidden" name="modul" value="amtsblatt"><button type="submit">Suchen</button></form>'
    )
    if wanted.isdecimal() and int(wanted) in groups:
        return _page(canvas, form + shapes.table(canvas, groups[int(wanted)]), f"{headline(canvas)}: Treffer {wanted}")
    if rest:
        return _page(canvas, form + "<p>Bitte wählen Sie ein Jahr.</p>", "Suche")
    newest = shapes.table(canvas, canvas.items[:5]) if canvas.town.style % 2 else ""
    return _page(canvas, form + newest)


def _pages(canvas: Canvas, rest: str, query: str) -> FramedText | None:
    """One town names the pages, the other only the next one."""
    asked = parse_qs(query).get("seite", ["1"])[0]
    last = -(-len(canvas.items) // PER_PAGE)
    if rest or not asked.isdecimal() or not 1 <= int(asked) <= last:
        return None
    number = int(asked)
    shown = canvas.items[(number - 1) * PER_PAGE : number * PER_PAGE]
    return _page(canvas, shapes.bullets(canvas, shown) + pager(canvas.root, number, last, names=bool(canvas.look % 2)))


def pager(root: str, number: int, last: int, *, names: bool) -> str:
    links = []
    if number > 1:
        links.append(f'<li><a href="{root}?seite={number - 1}" rel="prev">« zurück</a></li>')
    near = {1, 2, number - 1, number, number + 1, last}
    for page in sorted(near if names else ()):
        if 1 <= page <= last:
            shown = f"<span>{page}</span>" if page == number else f'<a href="{root}?seite={page}">{page}</a>'
            links.append(f"<li>{shown}</li>")
    if number < last:
        word = "weiter »" if names else "ältere Ausgaben"
        links.append(f'<li><a href="{root}?seite={number + 1}" rel="next">{word}</a></li>')
    return f'<ul class="pagination">{"".join(links)}</ul>'


def _several(canvas: Canvas, rest: str, query: str) -> FramedText | None:
    del query
    if rest:
        return None
    parts = []
    for index, paper in enumerate(canvas.town.papers):
        own = [item for item in canvas.items if item.publication.paper == index]
        parts.append(f"<h2>{paper.name}</h2>{shapes.bullets(canvas, own)}")
    text = f"Das Anzeigenblatt „{ADVERTISER}“ wird von einem Verlag herausgegeben und enthält Werbung."
    adverts = listing(decoys(canvas.town).adverts, css="csc-linklist")
    parts.append(f"<h2>{ADVERTISER} (Anzeigenblatt)</h2><p>{text}</p>{adverts}")
    return _page(canvas, "".join(parts))


def newest_box(canvas: Canvas, item: Listed) -> str:
    """On the home page of some towns: the newest issue."""
    return (
        f'<section class="teaser-amtsblatt"><h2>Neueste Ausgabe</h2><p>Erschienen am {german(item.publication.day)}</p>'
        f"<p>{control(canvas, item, escape(item.label))}</p></section>"
    )
