"""URLs as browsers understand them (WHATWG URL Standard, by ada), and the one form under which a URL is remembered.

Two spellings of one address must not be fetched twice, so every URL on the crawl path is *canonical*. The rules:

1. WHATWG serialisation: lower-case scheme and host, punycode, no default port, no dot segments, escaped as browsers do.
2. The fragment, credentials, one trailing dot of the host name and an empty query are dropped.
3. Percent-encoding is normalised by RFC 3986: unreserved characters are decoded, hex digits are upper case.
   A stray ``%`` stays as it is, and so does an escape that decoding would join to it.
4. Session ids are dropped: ``;jsessionid=…``, ``/(S(…))``, ``PHPSESSID=…``; ``sid=…`` only with a token as its value.
5. Parameters that merely say where a visitor came from (``utm_*``, ``fbclid``, ``pk_*`` …) are dropped.
6. Nothing else: order and case of parameters, doubled and trailing slashes and ``index.html`` may matter to the server.

``join`` is called for every link of every page. One regular expression recognises the links that are canonical already;
whatever it does not know takes the slow way through ada, with the same result (a property test says so).
"""

import re
import string
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ada_url import join_url, normalize_url

from kiebitz.errors import BadUrl

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Query parameters that never change what is served, by name or by the beginning of it, as they are spelled in practice.
TRACKING = _words("""
    fbclid gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid srsltid msclkid yclid ysclid twclid ttclid igshid
    igsh li_fat_id epik mc_cid mc_eid mkt_tok _ga _gl _gac _hsenc _hsmi __hstc __hssc __hsfp hsCtaTracking _openstat
    fb_action_ids fb_action_types fb_source fb_ref oly_anon_id oly_enc_id vero_id vero_conv wickedid rb_clickid
    ml_subscriber ml_subscriber_hash wt_mc wt_zmc xtor _bta_tid _bta_c
""")
# Session ids by their name alone, and those that are one only with a token as value.
SESSIONS = _words("""
    PHPSESSID phpsessid JSESSIONID jsessionid JSESSIONIDSSO CFID cfid CFTOKEN cftoken osCsid oscsid XTCsid xtcsid zenid
""")
MAYBE_SESSIONS = _words("""
    SID sid s ssid sess SESSID sessid sess_id session SESSIONID sessionId sessionid session_id ftu
""")
PREFIXES = ("utm_", "UTM_", "pk_", "piwik_", "mtm_", "matomo_", "etcc_", "ASPSESSIONID")

_TOKEN = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[0-9A-Za-z]{16,128}", re.ASCII)
_PATH_SESSION = re.compile(
    r";(?:jsessionid(?:sso)?|phpsessid|aspsessionid\w*|sessionid)=[^;/]*"
    r"|(?<=/)\((?:[A-Z]\([^()/]*\))+\)(?:/|$)",
    re.ASCII | re.IGNORECASE,
)
# The look-behinds spare escapes after a stray "%" or "%4": decoding those would make a new escape.
_ESCAPED = re.compile(r"(?<!%)(?<!%[0-9A-Fa-f])%([0-9A-Fa-f]{2})|%[0-9A-Fa-f]{2}")
_UNRESERVED = {f"{ord(char):02X}": char for char in string.ascii_letters + string.digits + "-._~"}
_NAME_END = "(?:[=&#]|$)"


def _trie(words: Iterable[str]) -> str:
    """A pattern for names (ending with "=") and beginnings of names; unlike with ``|``, each character is read once."""
    tails: dict[str, list[str]] = {}
    for word in words:
        tails.setdefault(word[:1], []).append(word[1:])
    if "" in tails:
        return ""
    branches = [_NAME_END if head == "=" else re.escape(head) + _trie(tails[head]) for head in sorted(tails)]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


