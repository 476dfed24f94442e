"""What stands beside a gazette on municipal pages, and the layouts that gazettes are listed in."""

import random
import re
from collections.abc import Callable
from html import escape

Rows = list[tuple[str, str, bool]]

_MUNICIPAL = [
    ("Antrag auf Hundesteuerbefreiung", "antrag_hundesteuer.pdf"),
    ("Formular Gewerbeanmeldung", "gewerbeanmeldung_2024.pdf"),
    ("Flyer Stadtfest 2025", "flyer_stadtfest_2025.pdf"),
    ("Niederschrift der Stadtverordnetenversammlung vom 12.03.2025", "niederschrift_svv_12-03-2025.pdf"),
    ("Niederschrift Gemeindevertretung Nr. 4/2024", "niederschrift_gv_04_2024.pdf"),
    ("Protokoll des Ortsbeirates 03/2025", "protokoll_ob_03_2025.pdf"),
    ("Datenschutzerklärung", "datenschutz.pdf"),
    ("Informationen zum Datenschutz nach DSGVO, Stand 25.05.2018", "dsgvo_info.pdf"),
    ("Erscheinungstermine Amtsblatt 2026", "erscheinungstermine_amtsblatt_2026.pdf"),
    ("Mediadaten 2026", "mediadaten_2026.pdf"),
    ("Bestellformular Amtsblatt", "amtsblatt_bestellung.pdf"),
    ("Abfallkalender 2026", "abfallkalender_2026.pdf"),
    ("Speiseplan KW 12", "speiseplan_kw12.pdf"),
    ("Broschüre Willkommen 2025", "broschuere_2025.pdf"),
    ("Merkblatt Niederschlagswasser", "merkblatt_niederschlag.pdf"),
    ("Veranstaltungskalender Mai 2026", "veranstaltungen_mai_2026.pdf"),
    ("Anmeldebogen Ferienlager 2026", "ferienlager_2026.pdf"),
    ("Erklärung zur Barrierefreiheit", "barrierefreiheit.pdf"),
    ("Sachwortregister 2024", "sachwortregister_2024.pdf"),
    ("Preisliste für Anzeigen 2026", "preisliste_anzeigen.pdf"),
    ("Organigramm der Verwaltung", "organigramm_01_2026.pdf"),
    ("Stadtplan", "stadtplan.pdf"),
]
# Notices on a page of notices, and so no decoys there.
_LAW = [
    ("Hauptsatzung der Gemeinde vom 01.02.2024", "hauptsatzung_2024.pdf"),
    ("Friedhofssatzung", "friedhofssatzung.pdf"),
    ("Haushaltsplan 2025", "haushaltsplan_2025.pdf"),
    ("Beteiligungsbericht 2023", "beteiligungsbericht_2023.pdf"),
    ("Lärmaktionsplan 2024", "laermaktionsplan_2024.pdf"),
    ("Klimaschutzkonzept 2023", "klimaschutzkonzept_2023.pdf"),
    ("Rede des Bürgermeisters zum Neujahrsempfang 2026", "neujahrsempfang_2026.pdf"),
    ("Badeordnung", "badeordnung.pdf"),
    ("Chronik der Feuerwehr", "chronik_feuerwehr_1925-2025.pdf"),
    ("Einladung zur Sitzung des Hauptausschusses am 05.03.2026", "einladung_ha_05_03_2026.pdf"),
    ("Bebauungsplan Nr. 12 Am Anger", "bplan_12.pdf"),
    ("Hauptsatzung vom 01.02.2024 (veröffentlicht im Amtsblatt Nr. 2/2024)", "hauptsatzung.pdf"),
    ("Straßenreinigungssatzung, Amtsblatt Nr. 5 vom 12.03.2019", "strassenreinigung.pdf"),
    ("Sommerfest am 12.07.2025", "sommerfest_2025-07-12.pdf"),
    ("Vortrag zur Wärmeplanung vom 03.04.2024", "vortrag_20240403.pdf"),
    ("Baumfällliste 2/2025", "baumfaellungen_2_2025.pdf"),
    ("Kita-Beitragstabelle ab 01.08.2025", "kita_beitraege.pdf"),
    ("Verkehrszählung 06/2024", "verkehrszaehlung_06-2024.pdf"),
    ("Einwohnerversammlung 17.10.2024", "einwohnerversammlung_171024.pdf"),
    ("Wahlergebnisse 2024", "wahlergebnisse_2024.pdf"),
]
_PAPERS = ("Am Mühlenteich", "Unsere Stadt – das Magazin", "Neue Zeitung")


