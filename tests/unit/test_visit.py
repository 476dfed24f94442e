"""A visit in a small web: what becomes of each request, and when the visit ends."""

import asyncio

import pytest

from kiebitz.crawl.policy import Policy
from kiebitz.errors import AddressRefused, LimitExceeded
from kiebitz.model.request import State
from kiebitz.model.response import Limits
from kiebitz.model.run import Scope
from tests.contract.awaited import awaited
from tests.unit.small_web import HOME, SmallWeb, links, pages, redirect, reply, rested, web_of

ROBOTS = HOME + "robots.txt"
PDF = b"%PDF-1.7\n"


# ---------------------------------------------------------------------- skipped, failed, done


@pytest.mark.parametrize(
    ("sent", "state"),
    [
        (AddressRefused("private"), "skipped address"),
        (LimitExceeded("headers"), "skipped limit: headers"),
        (LimitExceeded("size"), "skipped limit: size"),
        (reply(b"....", content_type="video/mp4"), "skipped type"),
        (reply(b"x" * 101, content_type="text/html"), "skipped size"),
        (reply(status=404), "failed http 404"),
        (redirect("/"), "done redirect https://stadt.example/"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@awaited
async def test_what_became_of_a_request_has_a_reason_and_the_visit_goes_on(sent: Exception, state: str) -> None:
    web = await web_of(*pages(2), policy=Policy(limits=Limits(max_bytes=100)))
    web.serve(pages(2)[0], sent)
    await web.visit()
    states = await web.states()
    assert states[pages(2)[0]] == state
    assert states[pages(2)[1]] == "done"


@awaited
async def test_an_address_that_is_refused_is_not_connected_for_robots_txt_either() -> None:
    web = await web_of(*pages(2))
    web.serve(ROBOTS, AddressRefused("private"))
    await web.visit()
    assert set((await web.states()).values()) == {"skipped address"}
    assert web.asked() == []


@awaited
async def test_a_body_we_do_not_want_is_not_downloaded() -> None:
    web = await web_of(*pages(1))
    await web.visit()
    judge = web.wire.calls[-1].judge
    assert judge is not None
    assert judge(200, "video/mp4", 10) == "type"
    assert judge(200, "text/html", 65 << 20) == "size"
    assert judge(200, "text/html", -1) == ""
    assert judge(404, "video/mp4", 10) == "", "an error page is short, and the connection can be used again"
    assert web.wire.calls[0].judge is None, "robots.txt is taken in any case"


@awaited
async def test_a_page_is_settled_with_its_capture_and_its_links() -> None:
    web = SmallWeb()
    web.serve(HOME, links("/a", "/b"))
    await web.begin(HOME)
    await web.visit()
    assert await web.states() == {HOME: "done", HOME + "a": "pending", HOME + "b": "pending"}
    (capture,) = await web.captures(HOME)
    assert (await web.archive.read(capture))[1] == links("/a", "/b").encode()


@awaited
async def test_an_unchanged_page_is_stored_once_and_asked_for_conditionally() -> None:
    web = SmallWeb()
    web.serve(HOME, reply(links("/a"), etag='"1"', last_modified="Sun, 15 Nov 2026 08:00:00 GMT"), reply(status=304))
    web.serve(HOME + "a", reply("same"))
    await web.begin(HOME, run="old")
    await web.visit()
    await web.visit()
    del web.contexts["old"]
    await web.begin(HOME)
    await web.visit()
    await web.visit()
    conditional = [call.headers for call in web.wire.calls if call.url == HOME][1]
    assert conditional == (("If-None-Match", '"1"'), ("If-Modified-Since", "Sun, 15 Nov 2026 08:00:00 GMT"))
    assert await web.states() == {HOME: "unchanged", HOME + "a": "unchanged"}
    assert [len(await web.captures(url)) for url in (HOME, HOME + "a")] == [1, 1]


@awaited
async def test_a_document_is_recorded_with_its_job_once_per_content() -> None:
    web = SmallWeb()
    web.serve(HOME, links("/a.pdf", "/b.pdf"))
    for name in ("a.pdf", "b.pdf"):
        web.serve(HOME + name, reply(PDF, content_type="application/pdf"))
    await web.begin(HOME)
    await web.visit()
    await web.visit()
    found = await web.documents.list()
    assert sorted(document.url for document in found) == [HOME + "a.pdf", HOME + "b.pdf"]
    assert {(document.parent_url, document.source) for document in found} == {(HOME, "stadt.example")}
    assert {document.link_text for document in found} == {"To /a.pdf", "To /b.pdf"}
    assert len([info async for info in web.blobs.list("documents/")]) == 1
    assert (await web.jobs.depth("extract"))[0] == 2
    assert (await web.frontier.counts("run")).documents == 2


# ---------------------------------------------------------------------- redirects


@awaited
async def test_the_target_of_a_redirect_is_fetched_once_at_the_same_depth_with_the_same_parent() -> None:
    web = SmallWeb()
    web.serve(HOME, links("/alt", "/neu"))
    web.serve(HOME + "alt", redirect("/neu2"))
    web.serve(HOME + "neu", redirect("/neu2"))
    web.serve(HOME + "neu2", links("/tief"))
    await web.begin(HOME, depth=1)
    for _ in range(3):
        await web.visit()
    assert sorted(web.asked()) == [HOME, HOME + "alt", HOME + "neu", HOME + "neu2"]
    rows = await web.rows()
    assert rows[HOME + "neu2"].depth == 1
    assert (rows[HOME + "neu2"].parent, rows[HOME + "neu2"].text) == (HOME, "To /alt")
    assert HOME + "tief" not in rows


@awaited
async def test_a_seed_that_moved_to_another_host_takes_the_crawl_with_it() -> None:
    web = SmallWeb()
    web.serve(HOME, redirect("https://www.stadt.example/"))
    web.serve("https://www.stadt.example/", links("/a", "https://anders.example/"))
    await web.begin(HOME)
    await web.visit()
    await web.visit()
    assert await web.states() == {
        HOME: "done redirect https://www.stadt.example/",
        "https://www.stadt.example/": "done",
        "https://www.stadt.example/a": "pending",
    }


@awaited
async def test_a_page_that_moved_to_another_host_is_out_of_scope() -> None:
    web = SmallWeb()
    web.serve(HOME, links("/a"))
    web.serve(HOME + "a", redirect("https://anders.example/a"))
    await web.begin(HOME)
    await web.visit()
    await web.visit()
    assert (await web.states())["https://anders.example/a"] == "skipped scope"


@awaited
async def test_redirects_in_a_circle_end_because_each_is_fetched_once() -> None:
    web = SmallWeb()
    web.serve(HOME, redirect("/a"))
    web.serve(HOME + "a", redirect("/b"))
    web.serve(HOME + "b", redirect("/a"))
    await web.begin(HOME)
    for _ in range(3):
        await web.visit()
    assert web.asked() == [HOME, HOME + "a", HOME + "b"]
    assert (await web.frontier.counts("run")).done == 3


@awaited
async def test_redirects_without_end_are_a_loop() -> None:
    web = SmallWeb(Policy(max_hops=4))
    for number, url in enumerate(pages(9)):
        web.serve(url, redirect(f"/{number + 1}"))
    await web.begin(pages(1)[0], scope=Scope.ANY)
    for _ in range(5):
        await web.visit()
    assert len(web.asked()) == 5
    assert (await web.states())[pages(5)[4]] == "failed redirect loop"
    assert (await web.frontier.counts("run")).open == 0


# ---------------------------------------------------------------------- the lease


@awaited
async def test_no_request_starts_that_could_outlive_its_lease() -> None:
    web = await web_of(*pages(20), policy=Policy(lease_seconds=180.0, limits=Limits(total_seconds=120.0)), delay=10.0)
    began = web.clock.now()
    visit = await web.visit()
    assert web.wire.begun[-1][1] + 120.0 <= began + 180.0
    assert 4 <= len(web.asked()) <= 6
    assert visit.ended
    assert (await web.frontier.counts("run")).pending == 20 - len(web.asked())


@awaited
async def test_robots_txt_of_another_origin_is_no_exception() -> None:
    web = SmallWeb(Policy(lease_seconds=180.0, limits=Limits(total_seconds=120.0)))
    web.serve(HOME, "page")
    web.serve("http://stadt.example/", "page")
    await web.begin(HOME, "http://stadt.example/", delay=50.0)
    began = web.clock.now()
    await web.visit()
    assert web.asked(robots=True) == [ROBOTS]
    assert web.wire.begun[-1][1] + 120.0 <= began + 180.0


@awaited
async def test_a_renewed_visit_goes_on() -> None:
    web = await web_of(*pages(6), policy=Policy(lease_seconds=130.0, limits=Limits(total_seconds=120.0)), delay=20.0)
    visit = await web.lease()
    visit.renewed(web.clock.monotonic() + 1000.0)
    await web.passing(visit.run())
    assert web.asked() == pages(6)


@awaited
async def test_a_halted_visit_makes_no_further_request() -> None:
    web = await web_of(*pages(5))
    visit = await web.lease()

    def halt(_url: str, _state: State, _reason: str) -> None:
        visit.halted = len(web.asked()) == 2

    web.kit.progress = halt
    await web.passing(visit.run())
    assert web.asked() == pages(2)
    assert [outcome.state for outcome in visit.take().settlement.outcomes] == [State.DONE, State.DONE]


@awaited
async def test_a_visit_halted_while_it_waits_does_not_ask_for_robots_txt() -> None:
    web = SmallWeb()
    web.serve(HOME, "page")
    web.serve("http://stadt.example/", "page")
    await web.begin(HOME, "http://stadt.example/", delay=5.0)
    visit = await web.lease()

    def halt(_url: str, _state: State, _reason: str) -> None:
        asyncio.get_running_loop().call_soon(setattr, visit, "halted", True)

    web.kit.progress = halt
    await web.passing(visit.run())
    assert [url for url, _ in web.wire.begun] == [ROBOTS, HOME]


@awaited
async def test_what_has_gathered_can_be_committed_while_the_visit_goes_on() -> None:
    web = await web_of(*pages(3))
    visit = await web.lease()
    sheets = []

    def take(_url: str, _state: State, _reason: str) -> None:
        asyncio.get_running_loop().call_soon(lambda: sheets.append(visit.take()))

    web.kit.progress = take
    await web.passing(visit.run())
    assert [len(sheet.settlement.outcomes) for sheet in sheets] == [1, 1, 1]
    assert [sheet.settlement.keep for sheet in sheets[:2]] == [True, True]
    assert len(sheets[0].settlement.robots) == 1
    assert sheets[1].settlement.robots == []
    assert not visit.take().settlement.keep


@awaited
async def test_a_host_at_a_crowded_address_comes_back_later() -> None:
    web = SmallWeb(per_address=1)
    web.serve(HOME, "page", address="192.0.2.9")
    await web.begin(HOME)
    with web.kit.addresses.hold("192.0.2.9") as free:
        assert free
        visit = await web.visit()
        assert web.wire.calls == []
        assert 0.0 < rested(web, visit) <= 1.0
    await web.visit()
    assert await web.states() == {HOME: "done"}


@awaited
async def test_a_defect_fails_the_request_it_met_and_forgets_half_read_links() -> None:
    web = await web_of(*pages(3))
    context = web.contexts["run"]
    visit = await web.lease()
    web.serve(pages(3)[1], lambda _: RuntimeError("a mistake of ours"))
    with pytest.raises(RuntimeError):
        await web.passing(visit.run())
    context.reader._absolute.add("https://stadt.example/half-read")
    visit.broke(RuntimeError("a mistake of ours"))
    await web.commit(visit)
    assert await web.states() == {
        pages(3)[0]: "done",
        pages(3)[1]: "failed defect: RuntimeError: a mistake of ours",
        pages(3)[2]: "pending",
    }
    assert not context.reader._absolute


@awaited
async def test_a_defect_before_the_first_request_does_not_come_again_for_ever() -> None:
    web = await web_of(*pages(2))
    visit = await web.lease()
    visit.broke(UnicodeError("a name that breaks us"))
    visit.ended = True
    await web.commit(visit)
    assert (await web.states())[pages(2)[0]].startswith("failed defect: UnicodeError")
