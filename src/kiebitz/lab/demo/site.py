"""One town of the demo, served: its pages are made when they are asked for, from the seed and the day."""

from datetime import timedelta
from hashlib import blake2b
from random import Random

from kiebitz.lab.calendars import FIRST_DAY, Calendar, noon
from kiebitz.lab.demo import gazette, pages
from kiebitz.lab.demo.notices import german, news_item
from kiebitz.lab.demo.towns import TOWNS, ArchiveStyle, Town
from kiebitz.lab.exchange import PDF, PLAIN, Answer, Ask, Reply, delayed, http_date, missing

NEWS_PER_PAGE = 10
OFFICES = {
    "bauamt": ("Bauamt", "Bauanträge, Bebauungspläne, Auskunft aus dem Liegenschaftskataster."),
    "buergerbuero": ("Bürgerbüro", "Ausweise, Meldewesen, Fundsachen, Führungszeugnisse."),
    "kasse": ("Gemeindekasse", "Grundsteuer, Gewerbesteuer, Gebühren und Beiträge."),
    "ordnungsamt": ("Ordnungsamt", "Verkehr, Gewerbe, Märkte, Fischereischeine."),
    "standesamt": ("Standesamt", "Eheschließungen, Geburten, Urkunden."),
}
FIXED = {
    "/impressum": ("Impressum", "Diese Gemeinde gibt es nicht. Sie ist Teil der Vorführung von Kiebitz."),
    "/datenschutz": ("Datenschutz", "Diese Seite speichert nichts und weiß nichts über Sie."),
    "/kontakt": ("Kontakt", "Gemeindeverwaltung, Rathausplatz 1. Wir freuen uns über Ihren Besuch."),
    "/rathaus/oeffnungszeiten": ("Öffnungszeiten", "Montag bis Freitag 8 bis 12 Uhr, donnerstags auch 14 bis 18 Uhr."),
    "/rathaus/gemeinderat": ("Gemeinderat", "Der Gemeinderat hat 14 Mitglieder und tagt einmal im Monat öffentlich."),
    "/intern/dienstplan": ("Dienstplan", "Nur für Beschäftigte."),
}
BROKEN_LINK = "/archiv-alt/satzung-1998.html"


