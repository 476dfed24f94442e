"""What an answer means for its request."""

from gzip import compress
from hashlib import sha256
from typing import Any

import pytest

from kiebitz.crawl import reading
from kiebitz.crawl.policy import Policy
from kiebitz.crawl.reading import Answer, read_answer
from kiebitz.errors import NotFound
from kiebitz.model.document import document_id, document_key
from kiebitz.model.request import Due, State, request_key
from kiebitz.model.response import Call, Response
from kiebitz.model.run import Scope
from kiebitz.standards import warc
from kiebitz.standards.robots import ALLOW_ALL, Rules, parse
from tests.contract.awaited import awaited
from tests.unit.small_web import HOME, Reply, SmallWeb, links, redirect, reply

PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"
PAGE = links("/a", "b")


async def read(web: SmallWeb, sent: Reply, rules: Rules = ALLOW_ALL, run: str = "run", **known: Any) -> Answer:
    """Read what was sent for the home page, or for ``url``."""
    if run not in web.contexts:
        await web.begin(HOME)
    url = known.pop("url", HOME)
    due = Due(request_key(url), url, known.pop("depth", 0), known.pop("tries", 0), **known)
    response = sent(Call(url))
    assert isinstance(response, Response)
    return await read_answer(due, response, rules, web.contexts[run], web.kit)


def targets(answer: Answer) -> dict[str, str]:
    """URL and reason of its links."""
    return {link[1]: link[4] for link in answer.links}


# ---------------------------------------------------------------------- pages


@awaited
async def test_a_page_is_done_with_its_validators_digest_links_and_record() -> None:
    sent = reply(PAGE, etag='"1"', last_modified="Sun, 15 Nov 2026 08:00:00 GMT")
    answer = await read(SmallWeb(), sent)
    assert (answer.state, answer.reason) == (State.DONE, "")
    assert (answer.etag, answer.modified) == ('"1"', "Sun, 15 Nov 2026 08:00:00 GMT")
    assert (answer.digest, answer.size) == (sha256(PAGE.encode()).digest(), len(PAGE))
    assert answer.content_type == "text/html"
    assert targets(answer) == {HOME + "a": "", HOME + "b": ""}
    assert warc.stored(answer.record)[1] == PAGE.encode()
    assert not answer.redirect


@awaited
async def test_the_digest_is_that_of_the_content_and_not_of_its_compression() -> None:
    def sent(call: Call) -> Response:
        response = reply(compress(PAGE.encode()), content_encoding="gzip")(call)
        assert isinstance(response, Response)
        response.content = PAGE.encode()
        return response

    answer = await read(SmallWeb(), sent)
    assert answer.digest == sha256(PAGE.encode()).digest()
    assert warc.stored(answer.record)[1] == compress(PAGE.encode())


@awaited
async def test_the_same_content_is_unchanged_and_not_stored_again_but_its_links_lead_on() -> None:
    answer = await read(SmallWeb(), reply(PAGE, etag='"2"'), digest=sha256(PAGE.encode()).digest(), etag='"1"')
    assert answer.state is State.UNCHANGED
    assert answer.record == b""
    assert answer.etag == '"2"'
    assert set(targets(answer)) == {HOME + "a", HOME + "b"}


@awaited
async def test_another_content_is_done_and_stored() -> None:
    answer = await read(SmallWeb(), reply(PAGE), digest=sha256(b"before").digest())
    assert answer.state is State.DONE
    assert answer.record


@awaited
async def test_links_that_robots_forbid_are_recorded_so() -> None:
    answer = await read(SmallWeb(), reply(PAGE), parse("User-agent: *\nDisallow: /a", "kiebitz"))
    assert targets(answer) == {HOME + "a": "robots", HOME + "b": ""}


@awaited
async def test_a_page_at_the_last_depth_has_no_links() -> None:
    web = SmallWeb()
    await web.begin(HOME, depth=1)
    assert targets(await read(web, reply(PAGE), depth=0))
    web.contexts["run"].reader.forget()
    assert not targets(await read(web, reply(PAGE), depth=1))


@awaited
async def test_a_large_page_is_read_in_a_thread_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGE_PAGE", 10)
    assert set(targets(await read(SmallWeb(), reply(PAGE)))) == {HOME + "a", HOME + "b"}


@awaited
async def test_plain_text_is_a_page_without_links() -> None:
    answer = await read(SmallWeb(), reply(PAGE.replace("<!doctype html>", "x"), content_type="text/plain"))
    assert (answer.state, answer.links) == (State.DONE, [])
    assert answer.record


# ---------------------------------------------------------------------- what we do not want


@awaited
async def test_what_the_judge_did_not_want_is_skipped_for_its_reason() -> None:
    def stopped(call: Call) -> Response:
        response = reply(b"", content_type="video/mp4")(call)
        assert isinstance(response, Response)
        response.stopped = "type"
        return response

    answer = await read(SmallWeb(), stopped)
    assert (answer.state, answer.reason, answer.record) == (State.SKIPPED, "type", b"")


