"""The files of a municipality, made when they are asked for: gazettes, single notices, and the decoys."""

from hashlib import sha256
from random import Random

from kiebitz.lab.demo.notices import german, notice
from kiebitz.lab.municipalities.places import Municipality
from kiebitz.lab.municipalities.publications import Publication
from kiebitz.lab.pdf import write_pdf
from kiebitz.model.issue import IssueKind

_KINDS = {
    IssueKind.REGULAR: "",
    IssueKind.SPECIAL: "Sonderausgabe",
    IssueKind.SUPPLEMENT: "Beilage",
    IssueKind.CORRECTION: "Korrigierte Fassung",
}


def publication_pdf(town: Municipality, publication: Publication, version: int, seed: int) -> bytes:
    """``version`` counts how often the content was replaced."""
    rng = Random(f"{seed} {town.host} {publication.key} {version}")
    paper = town.papers[publication.paper].name
    title = publication.subject or f"{paper} Nr. {publication.number}/{publication.day.year}"
    lines = [f"{paper} der Stadt {town.name}", f"{title}, ausgegeben am {german(publication.day)}"]
    lines += [f"{_KINDS[publication.kind]} – laufende Nummer {publication.serial}.{version}", ""]
    for count in range(1, 2 if publication.subject else rng.randrange(3, 8)):
        lines += [f"{count}.", *notice(rng, town.name, town.streets, publication.day), ""]
    lines += [f"Herausgeber: Stadt {town.name}, Der Bürgermeister", "Alle Angaben sind erfunden."]
    return write_pdf(f"{title} {town.name}", lines)


def decoy_pdf(town: Municipality, path: str, title: str) -> bytes:
    rng = Random(f"{town.host} {path}")
    lines = [title, f"Stadt {town.name}", "", f"Stand: {rng.randrange(1, 28)}.{rng.randrange(1, 12)}.2025"]
    lines += ["Name, Vorname: ____________________", f"{rng.choice(town.streets)} {rng.randrange(1, 80)}", path]
    return write_pdf(title, lines)


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()
