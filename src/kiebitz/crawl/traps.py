"""Crawler traps: sites, or parts of them, without end. A trapped URL is skipped and says why.

Some URLs tell by themselves: too long, too deep, winding in circles, a calendar of the year 2999. Others tell only in
company: one calendar page is a page, three hundred are a machine that makes them. So the rules remember, per host and
within bounds, what they let pass; a URL that passed once passes again.

Filters that multiply are told from catalogues by *recombination*: ``?id=4711`` says something new, while
``?colour=red&size=m`` merely combines what other links to the same path said before. Many portals serve thousands of
documents as ``download.php?fid=…``, so the mere number of queries is no sign until it is very high.
"""

import re
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import pairwise

MAX_LENGTH = 2048
MAX_SEGMENTS = 20
MAX_PARAMETERS = 16
MAX_REPEATS = 3  # of one segment of a path
MAX_WINDING = 50  # URLs of a host with some repetition in their path
MAX_CALENDAR = 250  # pages of a host that are nothing but a date in a calendar
MAX_RECOMBINED = 350  # queries of a path that bring no new value; thirty years by twelve months are not caught
MAX_QUERIES = 5000  # queries of a path
FIRST_YEAR = 1990
YEARS_AHEAD = 2
MAX_BARREN = 600  # leads of a source that are followed without a document: fifty years by twelve months
MAX_REMEMBERED = 200_000  # hashes of URLs, queries and values, of all hosts; about 16 MB

# A year or a compact date that stands alone; the cheap question before the others.
_DATED = re.compile(r"[/=.-](?:[12]\d{3}(?:[01]\d(?:[0-3]\d)?)?)(?=[/&.?-]|$)", re.ASCII)
_CALENDAR = re.compile(r"kalend|calend|termin|veranstalt|event|agenda|[/?&_]cal(?:[/=\[_?&]|$)", re.IGNORECASE)
_DATE_IN_PATH = re.compile(r"/([12]\d{3})[/-](?:[01]?\d)(?:[/-][0-3]?\d)?/?(?=\?|$)", re.ASCII)
_DATE_PARAMETER = re.compile(
    r"[?&][^=&]*(?:year|jahr|month|monat|date|datum|day|tag|week|woche)(?:\]|%5D)?="
    r"(?:[0-3]?\d[.-](?:[01]?\d[.-])?)?([12]\d{3})(?:[01]\d(?:[0-3]\d)?|[-.][^&]*)?(?=&|$)",
    re.ASCII | re.IGNORECASE,
)
_FINER_THAN_A_YEAR = re.compile(
    r"[?&][^=&]*(?:month|monat|date|datum|day|tag|week|woche)(?:\]|%5D)?=\d", re.ASCII | re.IGNORECASE
)
_CIRCLE = re.compile(r"/([^/]++(?:/[^/]++)+?)(?:/\1){2}(?=/)")
_SESSION_HINT = re.compile(r"[sS](?:ess|ESS|id=|ID=)")
_ASSIGNED = re.compile(r"(?<![A-Za-z_])([A-Za-z_]++)=(?=[A-Za-z,_-]*\d)(?=[\d,_-]*[A-Za-z])[\dA-Za-z,_-]{16}", re.ASCII)


@dataclass(slots=True)
class _Queries:
    """What links to one path asked for."""

    seen: set[int] = field(default_factory=set)
    pairs: set[int] = field(default_factory=set)
    recombined: int = 0


@dataclass(slots=True)
class _Host:
    paths: dict[str, _Queries] = field(default_factory=dict)
    calendar: set[int] = field(default_factory=set)
    winding: set[int] = field(default_factory=set)
    size: int = 0


