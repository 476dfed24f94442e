"""Who links to whom in the graph, and where its redirects lead: drawn anew from the seed whenever asked.

The way to every page of a host stays on that host, and every home page is linked from the first host's pages: one slow
host hides no other host's pages.
"""

from random import Random
from typing import NamedTuple

from kiebitz.lab.graph.layout import FAN_OUT, Layout, before, copy, forbidden, missing, redirecting

HOSTS_PER_PAGE = 40


class Target(NamedTuple):
    host: int
    path: str


class Links(NamedTuple):
    """``ways`` must be followed to reach everything; ``repeats`` lead where a way of the same host leads too."""

    ways: list[Target]
    repeats: list[Target]


def draw(seed: int, host: int, number: int, purpose: int = 0) -> Random:
    return Random((seed << 64) | (purpose << 56) | (host << 28) | (number + (1 << 27)))


def links(layout: Layout, seed: int, host: int, number: int) -> Links:
    """The links of a numbered page (documents have none)."""
    rng = draw(seed, host, number)
    ways = [Target(host, "/"), *_children(layout, host, number), *_directory(layout, host, number)]
    chance, linkable = rng.random, layout.first_behind  # randrange would be a third of the cost of a page
    for _ in range(1 + int(chance() * 5)):
        other = int(chance() * layout.hosts)
        there = 0 if chance() < 0.5 else int(chance() * linkable)
        ways.append(Target(other, layout.path(other, there)))
    ways += _oddities(layout, host, number, rng)
    repeats = [Target(host, layout.path(host, int(chance() * linkable))) for _ in range(5 + int(chance() * 25))]
    repeats += repeats[: int(chance() * 8)]
    return Links(ways, repeats)


def forbidden_links(layout: Layout, host: int, number: int) -> list[Target]:
    """What a forbidden page leads to: the islands and its forbidden neighbour."""
    islands = [Target(host, layout.path(host, n)) for n in range(layout.first_island, layout.pages)]
    return [*islands, Target(host, forbidden((number + 1) % layout.forbids(host)))]


def redirect_target(layout: Layout, seed: int, host: int, number: int) -> tuple[int, Target]:
    """Status and target of a redirect. A negative number is the redirect in front of page ``-number``."""
    if number < 0:
        return 301, Target(host, layout.path(host, -number))
    rng = draw(seed, host, number, purpose=1)
    other = rng.randrange(layout.hosts)
    page = rng.randrange(layout.first_behind)
    style = number % 6
    if style == 2:
        return 301, Target(other, layout.path(other, page))
    if style == 3 and number + 1 < layout.redirects:
        return 302, Target(host, redirecting(number + 1))
    if style == 5 and layout.forbids(host):
        return 302, Target(host, forbidden(page % layout.forbids(host)))
    return (301, 302, 301, 303, 307, 308)[style], Target(host, layout.path(host, page))


def _children(layout: Layout, host: int, number: int) -> list[Target]:
    found = []
    for child in range(FAN_OUT * number + 1, min(FAN_OUT * number + FAN_OUT + 1, layout.first_island)):
        is_behind = child >= layout.first_behind
        found.append(Target(host, before(child) if is_behind else layout.path(host, child)))
    return found


def _directory(layout: Layout, host: int, number: int) -> list[Target]:
    """The first host's pages list all hosts, as early in the tree as they fit."""
    if host:
        return []
    share = max(HOSTS_PER_PAGE, -(-layout.hosts // max(1, layout.first_leaf)))
    return [Target(other, "/") for other in range(number * share, min((number + 1) * share, layout.hosts))]


def _oddities(layout: Layout, host: int, number: int, rng: Random) -> list[Target]:
    found = []
    other = rng.randrange(layout.hosts)
    if layout.forbids(host) and number % 4 == 0:
        found.append(Target(host, forbidden(number // 4 % layout.forbids(host))))
    if layout.forbids(other) and rng.random() < 0.1:
        found.append(Target(other, forbidden(rng.randrange(layout.forbids(other)))))
    if number % 5 == 1:
        found.append(Target(host, missing(number // 5 % layout.missing)))
    if number % 3 == 1:
        found.append(Target(host, redirecting(number // 3 % layout.redirects)))
    if layout.has_copy(host, number):
        found.append(Target(host, copy(number)))
    return found
