"""Try a source: look at it as a run would, with few requests and little time, and save nothing."""

from collections import deque
from typing import NamedTuple

from kiebitz.collect.page import collect_page
from kiebitz.crawl.gate import Gates
from kiebitz.deploy.outfit import client_of, policy_of
from kiebitz.errors import FetchError, LimitExceeded
from kiebitz.model.candidate import Collection, Follow, Verdict
from kiebitz.model.response import Call, Response
from kiebitz.ports.clock import Clock
from kiebitz.ports.fetcher import Fetcher
from kiebitz.settings import Settings
from kiebitz.standards.robots import Rules
from kiebitz.standards.url import host_of, join, origin_of, path_of, registrable

REQUESTS = 12
SECONDS = 18.0
HOPS = 5


class Stop(NamedTuple):
    """A page that was looked at, or would be: where, why, and what it yielded."""

    lead: Follow
    outcome: str  # "" if there was no time or request left for it


class Trial(NamedTuple):
    url: str
    state: str
    reason: str
    documents: tuple[Verdict, ...]
    rejected: tuple[Verdict, ...]
    follow: tuple[Stop, ...]
    requests: int
    seconds: float


class Scout:
    """One trial under way. It is as polite as a run: robots.txt first, a delay per host, the guard."""

    def __init__(self, settings: Settings, clock: Clock, fetcher: Fetcher) -> None:
        policy = policy_of(settings)
        self._limits = policy.limits._replace(total_seconds=min(policy.limits.total_seconds, SECONDS))
        self._gates = Gates(fetcher, clock, policy.agent, self._limits)
        self._delay = settings.delay
        self._clock = clock
        self._fetcher = fetcher
        self._rules: dict[str, Rules] = {}
        self._ready: dict[str, float] = {}
        self._started = clock.monotonic()
        self.requests = 0

    @property
    def seconds(self) -> float:
        return self._clock.monotonic() - self._started

    @property
    def spent(self) -> bool:
        return self.requests >= REQUESTS or self.seconds >= SECONDS

    async def look(self, lead: Follow) -> Collection:
        """What a page yields. Raises FetchError with the reason if it cannot be had."""
        response = await self._fetch(lead)
        content_type = response.headers.get("content-type", "")
        return collect_page(response.url, response.content, content_type, self._clock.utc().date())

    async def _fetch(self, lead: Follow) -> Response:
        url, method, body = lead.url.partition("#")[0], lead.method, lead.body
        for _ in range(HOPS + 1):
            rules = await self._rules_of(origin_of(url))
            if not rules.allows(path_of(url)):
                raise FetchError("robots", f"robots.txt forbids {url}")
            await self._wait(url, rules.delay)
            response = await self._fetcher.fetch(Call(url, method, body=body, limits=self._limits))
            if 200 <= response.status < 300:
                return response
            target = join(url, response.headers.get("location", "")) if 300 <= response.status < 400 else None
            if target is None:
                raise FetchError(f"http {response.status}", f"{url} answers with status {response.status}")
            url, method, body = target, "GET", None
        raise LimitExceeded("redirects", f"{lead.url} redirects more than {HOPS} times")

    async def _rules_of(self, origin: str) -> Rules:
        rules = self._rules.get(origin)
        if rules is None:
            await self._wait(origin + "/", None)
            rules = self._gates.known(await self._gates.fetch(origin))
            assert rules is not None
            self._rules[origin] = rules
        return rules

    async def _wait(self, url: str, robots_delay: float | None) -> None:
        host = host_of(url)
        await self._clock.sleep(max(0.0, self._ready.get(host, 0.0) - self._clock.monotonic()))
        self._ready[host] = self._clock.monotonic() + max(self._delay, robots_delay or 0.0)
        self.requests += 1


async def try_source(settings: Settings, clock: Clock, url: str) -> Trial:
    resolver, fetcher = client_of(settings, clock)
    try:
        return await _try(Scout(settings, clock, fetcher), url)
    finally:
        await fetcher.close()
        await resolver.close()


async def _try(scout: Scout, url: str) -> Trial:
    entry = Follow(url, "entry", "the page that was named")
    waiting = deque([entry])
    known: set[tuple[str, bytes | None]] = {(url, None)}
    taken: dict[tuple[str, bytes | None], Verdict] = {}
    refused: dict[tuple[str, bytes | None], Verdict] = {}
    stops: list[Stop] = []
    first: Collection | None = None
    while waiting:
        lead = waiting.popleft()
        if scout.spent:
            stops.append(Stop(lead, ""))
            continue
        try:
            found = await scout.look(lead)
        except FetchError as error:
            if first is None:
                return Trial(url, "unreachable", str(error), (), (), (), scout.requests, scout.seconds)
            stops.append(Stop(lead, error.reason))
            continue
        first = first or found
        if lead is not entry:
            stops.append(Stop(lead, found.reason))
        taken |= {_key(verdict): verdict for verdict in found.documents if _key(verdict) not in taken}
        refused |= {_key(verdict): verdict for verdict in found.rejected}
        for more in found.follow:
            place = (more.url, more.body)
            if place not in known and registrable(host_of(more.url)) == registrable(host_of(url)):
                known.add(place)
                waiting.append(more)
    assert first is not None
    rejected = tuple(verdict for key, verdict in refused.items() if key not in taken)
    state = "documents" if taken else first.state
    reason = f"{len(taken)} documents" if taken else first.reason
    return Trial(url, state, reason, tuple(taken.values()), rejected, tuple(stops), scout.requests, scout.seconds)


def _key(verdict: Verdict) -> tuple[str, bytes | None]:
    return verdict.candidate.url, verdict.candidate.body
