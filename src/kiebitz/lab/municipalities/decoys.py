"""What lies beside the gazette and is not one: forms, flyers, minutes, calendars, budgets. All of it is real and is served."""

from datetime import date
from functools import lru_cache
from random import Random
from typing import NamedTuple

from kiebitz.lab.demo.notices import MONTHS, german
from kiebitz.lab.municipalities.listing import file_stem
from kiebitz.lab.municipalities.places import Municipality
from kiebitz.lab.municipalities.styles import Arrangement

_FORMS = (
    "Antrag auf Anmeldung eines Hundes",
    "Formular Wohnungsgeberbestätigung",
    "Antrag auf Sondernutzung öffentlicher Verkehrsflächen",
    "SEPA-Lastschriftmandat",
    "Antrag auf Akteneinsicht in Bauakten",
    "Anmeldeformular Kindertagesstätte",
    "Merkblatt zur Grundsteuerreform",
    "Vollmacht zur Abholung von Ausweisen",
)
_LEAFLETS = (
    "Flyer Seniorentreff",
    "Broschüre Radwandern rund um die Stadt",
    "Gastgeberverzeichnis",
    "Stadtplan mit Straßenverzeichnis",
    "Programm Volkshochschule",
    "Abfallkalender",
)
_COUNCILS = ("Stadtrates", "Hauptausschusses", "Bauausschusses", "Ortsbeirates")
ADVERTISER = "Stadtspiegel"


class Decoy(NamedTuple):
    path: str
    text: str


class Decoys(NamedTuple):
    """By where they are shown."""

    forms: tuple[Decoy, ...]
    leaflets: tuple[Decoy, ...]
    minutes: tuple[Decoy, ...]
    service: tuple[Decoy, ...]
    about: tuple[Decoy, ...]  # they speak of the gazette, and are none
    gallery: tuple[Decoy, ...]
    adverts: tuple[Decoy, ...] = ()  # the issues of an advertising paper


@lru_cache(64)
def decoys(town: Municipality) -> Decoys:
    rng = Random(f"decoys {town.host}")
    forms = tuple(_decoy("formulare", text) for text in rng.sample(_FORMS, 5))
    leaflets = tuple(_decoy("tourismus", f"{text} 2026") for text in rng.sample(_LEAFLETS, 3))
    paper = town.papers[0].name
    service = (
        _decoy("datenschutz", "Datenschutzerklärung"),
        _decoy("datenschutz", "Informationen nach Art. 13 DSGVO"),
        _decoy("finanzen", "Haushaltsplan 2026"),
        _decoy("veranstaltungen", f"Veranstaltungskalender {MONTHS[rng.randrange(12)]} 2026"),
        _decoy("veranstaltungen", "Veranstaltungskalender 1. Halbjahr 2026"),
    )
    about = (
        _decoy("formulare", f"Bestellformular {paper} (Abonnement)"),
        _decoy("presse", f"Erscheinungstermine und Redaktionsschluss {paper} 2027"),
        _decoy("presse", "Anzeigenpreisliste und Mediadaten"),
    )
    gallery = tuple(Decoy(f"/bildergalerie/herbst/bild-{n:02}.gif", f"Bild {n}") for n in range(1, 7))
    adverts = _adverts() if town.arrangement is Arrangement.SEVERAL else ()
    return Decoys(forms, leaflets, _minutes(rng), service, about, gallery, adverts)


@lru_cache(64)
def decoy_texts(town: Municipality) -> dict[str, str]:
    """The texts of the PDFs among them, by path."""
    every = decoys(town)
    groups = (every.forms, every.leaflets, every.minutes, every.service, every.about, every.adverts)
    return {decoy.path: decoy.text for group in groups for decoy in group}


def _decoy(folder: str, text: str) -> Decoy:
    return Decoy(f"/downloads/{folder}/{file_stem(text)}.pdf", text)


def _minutes(rng: Random) -> tuple[Decoy, ...]:
    """A series too: dated, numbered, of one shape."""
    council, first = rng.choice(_COUNCILS), rng.randrange(8, 20)
    words = rng.choice(("Niederschrift", "Protokoll"))
    found = []
    for step in range(6):
        day = date(2026, 9 - step, rng.randrange(1, 28))
        text = f"{words} der {first + 6 - step}. Sitzung des {council} vom {german(day)}"
        found.append(Decoy(f"/ratsinfo/{words.lower()}/{day:%Y-%m-%d}-{words.lower()}-oeffentlich.pdf", text))
    return tuple(found)


def _adverts() -> tuple[Decoy, ...]:
    return tuple(
        Decoy(f"/stadtspiegel/{ADVERTISER}_{month:02}_2026.pdf", f"{ADVERTISER} Ausgabe {month}/2026")
        for month in range(10, 4, -1)
    )
