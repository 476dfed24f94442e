"""Which hosts a lab has: built from a blueprint, the same blueprint always building the same web."""

from dataclasses import dataclass, field
from functools import cached_property

from kiebitz.lab.calendars import Calendar
from kiebitz.lab.demo import TOWNS, TownSite, demo_seeds
from kiebitz.lab.exchange import Ask, Reply, Website
from kiebitz.lab.graph import Graph
from kiebitz.lab.graph.site import GraphSite
from kiebitz.lab.misbehaviour import BadHost, Canary, misbehaving_hosts
from kiebitz.lab.misbehaviour.tls import CERTIFIED
from kiebitz.lab.municipalities import MUNICIPALITIES, SCRIPTED, Region


@dataclass(frozen=True, slots=True)
class Blueprint:
    """What to serve: a graph of ``hosts`` × ``pages``, the demo, hosts with bad manners, municipalities, or all of them.

    ``tls`` adds the hosts that need certificates (and the cryptography package). ``dripping`` is the share of the
    graph's hosts whose pages take ``drip_seconds`` each. ``municipalities`` of the fifty are served; ``scripted`` adds those
    that need a browser; with ``noise`` each view of their pages differs in what does not matter.
    """

    hosts: int = 0
    pages: int = 100
    seed: int = 1
    page_bytes: int = 4000
    crawl_delay: float = 0.1
    dripping: float = 0.0
    drip_seconds: float = 5.0
    demo: bool = False
    misbehaving: bool = False
    tls: bool = False
    municipalities: int = 0
    scripted: bool = False
    noise: bool = False

    @property
    def graph(self) -> Graph | None:
        if not self.hosts:
            return None
        return Graph(
            self.seed,
            self.hosts,
            self.pages,
            page_bytes=self.page_bytes,
            crawl_delay=self.crawl_delay,
            dripping=self.dripping,
        )


@dataclass
class World:
    blueprint: Blueprint
    calendar: Calendar = field(default_factory=Calendar)
    canary: Canary = field(default_factory=Canary)

    @cached_property
    def sites(self) -> dict[str, Website]:
        blueprint, found = self.blueprint, dict[str, Website]()
        graph = blueprint.graph
        if graph:
            for name in graph.hosts:
                seconds = blueprint.drip_seconds if name in graph.dripping else 0.0
                found[name] = GraphSite(graph, name, drip_seconds=seconds)
        if blueprint.demo:
            found |= {town.host: TownSite(town, blueprint.seed, self.calendar) for town in TOWNS}
        if blueprint.misbehaving:
            found |= {host.name: host for host in misbehaving_hosts(self.canary, certified=blueprint.tls)}
        return found | self.region.websites

    @cached_property
    def region(self) -> Region:
        blueprint = self.blueprint
        towns = MUNICIPALITIES[: max(0, blueprint.municipalities)] + (SCRIPTED if blueprint.scripted else ())
        return Region(towns, blueprint.seed, self.calendar, noisy=blueprint.noise)

    @property
    def seeds(self) -> list[str]:
        """Where a crawl of this web begins."""
        graph = self.blueprint.graph
        starts = [graph.start] if graph else []
        if self.blueprint.demo:
            starts += demo_seeds()
        starts += self.region.entries
        bad = [site for site in self.sites.values() if isinstance(site, BadHost)]
        return starts + [host.seed for host in bad if host.seed]

    @property
    def certified(self) -> list[str]:
        """The names that need a certificate."""
        return [name for name in CERTIFIED if name in self.sites]

    def forget(self) -> None:
        for site in self.sites.values():
            site.forget()


class Stranger:
    """Answers for the names that no site has."""

    def answer(self, ask: Ask) -> Reply:
        return Reply(f"no site is called {ask.host}\n".encode(), 421, content_type="text/plain")

    def forget(self) -> None:
        """Nothing to forget."""
