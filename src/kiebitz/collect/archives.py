"""Which links and forms lead to more of the same: years, months, further pages, archives, feeds, and the page behind a headline.

Accordions and tabs need no visit: their content is in the page. Everything here is a proposal with its reason; how much of it
is visited is the crawl's budget. Enumeration is bounded, the newest first.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date

from kiebitz.collect.forms import submission
from kiebitz.collect.marks import MONTHS, fold, gazette_in, is_numbered, says, words
from kiebitz.collect.paging import turns_page
from kiebitz.collect.subject import Subject, subject_of
from kiebitz.model.candidate import Candidate, Choice, Follow, Form, Outlook, Verdict
from kiebitz.standards.url import host_of, origin_of, path_of, registrable

FOLLOWS = 150
CHOSEN = 60
EARLIEST = 1945
_KINDS = ("feed", "issue", "year", "month", "next", "option", "archive", "sitemap")
_YEARS = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_YEAR_TEXT = re.compile(
    r"(?:(?:19|20)\d\d|\s|[-–/&,.:()]|bis|und|jahr\w*|archiv|ausgaben?|die|des|der|aus|von|fuer|alle|anzeigen|\d+ dateien?)+"
)
_MONTH_TEXT = re.compile(rf"(?:{MONTHS})\b[\s.]*(?:20\d\d)?")
_FEED_PATH = re.compile(
    r"(?:/(?:feed|rss|atom)(?:/|\.xml|\.php|$)|[?&](?:feed|format|type)=(?:rss|atom|9818)|\.rss$|/index\.php/rss)",
    re.IGNORECASE,
)
_COMMENTS = re.compile(r"comment|kommentar", re.IGNORECASE)
_SITEMAP = re.compile(r"sitemap[^/]*\.xml(?:\.gz)?$", re.IGNORECASE)


def leads(outlook: Outlook, verdicts: Sequence[Verdict], today: date) -> tuple[list[Follow], list[str]]:
    """What to visit next, the most promising first, and notes about what was left out."""
    subject = subject_of(outlook)
    taken = {verdict.candidate.url for verdict in verdicts if verdict.is_document}
    found = [*_feeds(outlook), *_deeper(verdicts)]
    found += [Follow(url, "archive", why) for url, why in outlook.onward if _same_site(url, outlook.url)]
    found += [Follow(url, "sitemap", "the index of sitemaps names it") for url in outlook.sitemaps]
    for candidate in outlook.candidates:
        if candidate.url not in taken and candidate.type in ("page", "unknown", "other"):
            found += _lead(candidate, outlook, subject, today)
    if outlook.following:
        found.append(Follow(outlook.following, "next", "the page says that another one follows"))
    notes = []
    for form in outlook.forms:
        options, left = _options(form, today)
        found += options
        if left:
            notes.append(f"a form offers {left + len(options):,} choices: the newest {len(options)} are tried")
    kept = _distinct(found, outlook.url)
    if len(kept) > FOLLOWS:
        notes.append(f"{len(kept):,} links lead on: the first {FOLLOWS} are kept")
    return kept[:FOLLOWS], notes


def _deeper(verdicts: Sequence[Verdict]) -> Iterable[Follow]:
    for verdict in verdicts:
        if verdict.is_document and verdict.candidate.type == "page" and verdict.candidate.method == "GET":
            text = verdict.candidate.text
            yield Follow(
                verdict.candidate.url, "issue", "announces an issue; the document may be one page deeper", text
            )


def _feeds(outlook: Outlook) -> Iterable[Follow]:
    for url, title in outlook.feeds:
        if not _COMMENTS.search(f"{url} {title}"):
            yield Follow(url, "feed", "the page names it as its feed", title)


def _lead(candidate: Candidate, outlook: Outlook, subject: Subject, today: date) -> list[Follow]:
    text = fold(candidate.text or candidate.title or candidate.label).strip(" .:…»›→>")
    if _FEED_PATH.search(candidate.url) and not _COMMENTS.search(candidate.url):
        return [Follow(candidate.url, "feed", "its address is that of a feed", candidate.text)]
    if _SITEMAP.search(candidate.url):
        return [Follow(candidate.url, "sitemap", "its address is that of a sitemap", candidate.text)]
    if candidate.type == "other" or not _same_site(candidate.url, outlook.url):
        return []
    kind, why = _kind(candidate, text, outlook, subject, today)
    return [Follow(candidate.url, kind, why, candidate.text, candidate.method, candidate.body)] if kind else []


def _kind(candidate: Candidate, text: str, outlook: Outlook, subject: Subject, today: date) -> tuple[str, str]:
    lists = words()
    near = candidate.region == "main" or _shares_path(candidate.url, outlook.url)
    about = fold(f"{text} {path_of(candidate.url)}")
    gazette = gazette_in(about) or gazette_in(fold(candidate.heading))
    relevant = bool(gazette or subject.gazette or subject.notices)
    if near and relevant and _is_year(text, today, named=bool(gazette_in(text))):
        return "year", "leads to the issues of a year"
    if candidate.region == "main" and relevant and _MONTH_TEXT.fullmatch(text):
        return "month", "leads to the issues of a month"
    if candidate.region == "main" and turns_page(candidate, text):
        return "next", "leads to the next page of the list"
    if relevant and (word := says(lists.archive, text)) and near:
        return "archive", f"leads to older issues ({word})"
    last = fold(path_of(candidate.url).partition("?")[0].removesuffix("/").rpartition("/")[2])
    own = gazette_in(text) or gazette_in(last) or says(lists.notices, text)
    if (
        own
        and (near or not subject.gazette)
        and not says(lists.foreign, text)
        and not is_numbered(text)
        and candidate.type == "page"
    ):
        return "archive", f"leads to a page about it ({own})"
    return "", ""


def _is_year(text: str, today: date, *, named: bool) -> bool:
    years = [int(year) for year in _YEARS.findall(text)]
    if not years or not all(EARLIEST <= year <= today.year + 1 for year in years):
        return False
    return _YEAR_TEXT.fullmatch(text) is not None or (named and not is_numbered(text) and len(text) < 60)


def _options(form: Form, today: date) -> tuple[list[Follow], int]:
    """A form whose choices are years, months or issues, sent once per choice of the one that matters most."""
    if form.password or form.region in ("header", "footer", "banner"):
        return [], 0
    choice = max(form.choices, key=lambda entry: _dated_options(entry, today), default=None)
    if choice is None or _dated_options(choice, today) < 2:
        return [], 0
    usable = [pair for pair in choice.options if pair[0] and _is_dated_option(pair, today)]
    usable.sort(key=lambda pair: max(map(int, _YEARS.findall(fold(f"{pair[1]} {pair[0]}"))), default=0), reverse=True)
    found = []
    for value, text in usable[:CHOSEN]:
        url, body = submission(form, (choice.name, value))
        found.append(Follow(url, "option", f"the form offers {text!r}", text, form.method, body))
    return found, max(0, len(usable) - CHOSEN) + (form.left_out if usable else 0)


def _dated_options(choice: Choice, today: date) -> int:
    return sum(_is_dated_option(pair, today) for pair in choice.options)


def _is_dated_option(pair: tuple[str, str], today: date) -> bool:
    text = fold(pair[1] or pair[0]).strip()
    years = [int(year) for year in _YEARS.findall(text)]
    if years:
        return all(EARLIEST <= year <= today.year + 1 for year in years)
    return _MONTH_TEXT.fullmatch(text) is not None or is_numbered(text)


def _distinct(found: list[Follow], page: str) -> list[Follow]:
    """Each request once, by kind, in the page's order."""
    kept: dict[tuple[str, bytes | None], Follow] = {}
    for follow in found:
        if follow.url != page or follow.body is not None:
            kept.setdefault((follow.url, follow.body), follow)
    return sorted(kept.values(), key=lambda follow: _KINDS.index(follow.kind))


def _same_site(url: str, page: str) -> bool:
    return origin_of(url) == origin_of(page) or registrable(host_of(url)) == registrable(host_of(page))


def _shares_path(url: str, page: str) -> bool:
    """Is it below the page, or a sister of it?"""
    own, other = path_of(page).partition("?")[0], path_of(url).partition("?")[0]
    stem = own.removesuffix("/").removesuffix("index.php").removesuffix(".html").removesuffix(".php")
    folder = own.removesuffix("/").rpartition("/")[0]
    return other.startswith(stem) if stem.count("/") < 2 else other.startswith((stem, folder + "/"))
