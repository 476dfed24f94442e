import csv
import json
import time
from collections.abc import Iterable
from datetime import date

import pytest

from kiebitz.crawl import traps
from kiebitz.crawl.traps import TrapRules
from kiebitz.errors import BadUrl
from kiebitz.standards.url import canonical, join
from tests.shared_data import SHARED, needs_shared

TODAY = date(2026, 11, 15)
BASE = "https://www.stadt.example"


def reasons(paths: Iterable[str]) -> list[str]:
    rules = TrapRules(TODAY)
    return [rules.trapped(BASE + path) for path in paths]


def caught(path: str) -> str:
    return TrapRules(TODAY).trapped(BASE + path)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/" + "x" * 2100, "trap: long url"),
        ("/" + "/".join(f"s{number}" for number in range(21)), "trap: deep path"),
        ("/a/b/a/c/a/d/a/", "trap: repeated path"),
        ("/a/b/a/b/a/b/", "trap: repeated path"),
        ("/x/bilder/alt/neu/bilder/alt/neu/bilder/alt/neu/y", "trap: repeated path"),
        ("/suche?" + "&".join(f"p{number}=1" for number in range(17)), "trap: many parameters"),
        ("/kalender/2031/05", "trap: calendar"),
        ("/veranstaltungen/2031-05-17/", "trap: calendar"),
        ("/events/1985/01/01", "trap: calendar"),
        ("/termine?jahr=2029&monat=1", "trap: calendar"),
        ("/liste?datum=2035-01-01", "trap: calendar"),
        ("/liste?datum=01.05.2035", "trap: calendar"),
        ("/liste?tx_cal[year]=1970&tx_cal[month]=1", "trap: calendar"),
        ("/x?month=203101", "trap: calendar"),
        ("/x?jahr=2099", "trap: calendar"),
        ("/x?PORTALSESSION=0123456789abcdef", "trap: session id"),
        ("/x?my_sid=a1b2c3d4e5f6a7b8c9", "trap: session id"),
    ],
)
def test_some_urls_tell_by_themselves(path: str, reason: str) -> None:
    assert caught(path) == reason


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/rathaus/amtsblatt/archiv/",
        "/dateien//publicizing/3/3/3/3/5/Amtsblatt_3.pdf",
        "/de/stadt/rathaus/de/formulare/antrag.html",
        "/stadt/stadt/verwaltung/stadt.html",
        "/veranstaltungen/3050",
        "/event/2045-sommerfest",
        "/kalender/2027/12",
        "/archiv/1975/",
        "/archiv?jahr=1968",
        "/geschichte/1848/03/18",
        "/index.php?id=3050&L=0&cHash=0123456789abcdef0123456789abcdef",
        "/bebauungsplan/2040/entwurf.pdf",
        "/zukunft-2035/",
        "/news?newsid=20260101abcdefgh99",
        "/x?sid=12",
        "/session/2026?session=council",
        "/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o.html",
    ],
)
def test_ordinary_urls_pass(path: str) -> None:
    assert caught(path) == ""


def test_a_gazette_archive_passes_whole() -> None:
    years = range(1995, 2027)
    paths = [f"/amtsblatt/{year}/{month:02d}" for year in years for month in range(1, 13)]
    paths += [f"/amtsblatt?jahr={year}&monat={month}" for year in years for month in range(1, 13)]
    paths += [
        f"/fileadmin/amtsblatt/{year}/amtsblatt-{month:02d}-{year}.pdf" for year in years for month in range(1, 13)
    ]
    assert set(reasons(paths)) == {""}


def test_pagination_and_catalogues_pass() -> None:
    paths = [f"/aktuelles?page={page}" for page in range(1, 301)]
    paths += [f"/output/download.php?fid=3386.{number}.1.PDF" for number in range(3000)]
    paths += [f"/index.php?ModID=255&FID=3408.{number}.1&object=tx|3408.{number}.1&La=1" for number in range(1000)]
    paths += [f"/veranstaltungen/2026/11/15/fest-{number}" for number in range(1000)]
    assert set(reasons(paths)) == {""}


