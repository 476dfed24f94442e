"""The fifty municipalities, and two that need a browser: what is particular about each. None of them exists."""

from dataclasses import dataclass
from typing import Any

from kiebitz.lab.municipalities.styles import Addressing, Arrangement, Pace, Validators

SHARED_SERVER = "daten.kommunaldienst.example"
_STREETS = (
    ("Lindenallee", "Am Mühlbach", "Kirchgasse", "Schulstraße", "Bahnhofstraße"),
    ("Birkenweg", "Dorfstraße", "Am Anger", "Zum Sportplatz", "Hauptstraße"),
    ("Seestraße", "Fischergasse", "Uferweg", "Kranichring", "Alte Landstraße"),
    ("Burgstraße", "Rabengasse", "Am Hang", "Steinbruchweg", "Marktplatz"),
)
_ASCII = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", " ": "-"})


@dataclass(frozen=True, slots=True)
class Periodical:
    """A series of publications. ``size``: how many documents its archive holds on the first day."""

    name: str
    pace: Pace
    size: int


@dataclass(frozen=True, slots=True)
class Municipality:
    """``style`` picks among the looks of a layout, of a label and of a frame; two towns of one layout differ in it."""

    name: str
    host: str
    arrangement: Arrangement
    papers: tuple[Periodical, ...]
    style: int
    addressing: Addressing = Addressing.NAMED
    enters_at_home: bool = False
    validators: Validators = Validators.BOTH
    crawl_delay: float = 0.0
    hides_intern: bool = False

    @property
    def slug(self) -> str:
        return self.name.translate(_ASCII).lower()

    @property
    def streets(self) -> tuple[str, ...]:
        return _STREETS[self.style % len(_STREETS)]

    @property
    def charset(self) -> str:
        return "windows-1252" if self.arrangement is Arrangement.WINDOWS else "utf-8"

    @property
    def says_charset(self) -> bool:
        """One of the towns with an old charset names it in the page only."""
        return self.arrangement is not Arrangement.WINDOWS or self.style % 2 == 0

    @property
    def server(self) -> str:
        """The host that its documents lie on."""
        if self.addressing is Addressing.SHARED_SERVER:
            return SHARED_SERVER
        if self.addressing is Addressing.OWN_SERVER:
            return f"dokumente.{self.host.removeprefix('www.')}"
        return self.host


class _Table:
    """Numbers the rows of the table below, so that neighbours differ in style."""

    def __init__(self) -> None:
        self.rows: list[Municipality] = []

    def town(self, name: str, arrangement: Arrangement, *papers: Periodical, host: str = "", **particular: Any) -> None:
        address = host or f"www.{name.translate(_ASCII).lower()}.example"
        self.rows.append(Municipality(name, address, arrangement, papers, len(self.rows), **particular))


def _fifty() -> tuple[Municipality, ...]:
    table = _Table()
    _lists(table)
    _looks(table)
    _addresses(table)
    _elsewhere(table)
    return tuple(table.rows)


