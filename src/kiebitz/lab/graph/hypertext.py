"""The HTML of the graph: every link is spelled in one of the ways real pages spell them.

All spellings of a link mean the same URL by the URL standard and RFC 3986 §6.2.2; a crawler that does not see that
fetches pages twice, and the access log shows it.
"""

from collections.abc import Iterator
from random import Random

from kiebitz.lab.graph.layout import Layout
from kiebitz.lab.graph.links import Links, Target

BASE = "/basis/tief/"
_SENTENCE = (
    "Die Bekanntmachung der Satzung liegt im Rathaus aus. Über den Haushalt beschließt die Gemeinde in der Sitzung. "
    "Bürger wenden sich an den Bauhof in der Straße am Friedhof. Kindergarten und Grundschule öffnen zum Termin. "
    "Für Wasser und Müllabfuhr wird eine Abgabe erhoben. Verein und Feuerwehr laden zur Wahl. "
)
_TEXT = _SENTENCE * 40
_JUNK = (
    '<a href="mailto:post@h0001.example">Post</a>',
    '<a href="javascript:void(0)">Menü</a>',
    '<a href="tel:+49301234567">Anruf</a>',
    "<a name=anker>Anker</a>",
    '<a href="data:text/plain,hallo">Daten</a>',
    '<a href="http://">kaputt</a>',
)
_SELF = ('<a href="#inhalt">zum Inhalt</a>', '<a href="">diese Seite</a>')  # with a base they would mean the base
_RAW = (("%C3%9F", "ß"), ("%C3%BC", "ü"))


def render(path: str, host: int, leads: Links, rng: Random, size: int) -> bytes:
    """A page at ``path`` of ``host`` with these links and about ``size`` bytes of text around them."""
    has_base = rng.random() < 0.06
    folder = BASE if has_base else path.partition("?")[0].rpartition("/")[0] + "/"
    name = Layout.name(host)
    items = [_anchor(_spell(target, host, folder, rng), "", rng) for target in leads.ways]
    for target in leads.repeats:
        relation = ' rel="nofollow"' if rng.random() < 0.1 else ""
        items.append(_anchor(_spell(target, host, folder, rng), relation, rng))
    cut = int(rng.random() * len(items))
    items = items[cut:] + items[:cut]
    items.append(rng.choice(_JUNK if has_base else _JUNK + _SELF))
    start = rng.randrange(len(_SENTENCE))
    filler = "".join(f"<p>{_TEXT[start + at : start + at + 600]}</p>\n" for at in _steps(size))
    base = f'<base href="{BASE}">' if has_base else ""
    return (
        f'<!doctype html>\n<html lang="de"><head><meta charset="utf-8">{base}<title>{path} – {name}</title>\n'
        '<link rel="stylesheet" href="/stil.css"></head>\n'
        f'<body><h1 id="inhalt">{path}</h1><img src="/bild.png" alt="">\n<ul>\n<li>'
        + "\n<li>".join(items)
        + f"\n</ul>\n<!-- <a href='/auskommentiert.html'>nicht folgen</a> -->\n{filler}</body></html>\n"
    ).encode()


def _steps(size: int) -> Iterator[int]:
    """Where paragraphs begin; the text is repeated when it is used up."""
    for at in range(0, size, 600):
        yield at % (len(_TEXT) - len(_SENTENCE) - 600)


def _anchor(href: str, relation: str, rng: Random) -> str:
    style = rng.random()
    if style < 0.8:
        return f'<a href="{href}"{relation}>Weiter</a>'
    if style < 0.9:
        return f"<A HREF='{href}'{relation} title='Verweis'><b>Mehr</b> lesen</A>"
    return f'<a class="x"{relation} href=" {href}\n">Mehr</a>'


def _spell(target: Target, host: int, folder: str, rng: Random) -> str:
    path = target.path
    style = rng.random()
    if target.host != host:
        name = Layout.name(target.host)
        return _foreign(name, path.replace("&", "&amp;"), style)
    if style < 0.35:
        spelled = path
    elif style < 0.6:
        spelled = "../" * (folder.count("/") - 1) + path[1:] or "./"
    elif style < 0.7:
        spelled = path + "#abschnitt-3"
    elif style < 0.8:
        spelled = "/umweg/.." + path if style < 0.75 else "/./" + path[1:]
    elif style < 0.85:
        spelled = "/../.." + path
    elif style < 0.9:
        spelled = path
        for encoded, raw in _RAW:
            spelled = spelled.replace(encoded, raw)
    elif style < 0.94:
        spelled = path.replace("%C3", "%c3").replace("/s", "/%73").replace("/o", "/%6F")
    else:
        return _foreign(Layout.name(host), path.replace("&", "&amp;"), style * 10 % 1)
    return spelled.replace("&", "&amp;")


def _foreign(name: str, path: str, style: float) -> str:
    if style < 0.6:
        return f"http://{name}{path}"
    if style < 0.75:
        return f"//{name}{path}"
    if style < 0.85:
        return f"HTTP://{name.upper()}{path}"
    if style < 0.95:
        return f"http://{name}:80{path}#oben"
    return f"http://{name}/%2e/{path[1:]}"
