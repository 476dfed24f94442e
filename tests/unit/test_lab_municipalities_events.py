"""What happens to a municipality, without a server."""

from datetime import timedelta

import pytest

from kiebitz.lab.calendars import Calendar
from kiebitz.lab.exchange import Ask, Reply
from kiebitz.lab.municipalities import MUNICIPALITIES, SCRIPTED, Region
from kiebitz.lab.municipalities.condition import Happening
from kiebitz.lab.municipalities.places import Municipality
from kiebitz.lab.municipalities.publications import publications
from kiebitz.lab.municipalities.site import MunicipalitySite
from kiebitz.lab.municipalities.styles import Addressing, Arrangement
from kiebitz.lab.municipalities.truth import TrueDocument
from kiebitz.model.issue import IssueKind

FLAT = MUNICIPALITIES[0]


class Town:
    """One municipality of a region, and its truth."""

    def __init__(self, town: Municipality = FLAT) -> None:
        self.calendar = Calendar()
        self.region = Region([town], 1, self.calendar)
        self.site: MunicipalitySite = self.region.sites[town.host]

    @property
    def documents(self) -> tuple[TrueDocument, ...]:
        return self.region.truth()[0].documents

    def event(self, kind: str) -> None:
        self.region.event(self.site.town.host, kind)

    def get(self, target: str) -> Reply:
        return self.site.answer(Ask("GET", self.site.town.host, target, {}))

    def page(self) -> str:
        return self.get(self.site.root).body.decode(self.site.town.charset)


def target_of(document: TrueDocument) -> str:
    return "/" + document.url.split("/", 3)[3]


def test_a_redesign_changes_layout_and_pages_and_no_document() -> None:
    town = Town()
    before, layout, root, page = town.documents, town.site.arrangement, town.site.root, town.page()
    town.event("redesign")
    assert town.documents == before
    assert town.site.arrangement is not layout
    assert town.site.root != root
    assert town.page() != page
    assert all(target_of(document) in town.page() for document in before)
    assert town.get(root).status == 301
    assert f'href="{town.site.root}"' in town.get("/").body.decode()


def test_a_move_changes_the_addresses_of_the_documents_too() -> None:
    town = Town()
    before = town.documents
    town.event("move")
    after = town.documents
    assert not {document.url for document in before} & {document.url for document in after}
    assert [document.sha256 for document in before] == [document.sha256 for document in after]
    assert town.get(target_of(before[0])).status == 404
    assert town.get(target_of(after[0])).body.startswith(b"%PDF-")


def test_a_redesign_of_a_town_with_an_odd_style_breaks_its_old_address() -> None:
    town = Town(next(t for t in MUNICIPALITIES if t.style % 2 and not t.enters_at_home))
    root = town.site.root
    town.event("redesign")
    assert town.get(root).status == 404


@pytest.mark.parametrize("place", [*MUNICIPALITIES, *SCRIPTED], ids=lambda place: place.slug)
def test_every_town_can_be_redesigned_many_times(place: Municipality) -> None:
    town = Town(place)
    roots = {town.site.root}
    for count in range(1, 7):
        town.event("redesign")
        roots.add(town.site.root)
        reply = town.get(town.site.root)
        assert reply.status == 200
        assert town.site.arrangement not in (Arrangement.FEED, Arrangement.SITEMAP, Arrangement.SCRIPTED)
        assert len(roots) == count + 1


def test_renumbering_changes_numbers_and_labels_and_no_address() -> None:
    town = Town()
    before = town.documents
    town.event("renumber")
    after = town.documents
    assert [document.number for document in after] == [(document.number or 0) + 1 for document in before]
    assert [document.url for document in after] == [document.url for document in before]
    assert [document.sha256 for document in after] == [document.sha256 for document in before]
    assert after[0].label in town.page()
    assert before[0].label not in town.page()


def test_what_is_withdrawn_is_gone() -> None:
    town = Town()
    newest, *others = town.documents
    town.event("withdraw")
    assert list(town.documents) == others
    assert target_of(newest) not in town.page()
    assert town.get(target_of(newest)).status == 410
    town.event("withdraw")
    assert list(town.documents) == others[1:]


