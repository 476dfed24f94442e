"""The manners of a visit: how often it knocks, when it leaves a host alone, what robots.txt has to say."""

import asyncio

import pytest

from kiebitz.crawl.policy import Policy
from kiebitz.errors import TimedOut, Unreachable
from tests.contract.awaited import awaited
from tests.unit.small_web import HOME, TURNS, SmallWeb, pages, reply, rested, web_of

ROBOTS = HOME + "robots.txt"


# ---------------------------------------------------------------------- delays


@awaited
async def test_requests_of_a_host_are_never_closer_than_the_delay() -> None:
    web = await web_of(*pages(6), delay=2.0)
    await web.visit()
    assert web.asked() == pages(6)
    assert len(web.gaps()) == 6, "robots.txt is a request as well"
    assert all(2.0 <= gap <= 2.4 for gap in web.gaps())
    assert len(set(web.gaps())) == 6, "the delay is jittered"


@awaited
async def test_the_delay_counts_from_the_end_of_a_request() -> None:
    web = await web_of(*pages(3), delay=2.0)
    web.wire.seconds = 10.0
    await web.visit()
    assert all(gap >= 12.0 for gap in web.gaps())


@pytest.mark.parametrize(("asked", "kept"), [("7", 7.0), ("0.2", 1.0), ("nonsense", 1.0)])
@awaited
async def test_a_longer_delay_in_robots_txt_wins_and_the_first_page_waits_for_it_too(asked: str, kept: float) -> None:
    web = await web_of(*pages(3))
    web.serve(ROBOTS, reply(f"User-agent: *\nCrawl-delay: {asked}"))
    await web.visit()
    assert all(kept <= gap <= kept * 1.2 for gap in web.gaps())


@awaited
async def test_the_next_visit_waits_for_the_delay_as_well() -> None:
    web = await web_of(*pages(4), policy=Policy(batch=2), delay=5.0)
    await web.visit()
    await web.visit()
    assert web.asked() == pages(4)
    assert all(gap >= 5.0 for gap in web.gaps())


@awaited
async def test_a_failed_request_is_followed_by_the_delay_too() -> None:
    web = await web_of(*pages(3), delay=3.0)
    web.serve(pages(3)[0], Unreachable("reset"))
    web.serve(pages(3)[1], reply(status=404))
    await web.visit()
    assert web.asked() == pages(3)
    assert all(gap >= 3.0 for gap in web.gaps())


@awaited
async def test_a_visit_that_is_cut_off_has_knocked_all_the_same() -> None:
    web = await web_of(*pages(3), delay=9.0)
    web.wire.seconds = 30.0
    visit = await web.lease()
    task = asyncio.ensure_future(visit.run())
    for _ in range(TURNS):
        await asyncio.sleep(0)
    assert web.wire.under_way == 1
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert visit.ended
    assert rested(web, visit) >= 9.0
    assert visit.take().settlement.outcomes == []


# ---------------------------------------------------------------------- hosts in trouble


@pytest.mark.parametrize("status", [429, 503])
@awaited
async def test_retry_after_leaves_the_whole_host_alone(status: int) -> None:
    web = await web_of(*pages(3))
    web.serve(pages(3)[0], reply(status=status, retry_after="300"), "page")
    visit = await web.visit()
    assert web.asked() == pages(1)
    assert rested(web, visit) >= 300.0
    assert await web.states() == {
        pages(3)[0]: f"deferred http {status}",
        pages(3)[1]: "pending",
        pages(3)[2]: "pending",
    }
    await web.visit()
    assert web.gaps()[-3] >= 300.0
    assert set((await web.states()).values()) == {"done"}


@awaited
async def test_a_temporary_error_is_tried_again_later_and_fails_after_the_last_try() -> None:
    web = await web_of(*pages(1))
    web.serve(pages(1)[0], reply(status=503))
    for state in ("deferred http 503", "deferred http 503", "failed http 503"):
        await web.visit()
        assert await web.states() == {pages(1)[0]: state}
    waits = web.gaps()[1:]
    assert 10.0 <= waits[0] <= 13.3
    assert 40.0 <= waits[1] <= 49.3


@pytest.mark.parametrize(
    "trouble", [TimedOut("first byte"), Unreachable("reset"), reply(status=500)], ids=["first byte", "reset", "500"]
)
@awaited
async def test_after_five_strikes_the_host_rests_and_longer_each_time(trouble: Exception) -> None:
    web = await web_of(*pages(12))
    for url in pages(12):
        web.serve(url, trouble)
    first = await web.visit()
    assert web.asked() == pages(5), "the sixth request is not made"
    assert 10.0 <= rested(web, first) <= 12.0
    second = await web.visit()
    assert len(web.asked()) == 10
    assert 40.0 <= rested(web, second) <= 48.0


@awaited
async def test_a_success_ends_the_strikes() -> None:
    web = await web_of(*pages(9))
    for url in pages(9):
        if url != pages(9)[4]:
            web.serve(url, TimedOut("total"))
    visit = await web.visit()
    assert web.asked() == pages(9)
    assert visit.strikes == 4


@pytest.mark.parametrize("status", [200, 301, 304, 404])
@awaited
async def test_any_answer_shows_that_the_host_is_alive(status: int) -> None:
    web = await web_of(*pages(3))
    web.serve(pages(3)[0], TimedOut("total"))
    web.serve(pages(3)[1], TimedOut("total"))
    web.serve(pages(3)[2], reply(status=status, location="/x"))
    assert (await web.visit()).strikes == 0


