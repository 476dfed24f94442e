"""One view of a page: what is different each time somebody looks. Without noise, only the tokens of downloads are."""

from collections.abc import Sequence
from datetime import date
from html import escape
from random import Random

from kiebitz.lab.demo.notices import german

_BANNERS = (
    "Wir verwenden Cookies, um Ihnen den bestmöglichen Service zu bieten.",
    "Diese Internetseite nutzt nur technisch notwendige Cookies.",
    "Mit der Nutzung unserer Seite stimmen Sie der Verwendung von Cookies zu.",
    "Ihre Privatsphäre ist uns wichtig. Bitte wählen Sie Ihre Einstellungen.",
)
_TEASERS = (
    ("/tourismus/", "Weihnachtsmarkt am Rathaus"),
    ("/bildergalerie/", "Fotowettbewerb: Unsere Stadt im Herbst"),
    ("/aktuelles/", "Jetzt Blut spenden!"),
    ("/rathaus/", "Stellenangebote der Stadtverwaltung"),
    ("/buergerservice/", "Neu: Der Mängelmelder"),
    ("/wirtschaft/", "Anzeige: Stadtwerke – Ökostrom von hier"),
)
_NAMES = (
    "Albert",
    "Leopold",
    "Margareta",
    "Gertrud",
    "Hilda",
    "Elisabeth",
    "Cäcilia",
    "Klemens",
    "Katharina",
    "Konrad",
)
_WEATHER = ("heiter", "wolkig", "Regen", "Nebel", "Schneeregen", "sonnig")


class View:
    """``count``: how many there were before. The same count gives the same noise."""

    def __init__(self, host: str, count: int, today: date, *, noisy: bool) -> None:
        self.count = count
        self.today = today
        self.is_noisy = noisy
        self._rng = Random(f"view {host} {count} {today}")

    def token(self) -> str:
        return f"{self._rng.getrandbits(64):016x}"

    def link(self, path: str) -> str:
        """An address of the navigation."""
        return f"{path}?sid={self.token()}" if self.is_noisy else path

    def asset(self, path: str) -> str:
        return f"{path}?v={self._rng.randrange(10**9)}" if self.is_noisy else f"{path}?v=7"

    def nonce(self) -> str:
        return f' nonce="{self.token()}"' if self.is_noisy else ""

    def hidden(self) -> str:
        return f'<input type="hidden" name="__csrf" value="{self.token()}">' if self.is_noisy else ""

    def shuffled(self, entries: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        return self._rng.sample(list(entries), len(entries)) if self.is_noisy else list(entries)

    def banner(self) -> str:
        return self._rng.choice(_BANNERS) if self.is_noisy else _BANNERS[0]

    def teasers(self) -> list[tuple[str, str]]:
        return self._rng.sample(_TEASERS, 3) if self.is_noisy else list(_TEASERS[:2])

    def clock(self) -> str:
        """Stands inside the main content, as on many a municipal site."""
        if not self.is_noisy:
            return ""
        rng = self._rng
        now = f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"
        return (
            f'<p class="datum">Heute ist {german(self.today)}, {now} Uhr. Namenstag: {rng.choice(_NAMES)}</p>'
            f'<p class="zaehler">Sie sind Besucher Nr. {120_000 + 17 * self.count + rng.randrange(9)} '
            f"({rng.randrange(2, 60)} online)</p>"
        )

    def weather(self) -> str:
        if not self.is_noisy:
            return ""
        rng = self._rng
        return (
            f'<section class="wetter"><h3>Wetter</h3><p>{rng.randrange(-4, 17)} °C, {escape(rng.choice(_WEATHER))}, '
            f"Wind {rng.randrange(2, 40)} km/h</p></section>"
        )
