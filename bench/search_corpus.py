"""A corpus of short documents for bench/search.py: German and English manuals from Debian's packages, and the lab's notices.

The packages are fetched once with ``apt-get download`` and unpacked into the cache, never installed. Their texts are cut at
paragraphs into pieces of about 800 characters, so that a document is as long as a notice. The same packages give the same
corpus. A package that cannot be had is named and left out.

Licences, as the packages state them: manpages-de GPL-3+ and others page by page; libreoffice-help-de MPL-2.0;
gimp-help-de GFDL-1.2+; debian-handbook CC-BY-SA-3.0 or GPL-2+; python3.11-doc PSF; debian-reference-de GPL-2+;
the lab's notices are this project's. Nothing of them is in the repository.
"""

import gzip
import html
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kiebitz.lab.demo.notices import notice

PIECE = 800
SHORTEST = 120
LAB_NOTICES = 20_000
_TAGS = re.compile(r"(?s)<(script|style|nav|head).*?</\1>|<!--.*?-->")
_BLOCK = re.compile(r"(?i)</(p|div|li|h\d|td|dd|dt|pre|section)>|<br ?/?>")
_MARKUP = re.compile(r"<[^>]*>")
_TITLE = re.compile(r"(?is)<title[^>]*>(.*?)</title>")
_ROFF = re.compile(r"\\f(?:\[[^]]*\]|.)|\\s[+-]?\d|\\[&/,|^c%]|\\\*\(..|\\\*.")
_ROFF_LINE = re.compile(r"^[.'](?:SH|SS|B|I|BR|BI|IR|RB|IP|TP|Nm|Fl|Ar) ?")


class Package(NamedTuple):
    name: str
    pattern: str  # of the files in it
    language: str


PACKAGES = (
    Package("manpages-de", "usr/share/man/de/**/*.gz", "de"),
    Package("libreoffice-help-de", "**/*.html", "de"),
    Package("gimp-help-de", "**/*.html", "de"),
    Package("debian-handbook", "**/de-DE/**/*.html", "de"),
    Package("debian-reference-de", "**/*.html", "de"),
    Package("python3.11-doc", "**/*.txt", "en"),
    Package("debian-handbook", "**/en-US/**/*.html", "en"),
)


class Piece(NamedTuple):
    id: str
    title: str
    text: str
    language: str
    source: str
    kind: str
    day: str


def build(cache: Path, documents: int) -> Path:
    """The corpus as JSON lines, made if it is not there."""
    target = cache / "search" / f"corpus-{documents}-{PIECE}-{LAB_NOTICES}.jsonl"
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_suffix(".draft")
    pieces = [*islice(lab_notices(), LAB_NOTICES)]
    for package in PACKAGES:
        pieces.extend(package_pieces(package, cache / "search" / "packages"))
    Random(20261116).shuffle(pieces)
    if len(pieces) < documents:
        print(f"only {len(pieces)} documents: some packages are missing", file=sys.stderr)
    with draft.open("w") as file:
        for piece in pieces[:documents]:
            file.write(json.dumps(piece._asdict(), ensure_ascii=False) + "\n")
    draft.rename(target)
    return target


def read(corpus: Path, limit: int | None = None) -> Iterator[Piece]:
    with corpus.open() as file:
        for line in islice(file, limit):
            yield Piece(**json.loads(line))


def lab_notices() -> Iterator[Piece]:
    rng = Random(4)
    towns = [f"{a}{b}" for a in ("Neu", "Alt", "Ober", "Unter", "Klein") for b in ("stadt", "dorf", "hausen", "bach")]
    streets = ("Hauptstraße", "Lindenweg", "Am Markt", "Bahnhofstraße", "Gartenstraße", "Mühlgasse", "Schulstraße")
    number = 0
    while True:
        town, day = rng.choice(towns), date(2020, 1, 1) + timedelta(days=rng.randrange(2_400))
        lines = [line for _ in range(rng.randrange(1, 4)) for line in notice(rng, town, streets, day)]
        yield Piece(f"lab-{number}", lines[0], "\n".join(lines[1:]), "de", town, "notice", day.isoformat())
        number += 1


def package_pieces(package: Package, folder: Path) -> Iterator[Piece]:
    root = unpacked(package.name, folder)
    if root is None:
        return
    rng = Random(package.name)
    for path in sorted(root.glob(package.pattern)):
        if not path.is_file() or path.is_symlink():
            continue
        title, paragraphs = paragraphs_of(path)
        for number, text in enumerate(cut(paragraphs)):
            name = f"{package.name}/{path.relative_to(root)}#{number}"
            day = date(2015, 1, 1) + timedelta(days=rng.randrange(4_000))
            yield Piece(name, title, text, package.language, package.name, path.parent.name, day.isoformat())


def unpacked(name: str, folder: Path) -> Path | None:
    root = folder / name
    if root.exists():
        return root
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["apt-get", "download", name], cwd=folder, capture_output=True, text=True, check=False)
    found = sorted(folder.glob(f"{name}_*.deb"))
    if done.returncode or not found:
        print(f"{name}: not there, left out ({done.stderr.strip()[:200]})", file=sys.stderr)
        return None
    subprocess.run(["dpkg-deb", "-x", str(found[-1]), str(root)], check=True)
    found[-1].unlink()
    return root


def paragraphs_of(path: Path) -> tuple[str, list[str]]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = data.decode("utf-8", "replace")
    if path.suffix == ".html":
        title = _TITLE.search(text)
        body = _MARKUP.sub(" ", _BLOCK.sub("\n\n", _TAGS.sub(" ", text)))
        return html.unescape(title[1]).strip() if title else path.stem, html.unescape(body).split("\n\n")
    if path.suffix == ".gz":
        lines = [_ROFF_LINE.sub("", line) for line in text.splitlines()]
        kept = ["" if line.startswith((".", "'")) else _ROFF.sub("", line).replace("\\-", "-") for line in lines]
        return path.name.split(".")[0], "\n".join(kept).split("\n\n")
    return path.stem, text.split("\n\n")


def cut(paragraphs: list[str]) -> Iterator[str]:
    piece: list[str] = []
    for paragraph in (" ".join(paragraph.split()) for paragraph in paragraphs):
        if paragraph:
            piece.append(paragraph)
        if sum(map(len, piece)) >= PIECE:
            yield "\n".join(piece)
            piece = []
    if sum(map(len, piece)) >= SHORTEST:
        yield "\n".join(piece)


def questions(corpus: Path, limit: int, count: int) -> dict[str, list[str]]:
    """Queries of each kind, out of the first documents, so that every engine has something to find."""
    rng = Random(7)
    word = re.compile(r"[^\W\d_]{4,18}")
    texts = [piece.text for piece in read(corpus, limit)]
    found: dict[str, list[str]] = {kind: [] for kind in ("term", "two terms", "phrase", "prefix", "fuzzy", "facet")}
    while len(found["facet"]) < count:
        text = rng.choice(texts)
        places = list(word.finditer(text))
        if len(places) < 8:
            continue
        one, two = rng.sample(places, 2)
        at = rng.randrange(len(places) - 1)
        near = text[places[at].start() : places[at + 1].end()]
        long = max(places, key=lambda place: len(place[0]))[0]
        found["term"].append(one[0])
        found["two terms"].append(f"{one[0]} {two[0]}")
        found["phrase"].append(near if re.fullmatch(r"\w+ \w+", near) else f"{one[0]} {one[0]}")
        found["prefix"].append(one[0][:4])
        found["fuzzy"].append(long[: len(long) // 2] + long[len(long) // 2 + 1 :])
        found["facet"].append(one[0])
    return found
