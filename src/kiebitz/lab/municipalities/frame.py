"""The frame that the pages of a municipality share, as content management systems draw it: three of them."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from kiebitz.lab.municipalities.decoys import decoys
from kiebitz.lab.municipalities.places import Municipality
from kiebitz.lab.municipalities.styles import Arrangement
from kiebitz.lab.municipalities.view import View

SECTIONS = (
    ("/aktuelles/", "Aktuelles"),
    ("/rathaus/", "Rathaus & Politik"),
    ("/buergerservice/", "Bürgerservice"),
    ("/leben/", "Leben & Wohnen"),
    ("/kultur/", "Kultur & Freizeit"),
    ("/tourismus/", "Tourismus"),
    ("/wirtschaft/", "Wirtschaft & Bauen"),
)
_BELOW = (
    ("/rathaus/stadtrat", "Stadtrat"),
    ("/rathaus/verwaltung", "Verwaltung A–Z"),
    ("/ratsinfo/", "Ratsinformationssystem"),
    ("/buergerservice/formulare", "Formulare"),
    ("/rathaus/satzungen", "Ortsrecht & Satzungen"),
    ("/bildergalerie/", "Bildergalerie"),
)
_FEET = (
    ("/impressum", "Impressum"),
    ("/datenschutz", "Datenschutz"),
    ("/barrierefreiheit", "Erklärung zur Barrierefreiheit"),
    ("/leichte-sprache", "Leichte Sprache"),
    ("/kontakt", "Kontakt"),
)


class FramedText(NamedTuple):
    """A page without its frame. ``content`` and ``head`` are HTML; ``crumbs`` lead to it from home."""

    title: str
    content: str
    crumbs: tuple[tuple[str, str], ...] = ()
    head: str = ""
    status: int = 200


def framed(town: Municipality, page: FramedText, view: View, menu: Sequence[tuple[str, str]]) -> str:
    """``menu``: what the town's navigation has besides the usual, the gazette above all."""
    nav = _navigation(view, menu)
    crumbs = "".join(f'<li><a href="{view.link(path)}">{escape(text)}</a></li>' for path, text in page.crumbs)
    where = f'<ol class="breadcrumb"><li><a href="/">Startseite</a></li>{crumbs}<li>{escape(page.title)}</li></ol>'
    frames = (_typo, _portal, _press)
    body = frames[town.style % 3](town, page, view, (nav, where))
    base = _base(town)
    text = (
        f'<!doctype html>\n<html lang="de"><head><meta charset="{town.charset}">{base}'
        f"<title>{escape(page.title)} | Stadt {escape(town.name)}</title>"
        f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{view.asset("/assets/site.css")}">'
        f'<link rel="icon" href="{view.asset("/assets/favicon.gif")}"><script{view.nonce()}>document.documentElement.className="js"</script>'
        f"{page.head}</head>\n<body>{_banner(view)}{body}</body></html>\n"
    )
    return _relative(town, text) if base else text


def listing(links: Sequence[tuple[str, str]], view: View | None = None, css: str = "") -> str:
    """A list of links; with a view, they are navigation."""
    style = f' class="{css}"' if css else ""
    rows = "".join(
        f'<li><a href="{escape(view.link(path) if view else path)}">{escape(text)}</a></li>' for path, text in links
    )
    return f"<ul{style}>{rows}</ul>"


def _navigation(view: View, menu: Sequence[tuple[str, str]]) -> str:
    entries = view.shuffled([*SECTIONS, *menu])
    extra = view.shuffled(_BELOW)
    search = f'<form class="suche" action="/suche" method="get">{view.hidden()}<input type="search" name="q"><button>Suchen</button></form>'
    return f'<nav id="hauptnavigation" aria-label="Hauptmenü">{listing(entries, view, "nav level-1")}{listing(extra, view, "nav level-2")}</nav>{search}'