@pytest.mark.parametrize("body", [b"\x89PNG\r\n\x1a\n....", b"\x00\x01\x02\x03", b"GIF89a..."])
@awaited
async def test_a_type_that_only_the_body_tells_is_skipped_all_the_same(body: bytes) -> None:
    answer = await read(SmallWeb(), reply(body, content_type="application/octet-stream"))
    assert (answer.state, answer.reason) == (State.SKIPPED, "type")


@awaited
async def test_a_page_may_be_smaller_than_a_document() -> None:
    web = SmallWeb(Policy(max_page_bytes=100))
    answer = await read(web, reply("x" * 101))
    assert (answer.state, answer.reason) == (State.SKIPPED, "size")
    assert (await read(web, reply("x" * 100))).state is State.DONE
    assert (await read(web, reply(PDF + b"x" * 200, content_type="application/pdf"))).state is State.DONE


@pytest.mark.parametrize("status", [400, 403, 404, 410, 300, 305])
@awaited
async def test_an_answer_that_is_no_success_is_final(status: int) -> None:
    answer = await read(SmallWeb(), reply("sorry", status))
    assert (answer.state, answer.reason) == (State.FAILED, f"http {status}")


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 599])
@awaited
async def test_a_temporary_error_is_deferred(status: int) -> None:
    answer = await read(SmallWeb(), reply("later", status))
    assert (answer.state, answer.reason, answer.wait) == (State.DEFERRED, f"http {status}", 0.0)


@pytest.mark.parametrize(
    ("value", "wait"),
    [("120", 120.0), ("99999999", 7 * 86_400.0), ("soon", 0.0), ("Fri, 15 Jan 2027 08:01:00 GMT", 60.0)],
)
@awaited
async def test_a_temporary_error_may_say_when_to_come_back(value: str, wait: float) -> None:
    assert (await read(SmallWeb(), reply("later", 503, retry_after=value))).wait == wait


# ---------------------------------------------------------------------- redirects


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/neu", HOME + "neu"),
        ("neu", HOME + "neu"),
        ("http://stadt.example/", "http://stadt.example/"),
        ("//stadt.example/x#y", HOME + "x"),
    ],
)
@awaited
async def test_a_redirect_is_done_and_its_target_is_a_link(location: str, target: str) -> None:
    answer = await read(SmallWeb(), redirect(location), text="Start", depth=2)
    assert (answer.state, answer.reason, answer.redirect) == (State.DONE, f"redirect {target}", True)
    assert answer.links == [("stadt.example", target, "Start", None, "")]
    assert warc.stored(answer.record)[0].startswith(b"HTTP/1.1 301")
    assert answer.digest == b""


@awaited
async def test_a_redirect_out_of_scope_is_recorded_as_such() -> None:
    answer = await read(SmallWeb(), redirect("https://anders.example/"), depth=1)
    assert targets(answer) == {"https://anders.example/": "scope"}


@awaited
async def test_a_redirect_of_a_seed_widens_the_scope() -> None:
    web = SmallWeb()
    answer = await read(web, redirect("https://www.stadt.example/"), depth=0)
    assert targets(answer) == {"https://www.stadt.example/": ""}
    later = await read(web, reply(links("https://www.stadt.example/x", "https://ganz.anders.example/")), depth=1)
    assert set(targets(later)) == {"https://www.stadt.example/x"}


@pytest.mark.parametrize("scope", [Scope.HOST, Scope.DOMAIN])
@awaited
async def test_links_that_were_out_of_scope_before_it_was_widened_are_found_again(scope: Scope) -> None:
    web = SmallWeb()
    await web.begin(HOME, "https://dorf.example/", scope=scope)
    page = reply(links("https://neu.example/amt"))
    assert not targets(await read(web, page, url="https://dorf.example/1", depth=1))
    await read(web, redirect("https://neu.example/"), depth=0)
    assert set(targets(await read(web, page, url="https://dorf.example/2", depth=1))) == {"https://neu.example/amt"}


@awaited
async def test_a_redirect_within_the_scope_forgets_nothing() -> None:
    web = SmallWeb()
    await read(web, reply(PAGE), depth=0)
    await read(web, redirect("/neu"), depth=0)
    await read(web, redirect("https://www.stadt.example/"), depth=0)
    assert not targets(await read(web, reply(PAGE), depth=0))


@pytest.mark.parametrize("location", ["", "/", HOME + "#top", "https://STADT.example:443"])
@awaited
async def test_a_redirect_to_itself_is_a_loop(location: str) -> None:
    answer = await read(SmallWeb(), redirect(location or HOME))
    assert (answer.state, answer.reason, answer.links) == (State.FAILED, "redirect loop", [])


@awaited
async def test_too_many_redirects_in_a_row_are_a_loop() -> None:
    web = SmallWeb(Policy(max_hops=3))
    assert (await read(web, redirect("/x"), hops=2)).state is State.DONE
    answer = await read(web, redirect("/x"), hops=3)
    assert (answer.state, answer.reason) == (State.FAILED, "redirect loop")