_NOISE = _trie([*PREFIXES, *(f"{name}=" for name in TRACKING | SESSIONS | MAYBE_SESSIONS)])
# What is canonical as it stands. An escape stays one if its hex is upper case and it is no unreserved character.
_ESCAPE = "%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])"
_PATH = rf"[\w.~!$*+,=:@/-]*+(?:{_ESCAPE}[\w.~!$*+,=:@/-]*+)*+"
_VALUE = rf"[\w.~!$()*+,;=:@/?\[\]|-]*+(?:{_ESCAPE}[\w.~!$()*+,;=:@/?\[\]|-]*+)*+"
# A last label that starts with a letter is no IPv4 number; punycode must be checked by ada.
_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_NAME = r"(?:(?!xn--)[a-z0-9_-]+\.)*(?!xn--)[a-z][a-z0-9-]*+"
_HOST = rf"(?:{_NAME}|(?:{_BYTE}\.){{3}}{_BYTE})(?::(?!80/|443/)(?:[1-9][0-9]{{1,3}}+|[1-5][0-9]{{4}}))?"
_PLAIN = re.compile(
    rf"(?:(https?://){_HOST}/{_PATH}|(/)(?!/){_PATH}|([\w-])[\w.~-]*(?:/{_PATH})?|(?=[?#]|$))"
    rf"(?:(?=\?)(?:[?&](?!{_NOISE}|#|$){_VALUE})++)?+(?:#[!-~]*)?",
    re.ASCII,
).fullmatch
_ABSOLUTE, _ROOTED, _RELATIVE = 1, 2, 3
_ELSEWHERE = ("mailto:", "javascript:", "tel:", "data:")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST_AND_PORT = re.compile(r"[\w.-]+:[0-9]{1,5}(?:[/?#]|$)")


def parse(text: str, base: str | None = None) -> str:
    """The WHATWG href of an http(s) URL, resolved against ``base``; not yet canonical. Raises BadUrl."""
    try:
        href: str = normalize_url(text) if base is None else join_url(base, text)
    except ValueError:
        raise _bad(text, base) from None
    if not href.startswith(("http://", "https://")):
        scheme = href.partition(":")[0]
        raise BadUrl(f"unknown scheme {scheme!r} in {_short(text)}", hint="only http and https are crawled")
    return href


def from_user(text: str) -> str:
    """What a person typed: as ``parse``, but ``example.org/x`` means https."""
    text = text.strip()
    scheme = _SCHEME.match(text)
    if (scheme and not _HOST_AND_PORT.match(text)) or not text:
        return parse(text)
    host = re.split(r"[/?#:]", text.removeprefix("//"), maxsplit=1)[0]
    is_host = "." in host.strip(".") or host == "localhost" or text.startswith(("[", "//"))
    if not is_host or re.search(r"\s", text):
        raise BadUrl(f"not a URL: {_short(text)}", hint="write it in full, as in https://example.org/news")
    return parse("https://" + text.removeprefix("//"))


def canonical(url: str) -> str:
    """The form under which an absolute http(s) URL is remembered. Idempotent. Raises BadUrl."""
    plain = _PLAIN(url)
    if plain and plain.lastindex == _ABSOLUTE and "/." not in url:
        return url.partition("#")[0]
    return _refine(parse(url))


def join(base: str, href: str) -> str | None:
    """The canonical URL that ``href`` on the page ``base`` leads to; None if it leads out of the web."""
    plain = _PLAIN(href)
    if plain is None or "/." in href:
        return _detour(base, href)
    if "#" in href:
        href = href[: href.find("#")]
    kind = plain.lastindex
    if kind == _ABSOLUTE:
        return href
    anchor = _anchor(base)
    if anchor is None:
        return _resolve(base, href)
    if kind == _ROOTED:
        return anchor.origin + href
    if kind == _RELATIVE:
        return anchor.folder + href
    return anchor.page + href if href else anchor.url


def host_of(url: str) -> str:
    """The host name of a canonical URL, without port; an IPv6 address keeps its brackets."""
    authority = url[7 if url[4] == ":" else 8 : url.find("/", 8)]
    if ":" not in authority or authority[-1] == "]":
        return authority
    return authority[: authority.rfind(":")]


def port_of(url: str) -> int:
    """The port of a canonical URL, given or implied."""
    port = url[url.rfind(":", 0, url.find("/", 8)) + 1 : url.find("/", 8)]
    if port.isdecimal():
        return int(port)
    return 80 if url[4] == ":" else 443


def origin_of(url: str) -> str:
    """Scheme, host and port of a canonical URL: whose robots.txt counts."""
    return url[: url.find("/", 8)]


def path_of(url: str) -> str:
    """Path and query of a canonical URL: what robots.txt is matched with."""
    return url[url.find("/", 8) :]


def normal_escapes(text: str) -> str:
    """Percent-encoding by RFC 3986, 6.2.2: unreserved characters decoded, hex digits in upper case. Idempotent."""
    return _ESCAPED.sub(_normal_escape, text)


