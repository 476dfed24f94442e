"""Pages whose gazette documents are known: authentic ones, reconstructed ones with decoys, and pages made of real titles.

The reconstructed pages of the shared data have no navigation, so it is taken from the authentic ones, and municipal decoys
(forms, flyers, minutes, privacy) are put into the very markup of the list. To learn more layouts than thirty pages hold,
further pages are made of the real titles and addresses of issues and notices. All of it is deterministic.
"""

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

from bench import decoys
from kiebitz.errors import BadUrl
from kiebitz.standards.charset import decode
from kiebitz.standards.url import canonical, host_of, registrable

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "gazettes"
_PAGE = re.compile(r"\.(?:html?|php)(?:\?|\Z)")
_URL = re.compile(r"https?://\S+")
_ANCHOR = re.compile(r'<a\s[^>]*href="[^"]*"')
_TEXT = re.compile(r">([^<>]*[^<>\s][^<>]*)<")
_COMMON = ("list", "download", "table", "numbers", "cards", "years")
_OWN_NAMES = ("Rundblick", "Dorfecho", "Die Fähre", "Lindenblatt", "Unser Ort")
_NEGATIVE = (
    ("Musterstadt", "Downloads"), ("Neudorf", "Ortsrecht"), ("Altheim", "Startseite"), ("Seeburg", "Aktuelles"),
    ("Waldau", "Rathaus"), ("Bergfeld", "Satzungen"), ("Talheim", "Sitzungen"), ("Hofstadt", "Formulare"),
)  # fmt: skip
_GENERIC = ("Download", "hier", "PDF", "[", "]")


@dataclass(frozen=True, slots=True)
class Page:
    name: str
    kind: str  # authentic, reconstructed, made
    site: str
    url: str
    content: bytes
    content_type: str
    expected: frozenset[str]


def shared_pages() -> list[Page]:
    """The labelled pages; reconstructed ones get navigation and decoys."""
    entries = [json.loads(line) for line in (DATA / "pages.jsonl").read_text("utf-8").splitlines()]
    menus = navigation(entries)
    return [_page(entry, menus) for entry in entries]


def navigation(entries: list[dict[str, object]]) -> list[str]:
    """Navigation of the authentic pages, as blocks of links without their addresses' host."""
    found = []
    for entry in entries:
        path = DATA / str(entry["file"])
        if entry["authentic_html"] and path.suffix == ".html":
            text = decode(path.read_bytes(), "text/html")
            anchors = re.findall(r'<a [^>]*href="(?:https?://[^/"]+)?(/[^"#]*)"[^>]*>\s*([^<]{3,80}?)\s*</a>', text)
            expected = " ".join(map(str, entry["expected_links"]))  # type: ignore[call-overload]
            found.append(
                "\n".join(
                    f'<li><a href="{h}">{t}</a></li>' for h, t in anchors if h not in expected and ".pdf" not in h
                )
            )
    return found


def _page(entry: dict[str, object], menus: list[str]) -> Page:
    path = DATA / str(entry["file"])
    content = path.read_bytes()
    links: list[str] = entry["expected_links"]  # type: ignore[assignment]
    expected = frozenset(link if "#" in link else canonical(link) for link in links)
    url = _address(str(entry["url"]))
    site = registrable(host_of(canonical(min(expected)))) if expected else registrable(host_of(url))
    kind = "authentic" if entry["authentic_html"] else "reconstructed"
    media = "text/html" if path.suffix == ".html" else "text/xml"
    if kind == "reconstructed" and expected:
        dice = random.Random(path.name)
        notices = "bekanntmachung" in url
        content = _with_decoys(decode(content, media), dice, menus, notices=notices).encode()
        media = "text/html; charset=utf-8"
    return Page(path.name, kind, site, url, content, media, expected)


def _address(text: str) -> str:
    url = text.partition(" (")[0].replace("...", "sen/finanzen").replace(" ", "%20")
    return canonical(url if url.startswith("http") else f"https://{url}")


