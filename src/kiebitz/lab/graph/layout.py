"""What lies where on the hosts of the graph: a page's number and its path are computed from each other, nothing is kept.

A host has M numbered pages. Number 0 is the home page; page p links to its children 4p+1 … 4p+4, so that all are
reachable. The last numbers are leaves with a purpose: some lie behind a redirect, some (islands) are linked only from
forbidden pages. Beside them lie forbidden pages, redirects, links that lead nowhere, and copies of pages.
"""

import re
from enum import StrEnum
from typing import NamedTuple

FAN_OUT = 4


class SpotKind(StrEnum):
    PAGE = "page"
    DOCUMENT = "document"
    COPY = "copy"  # the same bytes as a page, at another URL
    ISLAND = "island"  # exists, but no allowed way leads there
    REDIRECT = "redirect"
    MISSING = "missing"  # linked, and answered by 404 or 410
    FORBIDDEN = "forbidden"  # by robots.txt; served all the same, so that the log shows who does not care
    ROBOTS = "robots"
    ASSET = "asset"  # style sheets and images: not links
    UNKNOWN = "unknown"


class RobotsStyle(StrEnum):
    PLAIN = "plain"
    DELAY = "delay"
    GROUPS = "groups"
    ABSENT = "absent"
    EMPTY = "empty"


class Spot(NamedTuple):
    kind: SpotKind
    number: int = 0


_ROBOTS = (*[RobotsStyle.PLAIN] * 6, RobotsStyle.DELAY, RobotsStyle.ABSENT, RobotsStyle.GROUPS, RobotsStyle.EMPTY)
_LAST_NUMBER = re.compile(r"(\d{1,9})(?:\.html|\.pdf|/|&sicht=voll)?$")
_SPECIAL = re.compile(r"/(intern|fehlt|weiter|hinter)/(\d{1,9})(?:\.html)?$")
_COPY = re.compile(r"/kopie-(\d{1,9})\.html$")
_HOST = re.compile(r"h(\d{4,7})\.example$")


class Layout:
    def __init__(self, hosts: int, pages: int) -> None:
        self.hosts = hosts
        self.pages = pages
        islands = pages // 50
        self.first_island = pages - islands
        self.first_behind = self.first_island - islands
        self.first_leaf = (pages + FAN_OUT - 2) // FAN_OUT
        self.forbidden = max(1, pages // 20)
        self.missing = max(1, pages // 20)
        self.redirects = max(1, pages // 12)

    def host(self, name: str) -> int | None:
        found = _HOST.match(name)
        index = int(found[1]) - 1 if found else -1
        return index if 0 <= index < self.hosts and self.name(index) == name else None

    @staticmethod
    def name(host: int) -> str:
        return f"h{host + 1:04d}.example"

    @staticmethod
    def robots(host: int) -> RobotsStyle:
        return _ROBOTS[host % len(_ROBOTS)]

    def forbids(self, host: int) -> int:
        """How many forbidden pages this host has."""
        return 0 if self.robots(host) in (RobotsStyle.ABSENT, RobotsStyle.EMPTY) else self.forbidden

    def is_document(self, host: int, number: int) -> bool:
        return self.first_leaf <= number < self.first_behind and (number + host) % 20 == 7

    def has_copy(self, host: int, number: int) -> bool:
        return number % 6 == 1 and number < self.first_behind and self.path(host, number).startswith("/seite-")

    def path(self, host: int, number: int) -> str:
        """The path (with query) of a numbered page; islands and pages behind a redirect look like the others."""
        if number == 0:
            return "/"
        if self.is_document(host, number):
            return f"/dokumente/{number}.pdf"
        style = (number + host) % 8
        if style < 3:
            return f"/seite-{number}.html"
        return (
            f"/ordner/{number % 7}/{number}/",
            f"/ordner/unter/{number}",
            f"/liste-{number // 32}?nr={number}&sicht=voll",
            f"/stra%C3%9Fe/{number}.html",
            f"/gr%C3%BC%C3%9Fe%20aus/{number}",
        )[style - 3]

    def spot(self, host: int, target: str) -> Spot:
        """What lies at a path (with query)."""
        if target == "/robots.txt":
            return Spot(SpotKind.ROBOTS)
        if target in ("/stil.css", "/bild.png"):
            return Spot(SpotKind.ASSET)
        special = _SPECIAL.match(target)
        if special:
            return self._special(host, special[1], int(special[2]), target)
        copy = _COPY.match(target)
        if copy and self.has_copy(host, int(copy[1])):
            return Spot(SpotKind.COPY, int(copy[1]))
        last = _LAST_NUMBER.search(target)
        number = int(last[1]) if last else 0
        if number >= self.pages or self.path(host, number) != target:
            return Spot(SpotKind.UNKNOWN)
        if self.is_document(host, number):
            return Spot(SpotKind.DOCUMENT, number)
        return Spot(SpotKind.ISLAND if number >= self.first_island else SpotKind.PAGE, number)

    def _special(self, host: int, word: str, number: int, target: str) -> Spot:
        if word == "intern" and number < self.forbids(host) and target == forbidden(number):
            return Spot(SpotKind.FORBIDDEN, number)
        if word == "fehlt" and number < self.missing and target == missing(number):
            return Spot(SpotKind.MISSING, number)
        if word == "weiter" and number < self.redirects and target == redirecting(number):
            return Spot(SpotKind.REDIRECT, number)
        if word == "hinter" and self.first_behind <= number < self.first_island and target == before(number):
            return Spot(SpotKind.REDIRECT, -number)
        return Spot(SpotKind.UNKNOWN)


def forbidden(number: int) -> str:
    return f"/intern/{number}.html"


def missing(number: int) -> str:
    return f"/fehlt/{number}"


def redirecting(number: int) -> str:
    return f"/weiter/{number}"


def before(number: int) -> str:
    """The redirect in front of a page that is reached in no other way."""
    return f"/hinter/{number}"


def copy(number: int) -> str:
    return f"/kopie-{number}.html"
