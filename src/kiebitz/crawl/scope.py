"""Which URLs belong to a run: asked for every link of every page, so everything is compiled once.

A link belongs to the run if its depth, its host (or domain) and the patterns of the plan admit it. Seeds always do: who
names a URL wants it, even if a pattern meant for links does not match it. A seed that is redirected widens the scope,
because ``example.org`` is often ``www.example.org``, and nobody wants to know that before.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from kiebitz.errors import BadUrl, InputError
from kiebitz.model.run import Plan, Scope
from kiebitz.standards.url import canonical, host_of, registrable

REMEMBERED_HOSTS = 50_000
# What would mean something else inside a larger pattern: references to groups, named groups, flags for the whole.
_PRIVATE = re.compile(r"\\[1-9]|\(\?(?:P[<=]|\(|[aiLmsux]+\))")


class ScopeRules:
    def __init__(self, plan: Plan) -> None:
        """Raises InputError for a pattern that is no regular expression."""
        self._scope = plan.scope
        self._depth = plan.depth
        self._seeds = {_canonical(seed) for seed in plan.seeds}
        self._included = _searcher(plan.include, "include")
        self._excluded = _searcher(plan.exclude, "exclude")
        self._names: set[str] = set()  # hosts, or registrable domains
        self._known: dict[str, bool] = {}
        for seed in self._seeds:
            self._names.add(self._name(host_of(seed)))

    def admits(self, url: str, host: str, depth: int) -> bool:
        """May this canonical URL, found at this depth, become a request of the run?"""
        known = self._known.get(host)
        if known is None:
            known = self._decide(host)
        if (
            known
            and (depth <= self._depth or self._depth < 0)
            and (self._included is None or self._included(url) is not None)
            and (self._excluded is None or self._excluded(url) is None)
        ):
            return True
        return url in self._seeds

    def follows(self, depth: int) -> bool:
        """May the links of a page at this depth be taken?"""
        return self._scope is not Scope.LIST and (self._depth < 0 or depth < self._depth)

    def widen(self, host: str, url: str) -> bool:
        """A seed leads here: its host (or domain), and for a list the URL itself, belong to the run, too.

        True if links that were refused may belong to it now.
        """
        self._seeds.add(url)
        name = self._name(host)
        if name in self._names:
            return False
        self._names.add(name)
        if self._scope is Scope.DOMAIN:
            self._known.clear()
            return True
        return self._known.pop(host, None) is False

    def _name(self, host: str) -> str:
        return registrable(host) if self._scope is Scope.DOMAIN else host

    def _decide(self, host: str) -> bool:
        if self._scope is Scope.DOMAIN:
            known = any(name in self._names for name in _and_parents(host))
        else:
            known = self._scope is Scope.ANY or (self._scope is Scope.HOST and host in self._names)
        if len(self._known) >= REMEMBERED_HOSTS:
            self._known.clear()
        self._known[host] = known
        return known


def _and_parents(host: str) -> Iterator[str]:
    while host:
        yield host
        host = host.partition(".")[2]


def _canonical(seed: str) -> str:
    try:
        return canonical(seed)
    except BadUrl as error:
        raise BadUrl(f"a seed is unusable: {error}", hint=error.hint) from None


def _searcher(patterns: Sequence[str], name: str) -> Callable[[str], object] | None:
    """One search for all patterns, or None if there are none."""
    if not patterns:
        return None
    compiled = [_compiled(pattern, name) for pattern in patterns]
    if len(compiled) == 1:
        return compiled[0].search
    if not any(_PRIVATE.search(pattern) for pattern in patterns):
        return re.compile("|".join(f"(?:{pattern})" for pattern in patterns)).search

    def search(url: str) -> object:
        return next((found for each in compiled if (found := each.search(url))), None)

    return search


def _compiled(pattern: str, name: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        at = "" if error.pos is None else f" at position {error.pos}"
        raise InputError(
            f"--{name} {pattern!r} is no regular expression: {error.msg}{at}",
            hint=r"special characters need a backslash, as in '\.pdf$'",
        ) from None
