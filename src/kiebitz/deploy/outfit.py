"""Outfit a worker: the guarded client, the gates, the archive, the policy, all from the settings."""

import random

from kiebitz import __version__
from kiebitz.adapters.http.fetcher import CurlFetcher
from kiebitz.adapters.local.archive import FolderArchive
from kiebitz.adapters.local.resolver import SystemResolver, parse_mapping
from kiebitz.crawl.gate import Gates
from kiebitz.crawl.kit import Addresses, Kit
from kiebitz.crawl.policy import Policy
from kiebitz.deploy.backends import Backend
from kiebitz.fetch.guard import Guard
from kiebitz.model.request import State
from kiebitz.model.response import Call, Limits, Response
from kiebitz.ports.clock import Clock
from kiebitz.ports.fetcher import Fetcher
from kiebitz.settings import Settings
from kiebitz.standards.address import parse_networks


def user_agent(settings: Settings) -> str:
    """Who we are, and where to complain."""
    contact = f" (+{settings.contact})" if settings.contact else ""
    return f"{settings.user_agent}/{__version__}{contact}"


def policy_of(settings: Settings) -> Policy:
    limits = Limits(
        max_bytes=settings.max_bytes,
        first_byte_seconds=settings.first_byte_seconds,
        total_seconds=settings.total_seconds,
        header_bytes=settings.header_bytes,
        ratio=settings.ratio,
        layers=settings.layers,
    )
    return Policy(
        agent=settings.user_agent,
        limits=limits,
        max_page_bytes=settings.max_page_bytes,
        max_hops=settings.max_redirects,
        max_tries=settings.max_tries,
        retry_seconds=settings.retry_delay,
        hosts=settings.hosts_in_flight,
        lease_seconds=max(settings.lease_seconds, settings.total_seconds * 1.5),
        patience=settings.patience,
        bundle_bytes=settings.bundle_bytes,
    )


def client_of(settings: Settings, clock: Clock) -> tuple[SystemResolver, CurlFetcher]:
    """The one guarded way out."""
    resolver = SystemResolver(parse_mapping(settings.resolve))
    guard = Guard(parse_networks(settings.allow_networks))
    return resolver, CurlFetcher(resolver, guard, user_agent(settings), clock)


class BrowserOnDemand:
    """Implements the Fetcher port; the browser is looked for when the first page needs it, and no crawl pays before."""

    def __init__(self, settings: Settings, clock: Clock, client: Fetcher, gates: Gates) -> None:
        self._settings = settings
        self._clock = clock
        self._client = client
        self._gates = gates
        self._fetcher: Fetcher | None = None

    async def fetch(self, call: Call) -> Response:
        """Raises MissingExtra too, with what to install."""
        if self._fetcher is None:
            self._fetcher = self._made()
        return await self._fetcher.fetch(call)

    async def close(self) -> None:
        if self._fetcher is not None:
            await self._fetcher.close()

    def _made(self) -> Fetcher:
        from kiebitz.adapters.browser.chromium import find_chromium
        from kiebitz.adapters.browser.fetcher import BrowserFetcher
        from kiebitz.crawl.permits import Permits

        program = find_chromium(self._settings.browser)
        allowed = Permits(self._gates, self._clock).allows
        return BrowserFetcher(self._client, allowed, self._clock, user_agent(self._settings), program)


def outfit(backend: Backend, settings: Settings, holder: str) -> Kit:
    policy = policy_of(settings)
    clock = backend.clock
    resolver, fetcher = client_of(settings, clock)
    frontier = backend.state.frontier
    gates = Gates(fetcher, clock, policy.agent, policy.limits)
    return Kit(
        policy=policy,
        clock=clock,
        fetcher=fetcher,
        resolver=resolver,
        blobs=backend.blobs,
        documents=backend.state.documents,
        sightings=lambda: backend.state.sightings,
        archive=FolderArchive(backend.folder / "spool", holder, backend.blobs, frontier, clock),
        frontier=frontier,
        gates=gates,
        addresses=Addresses(settings.per_address),
        rng=random.Random(),  # noqa: S311 -- jitter is no secret
        progress=_quiet,
        browser=BrowserOnDemand(settings, clock, fetcher, gates),
    )


def _quiet(url: str, state: State, reason: str) -> None:
    """Nobody looks at single requests."""
