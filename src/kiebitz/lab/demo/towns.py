"""The towns of the demo: what is different about each."""

from dataclasses import dataclass
from enum import StrEnum


class ArchiveStyle(StrEnum):
    """How a town shows its gazettes."""

    LIST = "list"  # one flat list, the link text says it all
    YEARS = "years"  # a page for each year
    TABLE = "table"  # number and date in the row, the link says "Download"
    CARDS = "cards"  # a thumbnail links, the heading beside it tells
    NUMBERS = "numbers"  # addresses without .pdf: /download?id=17
    PAGES = "pages"  # ten at a time, "ältere Ausgaben" leads on


@dataclass(frozen=True, slots=True)
class Town:
    name: str
    host: str
    gazette: str
    archive: ArchiveStyle
    every: int  # days between two issues
    issues: int  # how many the archive holds on the first day
    streets: tuple[str, ...]
    offset: int = 0  # weeks by which its rhythm is shifted
    news: int = 20
    crawl_delay: float = 0.0
    slow_seconds: float = 0.0
    charset: str = "utf-8"


_LINDE = ("Lindenallee", "Am Mühlbach", "Kirchgasse", "Schulstraße", "Bahnhofstraße")
_BIRKE = ("Birkenweg", "Dorfstraße", "Am Anger", "Zum Sportplatz", "Hauptstraße")
_SEE = ("Seestraße", "Fischergasse", "Uferweg", "Kranichring", "Alte Landstraße")
_BERG = ("Burgstraße", "Rabengasse", "Am Hang", "Steinbruchweg", "Marktplatz")

TOWNS = (
    Town("Lindenau", "rathaus.lindenau.example", "Amtsblatt", ArchiveStyle.LIST, 7, 20, _LINDE),
    Town("Birkenfelde", "www.birkenfelde.example", "Amtsblatt", ArchiveStyle.YEARS, 14, 26, _BIRKE),
    Town("Kranichsee", "www.kranichsee.example", "Mitteilungsblatt", ArchiveStyle.TABLE, 14, 10, _SEE, offset=1),
    Town("Rabenstein", "stadt.rabenstein.example", "Stadtanzeiger", ArchiveStyle.CARDS, 28, 10, _BERG, news=22),
    Town(
        "Mühlbrück",
        "www.muehlbrueck.example",
        "Amtsblatt",
        ArchiveStyle.LIST,
        28,
        10,
        _LINDE,
        offset=1,
        charset="iso-8859-1",
    ),
    Town("Altenrode", "gemeinde.altenrode.example", "Gemeindeblatt", ArchiveStyle.NUMBERS, 14, 10, _BIRKE, news=18),
    Town("Heidesand", "www.heidesand.example", "Amtsblatt", ArchiveStyle.TABLE, 7, 16, _SEE, crawl_delay=0.2, news=14),
    Town("Sonnwald", "www.sonnwald.example", "Amtsblatt", ArchiveStyle.YEARS, 28, 16, _BERG, offset=2, news=22),
    Town("Erlengrund", "rathaus.erlengrund.example", "Mitteilungsblatt", ArchiveStyle.PAGES, 14, 14, _LINDE, offset=1),
    Town("Großweiden", "www.grossweiden.example", "Amtsblatt", ArchiveStyle.CARDS, 28, 10, _BIRKE, offset=3, news=24),
    Town(
        "Hagenmoor", "www.hagenmoor.example", "Amtsblatt", ArchiveStyle.LIST, 28, 10, _SEE, slow_seconds=0.25, news=12
    ),
    Town("Oberkiebitz", "oberkiebitz.example", "Kiebitzer Bote", ArchiveStyle.NUMBERS, 14, 10, _BERG, news=20),
)