def documents(dice: random.Random, count: int, *, notices: bool, papers: bool = True) -> list[tuple[str, str]]:
    """Titles and file names; now and then a second paper that is no gazette."""
    pool = _MUNICIPAL if notices else _MUNICIPAL + _LAW
    chosen = dice.sample(pool, min(count, len(pool)))
    if papers and not notices and dice.random() < 0.3:
        paper = dice.choice(_PAPERS)
        slug = re.sub(r"\W+", "-", paper)
        chosen += [(f"{paper} {number}/2025", f"{slug}-2025-{number:02}.pdf") for number in range(1, 6)]
    return chosen


def furniture_before(dice: random.Random, menu: str) -> str:
    crumbs = '<div class="breadcrumb"><a href="/">Start</a> <a href="/rathaus/">Rathaus</a> <a href="/amtsblatt">Amtsblatt</a></div>'
    tag = dice.choice(("nav", 'div class="navigation"', 'div id="menu"', "header"))
    return f'<{tag}><ul>{menu}<li><a href="/amtsblatt/">Amtsblatt</a></li></ul></{tag.split()[0]}>{crumbs}'


def furniture_after(dice: random.Random) -> str:
    social = (
        '<a href="https://www.facebook.com/stadt">Facebook</a> <a href="https://www.adobe.com/reader">Adobe Reader</a>'
    )
    logo = '<a href="/bilder/logo_2024.png"><img src="/bilder/logo_2024.png" alt="Logo"></a>'
    ending = dice.choice(("footer", 'div class="footer"', 'div id="footer"'))
    legal = '<a href="/impressum">Impressum</a> <a href="/datenschutz">Datenschutz</a> <a href="/kontakt">Kontakt</a>'
    return f"<{ending}>{logo}{legal}{social}</{ending.split()[0]}>"


def section(dice: random.Random, *, notices: bool) -> str:
    """Further downloads below the list, as towns like to add them."""
    chosen = documents(dice, 5, notices=notices)
    items = "".join(f'<li><a href="/downloads/{name}">{escape(title)} (PDF, 1 MB)</a></li>' for title, name in chosen)
    heading = dice.choice(("Formulare", "Weitere Downloads", "Das könnte Sie auch interessieren"))
    news = '<p><a href="/news/baustelle-hauptstrasse-12-05-2026">Baustelle in der Hauptstraße ab 12.05.2026</a></p>'
    years = "".join(
        f'<a href="/amtsblatt/{year}/">{dice.choice(("Amtsblatt ", "", "Archiv "))}{year}</a> '
        for year in range(2019, 2026)
    )
    news += f"<p>{years}</p>" if dice.random() < 0.5 else ""
    return f"<section><h2>{heading}</h2><ul>{items}</ul>{news}</section>"


def _list(rows: Rows, dice: random.Random) -> str:
    items = [f'<li><a href="{escape(url)}">{escape(title)}</a></li>' for title, url, _ in _mixed(rows, dice)]
    return f"<ul>{''.join(items)}</ul>"


def _download(rows: Rows, dice: random.Random) -> str:
    word = dice.choice(("Download", "hier", "PDF öffnen", "herunterladen"))
    return "".join(f'<p>{escape(t)} <a href="{escape(u)}">{word}</a></p>' for t, u, _ in _mixed(rows, dice))


def _table(rows: Rows, dice: random.Random) -> str:
    cells = "".join(
        f'<tr><td>{escape(t)}</td><td>{dice.randint(1, 9)} MB</td><td><a href="{escape(u)}"><img src="/pdf.gif" alt="PDF"></a></td></tr>'
        for t, u, _ in _mixed(rows, dice)
    )
    return f"<table><thead><tr><th>Ausgabe</th><th>Größe</th><th>Datei</th></tr></thead>{cells}</table>"


def _numbers(rows: Rows, dice: random.Random) -> str:
    """Only the number on the link: "Nr. 3/2025" under the heading."""
    out = []
    for title, url, good in _mixed(rows, dice):
        short = re.sub(r"^.*?((?:Nr\.?\s*)?\d+\w?[/ ].*|\w+ 20\d\d.*)$", r"\1", title) if good else title
        out.append(f'<div class="item"><a href="{escape(url)}">{escape(short)}</a></div>')
    return "".join(out)


