"""One municipality, served: its pages and files are made when they are asked for, from the seed, the day and its condition."""

from collections.abc import Sequence
from datetime import date, datetime
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import parse_qs, parse_qsl

from kiebitz.lab.calendars import FIRST_DAY, Calendar, noon
from kiebitz.lab.exchange import PDF, PLAIN, Ask, Reply, http_date, missing, redirect
from kiebitz.lab.municipalities.condition import Condition, Happening
from kiebitz.lab.municipalities.contents import decoy_pdf, publication_pdf
from kiebitz.lab.municipalities.decoys import decoy_texts
from kiebitz.lab.municipalities.frame import SECTIONS, FramedText, framed
from kiebitz.lab.municipalities.gazette_pages import gazette_page, newest_box
from kiebitz.lab.municipalities.listing import HASH, TOKEN, Canvas, Listed, address, is_notices, listed
from kiebitz.lab.municipalities.ordinary import home_content, ordinary_page
from kiebitz.lab.municipalities.places import Municipality
from kiebitz.lab.municipalities.publications import Publication, publications
from kiebitz.lab.municipalities.scripted import scripted_reply, shell
from kiebitz.lab.municipalities.styles import Addressing, Arrangement, Validators
from kiebitz.lab.municipalities.syndication import NEWS_FEED, feed_link, feed_of, feed_reply, news_feed, sitemap
from kiebitz.lab.municipalities.view import View

_SILENT = (Arrangement.FEED, Arrangement.SITEMAP, Arrangement.SCRIPTED)
_REDESIGNS = (Arrangement.TABLE, Arrangement.ACCORDION, Arrangement.YEARS, Arrangement.FLAT)
_PLACES = ("/rathaus/{}/", "/aktuelles/{}/", "/stadt-verwaltung/veroeffentlichungen/{}/", "/buergerservice/{}/")
_PICTURE = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)
_CLOSED = Reply(b"<!doctype html><title>503</title><p>Wartungsarbeiten", 503)
_LOGIN = (
    '<p>Bitte melden Sie sich an.</p><form method="post" action="/anmeldung"><label>Benutzername <input name="name"></label>'
    '<label>Passwort <input type="password" name="passwort"></label><button type="submit">Anmelden</button></form>'
)


class _Today(NamedTuple):
    """What a site has, newest first, as long as ``state`` (the day and the number of events) is the same."""

    state: tuple[date, int] | None
    out: Sequence[Publication]
    items: list[Listed]
    places: dict[tuple[str, str], Publication]  # by target and form