class TrapRules:
    """The memory of one run. ``trapped`` gives "" for a canonical URL that may be fetched, else the reason."""

    def __init__(self, today: date | None = None) -> None:
        self._last_year = (today or datetime.now(UTC).date()).year + YEARS_AHEAD
        self._hosts: OrderedDict[str, _Host] = OrderedDict()
        self._remembered = 0

    def trapped(self, url: str) -> str:
        if len(url) > MAX_LENGTH:
            return "trap: long url"
        if url.count("/") > 5 and (reason := self._winding(url)):
            return reason
        if _DATED.search(url) and (reason := self._calendar(url)):
            return reason
        if _SESSION_HINT.search(url) and _has_session(url):
            return "trap: session id"
        return self._exploding(url) if "?" in url else ""

    def _winding(self, url: str) -> str:
        """Relative links that should have been absolute lead ever deeper, and past the same segments again."""
        segments = url.partition("?")[0].split("/")[3:]
        if len(segments) > MAX_SEGMENTS:
            return "trap: deep path"
        if len(set(segments)) == len(segments):
            return ""
        # Numbers repeat for good reasons: dates, and folders fanned out by digits (/dateien/3/3/3/1/x.pdf).
        words = [segment for segment in segments if segment and not segment.isdecimal()]
        most = max(Counter(words).values(), default=1)
        if most == 1:
            return ""
        if most > MAX_REPEATS or _CIRCLE.search(f"/{'/'.join(words)}/"):
            return "trap: repeated path"
        pairs = list(pairwise(words))
        if most < MAX_REPEATS and len(set(pairs)) == len(pairs):
            return ""
        return self._counted(url, self._host(url).winding, MAX_WINDING, "trap: repeated path")

    def _calendar(self, url: str) -> str:
        """Calendars have a next and a previous page for ever."""
        in_path = _DATE_IN_PATH.search(url)
        in_query = _DATE_PARAMETER.search(url) if "?" in url else None
        if in_path is None and in_query is None:
            return ""
        named = _CALENDAR.search(url) is not None
        if in_path is not None and named:
            year = int(in_path[1])
        elif in_query is not None:
            year = int(in_query[1])
        else:
            return ""
        if year > self._last_year:
            return "trap: calendar"
        if not named and not _FINER_THAN_A_YEAR.search(url):
            return ""  # an archive by years: there are old ones
        if year < FIRST_YEAR:
            return "trap: calendar"
        return self._counted(url, self._host(url).calendar, MAX_CALENDAR, "trap: calendar") if named else ""

    def _exploding(self, url: str) -> str:
        path, _, query = url.partition("?")
        if query.count("&") >= MAX_PARAMETERS:
            return "trap: many parameters"
        host = self._host(url)
        queries = host.paths.get(path)
        if queries is None:
            queries = host.paths[path] = _Queries()
        key = hash(query)
        if key in queries.seen:
            return ""
        pairs = set(map(hash, query.split("&")))
        recombined = pairs <= queries.pairs
        if len(queries.seen) >= MAX_QUERIES or (recombined and queries.recombined >= MAX_RECOMBINED):
            return "trap: query explosion"
        queries.recombined += recombined
        self._remember(host, 1 + len(pairs - queries.pairs))
        queries.seen.add(key)
        queries.pairs |= pairs
        return ""

    def _counted(self, url: str, passed: set[int], limit: int, reason: str) -> str:
        key = hash(url)
        if key in passed:
            return ""
        if len(passed) >= limit:
            return reason
        passed.add(key)
        self._remember(self._host(url), 1)
        return ""

    def _host(self, url: str) -> _Host:
        name = url[: url.find("/", 8)]
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts[name] = _Host()
        else:
            self._hosts.move_to_end(name)
        return host

    def _remember(self, host: _Host, size: int) -> None:
        """Count what is remembered, and forget the hosts that were asked about longest ago."""
        host.size += size
        self._remembered += size
        while self._remembered > MAX_REMEMBERED:
            _, forgotten = self._hosts.popitem(last=False)
            self._remembered -= forgotten.size


class LeadRules:
    """How far a run of a source looks for more: archives that lead only to further archives end some day.

    Every new lead costs; a page with documents pays for as many again. So a site that makes up its years, months and
    pages costs a stated number of requests, and an honest archive none. The memory of one run.
    """

    def __init__(self, traps: TrapRules) -> None:
        self._traps = traps
        self._left = MAX_BARREN
        self._known: set[int] = set()

    def looked(self, *, documents: bool) -> None:
        """A page was read, and it listed documents or not."""
        if documents:
            self._left = MAX_BARREN

    def refusal(self, url: str, body: bytes | None = None) -> str:
        """The reason not to follow this canonical URL; "" if it may be. What was let pass once passes again, for free."""
        key = hash((url, body))
        if key in self._known:
            return ""
        if reason := self._traps.trapped(url):
            return reason
        if self._left <= 0:
            return "trap: leads to nothing"
        self._left -= 1
        if len(self._known) < MAX_REMEMBERED:
            self._known.add(key)
        return ""


def _has_session(url: str) -> bool:
    """Is there a session id under a name that the canonical form does not know?"""
    names = (match[1].lower() for match in _ASSIGNED.finditer(url))
    return any("sess" in name or name == "sid" or name.endswith("_sid") for name in names)
