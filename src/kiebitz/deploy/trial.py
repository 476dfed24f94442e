"""Try a source: look at it as a run would, with few requests and little time, and save nothing."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from kiebitz.collect.page import collect_page
from kiebitz.crawl.gate import Gates
from kiebitz.crawl.rendering import IN_VAIN, NEEDS_BROWSER, draw
from kiebitz.deploy.outfit import BrowserOnDemand, client_of, policy_of
from kiebitz.errors import FetchError, LimitExceeded, TimedOut
from kiebitz.model.candidate import Collection, Follow, Verdict
from kiebitz.model.response import Call, Response
from kiebitz.model.source import Source
from kiebitz.ports.clock import Clock
from kiebitz.ports.fetcher import Fetcher
from kiebitz.settings import Settings
from kiebitz.sources.rules import ruled
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


class Counted:
    """A fetcher that counts, robots.txt and its redirects too, and ends when what was promised is used up."""

    def __init__(self, fetcher: Fetcher, limit: int) -> None:
        self._fetcher = fetcher
        self.limit = limit
        self.requests = 0

    async def fetch(self, call: Call) -> Response:
        if self.requests >= self.limit:
            raise LimitExceeded("requests", f"a trial ends after {self.limit} requests")
        self.requests += 1
        return await self._fetcher.fetch(call)

    async def close(self) -> None:
        await self._fetcher.close()


class Scout:
    """One trial under way. It is as polite as a run: robots.txt first, a delay per host, the guard."""

    def __init__(
        self, settings: Settings, source: Source, clock: Clock, fetcher: Counted, browser: Fetcher | None = None
    ) -> None:
        policy = policy_of(settings)
        manners = source.politeness
        self._limits = policy.limits._replace(total_seconds=min(policy.limits.total_seconds, SECONDS))
        self._gates = Gates(fetcher, clock, policy.agent, self._limits)
        self._delay = settings.delay if manners.delay is None else manners.delay
        self._source_rules = source.rules
        self._slowest = 0.0  # seconds that reading a page took: who has begun to read one cannot stop
        self._clock = clock
        self._fetcher = fetcher
        self._browser = browser
        self._rules: dict[str, Rules] = {}
        self._ready: dict[str, float] = {}
        self._started = clock.monotonic()

    @property
    def requests(self) -> int:
        return self._fetcher.requests

    @property
    def seconds(self) -> float:
        return self._clock.monotonic() - self._started

    @property
    def spent(self) -> bool:
        return self.requests >= self._fetcher.limit or self.seconds + self._slowest >= SECONDS

    async def look(self, lead: Follow) -> Collection:
        """What a page yields. Raises FetchError with the reason if it cannot be had."""
        try:
            async with asyncio.timeout(max(0.1, SECONDS - self.seconds)):
                response = await self._fetch(lead)
        except TimeoutError:
            raise TimedOut("time", f"{lead.url} was not to be had within {SECONDS:.0f} seconds") from None
        began = self._clock.monotonic()
        content_type = response.headers.get("content-type", "")
        found = collect_page(response.url, response.content, content_type, self._clock.utc().date())
        self._slowest = max(self._slowest, self._clock.monotonic() - began)
        if found.state == NEEDS_BROWSER and lead.body is None and self._browser is not None:
            found = await self._look_drawn(self._browser, response.url, found)
        return ruled(found, self._source_rules)

    async def _look_drawn(self, browser: Fetcher, url: str, shell: Collection) -> Collection:
        """What the page yields once its script has drawn it. It counts as one request; the browser bounds its parts."""
        self._fetcher.requests += 1
        await self._wait(url, self._rules[origin_of(url)].delay)
        left = self._limits._replace(total_seconds=max(0.1, SECONDS - self.seconds))
        try:
            drawn = await draw(browser, url, left)
        except FetchError as error:
            drawn = str(error)
        if isinstance(drawn, str):
            return shell._replace(reason=f"the page is drawn by a script: {drawn}")
        if 300 <= drawn.status < 400:
            target = join(url, drawn.headers.get("location", "")) or url
            reason = f"a script leads on to {target}"
            return shell._replace(state="leads-on", reason=reason, follow=(Follow(target, "script", reason),))
        content_type = drawn.headers.get("content-type", "")
        found = collect_page(url, drawn.content, content_type, self._clock.utc().date())
        return found._replace(state="empty", reason=IN_VAIN) if found.state == NEEDS_BROWSER else found

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


async def try_source(settings: Settings, clock: Clock, source: Source) -> Trial:
    """As its runs would, with its rules and its manners; its budget holds if it is smaller than a trial's."""
    resolver, fetcher = client_of(settings, clock)
    limits = (REQUESTS, source.budget, source.politeness.max_per_run)
    policy = policy_of(settings)
    browser = BrowserOnDemand(settings, clock, fetcher, Gates(fetcher, clock, policy.agent, policy.limits))
    try:
        counted = Counted(fetcher, min(limit for limit in limits if limit))
        return await _try(Scout(settings, source, clock, counted, browser), source.entry_urls)
    finally:
        await browser.close()
        await fetcher.close()
        await resolver.close()


async def _try(scout: Scout, entries: Sequence[str]) -> Trial:
    url = entries[0]
    waiting = deque(Follow(entry, "entry", "the page that was named") for entry in entries)
    home = {registrable(host_of(entry)) for entry in entries}
    known: set[tuple[str, bytes | None]] = {(entry, None) for entry in entries}
    taken: dict[tuple[str, bytes | None], Verdict] = {}
    refused: dict[tuple[str, bytes | None], Verdict] = {}
    stops: list[Stop] = []
    troubles: list[str] = []
    first: Collection | None = None
    while waiting:
        lead = waiting.popleft()
        if scout.spent:
            stops.append(Stop(lead, ""))
            continue
        try:
            found = await scout.look(lead)
        except FetchError as error:
            if lead.kind == "entry":
                troubles.append(str(error))
            stops.append(Stop(lead, error.reason))
            continue
        first = first or found
        if lead.url != url:
            stops.append(Stop(lead, found.reason))
        taken |= {_key(verdict): verdict for verdict in found.documents if _key(verdict) not in taken}
        refused |= {_key(verdict): verdict for verdict in found.rejected}
        for more in found.follow:
            place = (more.url, more.body)
            if place not in known and registrable(host_of(more.url)) in home:
                known.add(place)
                waiting.append(more)
    if first is None:
        reason = troubles[0] if troubles else "nothing could be asked for within the limits"
        return Trial(url, "unreachable", reason, (), (), (), scout.requests, scout.seconds)
    rejected = tuple(verdict for key, verdict in refused.items() if key not in taken)
    state = "documents" if taken else first.state
    reason = f"{len(taken)} documents" if taken else first.reason
    return Trial(url, state, reason, tuple(taken.values()), rejected, tuple(stops), scout.requests, scout.seconds)


def _key(verdict: Verdict) -> tuple[str, bytes | None]:
    return verdict.candidate.url, verdict.candidate.body
