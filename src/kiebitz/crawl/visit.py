"""Visit one host: fetch what is due there, politely, until its batch or its lease ends.

A visit owns its host through a lease; nobody else fetches from it meanwhile. It collects outcomes and never settles them
itself: the worker takes what has gathered and commits it, while the visit goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kiebitz.crawl.kit import Kit, RunContext
from kiebitz.crawl.politeness import backoff, given_up, next_round, pause, remembered, rest
from kiebitz.crawl.reading import read_answer
from kiebitz.errors import AddressRefused, FetchError, LimitExceeded, RobotsClosed
from kiebitz.model.document import Document
from kiebitz.model.request import Due, Outcome, State
from kiebitz.model.response import Call, Response
from kiebitz.model.visit import Found, Settlement, Visit
from kiebitz.standards.media_type import wanted
from kiebitz.standards.robots import Rules
from kiebitz.standards.url import host_of, origin_of, path_of, port_of

if TYPE_CHECKING:  # of sources only
    from kiebitz.crawl.collector import Collector
    from kiebitz.crawl.onlooker import Onlooker
    from kiebitz.model.sight import PageSight

HOST_WIDE = frozenset({"dns", "refused", "connect", "tls", "no route"})


@dataclass(slots=True)
class Sheet:
    """What a visit has brought since the last commit. ``records`` are WARC bytes of outcomes that get a capture."""

    settlement: Settlement
    source: str = ""
    records: list[tuple[Outcome, bytes]] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)
    sights: list[PageSight] = field(default_factory=list)


class HostVisit:
    """One leased host under way."""

    def __init__(self, lease: Visit, context: RunContext, kit: Kit) -> None:
        self.lease = lease
        self.context = context
        self.kit = kit
        self.ended = False
        self.halted = False
        self.deadline = kit.clock.monotonic() + (lease.until - kit.clock.now())
        self.strikes = remembered(lease.failures, kit.clock.now() - lease.ready_at)
        self.ready_at = lease.ready_at
        self.address = lease.address
        self._next_slot = 0.0  # monotonic
        self._current: Due | None = None
        self._robots = dict(lease.robots)
        self._sheet = self._blank()

    # ------------------------------------------------------------------ what the worker sees

    def take(self) -> Sheet:
        """What has gathered; with the last one the lease ends."""
        sheet, self._sheet = self._sheet, self._blank()
        settlement = sheet.settlement
        settlement.ready_at, settlement.failures = self.ready_at, self.strikes
        settlement.address, settlement.keep = self.address, not self.ended
        return sheet

    @property
    def gathered(self) -> int:
        return len(self._sheet.settlement.outcomes)

    def renewed(self, deadline: float) -> None:
        """The lease holds until this moment of the monotonic clock."""
        self.deadline = deadline

    def broke(self, error: Exception) -> None:
        """A defect of ours met this request: it fails, so that nobody meets it again in a loop."""
        due = self._current or self.lease.requests[0]
        self._end(due, State.FAILED, f"defect: {type(error).__name__}: {error}"[:200])
        self.context.reader.forget()  # links of a page that was read half are not recorded

    async def run(self) -> None:
        try:
            self.address = await self._locate()
            with self.kit.addresses.hold(self.address) as free:
                if free:
                    await self._all()
                else:
                    self.ready_at = self.kit.clock.now() + 0.5  # the frontier knows the address now and waits for room
        except FetchError as error:
            self._host_failed(self.lease.requests[0], error.reason)
        finally:
            self.ended = True

    # ------------------------------------------------------------------ the requests, one after another

    async def _all(self) -> None:
        for due in self.lease.requests:
            self._current = due
            try:
                rules = await self._rules(origin_of(due.url))
            except AddressRefused:
                self._end(due, State.SKIPPED, "address")
                continue
            except RobotsClosed as error:
                self._host_failed(due, error.reason, error.wait)
                return
            if rules is None:
                return
            if not rules.allows(path_of(due.url)):
                self._end(due, State.SKIPPED, "robots")
                continue
            if not await self._turn() or not await self._attempt(due, rules):
                return

    async def _attempt(self, due: Due, rules: Rules) -> bool:
        """Fetch one request; False if the host wants to be left alone."""
        try:
            response = await self._fetch(due, rules)
        except AddressRefused:
            self._end(due, State.SKIPPED, "address")
            return True
        except LimitExceeded as error:
            self._end(due, State.SKIPPED, f"limit: {error.reason}")
            return True
        except FetchError as error:
            if error.reason in HOST_WIDE:
                self._host_failed(due, error.reason)
                return False
            return self._failed(due, error.reason)
        answer = await read_answer(due, response, rules, self.context, self.kit)
        if answer.state is State.DEFERRED:
            return self._failed(due, answer.reason, response.status, answer.wait)
        self.strikes = 0
        outcome = self._end(due, answer.state, answer.reason, response.status)
        outcome.etag, outcome.modified = answer.etag, answer.modified
        outcome.digest, outcome.size, outcome.content_type = answer.digest, answer.size, answer.content_type
        if answer.record:
            self._sheet.records.append((outcome, answer.record))
        if answer.document:
            self._sheet.documents.append(answer.document)
        if self.context.collector:
            self._look_back(due, self.context.collector)
        if answer.links:
            depth, hops = (due.depth, due.hops + 1) if answer.redirect else (due.depth + 1, 0)
            parent = due.parent if answer.redirect else due.url
            self._sheet.settlement.found.append(Found(parent, depth, answer.links, hops))
        return True

    def _look_back(self, due: Due, collector: Collector | Onlooker) -> None:
        """What the collector saw on the page, and where its list goes on."""
        sight = collector.sight(due.url, due.body, self.context.run.id, self.kit.clock.utc())
        if sight:
            self._sheet.sights.append(sight)
        if further := collector.beside(due.url):
            self._sheet.settlement.found.append(Found(due.url, due.depth, further))

    async def _fetch(self, due: Due, rules: Rules) -> Response:
        try:
            return await self.kit.fetcher.fetch(self._call(due))
        finally:
            self._waited(rules)

    def _call(self, due: Due) -> Call:
        headers = []
        if due.etag:
            headers.append(("If-None-Match", due.etag))
        if due.modified:
            headers.append(("If-Modified-Since", due.modified))
        return Call(
            due.url,
            "GET" if due.body is None else "POST",
            tuple(headers),
            due.body,
            self._judge,
            self.kit.policy.limits,
        )

    def _judge(self, status: int, content_type: str, length: int) -> str:
        if not 200 <= status < 300:
            return ""
        if not wanted(content_type):
            return "type"
        return "size" if length > self.kit.policy.limits.max_bytes else ""

    # ------------------------------------------------------------------ manners

    async def _locate(self) -> str:
        url = self.lease.requests[0].url
        endpoints = await self.kit.resolver.resolve(host_of(url), port_of(url))
        first = endpoints[0]
        return f"{first.address}:{first.port}" if first.pinned else first.address

    async def _rules(self, origin: str) -> Rules | None:
        """What robots.txt says, asked for if need be; None if there is no time left to ask."""
        rules = self.kit.gates.known(self._robots.get(origin))
        if rules is not None or not await self._turn():
            return rules
        try:
            record = await self.kit.gates.fetch(origin)
            rules = self.kit.gates.known(record)
        finally:
            self._waited(rules)  # also the first page waits as long as robots.txt asks for
        self._robots[record.origin] = record
        self._sheet.settlement.robots.append(record)
        return rules

    async def _turn(self) -> bool:
        """Wait until the host may be asked again; False if no request may start then."""
        wait = self._next_slot - self.kit.clock.monotonic()
        if wait > 0:
            await self.kit.clock.sleep(wait)
        return self._may_go_on()

    def _waited(self, rules: Rules | None) -> None:
        """A request has ended: the next one may start only after the delay."""
        wait = pause(self.context.delay, rules.delay if rules else None, self.kit.rng)
        self._next_slot = self.kit.clock.monotonic() + wait
        self.ready_at = self.kit.clock.now() + wait

    def _may_go_on(self) -> bool:
        """No request starts that could outlive its lease: fencing protects our state, not the website."""
        return not self.halted and self.kit.clock.monotonic() + self.kit.policy.limits.total_seconds <= self.deadline

    # ------------------------------------------------------------------ bookkeeping

    def _end(self, due: Due, state: State, reason: str, status: int = 0, next_at: float = 0.0) -> Outcome:
        tries = due.tries + (state is not State.SKIPPED)
        outcome = Outcome(due.key, state, self.kit.clock.now(), reason, status, tries, next_at)
        self._sheet.settlement.outcomes.append(outcome)
        self.kit.progress(due.url, state, reason)
        return outcome

    def _failed(self, due: Due, reason: str, status: int = 0, wait: float = 0.0) -> bool:
        """A temporary error: try again later, or not at all. False if the host must be left alone now."""
        policy, rng = self.kit.policy, self.kit.rng
        self.strikes += 1
        self._try_later(due, reason, status, max(wait, backoff(due.tries + 1, policy.retry_seconds, rng)))
        quiet = rest(self.strikes, policy.retry_seconds, rng)
        if not wait and not quiet:
            return True
        self._leave_alone(due, reason, wait, quiet)
        return False

    def _host_failed(self, due: Due, reason: str, wait: float = 0.0) -> None:
        """The request that met it is tried again first, as soon as the host has rested."""
        self.strikes = next_round(self.strikes)
        quiet = rest(self.strikes, self.kit.policy.retry_seconds, self.kit.rng)
        self._try_later(due, reason, 0, max(wait, quiet))
        self._leave_alone(due, reason, wait, quiet)

    def _try_later(self, due: Due, reason: str, status: int, seconds: float) -> None:
        if due.tries + 1 >= self.kit.policy.max_tries or self._given_up:
            self._end(due, State.FAILED, reason, status)
        else:
            self._end(due, State.DEFERRED, reason, status, self.kit.clock.now() + seconds)

    @property
    def _given_up(self) -> bool:
        return given_up(self.strikes, self.kit.policy.max_tries)

    def _leave_alone(self, due: Due, reason: str, wait: float, quiet: float) -> None:
        """The whole host rests, or if it is given up waits for what it asked for; then all that is left here fails."""
        seconds = wait if self._given_up else max(wait, quiet)
        self.ready_at = max(self.ready_at, self.kit.clock.now() + seconds)
        if self._given_up:
            position = self.lease.requests.index(due)
            for left in self.lease.requests[position + 1 :]:
                self._end(left, State.FAILED, f"host: {reason}")

    def _blank(self) -> Sheet:
        return Sheet(Settlement(self.lease.host, self.lease.run, self.lease.token), self.context.run.source)