@pytest.mark.parametrize("reason", ["dns", "refused", "connect", "tls", "no route"])
@awaited
async def test_a_host_that_cannot_be_reached_ends_the_visit_at_once_and_rests(reason: str) -> None:
    web = await web_of(*pages(3))
    web.serve(pages(3)[0], Unreachable(reason))
    visit = await web.visit()
    assert web.asked() == pages(1)
    assert rested(web, visit) >= 10.0
    assert (await web.states())[pages(3)[0]] == f"deferred {reason}"


@awaited
async def test_a_name_without_address_ends_the_visit_before_any_request() -> None:
    web = await web_of(*pages(2))
    web.names._table.clear()
    visit = await web.visit()
    assert web.wire.calls == []
    assert rested(web, visit) >= 10.0
    assert await web.states() == {pages(2)[0]: "deferred dns", pages(2)[1]: "pending"}


@awaited
async def test_a_host_is_given_up_after_its_last_round_and_the_batch_fails() -> None:
    web = await web_of(*pages(5))
    web.names._table.clear()
    for _ in range(3):
        await web.visit()
    states = await web.states()
    assert set(states.values()) == {"failed dns", "failed host: dns"}
    assert (await web.frontier.counts("run")).failed == 5


@awaited
async def test_a_host_that_was_given_up_is_still_left_alone_as_long_as_it_asked() -> None:
    web = await web_of(*pages(3), policy=Policy(max_tries=1, batch=2))
    for url in pages(3):
        web.serve(url, reply(status=503, retry_after="300"))
    visit = await web.lease()
    visit.strikes = 4
    await web.passing(visit.run())
    await web.commit(visit)
    assert (await web.states())[pages(3)[1]] == "failed host: http 503"
    assert rested(web, visit) >= 300.0


@awaited
async def test_a_host_that_was_given_up_last_week_begins_anew() -> None:
    web = await web_of(*pages(2))
    web.names._table.clear()
    for _ in range(3):
        await web.visit()
    web.clock.advance(7 * 86_400.0)
    await web.begin(*pages(2), run="newer")
    visit = await web.visit()
    assert visit.strikes == 5
    assert set((await web.states()).values()) == {"deferred dns", "pending"}


# ---------------------------------------------------------------------- robots.txt


@awaited
async def test_robots_txt_comes_first_and_what_it_forbids_is_skipped() -> None:
    web = await web_of(*pages(3))
    web.serve(ROBOTS, reply("User-agent: *\nDisallow: /1"))
    await web.visit()
    assert [url for url, _ in web.wire.begun] == [ROBOTS, pages(3)[0], pages(3)[2]]
    assert (await web.states())[pages(3)[1]] == "skipped robots"


@pytest.mark.parametrize("status", [401, 404, 410])
@awaited
async def test_without_robots_txt_everything_is_allowed(status: int) -> None:
    web = await web_of(*pages(2))
    web.serve(ROBOTS, reply("User-agent: *\nDisallow: /", status))
    await web.visit()
    assert set((await web.states()).values()) == {"done"}


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        (reply(status=503), "robots.txt: http 503"),
        (reply(status=429), "robots.txt: http 429"),
        (TimedOut("first byte"), "robots.txt: first byte"),
        (Unreachable("refused"), "robots.txt: refused"),
    ],
    ids=["503", "429", "slow", "refused"],
)
@awaited
async def test_robots_txt_that_cannot_be_had_closes_the_host_until_it_is_given_up(
    trouble: Exception, reason: str
) -> None:
    web = await web_of(*pages(3))
    web.serve(ROBOTS, trouble)
    visit = await web.visit()
    assert rested(web, visit) >= 10.0
    assert (await web.states())[pages(3)[0]] == f"deferred {reason}"
    await web.visit()
    await web.visit()
    assert set((await web.states()).values()) == {f"failed {reason}", f"failed host: {reason}"}
    assert web.asked() == [], "no page was fetched without it"


@awaited
async def test_robots_txt_may_say_when_to_come_back() -> None:
    web = await web_of(*pages(1))
    web.serve(ROBOTS, reply(status=503, retry_after="600"), reply(status=404))
    assert rested(web, await web.visit()) >= 600.0
    await web.visit()
    assert await web.states() == {pages(1)[0]: "done"}


@awaited
async def test_robots_txt_is_asked_for_once_a_day() -> None:
    web = await web_of(*pages(6), policy=Policy(batch=2))
    await web.visit()
    await web.visit()
    assert web.asked(robots=True) == [ROBOTS]
    web.clock.advance(86_401.0)
    await web.visit()
    assert web.asked(robots=True) == [ROBOTS, ROBOTS]
    assert len(web.asked()) == 6


@awaited
async def test_robots_txt_counts_for_its_origin_and_not_for_the_host() -> None:
    web = SmallWeb()
    for origin in ("https://stadt.example", "http://stadt.example", "https://stadt.example:8443"):
        web.serve(f"{origin}/a", "page")
    web.serve("http://stadt.example/robots.txt", reply("User-agent: *\nDisallow: /"))
    await web.begin("https://stadt.example/a", "http://stadt.example/a", "https://stadt.example:8443/a")
    await web.visit()
    assert await web.states() == {
        "https://stadt.example/a": "done",
        "http://stadt.example/a": "skipped robots",
        "https://stadt.example:8443/a": "done",
    }
    assert len(web.asked(robots=True)) == 3
    assert all(gap >= 1.0 for gap in web.gaps()), "one host, one delay"