def _typo(town: Municipality, page: FramedText, view: View, parts: tuple[str, str]) -> str:
    nav, where = parts
    return (
        f'<header id="top"><a href="/"><img src="{view.asset("/assets/wappen.gif")}" alt="Wappen"></a>'
        f'<p class="claim">Stadt {escape(town.name)}</p>{nav}</header><div class="container">{where}'
        f'<main id="content" class="col-md-9">{view.clock()}<h1>{escape(page.title)}</h1>\n{page.content}\n</main>'
        f'<aside class="col-md-3">{_sidebar(town, view)}</aside></div><footer>{_foot(town, view)}</footer>'
    )


def _portal(town: Municipality, page: FramedText, view: View, parts: tuple[str, str]) -> str:
    """Older systems have no landmarks, only divisions with speaking names."""
    nav, where = parts
    return (
        f'<div id="wrapper"><div id="header"><div class="logo"><a href="/">Stadt {escape(town.name)}</a></div></div>'
        f'<div id="navigation">{nav}</div><div id="breadcrumb">{where}</div><div id="main"><div id="inhalt">'
        f"<h1>{escape(page.title)}</h1>{view.clock()}\n{page.content}\n</div></div>"
        f'<div id="sidebar" class="rechte_spalte">{_sidebar(town, view)}</div><div id="footer">{_foot(town, view)}</div></div>'
    )


def _press(town: Municipality, page: FramedText, view: View, parts: tuple[str, str]) -> str:
    nav, where = parts
    return (
        f'<div class="site"><header class="site-header"><div class="site-title">Stadt {escape(town.name)}</div>{nav}</header>'
        f'<div class="site-content"><main class="site-main"><article class="page type-page hentry">'
        f'<header class="entry-header"><h1 class="entry-title">{escape(page.title)}</h1></header>{where}'
        f'<div class="entry-content">{view.clock()}\n{page.content}\n</div></article></main>'
        f'<aside class="widget-area">{_sidebar(town, view)}</aside></div><footer class="site-footer">{_foot(town, view)}</footer></div>'
    )


def _sidebar(town: Municipality, view: View) -> str:
    leaflets = listing(decoys(town).leaflets)
    teasers = listing(view.teasers(), view)
    return (
        f'<section class="kontakt"><h3>Kontakt</h3><p>Stadt {escape(town.name)}<br>Rathausplatz 1</p>'
        '<p><a href="mailto:info@stadt.example">E-Mail</a> <a href="tel:+4900000">Telefon</a></p></section>'
        f'<section class="downloads"><h3>Broschüren</h3>{leaflets}</section>'
        f'<section class="teaser"><h3>Nicht verpassen</h3>{teasers}</section>{view.weather()}'
    )


def _foot(town: Municipality, view: View) -> str:
    service = decoys(town).service[0]
    newsletter = (
        f'<form class="newsletter" action="/newsletter" method="post">{view.hidden()}<label>Newsletter '
        '<input type="email" name="adresse"></label><button type="submit">Abonnieren</button></form>'
    )
    return (
        f'{listing(_FEET, view, "footer-nav")}<p><a href="{service.path}">{service.text} (PDF)</a></p>{newsletter}'
        f"<p>© 2026 Stadt {escape(town.name)}</p>"
    )


def _banner(view: View) -> str:
    return (
        f'<div id="cookie-banner" class="cookie-consent" role="dialog" aria-label="Cookies"><p>{escape(view.banner())}</p>'
        '<a href="/datenschutz">Mehr erfahren</a> <button>Alle akzeptieren</button> <button>Nur notwendige</button></div>'
    )


def _base(town: Municipality) -> str:
    if town.arrangement is not Arrangement.BASE:
        return ""
    return f'<base href="http://{town.host}/">' if town.style % 2 else '<base href="/cms/web/">'


def _relative(town: Municipality, text: str) -> str:
    """The links of a page with a base are relative to it."""
    up = "" if town.style % 2 else "../../"
    for name in ("href", "src", "action"):
        text = text.replace(f'{name}="/', f'{name}="{up}')
    return text.replace(f'<base href="{up}cms/web/">', '<base href="/cms/web/">').replace(
        'href=""', f'href="{up or "./"}"'
    )
