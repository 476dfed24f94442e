"""Was this grant a permitted one? Every sentence of the port's ``lease``, asked of the model before and after it."""

from copy import deepcopy
from dataclasses import dataclass
from math import inf

from kiebitz.model.request import Due, State
from kiebitz.model.visit import Grant, Token, Visit
from tests.property.frontier_model import WAITING, Model, Request


@dataclass(frozen=True)
class LeaseCall:
    runs: tuple[str, ...]
    holder: str
    hosts: int
    batch: int
    seconds: float
    now: float
    per_address: int


def check_and_follow(model: Model, call: LeaseCall, grant: Grant, known_tokens: set[Token]) -> None:
    """Check the grant, then bring the model to where it leads."""
    before = deepcopy(model)
    for visit in grant.visits:
        _check_host(before, call, visit)
        assert visit.token not in known_tokens
        model.grant(visit, call.holder)
    assert len({visit.host for visit in grant.visits}) == len(grant.visits) <= call.hosts
    for visit in grant.visits:
        _check_requests(before, model, call, visit)
        _check_limits(model, call, visit)
    if len(grant.visits) < call.hosts:
        left = [pair for pair in _pairs(model, call) if _could_be_leased(model, call, *pair)]
        assert left == [], "a host that was due was not given"
    _check_wake_at(model, call, grant)


def _pairs(model: Model, call: LeaseCall) -> list[tuple[str, str]]:
    active = [run for run in call.runs if model.run(run).active]
    return [(host, run) for host in model.hosts for run in active]


def _due(model: Model, host: str, run: str, now: float) -> list[Request]:
    """Requests that may be fetched now if the host is free, whatever the limits say."""
    return [
        request
        for cursor, request in model.requests.items()
        if cursor[0] == host
        and request.run == run
        and request.state in WAITING
        and not model.leased_now(cursor, now)
        and (request.state is State.PENDING or request.next_at <= now)
    ]


def _room_in_run(model: Model, run: str, now: float) -> float:
    limit = model.run(run).max_pages
    return limit - model.fetched(run) - model.out(run, now) if limit else inf


def _room_at_host(model: Model, run: str, host: str, now: float) -> float:
    limit = model.run(run).max_per_host
    return limit - model.fetched(run, host) - model.out(run, now, host) if limit else inf


def _in_use(model: Model, address: str, now: float) -> int:
    return sum(model.held(host, now) is not None and facts.address == address for host, facts in model.hosts.items())


def _full(model: Model, call: LeaseCall, host: str) -> bool:
    address = model.host(host).address
    return bool(address) and _in_use(model, address, call.now) >= call.per_address


def _could_be_leased(model: Model, call: LeaseCall, host: str, run: str) -> bool:
    return (
        not model.held(host, call.now)
        and model.host(host).ready_at <= call.now
        and _due(model, host, run, call.now) != []
        and not _full(model, call, host)
        and _room_in_run(model, run, call.now) > 0
        and _room_at_host(model, run, host, call.now) > 0
    )


def _check_host(before: Model, call: LeaseCall, visit: Visit) -> None:
    assert _could_be_leased(before, call, visit.host, visit.run)
    assert visit.run in call.runs
    assert before.run(visit.run).active
    assert visit.until == call.now + call.seconds
    facts = before.host(visit.host)
    assert visit.token[1] > facts.counter
    assert (visit.ready_at, visit.failures, visit.address) == (facts.ready_at, facts.failures, facts.address)
    assert visit.robots == facts.robots


def _check_requests(before: Model, after: Model, call: LeaseCall, visit: Visit) -> None:
    due = _due(before, visit.host, visit.run, call.now)
    given = [before.requests[visit.host, each.key] for each in visit.requests]
    assert 0 < len(given) <= call.batch
    assert all(request in due for request in given)
    for request, each in zip(given, visit.requests, strict=True):
        _check_due(request, each)
    order = [(request.depth, request.added) for request in given]
    assert order == sorted(order)
    kept = [(request.depth, request.added) for request in due if request not in given]
    assert not kept or order[-1] <= min(kept)
    wanted = min(call.batch, len(due), _room_at_host(before, visit.run, visit.host, call.now))
    assert len(given) == wanted or _room_in_run(after, visit.run, call.now) == 0


def _check_due(request: Request, due: Due) -> None:
    for name in (
        "url",
        "depth",
        "tries",
        "body",
        "parent",
        "text",
        "etag",
        "modified",
        "digest",
        "hops",
        "content_type",
    ):
        assert getattr(due, name) == getattr(request, name)


def _check_limits(after: Model, call: LeaseCall, visit: Visit) -> None:
    assert _room_in_run(after, visit.run, call.now) >= 0
    assert _room_at_host(after, visit.run, visit.host, call.now) >= 0
    assert not visit.address or _in_use(after, visit.address, call.now) <= call.per_address


def _check_wake_at(model: Model, call: LeaseCall, grant: Grant) -> None:
    if len(grant.visits) < call.hosts:
        assert grant.wake_at is None or grant.wake_at > call.now, "nothing is due: to wake at once is to spin"
    chances = [at for host, run in _pairs(model, call) if (at := _next_chance(model, call, host, run)) is not None]
    if chances:
        assert grant.wake_at is not None, "something waits"
        assert grant.wake_at <= max(call.now, min(chances)), "something is due before that"


def _next_chance(model: Model, call: LeaseCall, host: str, run: str) -> float | None:
    """When the host has something to give at the latest, if nobody calls before. What the caller holds itself does not
    count as waiting: the adapter may name the end of that lease, or not.
    """
    now = call.now
    facts, lease = model.run(run), model.held(host, now)
    if facts.max_pages and model.fetched(run) >= facts.max_pages:
        return None
    if facts.max_per_host and model.fetched(run, host) >= facts.max_per_host:
        return None
    moments = [
        request.next_at if request.state is State.DEFERRED else now
        for cursor, request in model.requests.items()
        if cursor[0] == host and request.run == run and request.state in WAITING and not model.leased_now(cursor, now)
    ]
    if lease and lease.run == run and lease.holder != call.holder and lease.keys:
        moments.append(now)
    if not moments:
        return None
    moment = max(min(moments), model.host(host).ready_at, lease.until if lease else now)
    if not lease and (_full(model, call, host) or _room_in_run(model, run, now) <= 0):
        blocking = [each.until for name in model.leases if (each := model.held(name, now))]
        moment = max(moment, *blocking)
    return moment