def _cards(rows: Rows, dice: random.Random) -> str:
    return "".join(
        f'<article class="card"><h3>{escape(t)}</h3><p>PDF, {dice.randint(1, 20)} MB</p><a class="btn" href="{escape(u)}">Herunterladen</a></article>'
        for t, u, _ in _mixed(rows, dice)
    )


def _years(rows: Rows, dice: random.Random) -> str:
    """Accordions by year."""
    by_year: dict[str, list[str]] = {}
    for title, url, _ in _mixed(rows, dice):
        year = re.search(r"20\d\d", title)
        by_year.setdefault(year[0] if year else "Weitere", []).append(
            f'<li><a href="{escape(url)}">{escape(title)}</a></li>'
        )
    return "".join(
        f"<details><summary>{y}</summary><ul>{''.join(items)}</ul></details>" for y, items in by_year.items()
    )


def _news(rows: Rows, dice: random.Random) -> str:
    """Teasers whose issue sits one page deeper, between other news."""
    other = [
        "Ihr Bürgermeister informiert",
        "Ferienprogramm 2026",
        "Baustelle in der Hauptstraße",
        "Sprechstunde am 12. Mai",
    ]
    mixed = [(t, u) for t, u, good in rows if good] + [(t, f"/aktuelles/meldung-{n}.html") for n, t in enumerate(other)]
    dice.shuffle(mixed)
    return "".join(
        f'<div class="teaser"><a href="{escape(u)}" title="Diesen Artikel lesen"><img src="/t.jpg" alt="Diesen Artikel lesen"></a>'
        f'<h3><a href="{escape(u)}">{escape(t)}</a></h3><p>Lesen Sie hier mehr.</p></div>'
        for t, u in mixed
    )


def _forms(rows: Rows, dice: random.Random) -> str:
    """A POST form per issue; the decoys are links."""
    forms = "".join(
        f'<div class="entry"><h4>{escape(t.replace("Amtsblatt", "Ausgabe"))}</h4><form method="post" action="{escape(u)}">'
        f'<input type="hidden" name="hash" value="{dice.random()}"><button>Download</button></form></div>'
        for t, u, good in rows
        if good
    )
    return forms + _list([row for row in rows if not row[2]], dice)


def _notice_pages(rows: Rows, dice: random.Random) -> str:
    """Notices that have a page each, below a menu of their kinds, above other news."""
    kinds = (
        "Satzungen",
        "Öffentliche Zustellungen",
        "Ausschreibungen",
        "Bebauungspläne",
        "Amtliche Bekanntmachungen 2024",
    )
    menu = "".join(f'<li><a href="/rathaus/rubrik-{n}/">{kind}</a></li>' for n, kind in enumerate(kinds))
    teaser = dice.choice(
        (
            '<div class="item"><span>{day}</span><h3><a href="{url}">{title}</a></h3><a href="{url}">mehr</a></div>',
            '<li><a href="{url}">{title}</a> <time>{day}</time></li>',
            '<article class="post"><h2><a href="{url}">{title}</a></h2><p><a href="{url}">{day}</a> von <a href="/autor/amt/">Amt</a></p></article>',
            '<p><a class="intern" href="{url}">{title}</a></p>',
        )
    )
    items = "".join(
        teaser.format(
            url=escape(url), title=escape(title), day=f"{dice.randint(1, 28):02}.{dice.randint(1, 12):02}.2025"
        )
        for title, url, good in rows
        if good
    )
    return f'<ul class="kinds">{menu}</ul><div class="list">{items}</div>{_list([row for row in rows if not row[2]], dice)}'


def _mixed(rows: Rows, dice: random.Random) -> Rows:
    good = [row for row in rows if row[2]]
    bad = [row for row in rows if not row[2]]
    place = dice.choice((0, len(good)))
    return [*good[:place], *bad, *good[place:]]


LAYOUTS: dict[str, Callable[[Rows, random.Random], str]] = {
    "list": _list,
    "download": _download,
    "table": _table,
    "numbers": _numbers,
    "cards": _cards,
    "years": _years,
    "news": _news,
    "own": _list,
    "forms": _forms,
    "notice pages": _notice_pages,
}
