from collections import Counter
from datetime import date, timedelta
from itertools import pairwise

import pytest

from kiebitz.errors import InputError
from kiebitz.lab.calendars import FIRST_DAY, Calendar
from kiebitz.lab.exchange import Ask, Reply
from kiebitz.lab.municipalities import MUNICIPALITIES, SCRIPTED, Region
from kiebitz.lab.municipalities.contents import publication_pdf
from kiebitz.lab.municipalities.decoys import decoy_texts
from kiebitz.lab.municipalities.listing import address
from kiebitz.lab.municipalities.places import Municipality
from kiebitz.lab.municipalities.publications import issue_days, publications
from kiebitz.lab.municipalities.site import MunicipalitySite
from kiebitz.lab.municipalities.styles import Arrangement, Pace, Validators
from kiebitz.lab.municipalities.truth import from_json, identity, to_json
from kiebitz.lab.world import Blueprint, World
from kiebitz.model.issue import IssueKind

ALWAYS = date.min


def town_of(arrangement: Arrangement) -> Municipality:
    return next(town for town in MUNICIPALITIES if town.arrangement is arrangement)


def site_of(arrangement: Arrangement, *, noisy: bool = False, calendar: Calendar | None = None) -> MunicipalitySite:
    return MunicipalitySite(town_of(arrangement), 1, calendar or Calendar(), noisy=noisy)


def get(site: MunicipalitySite, target: str) -> Reply:
    return site.answer(Ask("GET", site.town.host, target, {}))


def test_fifty_municipalities_have_4140_documents_on_the_first_day() -> None:
    archives = [publications(town, ALWAYS, FIRST_DAY) for town in MUNICIPALITIES]
    assert len(archives) == 50
    assert sum(map(len, archives)) == 4140
    assert all(20 <= len(archive) <= 250 for archive in archives)
    assert all(archive[0].day.year > archive[-1].day.year for archive in archives)


def test_every_layout_is_used_at_least_twice() -> None:
    used = Counter(town.arrangement for town in (*MUNICIPALITIES, *SCRIPTED))
    assert set(used) == set(Arrangement)
    assert min(used.values()) >= 2


def test_every_manner_of_the_servers_occurs() -> None:
    assert {town.validators for town in MUNICIPALITIES} == set(Validators)
    assert {paper.pace for town in MUNICIPALITIES for paper in town.papers} == set(Pace)
    assert sum(town.crawl_delay > 0 for town in MUNICIPALITIES) == 2
    assert {town.enters_at_home for town in MUNICIPALITIES} == {True, False}
    assert len({town.host for town in (*MUNICIPALITIES, *SCRIPTED)}) == 52


def test_every_document_has_its_own_address_and_its_own_content() -> None:
    for town in (*MUNICIPALITIES, *SCRIPTED):
        out = publications(town, ALWAYS, FIRST_DAY)
        for moves in (0, 1):
            assert len({address(town, publication, moves) for publication in out}) == len(out)
        assert not {address(town, p, 0) for p in out} & {address(town, p, 1) for p in out}
        contents = {publication_pdf(town, publication, 0, 1) for publication in out[:10]}
        assert len(contents) == len(out[:10])
        assert not {address(town, p, 0).target for p in out} & set(decoy_texts(town))


def test_the_seed_makes_the_contents() -> None:
    town = MUNICIPALITIES[0]
    out = publications(town, ALWAYS, FIRST_DAY)
    assert publication_pdf(town, out[0], 0, 1) == publication_pdf(town, out[0], 0, 1)
    assert publication_pdf(town, out[0], 0, 1) != publication_pdf(town, out[0], 0, 2)
    assert publication_pdf(town, out[0], 0, 1) != publication_pdf(town, out[0], 1, 1)


@pytest.mark.parametrize(
    ("pace", "least", "most"),
    [
        (Pace.TWICE_A_WEEK, 3, 4),
        (Pace.WEEKLY, 7, 7),
        (Pace.FORTNIGHTLY, 14, 14),
        (Pace.FIRST_FRIDAY, 28, 35),
        (Pace.MID_MONTH, 28, 33),
        (Pace.AS_NEEDED, 14, 35),
    ],
)
def test_a_pace_keeps_its_distance(pace: Pace, least: int, most: int) -> None:
    days = list(issue_days(pace, FIRST_DAY, "a paper"))
    gaps = [(later - sooner).days for sooner, later in pairwise(days)]
    assert min(gaps) == least
    assert max(gaps) <= most
    assert all(day.weekday() < 5 for day in days[1:])


def test_what_is_published_later_never_changes_what_was_before() -> None:
    for town in MUNICIPALITIES:
        later = publications(town, ALWAYS, FIRST_DAY + timedelta(days=900))
        assert [entry for entry in later if entry.day <= FIRST_DAY] == publications(town, ALWAYS, FIRST_DAY)
        assert len(later) > len(publications(town, ALWAYS, FIRST_DAY))