def test_filters_that_merely_combine_known_values_are_an_explosion() -> None:
    options = [f"farbe={a}&groesse={b}&ort={c}" for a in range(10) for b in range(10) for c in range(10)]
    found = reasons(f"/suche?{query}" for query in options)
    assert found.count("") == 10 + 9 + 9 + traps.MAX_RECOMBINED
    assert found[-1] == "trap: query explosion"


def test_even_new_values_end_somewhere() -> None:
    found = reasons(f"/endlos?seite={number}" for number in range(traps.MAX_QUERIES + 1))
    assert found.count("") == traps.MAX_QUERIES
    assert found[-1] == "trap: query explosion"


def test_a_calendar_of_days_ends_before_its_years_do() -> None:
    found = reasons(f"/kalender/2026/{month:02d}/{day:02d}" for month in range(1, 13) for day in range(1, 29))
    assert found.count("") == traps.MAX_CALENDAR
    assert found[-1] == "trap: calendar"


def test_paths_that_grow_by_relative_links_end() -> None:
    rules = TrapRules(TODAY)
    pages = [f"{BASE}/"]
    for page in pages:
        assert len(pages) < 400
        deeper = [join(page, step) or "" for step in ("a/b/", "bilder/alt/", "index/", "../a/b/")]
        pages += [url for url in deeper if url not in pages and not rules.trapped(url)]
    assert len(pages) > 20


def test_what_passed_once_passes_again() -> None:
    rules = TrapRules(TODAY)
    urls = [f"{BASE}/suche?a={a}&b={b}" for a in range(30) for b in range(30)]
    first = [rules.trapped(url) for url in urls]
    assert [rules.trapped(url) for url in urls] == first
    assert set(first) == {"", "trap: query explosion"}


def test_hosts_are_judged_apart() -> None:
    rules = TrapRules(TODAY)
    for number in range(traps.MAX_CALENDAR + 1):
        rules.trapped(f"https://a.example/kalender/2026/11/{number % 28 + 1}?x={number}")
    assert rules.trapped("https://b.example/kalender/2026/11/1") == ""


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traps, "MAX_REMEMBERED", 100)
    rules = TrapRules(TODAY)
    for host in range(50):
        for number in range(10):
            rules.trapped(f"https://h{host}.example/x?id={number}")
    assert sum(host.size for host in rules._hosts.values()) == rules._remembered <= 100
    assert 0 < len(rules._hosts) < 50


@pytest.mark.parametrize(
    "path",
    ["/" + "sess" * 500, "/?" + "month" * 400, "/" + "a/" * 19 + "b" * 1900, "/x?" + "2026-" * 400, "/" + "=a" * 900],
)
def test_a_hostile_url_costs_linear_time(path: str) -> None:
    begin = time.process_time()
    caught(path)
    assert time.process_time() - begin < 0.02


@needs_shared
def test_no_url_of_a_real_gazette_is_a_trap() -> None:
    folder = SHARED / "gazettes"
    found: set[str] = set()
    with (folder / "sources.csv").open(encoding="utf-8", newline="") as file:
        found.update(row["page_url"] for row in csv.DictReader(file))
    for path in folder.glob("*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            found.update([record.get("url") or "", *record.get("expected_links", []), *record.get("not_links", [])])
    rules = TrapRules(TODAY)
    trapped = {}
    for address in found:
        try:
            url = canonical(address)
        except BadUrl:
            continue
        if reason := rules.trapped(url):
            trapped[url] = reason
    assert len(found) > 4000
    assert trapped == {}


def test_an_ordinary_url_costs_microseconds() -> None:
    rules = TrapRules(TODAY)
    begin = time.process_time()
    for number in range(2000):
        rules.trapped(f"https://www.stadt.example/s1/p{number}.html")
    assert (time.process_time() - begin) / 2000 < 15e-6  # about 1 µs on a quiet machine
