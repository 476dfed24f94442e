"""The municipalities of a lab together: their sites, the servers of their files, their truth, and what happens to them."""

from collections.abc import Iterable

from kiebitz.errors import InputError
from kiebitz.lab.calendars import Calendar
from kiebitz.lab.exchange import Website
from kiebitz.lab.municipalities.condition import happening
from kiebitz.lab.municipalities.places import SHARED_SERVER, Municipality
from kiebitz.lab.municipalities.site import DocumentServer, MunicipalitySite
from kiebitz.lab.municipalities.truth import TrueMunicipality, truth_of


class Region:
    def __init__(self, towns: Iterable[Municipality], seed: int, calendar: Calendar, *, noisy: bool = False) -> None:
        self.sites = {town.host: MunicipalitySite(town, seed, calendar, noisy=noisy) for town in towns}
        self._seed = seed

    @property
    def websites(self) -> dict[str, Website]:
        """By host: the sites, and the hosts that only have files."""
        found: dict[str, Website] = dict(self.sites)
        for server in dict.fromkeys(site.town.server for site in self.sites.values()):
            if server not in found:
                tenants = [site for site in self.sites.values() if site.town.server == server]
                found[server] = DocumentServer(tenants, is_shared=server == SHARED_SERVER)
        return found

    @property
    def entries(self) -> list[str]:
        return [site.entry for site in self.sites.values()]

    def truth(self, host: str = "") -> list[TrueMunicipality]:
        """Of all, or of one host."""
        return [truth_of(site, self._seed) for site in ([self.site(host)] if host else self.sites.values())]

    def event(self, host: str, kind: str) -> None:
        """Raises InputError for a host or a kind that there is not."""
        self.site(host).happen(happening(kind))

    def site(self, host: str) -> MunicipalitySite:
        if host not in self.sites:
            raise InputError(f"no municipality has the host {host!r}", hint="GET /truth names them")
        return self.sites[host]