def test_publications_of_a_span_include_both_of_its_days() -> None:
    town = MUNICIPALITIES[0]
    newest = publications(town, ALWAYS, FIRST_DAY)[0]
    assert newest in publications(town, newest.day, newest.day)
    assert publications(town, newest.day + timedelta(days=1), newest.day + timedelta(days=2)) == []


def test_issues_of_all_kinds_occur_and_are_numbered_by_year() -> None:
    every = [entry for town in MUNICIPALITIES for entry in publications(town, ALWAYS, FIRST_DAY)]
    assert {entry.kind for entry in every} == set(IssueKind)
    weekly = publications(MUNICIPALITIES[0], ALWAYS, FIRST_DAY)
    plain = [e for e in weekly if e.kind in (IssueKind.REGULAR, IssueKind.SPECIAL) and e.day.year == 2025]
    assert [entry.number for entry in plain] == list(range(len(plain), 0, -1))


def test_a_token_is_another_at_each_view_and_the_old_one_goes_on_working() -> None:
    site = site_of(Arrangement.TOKEN)
    first, second = (get(site, site.root).body for _ in range(2))
    assert first != second
    old = first.decode().partition('href="/dokumente/')[2].partition('"')[0].replace("&amp;", "&")
    assert "token=" in old
    assert old not in second.decode().replace("&amp;", "&")
    reply = get(site, "/dokumente/" + old)
    assert reply.body.startswith(b"%PDF-")
    assert get(site, "/dokumente/" + old.partition("&")[0]).status == 403
    there = identity(f"http://{site.town.host}/dokumente/{old}")
    assert there in {(item.address.url, "") for item in site.items()}


def test_a_form_downloads_only_by_post_and_with_its_hidden_field() -> None:
    site = site_of(Arrangement.POST)
    item = site.items()[0]
    body = item.address.form.encode() + b"&hash=0123"

    def post(data: bytes) -> Reply:
        return site.answer(Ask("POST", site.town.host, item.address.target, {}, data))

    assert post(body).body == site.content(item.publication)
    assert post(item.address.form.encode()).status == 403
    assert get(site, item.address.target).status == 404
    assert identity(f"{item.address.url}#gazette_1", body) == (item.address.url, item.address.form)


def test_decoys_are_real_files() -> None:
    for town in MUNICIPALITIES[::7]:
        site = MunicipalitySite(town, 1, Calendar())
        for path in decoy_texts(town):
            reply = get(site, path)
            assert reply.content_type == "application/pdf"
            assert reply.body.startswith(b"%PDF-")


def test_validators_are_as_the_town_has_them() -> None:
    for validators, tags in ((Validators.BOTH, 1), (Validators.NONE, 1), (Validators.FICKLE, 2)):
        town = next(town for town in MUNICIPALITIES if town.validators is validators)
        site = MunicipalitySite(town, 1, Calendar())
        replies = [get(site, site.items()[0].address.target) for _ in range(2)]
        assert len({reply.etag for reply in replies}) == tags
        assert len({reply.body for reply in replies}) == 1
        assert all(bool(reply.etag) is (validators is not Validators.NONE) for reply in replies)
        assert all(bool(reply.modified) is (validators is Validators.BOTH) for reply in replies)


def test_a_page_without_noise_is_the_same_at_each_view() -> None:
    site = site_of(Arrangement.FLAT)
    assert get(site, site.root).body == get(site, site.root).body
    assert get(site, "/").etag == get(site, "/").etag


def test_noise_differs_at_each_view_and_leaves_the_documents_alone() -> None:
    site, quiet = site_of(Arrangement.FLAT, noisy=True), site_of(Arrangement.FLAT)
    views = [get(site, site.root).body.decode() for _ in range(20)]
    assert len(set(views)) == 20
    assert len({view.partition("<main")[2].partition("</main>")[0] for view in views}) == 20
    for view in views:
        assert all(item.address.target in view for item in site.items())
        for word in ("Namenstag", "Besucher Nr.", "?sid=", "__csrf", "nonce=", "Wetter"):
            assert word in view
    assert site.items() == quiet.items()


def test_the_truth_survives_its_journey_as_json() -> None:
    truth = Region(MUNICIPALITIES[:2], 1, Calendar()).truth()
    assert from_json(to_json(truth)) == truth


def test_umlauts_arrive_in_windows_1252() -> None:
    site = site_of(Arrangement.WINDOWS)
    assert site.town.name.encode("cp1252") in get(site, site.root).body


def test_a_blueprint_says_how_many_municipalities_there_are() -> None:
    world = World(Blueprint(municipalities=3, scripted=True))
    assert list(world.sites) == [town.host for town in (*MUNICIPALITIES[:3], *SCRIPTED)]
    assert world.seeds == [site.entry for site in world.region.sites.values()]
    everything = World(Blueprint(municipalities=50))
    assert {"daten.kommunaldienst.example", "dokumente.joessnau.example"} <= set(everything.sites)
    with pytest.raises(InputError):
        world.region.event("www.nowhere.example", "down")
    with pytest.raises(InputError):
        world.region.event(MUNICIPALITIES[0].host, "explode")
