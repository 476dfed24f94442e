"""Public notices, drawn from a generator: plausible, with file numbers, streets and dates, and without any person's name."""

from datetime import date, timedelta
from random import Random

MONTHS = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
_PROJECTS = (
    "Neubau eines Einfamilienhauses mit Garage",
    "Nutzungsänderung einer Scheune zu zwei Ferienwohnungen",
    "Errichtung einer Photovoltaik-Freiflächenanlage",
    "Anbau eines Wintergartens",
    "Umbau und Aufstockung eines Wohn- und Geschäftshauses",
    "Abbruch eines Nebengebäudes",
)
_AREAS = ("Am Weiher", "Gewerbepark Süd", "Obere Wiesen", "Östlich der Bahn", "Schäfergarten", "Grüne Mitte")
_NEWS = (
    ("Straßensperrung: {street}", "Die {street} ist vom {day} an wegen Kanalarbeiten voll gesperrt. Die Umleitung ist ausgeschildert."),
    ("Sitzung des Gemeinderats", "Der Gemeinderat tagt am {day} um 19 Uhr öffentlich im Sitzungssaal des Rathauses."),
    ("Müllabfuhr verschiebt sich", "Wegen des Feiertags wird die Restmülltonne in der Woche ab {day} einen Tag später geleert."),
    ("Freibad öffnet früher", "Bei schönem Wetter öffnet das Freibad an der {street} ab {day} schon um 8 Uhr."),
    ("Neue Öffnungszeiten im Bürgerbüro", "Ab {day} ist das Bürgerbüro donnerstags bis 18 Uhr geöffnet."),
    ("Kita-Anmeldung", "Kinder können bis zum {day} für das kommende Jahr angemeldet werden."),
    ("Baumpflege in der {street}", "Ab {day} werden in der {street} Linden geschnitten. Bitte dort nicht parken."),
    ("Bürgerversammlung zur Ortsmitte", "Am {day} stellt das Planungsbüro den Entwurf für die Ortsmitte vor."),
)  # fmt: skip


def german(day: date) -> str:
    return f"{day.day}. {MONTHS[day.month - 1]} {day.year}"


def news_item(rng: Random, streets: tuple[str, ...], day: date) -> tuple[str, str]:
    """A headline and its text."""
    title, text = rng.choice(_NEWS)
    street = rng.choice(streets)
    return title.format(street=street), text.format(
        street=street, day=german(day + timedelta(days=rng.randrange(3, 20)))
    )


def notice(rng: Random, town: str, streets: tuple[str, ...], day: date) -> list[str]:
    """The lines of one notice of a gazette."""
    makers = (_permit, _plan, _display, _meeting)
    return rng.choice(makers)(rng, town, rng.choice(streets), day)


def _permit(rng: Random, town: str, street: str, day: date) -> list[str]:
    return [
        "Öffentliche Bekanntmachung einer Baugenehmigung",
        f"Aktenzeichen: 63-{rng.randrange(100, 999)}/{day.year}",
        f"Vorhaben: {rng.choice(_PROJECTS)}",
        f"Grundstück: {street} {rng.randrange(1, 90)}, {town}",
        f"Gemarkung {town}, Flur {rng.randrange(1, 12)}, Flurstück {rng.randrange(10, 400)}/{rng.randrange(1, 9)}",
        f"Die Baugenehmigung wurde am {german(day - timedelta(days=rng.randrange(3, 15)))} erteilt.",
        "Gegen diesen Bescheid kann innerhalb eines Monats nach Bekanntgabe Widerspruch erhoben werden.",
    ]


def _plan(rng: Random, town: str, street: str, day: date) -> list[str]:
    start = day + timedelta(days=7)
    return [
        f"Bebauungsplan Nr. {rng.randrange(2, 60)} „{rng.choice(_AREAS)}“ – Beteiligung der Öffentlichkeit",
        f"Der Gemeinderat {town} hat die Aufstellung des Bebauungsplans beschlossen.",
        f"Das Plangebiet liegt nördlich der Straße {street}.",
        f"Der Entwurf liegt vom {german(start)} bis zum {german(start + timedelta(days=31))}",
        "im Rathaus, Zimmer 12, zu den üblichen Dienstzeiten öffentlich aus.",
    ]


def _display(rng: Random, town: str, street: str, day: date) -> list[str]:
    del street
    return [
        f"Haushaltssatzung der Gemeinde {town} für das Jahr {day.year + 1}",
        f"Der Gesamtbetrag der Erträge beträgt {rng.randrange(4000, 19000)}.000 €.",
        f"Die Satzung liegt ab dem {german(day + timedelta(days=3))} eine Woche lang öffentlich aus.",
    ]


def _meeting(rng: Random, town: str, street: str, day: date) -> list[str]:
    return [
        f"Einladung zur {rng.randrange(3, 40)}. Sitzung des Gemeinderats {town}",
        f"am {german(day + timedelta(days=10))}, 19 Uhr, Sitzungssaal.",
        f"Tagesordnung: 1. Bürgerfragestunde, 2. Ausbau der {street}, 3. Verschiedenes",
    ]
