import pytest

from kiebitz.crawl import gate
from kiebitz.errors import AddressRefused, LimitExceeded, RobotsClosed, TimedOut, Unreachable
from kiebitz.model.visit import Robots
from kiebitz.standards.robots import MAX_BYTES
from tests.contract.awaited import awaited
from tests.unit.small_web import SmallWeb, redirect, reply

ORIGIN = "https://stadt.example"
FILE = f"{ORIGIN}/robots.txt"


def allowed(web: SmallWeb, record: Robots, path: str) -> bool:
    rules = web.kit.gates.known(record)
    assert rules is not None
    return rules.allows(path)


@awaited
async def test_the_rules_of_an_origin_are_those_of_its_file() -> None:
    web = SmallWeb()
    web.serve(FILE, reply("User-agent: *\nDisallow: /intern/\nCrawl-delay: 7", content_type="text/plain"))
    record = await web.kit.gates.fetch(ORIGIN)
    assert (record.origin, record.status, record.fetched_at) == (ORIGIN, 200, web.clock.now())
    assert not allowed(web, record, "/intern/x")
    assert allowed(web, record, "/x")
    rules = web.kit.gates.known(record)
    assert rules is not None
    assert rules.delay == 7.0


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
@awaited
async def test_a_file_that_is_missing_forbids_nothing(status: int) -> None:
    web = SmallWeb()
    web.serve(FILE, reply("User-agent: *\nDisallow: /", status))
    record = await web.kit.gates.fetch(ORIGIN)
    assert record.status == status
    assert record.text == "", "what an error page says is no rule"
    assert allowed(web, record, "/x")


@pytest.mark.parametrize("status", [429, 500, 503, 599])
@awaited
async def test_a_server_in_trouble_closes_the_gate(status: int) -> None:
    web = SmallWeb()
    web.serve(FILE, reply("", status))
    with pytest.raises(RobotsClosed) as closed:
        await web.kit.gates.fetch(ORIGIN)
    assert closed.value.reason == f"robots.txt: http {status}"
    assert closed.value.wait == 0.0


@awaited
async def test_a_server_in_trouble_may_say_when_to_come_back() -> None:
    web = SmallWeb()
    web.serve(FILE, reply("", 503, retry_after="600"))
    with pytest.raises(RobotsClosed) as closed:
        await web.kit.gates.fetch(ORIGIN)
    assert closed.value.wait == 600.0


@pytest.mark.parametrize("error", [Unreachable("refused"), TimedOut("first byte"), LimitExceeded("headers")], ids=str)
@awaited
async def test_a_file_that_cannot_be_had_closes_the_gate(error: Exception) -> None:
    web = SmallWeb()
    web.serve(FILE, error)
    with pytest.raises(RobotsClosed, match=f"robots.txt: {error}"):
        await web.kit.gates.fetch(ORIGIN)


@awaited
async def test_an_address_that_is_refused_stays_an_address_that_is_refused() -> None:
    web = SmallWeb()
    web.serve(FILE, AddressRefused("private"))
    with pytest.raises(AddressRefused):
        await web.kit.gates.fetch(ORIGIN)


@awaited
async def test_a_redirect_to_a_refused_address_closes_the_gate() -> None:
    """It says nothing about the origin's own address, where the pages are."""
    web = SmallWeb()
    web.serve(FILE, redirect("http://intranet.example/robots.txt"))
    web.serve("http://intranet.example/robots.txt", AddressRefused("private"))
    with pytest.raises(RobotsClosed, match=r"robots\.txt: private"):
        await web.kit.gates.fetch(ORIGIN)


@awaited
async def test_redirects_are_followed_also_to_other_hosts_and_the_rules_are_the_origins() -> None:
    web = SmallWeb()
    web.serve(FILE, redirect("/r.txt", 302))
    web.serve(f"{ORIGIN}/r.txt", redirect("//www.stadt.example/robots.txt"))
    web.serve("https://www.stadt.example/robots.txt", reply("User-agent: kiebitz\nDisallow: /x"))
    record = await web.kit.gates.fetch(ORIGIN)
    assert record.origin == ORIGIN
    assert not allowed(web, record, "/x")


@awaited
async def test_after_five_redirects_the_file_counts_as_missing() -> None:
    web = SmallWeb()
    for hop in range(9):
        url = f"{ORIGIN}/{hop}" if hop else FILE
        web.serve(url, redirect(f"/{hop + 1}"))
    record = await web.kit.gates.fetch(ORIGIN)
    assert len(web.wire.calls) == 6
    assert record.status == 404
    assert allowed(web, record, "/x")


@pytest.mark.parametrize("location", ["", "ftp://stadt.example/robots.txt", "http://["])
@awaited
async def test_a_redirect_to_nowhere_counts_as_missing(location: str) -> None:
    web = SmallWeb()
    web.serve(FILE, redirect(location))
    assert allowed(web, await web.kit.gates.fetch(ORIGIN), "/x")


@awaited
async def test_a_huge_file_is_cut_and_a_slow_one_given_up_early() -> None:
    web = SmallWeb()
    web.serve(FILE, reply(""))
    await web.kit.gates.fetch(ORIGIN)
    (call,) = web.wire.calls
    assert call.truncate
    assert call.limits.max_bytes == MAX_BYTES
    assert call.limits.total_seconds == 60.0
    assert call.limits.first_byte_seconds == web.policy.limits.first_byte_seconds


def test_rules_are_known_for_a_day() -> None:
    web = SmallWeb()
    record = Robots(ORIGIN, web.clock.now(), 200, "User-agent: *\nDisallow: /x")
    web.clock.advance(86_400.0)
    assert not allowed(web, record, "/x")
    web.clock.advance(1.0)
    assert web.kit.gates.known(record) is None
    assert web.kit.gates.known(None) is None


def test_a_record_is_parsed_once_and_few_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "PARSED", 5)
    web = SmallWeb()
    record = Robots(ORIGIN, web.clock.now(), 200, "User-agent: *\nDisallow: /x")
    assert web.kit.gates.known(record) is web.kit.gates.known(record)
    assert allowed(web, record._replace(fetched_at=record.fetched_at - 1, text=""), "/x")
    for number in range(20):
        assert allowed(web, Robots(f"https://h{number}.example", web.clock.now(), 404, ""), "/x")
    assert len(web.kit.gates._parsed) <= 5
    assert not allowed(web, record, "/x")