class MunicipalitySite:
    def __init__(self, town: Municipality, seed: int, calendar: Calendar, *, noisy: bool = False) -> None:
        self.town = town
        self.condition = Condition()
        self._seed = seed
        self._calendar = calendar
        self._noisy = noisy
        self._views = 0
        self._today = _Today(None, (), [], {})

    # -- what is true ------------------------------------------------------------------------------

    @property
    def arrangement(self) -> Arrangement:
        designs, own = self.condition.designs, self.town.arrangement
        if not designs or own is Arrangement.NOTICES:
            return own
        if own is Arrangement.SEVERAL:
            return Arrangement.ACCORDION
        others = [choice for choice in _REDESIGNS if choice is not own]
        return others[(self.town.style + designs) % len(others)]

    @property
    def root(self) -> str:
        """Where the gazette's page is, now."""
        return self._root(self.condition.designs)

    @property
    def entry(self) -> str:
        """The address that somebody who watches this town was given once."""
        path = "/" if self.town.enters_at_home else self._root(0)
        return f"http://{self.town.host}{path}"

    def items(self) -> list[Listed]:
        """What is out today and not withdrawn, newest first."""
        return self._known().items

    def content(self, publication: Publication) -> bytes:
        version = self.condition.versions.get(publication.key, 0)
        return publication_pdf(self.town, publication, version, self._seed)

    def happen(self, kind: Happening) -> None:
        items = self.items()
        if kind is Happening.RESTORE:
            self.condition = Condition(events=self.condition.events)
        self.condition.happen(kind, items[0].publication.key if items else None, self._calendar.today)

    # -- what is served ----------------------------------------------------------------------------

    def answer(self, ask: Ask) -> Reply:
        if self.condition.is_down:
            return _CLOSED
        if ask.path == "/robots.txt":
            return self._robots()
        return self.document(ask) or self._file(ask.path) or self._page(ask)

    def forget(self) -> None:
        """Views are counted anew. Events and the calendar are the lab's to move."""
        self._views = 0

    def document(self, ask: Ask) -> Reply | None:
        """The document that is asked for; None if it is not an address of one."""
        publication = self._known().places.get(self._identity(ask))
        if publication is None:
            return None
        if publication.key in self.condition.withdrawn:
            return missing(410)
        if self.condition.is_empty:
            return missing()
        if not self._is_entitled(ask):
            return Reply(b"<!doctype html><title>403</title><p>Der Link ist abgelaufen.", 403)
        changed = self.condition.replaced_on.get(publication.key, noon(publication.day))
        return self._validated(Reply(self.content(publication), content_type=PDF), changed)

    def _identity(self, ask: Ask) -> tuple[str, str]:
        style = self.town.addressing
        if style is Addressing.FORM and ask.method == "POST":
            fields = dict(parse_qsl(ask.body.decode("latin-1")))
            return ask.path, f"form={fields.get('form', '')}&gazette={fields.get('gazette', '')}"
        if style is Addressing.TOKEN:
            return f"{ask.path}?doc={parse_qs(ask.query).get('doc', [''])[0]}", ""
        return ask.target, ""

    def _is_entitled(self, ask: Ask) -> bool:
        """A token is asked for, but an old one is as good as a new one."""
        if self.town.addressing is Addressing.FORM:
            return bool(dict(parse_qsl(ask.body.decode("latin-1"))).get(HASH))
        return self.town.addressing is not Addressing.TOKEN or TOKEN in parse_qs(ask.query)

    def _known(self) -> "_Today":
        """Looked up once a day, and again after each event."""
        today, condition = self._calendar.today, self.condition
        if self._today.state != (today, condition.events):
            out = publications(self.town, date.min, today, self._seed)
            places = {address(self.town, publication, condition.moves)[1:]: publication for publication in out}
            self._today = _Today((today, condition.events), out, listed(self.town, out, condition), places)
        return self._today

    def _file(self, path: str) -> Reply | None:
        town = self.town
        title = decoy_texts(town).get(path)
        if title:
            return self._validated(Reply(decoy_pdf(town, path, title), content_type=PDF), noon(FIRST_DAY))
        if path == "/assets/site.css":
            return Reply(b"body{font:16px/1.5 sans-serif}", content_type="text/css")
        if path.startswith(("/assets/", "/bildergalerie/")) and path.endswith(".gif"):
            return Reply(_PICTURE, content_type="image/gif")
        items = self.items() if self.arrangement is town.arrangement else []
        if town.arrangement is Arrangement.FEED and path == feed_of(town)[0]:
            return self._validated(feed_reply(town, items), self._changed())
        if self._has_news_feed and path == NEWS_FEED:
            return self._validated(news_feed(town), noon(FIRST_DAY))
        if path.startswith("/sitemap") and path.endswith(".xml"):
            pages = ["/", *(section for section, _ in SECTIONS)]
            return sitemap(town, path, items if town.arrangement is Arrangement.SITEMAP else [], pages)
        return None

    def _page(self, ask: Ask) -> Reply:
        town, arrangement = self.town, self.arrangement
        if arrangement is Arrangement.SCRIPTED:
            if ask.path in ("/", self.root):
                return shell(town)
            return scripted_reply(town, ask.path, self.items()) or missing()
        old = next((n for n in range(self.condition.designs) if ask.path.startswith(self._root(n))), None)
        if old is not None and not ask.path.startswith(self.root) and town.style % 2 == 0:
            return redirect(self.root, 301)
        self._views += 1
        view = View(town.host, self._views, self._calendar.today, noisy=self._noisy)
        page = self._text(ask, view) or FramedText(
            "Seite nicht gefunden", "<p>Diese Seite gibt es nicht.</p>", status=404
        )
        body = framed(town, page, view, self._menu()).encode(town.charset, "xmlcharrefreplace")
        charset = f"; charset={town.charset}" if town.says_charset else ""
        reply = Reply(body, page.status, f"text/html{charset}")
        return reply if page.status != 200 else self._validated(reply, self._changed())

    def _text(self, ask: Ask, view: View) -> FramedText | None:
        town = self.town
        canvas = Canvas(town, self.root, self.items(), view, self.condition.designs)
        if ask.path == "/":
            box = newest_box(canvas, canvas.items[0]) if self._boasts and canvas.items else ""
            return FramedText(f"Willkommen in {town.name}", home_content(town, box), head=self._feed_links())
        is_gazette = self._menu() and ask.path.startswith(self.root)
        if not is_gazette:
            return ordinary_page(town, ask.path)
        if self.condition.asks_password:
            return FramedText("Anmeldung", _LOGIN)
        return gazette_page(canvas, self.arrangement, ask.path.removeprefix(self.root), ask.query)

    def _menu(self) -> list[tuple[str, str]]:
        if self.arrangement in _SILENT:
            return []
        names = {Arrangement.NEWS: "Meldungen & Amtsblatt", Arrangement.NOTICES: "Bekanntmachungen"}
        papers = " & ".join(paper.name for paper in self.town.papers)
        return [(self.root, names.get(self.arrangement, papers))]

    @property
    def _boasts(self) -> bool:
        """Some towns show the newest issue on their home page."""
        return self.town.style % 4 == 1 and self.arrangement not in _SILENT and not self.condition.asks_password

    @property
    def _has_news_feed(self) -> bool:
        return self.town.style % 3 == 2 and self.town.arrangement is not Arrangement.FEED

    def _feed_links(self) -> str:
        found = feed_link(NEWS_FEED, "application/rss+xml", "Aktuelle Meldungen") if self._has_news_feed else ""
        if self.arrangement is Arrangement.FEED:
            found += feed_link(*feed_of(self.town), f"Veröffentlichungen {self.town.name}")
        return found

    def _root(self, designs: int) -> str:
        town = self.town
        if town.arrangement is Arrangement.NEWS and not designs:
            return "/aktuelles/meldungen/"
        name = "bekanntmachungen" if is_notices(town) else town.papers[0].name.lower()
        more = f"-{designs}" if designs >= len(_PLACES) else ""
        return _PLACES[(town.style + designs) % len(_PLACES)].format(name + more)

    def _changed(self) -> datetime:
        """When a page last changed: at the last publication or event."""
        newest = max((noon(publication.day) for publication in self._known().out[:1]), default=noon(FIRST_DAY))
        return max(newest, self.condition.moment) if self.condition.events else newest

    def _validated(self, reply: Reply, changed: datetime) -> Reply:
        validators = self.town.validators
        if validators is Validators.NONE:
            return reply
        digest = blake2b(reply.body, digest_size=8).hexdigest()
        if validators is Validators.FICKLE:
            self._views += 1
            reply.etag = f'"{digest}-{self._views}"'
            return reply
        reply.etag = f'"{digest}"'
        # a page that differs at each view knows no date
        is_restless = self._noisy or self.town.addressing in (Addressing.TOKEN, Addressing.FORM)
        is_steady = reply.content_type == PDF or not is_restless
        reply.modified = http_date(changed) if is_steady else ""
        return reply

    def _robots(self) -> Reply:
        delay = f"Crawl-delay: {self.town.crawl_delay:g}\n" if self.town.crawl_delay else ""
        hidden = "Disallow: /intern/\n" if self.town.hides_intern else "Disallow:\n"
        where = f"Sitemap: http://{self.town.host}/sitemap.xml\n" if self.town.style % 3 else ""
        return Reply(f"User-agent: *\n{delay}{hidden}{where}".encode(), content_type=PLAIN)


class DocumentServer:
    """A host that only has files: one that several towns share, or a town's own, which is down together with it."""

    def __init__(self, tenants: Sequence[MunicipalitySite], *, is_shared: bool) -> None:
        self._tenants = tenants
        self._is_shared = is_shared

    def answer(self, ask: Ask) -> Reply:
        if not self._is_shared and self._tenants[0].condition.is_down:
            return _CLOSED
        if ask.path == "/robots.txt":
            return Reply(b"User-agent: *\nDisallow:\n", content_type=PLAIN)
        found = (reply for site in self._tenants if (reply := site.document(ask)))
        return next(found, None) or missing()

    def forget(self) -> None:
        """Nothing is counted here."""