class TownSite:
    def __init__(self, town: Town, seed: int, calendar: Calendar) -> None:
        self._town = town
        self._seed = seed
        self._calendar = calendar

    def answer(self, ask: Ask) -> Answer:
        reply = self._reply(ask.path, ask.query)
        return delayed(reply, self._town.slow_seconds, ask) if self._town.slow_seconds else reply

    def forget(self) -> None:
        """The calendar is the lab's to move; nothing else is kept."""

    def _reply(self, path: str, query: str) -> Reply:
        if path == "/robots.txt":
            return self._robots()
        out = gazette.issues(self._town, self._calendar.today)
        target = f"{path}?{query}" if query else path
        for issue in out:
            if gazette.address(self._town, issue) == target:
                content = gazette.pdf(self._town, issue, self._seed)
                return _with_validators(Reply(content, content_type=PDF, modified=http_date(noon(issue.day))))
        found = self._page(path, query, out)
        if found is None:
            return missing()
        changed = out[0].day if path == "/" or path.startswith("/amtsblatt/") else FIRST_DAY
        charset = self._town.charset
        body = pages.frame(self._town, *found).encode(charset, "xmlcharrefreplace")
        return _with_validators(
            Reply(body, content_type=f"text/html; charset={charset}", modified=http_date(noon(changed)))
        )

    def _page(self, path: str, query: str, out: list[gazette.Edition]) -> tuple[str, str] | None:
        """Title and content."""
        if path in FIXED:
            title, text = FIXED[path]
            return title, pages.paragraphs(text)
        first, _, rest = path[1:].partition("/")
        if not first:
            return self._home(out)
        if first == "amtsblatt":
            return self._archive(rest, query, out)
        if first == "aktuelles":
            return self._news(rest, query)
        if first == "rathaus":
            return self._town_hall(rest)
        return None

    def _home(self, out: list[gazette.Edition]) -> tuple[str, str]:
        town, newest = self._town, out[0]
        headlines = [(f"/aktuelles/{number}", self._news_item(number)[0]) for number in range(1, 6)]
        extra = ""
        if town is TOWNS[0]:
            extra = pages.listing([("/intern/dienstplan", "Intranet")])
        elif town is TOWNS[1]:
            extra = pages.listing([(BROKEN_LINK, "Hauptsatzung von 1998")])
        latest = (gazette.address(town, newest), f"{town.gazette} {newest.label} vom {german(newest.day)}")
        return (
            f"Willkommen in {town.name}",
            pages.paragraphs(f"Schön, dass Sie da sind. {town.name} liegt zwischen Wiesen und Wäldern.")
            + "<h2>Neueste Ausgabe</h2>"
            + pages.listing([latest])
            + "<h2>Aktuelles</h2>"
            + pages.listing(headlines)
            + extra,
        )

    def _archive(self, rest: str, query: str, out: list[gazette.Edition]) -> tuple[str, str] | None:
        town = self._town
        if not rest and query.startswith("seite=") and town.archive is ArchiveStyle.PAGES:
            number = query.removeprefix("seite=")
            return (
                (f"{town.gazette}, Seite {number}", pages.archive_page(town, out, int(number)))
                if number.isdecimal()
                else None
            )
        if not rest:
            return town.gazette, pages.archive_start(town, out)
        year = rest.removesuffix("/")
        chosen = [issue for issue in out if str(issue.day.year) == year]
        if town.archive is ArchiveStyle.YEARS and chosen and rest.endswith("/"):
            return f"{town.gazette} {year}", pages.issue_list(town, chosen)
        return None

    def _news(self, rest: str, query: str) -> tuple[str, str] | None:
        if rest:
            if not rest.isdecimal() or not 1 <= int(rest) <= self._town.news:
                return None
            title, text = self._news_item(int(rest))
            day = FIRST_DAY - timedelta(days=4 * int(rest))
            return title, pages.paragraphs(f"Meldung vom {german(day)}", text, "Ihre Gemeindeverwaltung")
        number = query.removeprefix("seite=") or "1"
        count = -(-self._town.news // NEWS_PER_PAGE)
        if not number.isdecimal() or not 1 <= int(number) <= count:
            return None
        start = (int(number) - 1) * NEWS_PER_PAGE + 1
        shown = range(start, min(start + NEWS_PER_PAGE, self._town.news + 1))
        items = pages.listing([(f"/aktuelles/{n}", self._news_item(n)[0]) for n in shown])
        older = (
            pages.listing([(f"/aktuelles/?seite={int(number) + 1}", "Ältere Meldungen")]) if int(number) < count else ""
        )
        return "Aktuelles", items + older

    def _news_item(self, number: int) -> tuple[str, str]:
        rng = Random(f"{self._seed} {self._town.host} {number}")
        return news_item(rng, self._town.streets, FIRST_DAY - timedelta(days=4 * number))

    def _town_hall(self, rest: str) -> tuple[str, str] | None:
        if rest in OFFICES:
            name, text = OFFICES[rest]
            return name, pages.paragraphs(text, "Bitte vereinbaren Sie einen Termin.")
        if rest:
            return None
        links = [(f"/rathaus/{key}", name) for key, (name, _) in OFFICES.items()]
        links += [(path, title) for path, (title, _) in FIXED.items() if path.startswith("/rathaus/")]
        return "Rathaus", pages.paragraphs("Ihre Ansprechstellen:") + pages.listing(links)

    def _robots(self) -> Reply:
        delay = f"Crawl-delay: {self._town.crawl_delay:g}\n" if self._town.crawl_delay else ""
        return Reply(f"User-agent: *\n{delay}Disallow: /intern/\n".encode(), content_type=PLAIN)


def _with_validators(reply: Reply) -> Reply:
    reply.etag = f'"{blake2b(reply.body, digest_size=8).hexdigest()}"'
    return reply
