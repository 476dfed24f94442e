"""The municipalities of the lab: their truth is what their own links lead to; and all of it is served."""

import json
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from kiebitz.errors import InputError
from kiebitz.lab.exchange import Ask, Reply, missing
from kiebitz.lab.municipalities.scripted import LIST, SCRIPT
from kiebitz.lab.municipalities.styles import Arrangement
from kiebitz.lab.municipalities.truth import TrueMunicipality, from_json, identity
from kiebitz.lab.running import RunningLab, running_lab, threaded_lab
from kiebitz.lab.world import Blueprint, World
from tests.lab_client import get
from tests.lab_reader import read_all
from tests.program import Program

LAYOUTS = [arrangement for arrangement in Arrangement if arrangement is not Arrangement.SCRIPTED]


@pytest.fixture(scope="module")
def world() -> World:
    return World(Blueprint(municipalities=50))


@pytest.fixture(scope="module")
def noisy() -> World:
    return World(Blueprint(municipalities=50, noise=True))


@pytest.fixture(scope="module")
def lab() -> Iterator[RunningLab]:
    with running_lab(Blueprint(municipalities=50, scripted=True)) as lab:
        yield lab


def reached(world: World, town: TrueMunicipality) -> dict[tuple[str, str], Reply]:
    """The PDFs that the town's entry leads to on its own hosts."""
    own = {town.host, world.region.site(town.host).town.server}

    def fetch(url: str, body: bytes | None) -> Reply:
        parts = urlsplit(url)
        if parts.hostname not in own:
            return missing()
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        answer = world.sites[parts.hostname].answer(
            Ask("GET" if body is None else "POST", parts.hostname, target, {}, body or b"")
        )
        assert isinstance(answer, Reply)
        return answer

    sitemaps = [f"http://{town.host}/sitemap.xml"] if town.layout == Arrangement.SITEMAP else []
    found = read_all(fetch, [*town.entry, *sitemaps])
    assert not [step for step, reply in found.items() if reply.status != 200 and urlsplit(step[0]).hostname in own]
    return {identity(*step): reply for step, reply in found.items() if reply.content_type == "application/pdf"}


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_document_is_reached_by_the_towns_own_links_and_has_its_true_content(world: World, layout: str) -> None:
    towns = [town for town in world.region.truth() if town.layout == layout]
    assert len(towns) >= 2
    for town in towns:
        found = reached(world, town)
        true = {(document.url, document.form): document.sha256 for document in town.documents}
        assert {key: sha256(found[key].body).hexdigest() for key in true if key in found} == true
        assert len(found) - len(true) >= 10, "a town has decoys"


@pytest.mark.slow
@pytest.mark.parametrize("layout", [Arrangement.PAGES, Arrangement.TOKEN, Arrangement.POST, Arrangement.BASE])
def test_noise_hides_no_document(noisy: World, layout: str) -> None:
    for town in noisy.region.truth():
        if town.layout == layout:
            found = reached(noisy, town)
            assert all((document.url, document.form) in found for document in town.documents)


@pytest.mark.slow
def test_the_served_truth_has_4140_documents_and_those_that_need_a_browser(lab: RunningLab, world: World) -> None:
    truth = lab.truth()
    plain = [town for town in truth if town.layout != Arrangement.SCRIPTED]
    assert len(plain) == 50
    assert sum(len(town.documents) for town in plain) == 4140
    assert plain == world.region.truth()
    assert len({document.sha256 for town in truth for document in town.documents}) == 4140 + 30 + 45
    assert [url for town in truth for url in town.entry] == lab.seeds


@pytest.mark.slow
def test_what_is_served_is_what_the_truth_says(lab: RunningLab) -> None:
    for town in lab.truth()[::7]:
        document = town.documents[0]
        if document.form or "abruf?" in document.url:
            continue
        parts = urlsplit(document.url)
        status, fields, body = get(lab, parts.netloc, parts.path + (f"?{parts.query}" if parts.query else ""))
        assert (status, fields["content-type"]) == (200, "application/pdf")
        assert sha256(body).hexdigest() == document.sha256


@pytest.mark.slow
def test_a_form_is_served_over_the_wire(lab: RunningLab) -> None:
    town = next(town for town in lab.truth() if town.layout == Arrangement.POST)
    document = town.documents[0]
    address, port = dict(pair.split("=") for pair in lab.resolve.split(","))[town.host].split(":")
    with closing(HTTPConnection(address, int(port), timeout=10)) as connection:
        body = f"{document.form}&hash=abc"
        connection.request("POST", urlsplit(document.url).path, body, {"Host": town.host})
        assert sha256(connection.getresponse().read()).hexdigest() == document.sha256


@pytest.mark.slow
def test_events_happen_through_the_control_port(lab: RunningLab) -> None:
    host = lab.truth()[0].host
    before = lab.truth(host)[0]
    lab.event(host, "withdraw")
    assert lab.truth(host)[0].documents == before.documents[1:]
    assert get(lab, host, urlsplit(before.documents[0].url).path)[0] == 410
    lab.event(host, "down")
    assert get(lab, host, "/")[0] == 503
    lab.event(host, "restore")
    assert lab.truth(host)[0] == before
    with pytest.raises(InputError):
        lab.event(host, "explode")
    with pytest.raises(InputError):
        lab.event("www.nowhere.example", "down")
    assert lab.stats()["strays"] == 0


def test_when_the_clock_is_moved_towns_publish() -> None:
    with threaded_lab(Blueprint(municipalities=2)) as lab:
        before = lab.truth()
        lab.advance(28)
        for earlier, later in zip(before, lab.truth(), strict=True):
            assert later.documents[-len(earlier.documents) :] == earlier.documents
            newest = later.documents[0]
            assert newest not in earlier.documents
            assert get(lab, later.host, urlsplit(newest.url).path)[0] == 200


@pytest.mark.slow
def test_a_town_that_needs_a_browser_shows_nothing_without_it(lab: RunningLab) -> None:
    for town in [town for town in lab.truth() if town.layout == Arrangement.SCRIPTED]:
        page = get(lab, town.host, urlsplit(town.entry[0]).path)[2]
        assert b"<a " not in page
        assert SCRIPT.encode() in page
        assert LIST.encode() in get(lab, town.host, SCRIPT)[2]
        listed = get(lab, town.host, LIST)[2].decode()
        assert all(urlsplit(document.url).path in listed for document in town.documents)


@pytest.mark.slow
def test_robots_ask_for_a_delay_or_hide_a_folder_in_some_towns(lab: RunningLab) -> None:
    rules = [get(lab, town.host, "/robots.txt")[2] for town in lab.truth()]
    assert sum(b"Crawl-delay: 0.05" in text for text in rules) == 2
    assert sum(b"Disallow: /intern/" in text for text in rules) == 3


@pytest.mark.slow
def test_the_command_serves_municipalities_and_says_where_the_truth_is(tmp_path: Path) -> None:
    with Program(tmp_path).running(
        "lab", "serve", "--municipalities", "2", "--scripted", "--noise", "--json"
    ) as served:
        told = json.loads(served.first_line())
        with closing(HTTPConnection("127.0.0.1", told["control"], timeout=10)) as connection:
            connection.request("GET", "/truth")
            truth = from_json(connection.getresponse().read().decode())
        assert [url for town in truth for url in town.entry] == told["seeds"]
        assert len(truth) == 4
