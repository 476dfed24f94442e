"""Match what is newly indexed with the saved searches: the batch goes into a sieve, and every search is asked of it.

So a saved search finds what the same words find in the index. What is asked is the batch, not the archive: the work does not
grow with what is stored.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import NamedTuple

from kiebitz.deploy.alerting.excerpt import Excerpts, words_of
from kiebitz.model.alert import Match, SavedSearch, version_of
from kiebitz.model.announcement import one_line
from kiebitz.model.hit import Paper
from kiebitz.model.query import Node, Search
from kiebitz.ports.alerts import Alerts
from kiebitz.ports.clock import Clock
from kiebitz.ports.sieve import Sieve

LONGEST_TITLE = 1_000


class Instruments(NamedTuple):
    sieve: Callable[[Sequence[Paper]], Sieve]
    parse: Callable[[str, date], Node]


def instruments() -> Instruments:
    """Those of the index. Keep them: they remember the words they have met."""
    from kiebitz.adapters.tantivy.index.streams import Streams
    from kiebitz.adapters.tantivy.sieve import TantivySieve
    from kiebitz.search.parse import parse

    streams = Streams()
    return Instruments(lambda papers: TantivySieve(papers, streams), parse)


class Alerter:
    """Stands between the indexer and the alerts. Give it every batch before the index commits it: if the process dies in
    between, the batch comes again, and what was recorded is ignored. So nothing is lost and nothing is there twice.
    """

    def __init__(self, alerts: Alerts, clock: Clock, make_instruments: Callable[[], Instruments] = instruments) -> None:
        self._alerts = alerts
        self._clock = clock
        self._make_instruments = make_instruments
        self._instruments: Instruments | None = None  # made for the first search: most homes have none

    async def seen(self, papers: Sequence[Paper], position: int) -> int:
        """Returns how many matches are new. A batch behind the position that was matched last is old: a rebuild of the
        index tells nobody again.
        """
        if position <= await self._alerts.position():
            return 0
        searches = [search for search in await self._alerts.searches() if search.enabled]
        matches = await asyncio.to_thread(self._match, papers, searches) if papers and searches else []
        return await self._alerts.record(matches, position=position)

    def _match(self, papers: Sequence[Paper], searches: Sequence[SavedSearch]) -> list[Match]:
        if self._instruments is None:
            self._instruments = self._make_instruments()
        return match_batch(papers, searches, self._instruments, self._clock.utc())


def match_batch(
    papers: Sequence[Paper], searches: Sequence[SavedSearch], instruments: Instruments, now: datetime
) -> list[Match]:
    """In the order of the searches, and of the papers. Of a paper that is there twice the last one counts."""
    by_id = {paper.id: paper for paper in papers}
    sieve = instruments.sieve(list(by_id.values()))
    drafts: dict[str, tuple[Match, Excerpts]] = {}
    order = {paper: number for number, paper in enumerate(by_id)}
    matches: list[Match] = []
    for search in searches:
        query = instruments.parse(search.query, now.date())
        words = list(words_of(query))
        for found in sorted(sieve.matching(Search(query, search.filters)), key=order.__getitem__):
            if found not in drafts:
                drafts[found] = _draft(by_id[found], now), Excerpts(by_id[found])
            draft, excerpts = drafts[found]
            matches.append(draft._replace(search=search.id, excerpt=_storable(excerpts.showing(words))))
    return matches


def _draft(paper: Paper, now: datetime) -> Match:
    """What is the same of every match of the paper."""
    return Match(
        search="",
        paper=_storable(paper.id),
        version=version_of(paper),
        url=_storable(paper.url),
        title=_storable(one_line(paper.title, LONGEST_TITLE)),
        found_at=now,
        source=_storable(paper.source),
        kind=_storable(paper.kind),
        published=paper.published,
    )


def _storable(text: str) -> str:
    """Half a surrogate pair is no text; PDFs have them."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