def _with_decoys(markup: str, dice: random.Random, menus: list[str], *, notices: bool) -> str:
    lines = markup.split("\n")
    pattern = [number for number, line in enumerate(lines) if _ANCHOR.search(line)]
    chosen = decoys.documents(dice, 8, notices=notices)
    for title, name in chosen if pattern else ():
        line = lines[dice.choice(pattern)]
        if _ANCHOR.search(line):
            place = dice.choice([pattern[0], pattern[-1] + 1])
            lines.insert(place, _disguised(line, title, _sibling(line, name)))
            pattern = [number for number, line in enumerate(lines) if _ANCHOR.search(line)]
    body = "\n".join(lines)
    before = decoys.furniture_before(dice, dice.choice(menus))
    after = decoys.section(dice, notices=notices) + decoys.furniture_after(dice)
    return body.replace("<main>", f"{before}<main>", 1).replace("</main>", f"</main>{after}", 1)


def _disguised(line: str, title: str, href: str) -> str:
    """A line of the list that says something else: same markup, other words."""
    line = re.sub(r'href="[^"]*"', f'href="{escape(href)}"', line, count=1)
    line = re.sub(r'title="[^"]*"', f'title="{escape(title)} runterladen"', line)
    line = re.sub(r'datetime="[^"]*"', "", line)
    texts = [text for text in _TEXT.findall(line) if text.strip() not in _GENERIC]
    for number, text in enumerate(texts):
        line = line.replace(f">{text}<", f">{escape(title) if number == 0 else ''}<", 1)
    return line


def _sibling(line: str, name: str) -> str:
    """An address in the same folder as the issues."""
    href = re.search(r'href="([^"]*)"', line)
    folder = re.sub(r"[^/]*$", "", href[1].partition("?")[0]) if href else "/"
    folder = re.sub(r"[^/]*amtsbl[^/]*/", "", folder, flags=re.IGNORECASE)
    return folder + name


def made_pages() -> Iterator[Page]:
    """Pages of real titles and addresses in layouts the labelled pages do not show."""
    menus = navigation([json.loads(line) for line in (DATA / "pages.jsonl").read_text("utf-8").splitlines()])
    for town, known in sorted(_towns("issue_titles.jsonl").items()):
        dice, rows = random.Random(town), known[:30]
        if len(rows) < 3:
            continue
        if "Bekanntm" in "".join(title for title, _ in rows):
            yield _made(town, rows, "notices", dice, menus)
            continue
        named = "Amtsblatt" in rows[0][0]  # behind a headline a paper with a name of its own cannot be known
        for layout in (*dice.sample(_COMMON, 2), *(("news", dice.choice(("own", "forms"))) if named else ("own",))):
            yield _made(town, rows, layout, dice, menus)
        yield _made(f"{town}, few", rows[: dice.randint(1, 3)], dice.choice(_COMMON), dice, menus)
    for town, rows in sorted(_towns("notice_titles.jsonl").items()):
        dice = random.Random(town)
        files = [row for row in rows if ".pdf" in row[1].lower() and _is_plainly_notice(row[0])][:30]
        if len(files) >= 4:
            yield _made(town, files, "notices", dice, menus)
        pages = [row for row in rows if _PAGE.search(row[1]) and _is_plainly_notice(row[0])][:30]
        if len(pages) >= 4:
            for variant in ("", ", again", ", few"):
                some = pages[: dice.randint(3, 5)] if "few" in variant else pages
                yield _made(f"{town}{variant}", some, "notice pages", random.Random(f"{town}{variant}"), menus)
    for number, (town, about) in enumerate(_NEGATIVE):
        yield _negative(town, about, random.Random(town), menus[number % len(menus)])


def _is_plainly_notice(title: str) -> bool:
    """The titles are unlabelled, and towns put forms and flyers among their notices."""
    if re.match(r"(?:.* - )?Begründung\b", title):
        return False  # a paper of a plan
    return re.search(r"ekanntmach|atzung|auslegung|plan|erordnung|verfügung|ahl|ladung|\d\d\.\d\d\.", title) is not None