def _lists(table: _Table) -> None:
    """Where the difficulty is to find all pages of the list."""
    town, a = table.town, Arrangement
    none, fickle = Validators.NONE, Validators.FICKLE
    town("Bochenau", a.FLAT, Periodical("Amtsblatt", Pace.WEEKLY, 150), hides_intern=True)
    town("Königsmühle", a.FLAT, Periodical("Mitteilungsblatt", Pace.FORTNIGHTLY, 90), enters_at_home=True)
    town(
        "Haselünde",
        a.FLAT,
        Periodical("Amtsblatt", Pace.FIRST_FRIDAY, 60),
        addressing=Addressing.DATED,
        validators=none,
    )
    town("Göttlingen", a.YEARS, Periodical("Amtsblatt", Pace.WEEKLY, 250))
    town("Ährenfeld", a.YEARS, Periodical("Gemeindeblatt", Pace.FORTNIGHTLY, 100), enters_at_home=True)
    town("Tannrode am See", a.YEARS, Periodical("Amtsblatt", Pace.AS_NEEDED, 75), validators=fickle)
    town("Bremhafen", a.SEARCH, Periodical("Amtsblatt", Pace.TWICE_A_WEEK, 250), addressing=Addressing.DATED)
    town("Süderbrügge", a.SEARCH, Periodical("Amtsblatt", Pace.WEEKLY, 120), hides_intern=True)
    town("Lüttichau", a.SEARCH, Periodical("Amtsblatt", Pace.MID_MONTH, 48), enters_at_home=True, crawl_delay=0.05)
    town("Altmühlhausen", a.PAGES, Periodical("Amtsblatt", Pace.WEEKLY, 110))
    town("Nordhöfen", a.PAGES, Periodical("Amtsblatt", Pace.FORTNIGHTLY, 66), validators=none)
    town("Brackenhöhe", a.NEWS, Periodical("Amtsblatt", Pace.AS_NEEDED, 36), addressing=Addressing.DATED)
    town("Seelübben", a.NEWS, Periodical("Amtsblatt", Pace.FORTNIGHTLY, 44), enters_at_home=True)


def _looks(table: _Table) -> None:
    """Where the difficulty is to know which link is what."""
    town, a = table.town, Arrangement
    none, fickle = Validators.NONE, Validators.FICKLE
    opaque, dated = Addressing.OPAQUE, Addressing.DATED
    town("Rüsselfeld", a.ACCORDION, Periodical("Amtsblatt", Pace.WEEKLY, 110))
    town("Eichenstätt", a.ACCORDION, Periodical("Mitteilungsblatt", Pace.FIRST_FRIDAY, 72), enters_at_home=True)
    town("Großböhlen", a.TABS, Periodical("Amtsblatt", Pace.FORTNIGHTLY, 96), addressing=dated)
    shared = Addressing.SHARED_SERVER
    town("Kesselbach", a.TABS, Periodical("Amtsblatt", Pace.MID_MONTH, 36), addressing=shared, validators=none)
    town("Schönwörth", a.TABLE, Periodical("Amtsblatt", Pace.FORTNIGHTLY, 100))
    town("Drömlingen", a.TABLE, Periodical("Amtsblatt", Pace.WEEKLY, 110), addressing=opaque, enters_at_home=True)
    town("Mönchsee", a.MONTHS, Periodical("Amtsblatt", Pace.FIRST_FRIDAY, 84), addressing=opaque)
    town("Finkenwerth", a.MONTHS, Periodical("Gemeindeblatt", Pace.MID_MONTH, 60))
    town("Überlinden", a.DOWNLOAD, Periodical("Amtsblatt", Pace.FORTNIGHTLY, 88), addressing=opaque)
    town("Hohenbüchen", a.DOWNLOAD, Periodical("Amtsblatt", Pace.WEEKLY, 100), validators=fickle)
    town("Rabenmoor", a.DOWNLOAD, Periodical("Stadtanzeiger", Pace.AS_NEEDED, 54), enters_at_home=True)
    town("Würzgarten", a.THUMBNAILS, Periodical("Amtsblatt", Pace.FIRST_FRIDAY, 48))
    host = "www." + "grünau".encode("idna").decode() + ".example"
    town("Grünau", a.THUMBNAILS, Periodical("Amtsblatt", Pace.MID_MONTH, 40), host=host, addressing=opaque)
    first, second = Periodical("Amtsblatt", Pace.WEEKLY, 90), Periodical("Kreisblatt", Pace.AS_NEEDED, 40)
    town("Kyrützow", a.SEVERAL, first, second)
    first, second = Periodical("Amtsblatt", Pace.FORTNIGHTLY, 52), Periodical("Kreisblatt", Pace.MID_MONTH, 38)
    town("Plöhnau", a.SEVERAL, first, second, enters_at_home=True)
    town("Werdersand", a.NOTICES, Periodical("Bekanntmachung", Pace.TWICE_A_WEEK, 160))
    town(
        "Hüttenbrück",
        a.NOTICES,
        Periodical("Bekanntmachung", Pace.AS_NEEDED, 70),
        addressing=opaque,
        enters_at_home=True,
    )


