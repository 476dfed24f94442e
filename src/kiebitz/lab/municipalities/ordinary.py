"""The other pages of a municipality: home, sections, news, forms, minutes. None of them has a gazette but the home page's box."""

from datetime import timedelta
from html import escape
from random import Random

from kiebitz.lab.calendars import FIRST_DAY
from kiebitz.lab.demo.notices import german, news_item
from kiebitz.lab.municipalities.decoys import decoys
from kiebitz.lab.municipalities.frame import SECTIONS, FramedText, listing
from kiebitz.lab.municipalities.places import Municipality

NEWS = 12
_TEXTS = {
    "/impressum": ("Impressum", "Diese Stadt gibt es nicht. Sie ist ein Teil des Labors."),
    "/barrierefreiheit": ("Erklärung zur Barrierefreiheit", "Diese Seiten sind teilweise barrierefrei."),
    "/leichte-sprache": ("Leichte Sprache", "Das Rathaus ist für alle da."),
    "/kontakt": ("Kontakt", "Stadtverwaltung, Rathausplatz 1."),
    "/rathaus/stadtrat": ("Stadtrat", "Der Stadtrat hat 24 Mitglieder und tagt einmal im Monat öffentlich."),
    "/rathaus/verwaltung": ("Verwaltung A–Z", "Bauamt, Bürgerbüro, Kämmerei, Ordnungsamt, Standesamt."),
    "/intern/dienstplan": ("Dienstplan", "Nur für Beschäftigte."),
    "/suche": ("Suche", "Ihre Suche ergab keine Treffer."),
    "/newsletter": ("Newsletter", "Vielen Dank für Ihre Anmeldung."),
}


def ordinary_page(town: Municipality, path: str) -> FramedText | None:
    if path in _TEXTS:
        title, text = _TEXTS[path]
        return FramedText(title, f"<p>{text}</p>")
    others = decoys(town)
    lists = {
        "/buergerservice/formulare": ("Formulare", others.forms),
        "/ratsinfo/": ("Ratsinformationssystem", others.minutes),
        "/tourismus/": ("Tourismus", others.leaflets),
        "/datenschutz": ("Datenschutz", others.service[:2]),
        "/rathaus/satzungen": ("Ortsrecht & Satzungen", others.service[2:3]),
        "/kultur/": ("Kultur & Freizeit", others.service[3:]),
        "/bildergalerie/": ("Bildergalerie", others.gallery),
    }
    if path in lists:
        title, links = lists[path]
        return FramedText(title, f"<p>{title} der Stadt {escape(town.name)}.</p>{listing(links)}")
    if path == "/aktuelles/":
        return FramedText("Aktuelles", listing(_headlines(town, NEWS), css="meldungen"))
    number = path.removeprefix("/aktuelles/meldung-")
    if number.isdecimal() and 1 <= int(number) <= NEWS:
        title, text, day = news(town, int(number))
        return FramedText(title, f"<p>{day}</p><p>{escape(text)}</p>", (("/aktuelles/", "Aktuelles"),))
    return _section(town, path)


def home_content(town: Municipality, box: str) -> str:
    """``box``: HTML about the newest issue, or nothing."""
    intern = '<p><a href="/intern/dienstplan">Intranet</a></p>' if town.hides_intern else ""
    return (
        f"<p>Herzlich willkommen in {escape(town.name)}, der Stadt zwischen Wiesen und Wäldern. Hier leben rund "
        f"{8 + town.style % 30}.000 Menschen; viele von ihnen arbeiten in der Stadt oder in der näheren Umgebung.</p>"
        f"{box}<h2>Aktuelle Meldungen</h2>{listing(_headlines(town, 4), css='meldungen')}"
        f"<h2>Häufig gesucht</h2>{listing(decoys(town).forms[:3], css='schnellzugriff')}{intern}"
    )


def news(town: Municipality, number: int) -> tuple[str, str, str]:
    day = FIRST_DAY - timedelta(days=3 * number)
    title, text = news_item(Random(f"news {town.host} {number}"), town.streets, day)
    return title, text, german(day)


def _headlines(town: Municipality, count: int) -> list[tuple[str, str]]:
    return [(f"/aktuelles/meldung-{number}", news(town, number)[0]) for number in range(1, count + 1)]


def _section(town: Municipality, path: str) -> FramedText | None:
    title = dict(SECTIONS).get(path)
    if title is None:
        return None
    return FramedText(
        title, f"<p>{escape(title)} in {escape(town.name)}: Bitte wählen Sie einen Bereich aus dem Menü.</p>"
    )