@pytest.mark.parametrize(
    ("location", "reason"),
    [("mailto:rat@stadt.example", "scheme"), ("ftp://stadt.example/", "scheme"), ("//", "redirect")],
)
@awaited
async def test_a_redirect_out_of_the_web_is_skipped(location: str, reason: str) -> None:
    answer = await read(SmallWeb(), redirect(location))
    assert (answer.state, answer.reason, answer.links) == (State.SKIPPED, reason, [])


# ---------------------------------------------------------------------- documents


@awaited
async def test_a_document_is_stored_under_its_hash_and_described() -> None:
    web = SmallWeb()
    url, parent = HOME + "amtsblatt.pdf", "https://www.stadt.example/blatt"
    answer = await read(web, reply(PDF, content_type="application/pdf"), url=url, parent=parent, text="Nr. 5", tries=1)
    assert answer.state is State.DONE
    assert answer.record == b"", "documents are blobs, not pages"
    document = answer.document
    assert document is not None
    assert (document.id, document.url, document.parent_url) == (document_id(url), url, parent)
    assert (document.link_text, document.source, document.tries) == ("Nr. 5", "www.stadt.example", 2)
    assert (document.valid, document.bytes, document.content_type) == (True, len(PDF), "application/pdf")
    assert await web.blobs.get(document_key(sha256(PDF).hexdigest())) == PDF


@awaited
async def test_a_content_that_many_urls_have_is_stored_once() -> None:
    web = SmallWeb()
    for number in range(3):
        await read(web, reply(PDF, content_type="application/pdf"), url=f"{HOME}{number}.pdf")
    stored = [info async for info in web.blobs.list("documents/")]
    assert [info.etag for info in stored] == ["1"], "written once"


@awaited
async def test_an_unchanged_document_is_recorded_as_visited() -> None:
    answer = await read(SmallWeb(), reply(PDF, content_type="application/pdf"), digest=sha256(PDF).digest())
    assert answer.state is State.UNCHANGED
    assert answer.document is not None


@pytest.mark.parametrize("content_type", ["text/html", "application/octet-stream", "text/plain", ""])
@awaited
async def test_a_document_is_one_whatever_its_header_says(content_type: str) -> None:
    answer = await read(SmallWeb(), reply(PDF, content_type=content_type))
    assert answer.content_type == "application/pdf"
    assert answer.document is not None


@awaited
async def test_an_error_page_in_the_place_of_a_document_is_a_page() -> None:
    answer = await read(SmallWeb(), reply("<!doctype html><html>Sitzung abgelaufen", content_type="application/pdf"))
    assert answer.document is None
    assert answer.content_type == "text/html"


@awaited
async def test_a_pdf_without_its_signature_is_kept_but_not_valid() -> None:
    answer = await read(SmallWeb(), reply(b"\x01\x02 garbage", content_type="application/pdf"))
    assert answer.document is not None
    assert not answer.document.valid


# ---------------------------------------------------------------------- 304


async def crawled(web: SmallWeb, sent: Reply) -> Due:
    """The home page as a newer run gets it, after a run that brought ``sent``."""
    web.serve(HOME, sent)
    await web.begin(HOME, run="old")
    await web.visit()
    del web.contexts["old"]
    await web.begin(HOME)
    return (await web.lease()).lease.requests[0]


@awaited
async def test_links_of_a_page_that_was_not_modified_come_from_the_stored_copy() -> None:
    web = SmallWeb()
    due = await crawled(web, reply(PAGE, etag='"1"'))
    assert due.etag == '"1"'
    response = reply(status=304, etag='"1"')(Call(HOME))
    assert isinstance(response, Response)
    answer = await read_answer(due, response, ALLOW_ALL, web.contexts["run"], web.kit)
    assert (answer.state, answer.record) == (State.UNCHANGED, b"")
    assert set(targets(answer)) == {HOME + "a", HOME + "b"}


@awaited
async def test_a_stored_copy_that_is_lost_costs_links_but_no_failure() -> None:
    web = SmallWeb()
    due = await crawled(web, reply(PAGE, etag='"1"'))
    web.archive._spool.clear()
    with pytest.raises(NotFound):
        await web.archive.read((await web.captures(HOME))[0])
    response = reply(status=304)(Call(HOME))
    assert isinstance(response, Response)
    answer = await read_answer(due, response, ALLOW_ALL, web.contexts["run"], web.kit)
    assert (answer.state, answer.links) == (State.UNCHANGED, [])


@awaited
async def test_a_document_that_was_not_modified_is_recorded_as_visited() -> None:
    web = SmallWeb()
    due = await crawled(web, reply(PDF, content_type="application/pdf", etag='"1"'))
    web.clock.advance(86_400.0)
    response = reply(status=304)(Call(HOME))
    assert isinstance(response, Response)
    answer = await read_answer(due, response, ALLOW_ALL, web.contexts["run"], web.kit)
    assert answer.document is not None
    assert (answer.document.visited_on, answer.document.status) == (web.clock.utc(), 304)
    assert answer.document.downloaded_on < web.clock.utc()


@awaited
async def test_a_page_that_was_never_fetched_cannot_be_unchanged() -> None:
    answer = await read(SmallWeb(), reply(status=304))
    assert (answer.state, answer.reason) == (State.FAILED, "http 304")
