"""A run that meets a page which a script draws: the browser is a table of answers here."""

import asyncio
import gzip
from datetime import date

from kiebitz.adapters.memory.fetcher import TableFetcher, answer
from kiebitz.crawl.collector import Collector, Holdings
from kiebitz.crawl.kit import RunContext
from kiebitz.crawl.permits import Permits
from kiebitz.crawl.reading import read_answer
from kiebitz.crawl.traps import TrapRules
from kiebitz.errors import LimitExceeded, MissingExtra, Unreachable
from kiebitz.model.request import Due, State, request_key
from kiebitz.model.response import Response
from kiebitz.model.run import Plan, Run, RunState, Scope
from kiebitz.model.source import Source, source_id
from kiebitz.standards.robots import Rules
from tests.unit.small_web import SmallWeb, reply

URL = "https://www.stadt.example/amtsblatt"
SHELL = b"<!doctype html><title>Amtsblatt</title><div id='app'></div><script src='/app.js'></script>"
DRAWN = (
    b"<!doctype html><title>Amtsblatt</title><h1>Amtsblatt</h1><ul>"
    + b"".join(b"<li><a href='/pdf/%d.pdf'>Amtsblatt Nr. %d/2026 (PDF)</a></li>" % (n, n) for n in (1, 2, 3))
    + b"</ul>"
)


class Look:
    """One look at the page, with this answer of the browser."""

    def __init__(self, drawn: Response | Exception | None) -> None:
        self.web = SmallWeb()
        self.browser = TableFetcher({URL: drawn} if drawn is not None else {})
        if drawn is not None:
            self.web.kit.browser = self.browser
        now = self.web.clock.utc()
        plan = Plan((URL,), Scope.ANY, 5, max_pages=0, max_per_host=0, delay=2.0)
        self.collector = Collector(Source(source_id(URL), "Stadt", (URL,)), Holdings(), lambda: date(2026, 6, 1))
        self.context = RunContext(Run("run", plan, RunState.RUNNING, now, now), TrapRules(), self.collector)
        self.due = Due(request_key(URL), URL, 0, 0)
        self.shell = answer(URL, SHELL)
        self.began = self.web.clock.now()
        self.links: list[str] = []
        self.read = asyncio.run(self._read())

    async def _read(self) -> State:
        rules = Rules()
        found = await self.web.passing(read_answer(self.due, self.shell, rules, self.context, self.web.kit))
        self.links = [link[1] for link in found.links]
        self.reason, self.record = found.reason, found.record
        return found.state

    @property
    def finding(self) -> tuple[str, str]:
        found = self.collector.findings[URL]
        return found.state, found.reason


def test_the_links_come_from_what_was_drawn_and_the_record_stays_the_answer() -> None:
    look = Look(answer(URL, DRAWN))
    assert look.read is State.DONE
    assert look.links == [f"https://www.stadt.example/pdf/{n}.pdf" for n in (1, 2, 3)]
    assert look.finding[0] == "documents"
    stored = gzip.decompress(look.record)
    assert SHELL in stored
    assert b"pdf/1.pdf" not in stored
    assert len(look.browser.calls) == 1
    assert look.web.clock.now() - look.began >= 4.0  # the host is left alone before and after


def test_without_a_browser_the_finding_says_what_to_install() -> None:
    look = Look(MissingExtra("the browser part is not installed", hint="pip install 'kiebitz[browser]'"))
    assert (look.read, look.links) == (State.DONE, [])
    assert look.finding[0] == "needs-browser"
    assert "pip install 'kiebitz[browser]'" in look.finding[1]
    assert Look(None).finding == ("needs-browser", "the page is drawn by a script: there is no browser here")


def test_a_page_that_overruns_is_told_and_one_that_failed_is_tried_again() -> None:
    greedy = Look(LimitExceeded("requests", "the page asks for more than 100 scripts and data"))
    assert greedy.read is State.DONE
    assert "more than 100" in greedy.finding[1]
    crashed = Look(Unreachable("crash", "the page crashed"))
    assert (crashed.read, crashed.reason) == (State.DEFERRED, "browser: crash")
    busy = Look(answer(URL, b"", status=503))
    assert (busy.read, busy.reason) == (State.DEFERRED, "browser: http 503")


def test_a_script_that_leads_on_is_followed_within_the_town_only() -> None:
    look = Look(answer(URL, b"", status=302, headers=(("Location", "/neu/amtsblatt"),)))
    assert look.links == ["https://www.stadt.example/neu/amtsblatt"]
    assert look.finding[0] == "leads-on"
    away = Look(answer(URL, b"", status=302, headers=(("Location", "https://werbung.example/"),)))
    assert away.links == []
    assert away.finding[0] == "needs-browser"


def test_a_page_that_draws_nothing_of_use_is_empty_and_does_not_ask_for_a_browser() -> None:
    assert Look(answer(URL, SHELL)).finding[0] == "empty"


def test_robots_are_asked_once_per_origin_and_silence_means_no() -> None:
    web = SmallWeb()
    web.serve("https://a.example/robots.txt", reply("User-agent: *\nDisallow: /geheim/", content_type="text/plain"))
    web.serve("https://b.example/robots.txt", reply(status=503))
    permits = Permits(web.kit.gates, web.clock)

    async def ask() -> list[bool]:
        urls = ["https://a.example/app.js", "https://a.example/geheim/x.js", "https://b.example/app.js"]
        return [await permits.allows(url) for url in urls * 2]

    assert asyncio.run(web.passing(ask())) == [True, False, False] * 2
    assert len(web.asked(robots=True)) == 2