def _towns(file: str) -> dict[str, list[tuple[str, str]]]:
    towns: dict[str, dict[str, str]] = defaultdict(dict)
    for line in (DATA / file).read_text("utf-8").splitlines():
        row = json.loads(line)
        if not row["url"].endswith(("/index.php", "/amtsblaetter/")) and "#" not in row["url"]:
            towns[row["municipality"]].setdefault(row["url"].replace("&amp;", "&"), row["title"])
    return {town: [(title, url) for url, title in rows.items()] for town, rows in towns.items()}


def _made(town: str, rows: list[tuple[str, str]], layout: str, dice: random.Random, menus: list[str]) -> Page:
    notices = layout.startswith("notice")
    slug = "bekanntmachungen" if notices else dice.choice(("amtsblatt", "amtsblaetter", "aktuelles/amtsblatt-archiv"))
    origin = _URL.search(rows[0][1])
    host = host_of(canonical(origin[0])) if origin else "example.org"
    heading = (
        "Öffentliche Bekanntmachungen" if notices else dice.choice(("Amtsblatt", "Amtsblätter", f"Amtsblatt {town}"))
    )
    if layout in ("news", "own"):
        slug, heading = f"index.php?id={dice.randint(10, 900)}", "Aktuelles"
    if layout == "own":
        name = dice.choice(_OWN_NAMES)
        rows = [
            (t.replace("Amtsblatt", name), f"https://{host}/files/{quote(name)}{n}.pdf")
            for n, (t, _) in enumerate(rows)
        ]
    if layout == "forms":
        rows = [(title, f"https://{host}/amtsblatt/index.php#issue_{n}") for n, (title, _) in enumerate(rows)]
    if layout == "news":
        rows = [(title, f"https://{host}/aktuelles/meldung-{4000 + n}.html") for n, (title, _) in enumerate(rows)]
    mixed = [(title, url, True) for title, url in rows]
    folder = rows[0][1].rpartition("/")[0] if "?" not in rows[0][1] else f"https://{host}/download"
    folder = re.sub(r"/[^/]*(?:amtsbl|Amtsbl)[^/]*", "", folder)
    mixed += [
        (title, f"{folder}/{quote(name)}", False)
        for title, name in decoys.documents(dice, 6, notices=notices, papers=layout != "own")
    ]
    listing = decoys.LAYOUTS["list" if layout == "notices" else layout](mixed, dice)
    body = (
        f"<html><head><title>{escape(heading)} – {escape(town)}</title></head><body>"
        f"{decoys.furniture_before(dice, dice.choice(menus))}<main><h1>{escape(heading)}</h1>{listing}</main>"
        f"{decoys.section(dice, notices=notices)}{decoys.furniture_after(dice)}</body></html>"
    )
    expected = set()
    for _, url in rows:
        try:
            expected.add(url if layout == "forms" else canonical(url))
        except BadUrl:
            continue
    site = registrable(host)
    return Page(
        f"{town} ({layout})", "made", site, f"https://{host}/{slug}", body.encode(), "text/html", frozenset(expected)
    )


def _negative(town: str, about: str, dice: random.Random, menu: str) -> Page:
    """A page of the same town that has documents, but no gazette."""
    documents = decoys.documents(dice, 25, notices=False, papers=False)
    rows = [(title, f"/dateien/{quote(name)}", False) for title, name in documents]
    listing = decoys.LAYOUTS[dice.choice(_COMMON)](rows, dice)
    body = f"<html><title>{about} – {town}</title>{decoys.furniture_before(dice, menu)}<main><h1>{about}</h1>{listing}</main>"
    site = f"{town.lower()}.example"
    return Page(
        f"{town} ({about})",
        "made",
        site,
        f"https://www.{site}/{about.lower()}/",
        body.encode(),
        "text/html",
        frozenset(),
    )
