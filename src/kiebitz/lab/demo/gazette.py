"""The gazette of a town: which issues are out on a day, and the PDF of each."""

from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from kiebitz.lab.calendars import FIRST_DAY
from kiebitz.lab.demo.notices import german, notice
from kiebitz.lab.demo.towns import ArchiveStyle, Town
from kiebitz.lab.pdf import write_pdf

_LAST_FRIDAY = FIRST_DAY - timedelta(days=2)


class Edition(NamedTuple):
    id: int  # counts from the first one the archive holds
    number: int  # in its year
    day: date

    @property
    def label(self) -> str:
        return f"Nr. {self.number}/{self.day.year}"


def issues(town: Town, today: date) -> list[Edition]:
    """What is out, newest first."""
    newest = _LAST_FRIDAY - timedelta(weeks=town.offset)
    day = newest - timedelta(days=town.every * (town.issues - 1))
    found: list[Edition] = []
    while day <= today:
        found.append(Edition(len(found) + 1, (day.timetuple().tm_yday - 1) // town.every + 1, day))
        day += timedelta(days=town.every)
    return found[::-1]


def address(town: Town, issue: Edition) -> str:
    """The path of an issue's PDF."""
    year, number = issue.day.year, f"{issue.number:02d}"
    if town.archive is ArchiveStyle.NUMBERS:
        return f"/download?id={1000 + issue.id}"
    if town.archive is ArchiveStyle.YEARS:
        return f"/amtsblatt/{year}/ausgabe-{number}.pdf"
    if town.archive is ArchiveStyle.CARDS:
        return f"/fileadmin/dokumente/{issue.day:%Y%m%d}_blatt.pdf"
    return f"/dateien/Amtsblatt_{number}_{year}.pdf"


def pdf(town: Town, issue: Edition, seed: int) -> bytes:
    rng = Random(f"{seed} {town.host} {issue.day}")
    lines = [f"{town.gazette} der Gemeinde {town.name}", f"{issue.label}, ausgegeben am {german(issue.day)}", ""]
    for count in range(1, rng.randrange(4, 11)):
        lines += [f"{count}.", *notice(rng, town.name, town.streets, issue.day), ""]
    lines += ["Herausgeber: Gemeindeverwaltung " + town.name, "Erscheint nach Bedarf. Alle Angaben sind erfunden."]
    return write_pdf(f"{town.gazette} {town.name} {issue.label}", lines)