@lru_cache(maxsize=4096)
def registrable(host: str) -> str:
    """The domain somebody registered (Public Suffix List, private part included); an address is its own."""
    if host.startswith("[") or host[-1:].isdecimal():
        return host
    return _suffixes().privatesuffix(host) or host


class _Anchor(NamedTuple):
    """What links of a page are resolved against: ``page`` has no query, ``folder`` ends with a slash."""

    origin: str
    folder: str
    page: str
    url: str


@lru_cache(maxsize=1024)
def _anchor(base: str) -> _Anchor | None:
    """None for a base that is not canonical: pages are, and for others the short cuts could differ from the standard."""
    try:
        if canonical(base) != base:
            return None
    except BadUrl:
        return None
    page = base.partition("?")[0]
    return _Anchor(origin_of(base), page[: page.rfind("/") + 1], page, base)


def _detour(base: str, href: str) -> str | None:
    """``join`` for links that are not plain as they stand, but may be with a scheme or in another folder."""
    if href.startswith("../"):
        return _climb(base, href)
    if href.startswith(_ELSEWHERE):
        return None
    if href.startswith("//") and base.startswith(("http://", "https://")):
        full = base[: base.find("/")] + href
        if _PLAIN(full) and "/." not in full:
            return full.partition("#")[0]
    return _resolve(base, href)


def _climb(base: str, href: str) -> str | None:
    """``join`` for an href that starts with ``../``: folders are dropped as strings."""
    rest, anchor = href, _anchor(base)
    if anchor is None:
        return _resolve(base, href)
    folder, least = anchor.folder, len(anchor.origin) + 1
    while rest.startswith("../"):
        rest = rest[3:]
        folder = folder[: max(folder.rfind("/", 0, -1) + 1, least)]
    plain = _PLAIN(rest)
    if plain is None or "/." in rest or plain.lastindex not in (None, _RELATIVE):
        return _resolve(base, href)
    return folder + rest.partition("#")[0]


def _resolve(base: str, href: str) -> str | None:
    """``join`` without short cuts."""
    try:
        url: str = join_url(base, href)
    except ValueError:
        return None
    return _refine(url) if url.startswith(("http://", "https://")) else None


def _refine(href: str) -> str:
    """From WHATWG's form to ours."""
    url = href.partition("#")[0]
    slash = url.find("/", 8)
    scheme, _, authority = url[:slash].partition("//")
    if "@" in authority:
        authority = authority[authority.rfind("@") + 1 :]
    if "." in authority:
        host, colon, port = authority.partition(":")
        if host.endswith(".") and not host.endswith("..") and host != ".":
            authority = host[:-1] + colon + port
    rest = url[slash:]
    if "%" in rest:
        rest = normal_escapes(rest)
    path, mark, query = rest.partition("?")
    if mark:
        query = "&".join([part for part in query.split("&") if not _is_noise(part)])
    plain = _PATH_SESSION.sub("", path) if ";" in path or "(" in path else path
    found = f"{scheme}//{authority}{plain or '/'}?{query}" if query else f"{scheme}//{authority}{plain or '/'}"
    # Without its session id a path may hold dot segments, or another session id: start again with the shorter URL.
    return found if plain == path else _refine(normalize_url(found))


def _normal_escape(match: re.Match[str]) -> str:
    code = match[1]
    return match[0].upper() if code is None else _UNRESERVED.get(code.upper()) or match[0].upper()


def _is_noise(parameter: str) -> bool:
    """Is a query parameter about the visitor instead of the page?"""
    name, _, value = parameter.partition("=")
    if name in TRACKING or name in SESSIONS or name.startswith(PREFIXES):
        return True
    return name in MAYBE_SESSIONS and _TOKEN.fullmatch(value) is not None


@lru_cache(maxsize=1)
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import PublicSuffixList  # 70 ms, and only crawls of whole domains need it

    return PublicSuffixList()


def _bad(text: str, base: str | None) -> BadUrl:
    scheme = _SCHEME.match(text.strip())
    if base is None and scheme is None:
        hint = f"did you mean https://{text.strip()} ?" if "." in text and " " not in text.strip() else ""
        return BadUrl(f"not a URL: {_short(text)}", hint=hint or "write it in full, as in https://example.org/news")
    if scheme and scheme[1].lower() not in ("http", "https"):
        return BadUrl(f"unknown scheme {scheme[1].lower()!r} in {_short(text)}", hint="only http and https are crawled")
    return BadUrl(f"no valid host in {_short(text)}", hint="a URL looks like https://example.org/news")


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
