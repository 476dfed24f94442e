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
from kiebitz.model.response import Limits
from kiebitz.ports.clock import Clock
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


def outfit(backend: Backend, settings: Settings, holder: str) -> Kit:
    policy = policy_of(settings)
    clock = backend.clock
    resolver, fetcher = client_of(settings, clock)
    frontier = backend.state.frontier
    return Kit(
        policy=policy,
        clock=clock,
        fetcher=fetcher,
        resolver=resolver,
        blobs=backend.blobs,
        documents=backend.state.documents,
        archive=FolderArchive(backend.folder / "spool", holder, backend.blobs, frontier, clock),
        frontier=frontier,
        gates=Gates(fetcher, clock, policy.agent, policy.limits),
        addresses=Addresses(settings.per_address),
        rng=random.Random(),  # noqa: S311 -- jitter is no secret
        progress=_quiet,
    )


def _quiet(url: str, state: State, reason: str) -> None:
    """Nobody looks at single requests."""