def test_a_correction_says_so_and_a_replacement_does_not() -> None:
    town = Town()
    first, page = town.documents[0], town.page()
    before = town.get(target_of(first))
    town.event("replace")
    replaced = town.documents[0]
    assert town.page() == page
    assert (replaced.url, replaced.label, replaced.kind) == (first.url, first.label, first.kind)
    after = town.get(target_of(first))
    assert after.body != before.body
    assert (after.etag, after.modified) != (before.etag, before.modified)
    town.event("correct")
    corrected = town.documents[0]
    assert corrected.url == first.url
    assert corrected.label == f"{first.label} (korrigiert)"
    assert corrected.label in town.page()
    assert corrected.kind is IssueKind.CORRECTION
    assert len({first.sha256, replaced.sha256, corrected.sha256}) == 3


def test_only_the_document_that_was_corrected_is_marked_when_the_next_one_appears() -> None:
    town = Town()
    town.event("correct")
    town.calendar.advance(7)
    assert town.documents[0].kind is not IssueKind.CORRECTION
    assert town.page().count("(korrigiert)") == 1


def test_an_emptied_town_keeps_its_pages() -> None:
    town = Town()
    newest = town.documents[0]
    town.event("empty")
    assert not list(town.documents)
    assert "keine Ausgaben" in town.page()
    assert town.get(target_of(newest)).status == 404
    town.event("restore")
    assert town.documents[0] == newest
    assert town.get(target_of(newest)).status == 200


def test_a_town_that_is_down_answers_503_to_everything_until_it_is_up() -> None:
    town = Town()
    newest = town.documents[0]
    town.event("down")
    assert {town.get(path).status for path in ("/", "/robots.txt", town.site.root, target_of(newest))} == {503}
    assert town.documents[0] == newest
    town.event("up")
    assert town.get("/").status == 200


def test_what_is_restored_is_as_if_nothing_had_happened() -> None:
    town = Town()
    before, page = town.documents, town.page()
    for kind in ("correct", "withdraw", "move", "renumber", "down", "restore"):
        town.event(kind)
    assert town.documents == before
    assert town.page() == page


def test_a_towns_own_document_server_is_down_with_it_and_a_shared_one_is_not() -> None:
    towns = [t for t in MUNICIPALITIES if t.addressing in (Addressing.OWN_SERVER, Addressing.SHARED_SERVER)]
    region = Region(towns, 1, Calendar())
    for town in towns:
        region.event(town.host, "down")
        there = region.truth(town.host)[0].documents[0].url.split("/", 3)
        answer = region.websites[there[2]].answer(Ask("GET", there[2], "/" + there[3], {}))
        assert isinstance(answer, Reply)
        assert answer.status == (503 if town.addressing is Addressing.OWN_SERVER else 200)


def test_a_login_hides_the_gazette_only() -> None:
    town = Town()
    town.event("login")
    assert 'type="password"' in town.page()
    assert town.get("/").status == 200
    assert ".pdf" not in town.page().partition("<main")[2].partition("</main>")[0]
    town.event("up")
    assert 'type="password"' not in town.page()


def test_every_event_changes_what_a_page_tells_about_its_age() -> None:
    town = Town()
    seen = {town.get(town.site.root).modified}
    for count, kind in enumerate(("correct", "withdraw", "renumber"), 2):
        town.event(kind)
        seen.add(town.get(town.site.root).modified)
        assert len(seen) == count


@pytest.mark.parametrize("kind", list(Happening))
def test_every_event_can_happen_twice_to_any_town(kind: Happening) -> None:
    region = Region((*MUNICIPALITIES, *SCRIPTED), 1, Calendar())
    for host, site in list(region.sites.items())[::3]:
        for _ in range(2):
            region.event(host, kind)
        assert site.answer(Ask("GET", host, "/", {})).status in (200, 503)
        assert site.answer(Ask("GET", host, site.root, {})).status in (200, 404, 503)


def test_when_days_pass_towns_publish_by_their_pace() -> None:
    calendar = Calendar()
    region = Region(MUNICIPALITIES[::6], 1, calendar)
    start = calendar.today
    before = {truth.host: {(d.url, d.form) for d in truth.documents} for truth in region.truth()}
    calendar.advance(30)
    for truth in region.truth():
        new = {(d.url, d.form) for d in truth.documents} - before[truth.host]
        place = region.sites[truth.host].town
        expected = publications(place, start + timedelta(days=1), calendar.today)
        assert len(new) == len(expected)
        if place.addressing is not Addressing.FORM:
            assert len({url for url, _ in new}) == len(new)
