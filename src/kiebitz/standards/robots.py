"""robots.txt by RFC 9309, read the way Google reads it where the RFC is silent (typos, missing colons, index.html).

A site's rules are parsed once and asked once per request. The longest matching rule wins and of equals the permission.
Rules without wildcards, nearly all of them, are tested together in one ``startswith``. A wildcard rule is matched from
left to right with ``str.find``: greedy is right for ``*``, and no pattern costs more than linear time, however hostile.
Both sides are percent-encoded alike first, as section 2.2.2 asks; Google's matcher does not decode ``%62`` and we do.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kiebitz.standards.url import normal_escapes

MAX_BYTES = 500 * 1024  # section 2.5: at least this much must be read; more is ignored
MAX_DELAY = 300.0  # seconds; "Crawl-delay: 86400" means no, but does not say it
MAX_GLOBS = 1000  # wildcard rules of one group; beyond them, see _side
MAX_SITEMAPS = 1000

_NAMES = {
    "user-agent": "agent",
    "useragent": "agent",
    "user agent": "agent",
    "allow": "allow",
    "disallow": "disallow",
    "dissallow": "disallow",
    "dissalow": "disallow",
    "disalow": "disallow",
    "diasllow": "disallow",
    "disallaw": "disallow",
    "crawl-delay": "delay",
    "crawldelay": "delay",
    "sitemap": "sitemap",
    "site-map": "sitemap",
}
_LINE_END = re.compile(r"\r\n?|\n")
_PRODUCT = re.compile(r"[A-Za-z_-]+")
# Characters that look the same in every encoding; "*" and "$" are not among them, because rules give them a meaning.
_QUIET = re.compile(r"[A-Za-z0-9!#&'()+,./:;=?@\[\]_~-]*+").fullmatch
_LOUD = re.compile(r"[^A-Za-z0-9!#%&'()+,./:;=?@\[\]_~-]+")


class Glob(NamedTuple):
    """A rule with wildcards, cut at them. ``tail`` is what an anchored one (``$``) must end with."""

    length: int
    head: str
    middle: tuple[str, ...] = ()
    tail: str | None = None
    exact: bool = False

    def matches(self, path: str) -> bool:
        if not path.startswith(self.head):
            return False
        if self.exact:
            return path == self.head
        at = len(self.head)
        for part in self.middle:
            at = path.find(part, at)
            if at < 0:
                return False
            at += len(part)
        return self.tail is None or (path.endswith(self.tail) and len(path) - len(self.tail) >= at)


@dataclass(slots=True)
class _Side:
    """All permissions, or all prohibitions, of one group; the longest first."""

    prefixes: tuple[str, ...] = ()
    globs: tuple[Glob, ...] = ()

    def longest(self, path: str) -> int:
        """The length of the longest rule that matches, or −1."""
        length = -1
        if path.startswith(self.prefixes):
            length = next(len(prefix) for prefix in self.prefixes if path.startswith(prefix))
        for glob in self.globs:
            if glob.length <= length:
                break
            if glob.matches(path):
                return glob.length
        return length


@dataclass(frozen=True, slots=True)
class Rules:
    """What one robots.txt says to one agent."""

    delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    allowed: _Side = field(default_factory=_Side)
    disallowed: _Side = field(default_factory=_Side)

    def allows(self, path_and_query: str) -> bool:
        """May this path (with its query) be fetched?"""
        path = path_and_query if _QUIET(path_and_query) else _encode(path_and_query)
        denied = self.disallowed.longest(path or "/")
        return denied < 0 or self.allowed.longest(path or "/") >= denied or path == "/robots.txt"


ALLOW_ALL = Rules()
DENY_ALL = Rules(disallowed=_Side(prefixes=("/",)))


def for_status(status: int, text: str, agent: str) -> Rules:
    """The rules after robots.txt was asked for; 0 means it could not be reached. Redirects are followed before."""
    if 200 <= status < 300:
        return parse(text, agent)
    # "Too many requests" is no permission to make more of them: like Google, we read 429 as a server's error.
    if 300 <= status < 500 and status != 429:
        return ALLOW_ALL
    return DENY_ALL


@dataclass(slots=True)
class _Group:
    named: bool = False
    delay: float | None = None
    allow: list[str] = field(default_factory=list)
    disallow: list[str] = field(default_factory=list)


def parse(text: str, agent: str) -> Rules:
    """Read the groups that name the agent's product (``kiebitz`` of ``kiebitz/1.0``), else those for ``*``."""
    product = agent.partition("/")[0].strip().lower()
    ours, anybody = _Group(), _Group()
    current: list[_Group] = []
    sitemaps: list[str] = []
    naming = False  # other lines than rules do not end a list of agents (section 2.2.1)
    for name, value in _lines(text):
        if name == "agent":
            current = current if naming else []
            naming = True
            if product and _product(value) == product:
                ours.named = True
                current.append(ours)
            elif value[:1] == "*" and not value[1:2].strip():
                current.append(anybody)
        elif name == "sitemap":
            sitemaps.append(value)
        elif name == "delay":
            for group in current:
                group.delay = _longer(group.delay, value)
        else:
            naming = False
            for group in current:
                (group.allow if name == "allow" else group.disallow).append(value)
    return _rules(ours if ours.named else anybody, sitemaps)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Names and values of the lines we know, without comments; a line may lack its colon."""
    if len(text) > MAX_BYTES:
        text = text[:MAX_BYTES].rpartition("\n")[0]  # half a rule may say the opposite of the whole
    for line in _LINE_END.split(text.removeprefix("\ufeff")):
        plain = line.partition("#")[0].strip()
        name, colon, value = plain.partition(":")
        if not colon:
            words = plain.split()
            if len(words) != 2:
                continue
            name, value = words
        known = _NAMES.get(name.strip().lower())
        if known:
            yield known, value.strip()


def _product(value: str) -> str:
    match = _PRODUCT.match(value)
    return match[0].lower() if match else ""


def _longer(delay: float | None, value: str) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return delay
    if not math.isfinite(seconds) or seconds < 0:
        return delay
    return min(max(seconds, delay or 0.0), MAX_DELAY)


def _rules(group: _Group, sitemaps: Sequence[str]) -> Rules:
    for pattern in group.allow[:]:
        folder, slash, name = pattern.rpartition("/")
        if name.startswith("index.htm"):
            group.allow.append(f"{folder}{slash}$")
    return Rules(
        delay=group.delay,
        sitemaps=tuple(dict.fromkeys(sitemaps))[:MAX_SITEMAPS],
        allowed=_side(group.allow, stricter=False),
        disallowed=_side(group.disallow, stricter=True),
    )


def _side(patterns: Sequence[str], *, stricter: bool) -> _Side:
    """``stricter``: beyond the permitted number, wildcard rules are cut at their first wildcard, else left out.

    So a file with ten thousand of them costs us little and, in doubt, forbids too much rather than too little.
    """
    prefixes: set[str] = set()
    globs: set[Glob] = set()
    for pattern in patterns:
        if not pattern.startswith(("/", "*")):
            continue  # matches no path
        glob = _glob(pattern)
        if not glob.exact and "*" not in pattern:
            prefixes.add(glob.head)
        elif len(globs) < MAX_GLOBS:
            globs.add(glob)
        elif stricter:
            prefixes.add(glob.head)
    return _Side(
        prefixes=tuple(sorted(prefixes, key=len, reverse=True)),
        globs=tuple(sorted(globs, key=lambda glob: glob.length, reverse=True)),
    )


def _glob(pattern: str) -> Glob:
    anchored = pattern.endswith("$")
    head, *parts = [_encode(part) for part in pattern.removesuffix("$").split("*")]
    length = len(head) + sum(map(len, parts)) + len(parts) + anchored
    if anchored and not parts:
        return Glob(length, head, exact=True)
    tail = parts.pop() if anchored else None
    return Glob(length, head, tuple(filter(None, parts)), tail)


def _encode(text: str) -> str:
    """One spelling for both sides: escaped is whatever is neither unreserved nor reserved, and ``*`` and ``$``."""
    return normal_escapes(_LOUD.sub(_escape, text))


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogatepass"))