def _addresses(table: _Table) -> None:
    """Where the difficulty is the address."""
    town, a, b = table.town, Arrangement, Addressing
    none, fickle = Validators.NONE, Validators.FICKLE
    town("Falkenöd", a.FOREIGN, Periodical("Amtsblatt", Pace.WEEKLY, 130), addressing=b.SHARED_SERVER)
    town(
        "Jößnau", a.FOREIGN, Periodical("Amtsblatt", Pace.FORTNIGHTLY, 70), addressing=b.OWN_SERVER, enters_at_home=True
    )
    town("Wölfersheide", a.BARE, Periodical("Amtsblatt", Pace.WEEKLY, 95), addressing=b.BARE)
    town("Neubörde", a.BARE, Periodical("Amtsblatt", Pace.AS_NEEDED, 45), addressing=b.BARE, validators=fickle)
    town("Lößnitzgrund", a.TOKEN, Periodical("Amtsblatt", Pace.FORTNIGHTLY, 80), addressing=b.TOKEN)
    town("Kälbershagen", a.TOKEN, Periodical("Amtsblatt", Pace.FIRST_FRIDAY, 50), addressing=b.TOKEN, validators=none)
    town("Teltwerder", a.POST, Periodical("Amtsblatt", Pace.AS_NEEDED, 60), addressing=b.FORM)
    town("Bärenklause", a.POST, Periodical("Amtsblatt", Pace.FORTNIGHTLY, 75), addressing=b.FORM, crawl_delay=0.05)
    town("Steinhörde", a.POST, Periodical("Amtsblatt", Pace.MID_MONTH, 40), addressing=b.FORM, enters_at_home=True)
    town("Veltenau", a.IDS, Periodical("Amtsblatt", Pace.WEEKLY, 104), addressing=b.NUMBER)
    town("Döbernick", a.IDS, Periodical("Amtsblatt", Pace.FORTNIGHTLY, 64), addressing=b.NUMBER, enters_at_home=True)
    town("Pfäffenried", a.BASE, Periodical("Amtsblatt", Pace.FORTNIGHTLY, 85), hides_intern=True)
    town("Ottersbühl", a.BASE, Periodical("Mitteilungsblatt", Pace.AS_NEEDED, 42), addressing=b.DATED, validators=none)
    town("Märkischau", a.WINDOWS, Periodical("Amtsblatt", Pace.WEEKLY, 105))
    town("Fürstenmöhr", a.WINDOWS, Periodical("Amtsblatt", Pace.FIRST_FRIDAY, 55), enters_at_home=True)


def _elsewhere(table: _Table) -> None:
    """Where the pages name no file at all."""
    town, a = table.town, Arrangement
    town("Strausitz", a.FEED, Periodical("Amtsblatt", Pace.FORTNIGHTLY, 40), enters_at_home=True)
    town("Äpfelstadt", a.FEED, Periodical("Amtsblatt", Pace.FIRST_FRIDAY, 30), enters_at_home=True)
    town("Quellmünde", a.FEED, Periodical("Amtsblatt", Pace.AS_NEEDED, 25), enters_at_home=True)
    town("Zehdenau", a.SITEMAP, Periodical("Amtsblatt", Pace.WEEKLY, 78), enters_at_home=True)
    town("Uckerlöh", a.SITEMAP, Periodical("Amtsblatt", Pace.MID_MONTH, 20), enters_at_home=True)


MUNICIPALITIES = _fifty()
SCRIPTED = (
    Municipality(
        "Skriptau", "www.skriptau.example", Arrangement.SCRIPTED, (Periodical("Amtsblatt", Pace.FORTNIGHTLY, 30),), 0
    ),
    Municipality(
        "Leerhülsen",
        "www.leerhuelsen.example",
        Arrangement.SCRIPTED,
        (Periodical("Amtsblatt", Pace.WEEKLY, 45),),
        1,
        addressing=Addressing.NUMBER,
    ),
)
