"""The worker's loop in a small web."""

from collections.abc import Callable, Sequence

import pytest

from kiebitz.crawl.kit import Addresses
from kiebitz.crawl.policy import Policy
from kiebitz.crawl.worker import GRACE_SECONDS, Ending, Worker
from kiebitz.errors import DiskFull, TimedOut
from kiebitz.model.request import State
from kiebitz.model.response import Limits
from kiebitz.model.visit import BundleMark, Settlement
from tests.contract.awaited import awaited
from tests.unit.small_web import HOLDER, HOME, SmallWeb, links, pages, redirect, reply, web_of

QUICK = Limits(total_seconds=20.0)


def hosts(number: int) -> list[str]:
    return [f"https://h{each}.example/" for each in range(number)]


class Ledger:
    """Notes what is settled, and when."""

    def __init__(self, web: SmallWeb, monkeypatch: pytest.MonkeyPatch) -> None:
        self.settled: list[tuple[float, list[Settlement], BundleMark | None]] = []
        settle = web.frontier.settle

        async def noted(settlements: Sequence[Settlement], mark: BundleMark | None = None) -> None:
            await settle(settlements, mark)
            self.settled.append((web.clock.now(), list(settlements), mark))

        monkeypatch.setattr(web.frontier, "settle", noted)

    @property
    def sizes(self) -> list[int]:
        return [sum(len(each.outcomes) for each in settlements) for _, settlements, _ in self.settled]


def watch(web: SmallWeb, see: Callable[[list[str]], object]) -> None:
    """Show what has ended so far, whenever a request ends."""
    report, ended = web.kit.progress, list[str]()

    def progress(url: str, state: State, reason: str) -> None:
        report(url, state, reason)
        ended.append(url)
        see(ended)

    web.kit.progress = progress


def stop_after(web: SmallWeb, worker: Worker, number: int) -> None:
    """Somebody presses Ctrl-C when so many requests have ended."""
    watch(web, lambda ended: worker.stop() if len(ended) == number else None)


# ---------------------------------------------------------------------- a crawl


@awaited
async def test_a_site_is_crawled_completely_and_each_page_once() -> None:
    web = SmallWeb()
    web.serve(HOME, links("/a", "/b", "/weg"))
    web.serve(HOME + "a", links("/", "/b", "c/d"))
    web.serve(HOME + "b", links("/a"))
    web.serve(HOME + "c/d", links("../a", "e"))
    web.serve(HOME + "c/e", reply(status=404))
    web.serve(HOME + "weg", redirect("/b"))
    await web.begin(HOME)
    assert await web.passing(web.worker().work()) is Ending.FINISHED
    assert sorted(web.asked()) == sorted(HOME + path for path in ("", "a", "b", "weg", "c/d", "c/e"))
    assert (await web.states())[HOME + "c/e"] == "failed http 404"
    counts = await web.frontier.counts("run")
    assert (counts.done, counts.failed, counts.open) == (5, 1, 0)
    assert await web.frontier.marks() == {}, "the bundle is sealed"
    (capture,) = await web.captures(HOME + "a")
    assert (await web.archive.read(capture))[1] == links("/", "/b", "c/d").encode()


@awaited
async def test_a_slow_host_stalls_nobody() -> None:
    slow, quick = hosts(1)[0], pages(5, HOME)
    web = await web_of(slow, *quick)
    web.wire.longer[slow] = 100.0
    began = web.clock.now()
    worker = web.worker()
    stop_after(web, worker, 5)
    await web.passing(worker.work())
    assert web.clock.now() < began + 20.0
    assert await web.states() == {slow: "pending"} | dict.fromkeys(quick, "done")


@awaited
async def test_no_more_hosts_are_visited_at_once_than_wanted() -> None:
    web = await web_of(*hosts(7), policy=Policy(hosts=3))
    web.wire.seconds = 5.0
    await web.passing(web.worker().work())
    assert web.wire.most == 3
    assert set((await web.states()).values()) == {"done"}


@awaited
async def test_no_more_hosts_of_one_address_are_visited_at_once_than_wanted() -> None:
    web = await web_of(*hosts(6), per_address=2)
    web.wire.seconds = 5.0
    for url in hosts(6):
        web.serve(url, "page", address="192.0.2.77")
    assert await web.passing(web.worker().work()) is Ending.FINISHED
    assert web.wire.most == 2
    assert set((await web.states()).values()) == {"done"}


def test_an_address_has_room_for_so_many() -> None:
    addresses = Addresses(2)
    with addresses.hold("a") as first, addresses.hold("a") as second, addresses.hold("b") as other:
        with addresses.hold("a") as third:
            assert [first, second, other, third] == [True, True, True, False]
        with addresses.hold("a") as fourth:
            assert not fourth, "who found no room frees none"
    with addresses.hold("a") as again:
        assert again
    assert not addresses._in_use


@awaited
async def test_the_pulse_says_how_many_hosts_are_under_way_and_how_much_was_fetched() -> None:
    web = await web_of(*hosts(3))
    web.wire.longer = dict(zip(hosts(3), (10.0, 20.0, 30.0), strict=True))
    worker, seen = web.worker(), []
    watch(web, lambda _: seen.append((worker.pulse.hosts, worker.pulse.fetched)))
    await web.passing(worker.work())
    assert seen == [(3, 1), (2, 2), (1, 3)]
    assert (worker.pulse.hosts, worker.pulse.fetched) == (0, 3)


# ---------------------------------------------------------------------- committing


@awaited
async def test_many_pages_are_committed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    web = await web_of(*(url for home in hosts(10) for url in pages(4, home)), delay=0.0)
    ledger = Ledger(web, monkeypatch)
    await web.passing(web.worker().work())
    assert sum(ledger.sizes) == 40
    assert max(ledger.sizes) >= 10
    assert len(ledger.sizes) <= 8


@awaited
async def test_a_commit_is_made_when_enough_has_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    urls = [url for home in hosts(4) for url in pages(25, home)]
    web = await web_of(*urls, policy=Policy(commit_pages=20, commit_seconds=1e9), delay=0.01)
    ledger = Ledger(web, monkeypatch)
    await web.passing(web.worker().work())
    assert sum(ledger.sizes) == 100
    assert all(size >= 20 for size in ledger.sizes[:-1])
    assert len(ledger.sizes) >= 4


@awaited
async def test_nothing_waits_longer_than_a_moment_to_be_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    web = await web_of(*pages(5), delay=10.0)
    ledger = Ledger(web, monkeypatch)
    await web.passing(web.worker().work())
    lags = [
        at - outcome.at for at, settlements, _ in ledger.settled for each in settlements for outcome in each.outcomes
    ]
    assert len(lags) == 5
    assert max(lags) <= 2 * web.policy.commit_seconds
    kept = [each.keep for _, settlements, _ in ledger.settled for each in settlements]
    assert kept == [True] * (len(kept) - 1) + [False], "the visit goes on meanwhile"


@awaited
async def test_bytes_and_rows_are_there_before_the_settle_that_refers_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    web = await web_of(HOME)
    web.serve(HOME, links("/a.pdf"))
    web.serve(HOME + "a.pdf", reply(b"%PDF-1.7\n", content_type="application/pdf"))
    settle = web.frontier.settle

    async def checked(settlements: Sequence[Settlement], mark: BundleMark | None = None) -> None:
        for settlement in settlements:
            for outcome in settlement.outcomes:
                if outcome.content_type == "application/pdf":
                    assert await web.documents.count() == 1
                    assert (await web.jobs.depth("extract"))[0] == 1
                    assert await web.blobs.info(f"documents/{outcome.digest.hex()[:2]}/{outcome.digest.hex()}")
                else:
                    assert outcome.capture is not None
                    assert (await web.archive.read(outcome.capture))[1] == links("/a.pdf").encode()
                    assert mark is not None
                    assert mark.length == outcome.capture.offset + outcome.capture.length
        await settle(settlements, mark)

    monkeypatch.setattr(web.frontier, "settle", checked)
    await web.passing(web.worker().work())
    assert set((await web.states()).values()) == {"done"}


@awaited
async def test_a_full_bundle_is_sealed_and_another_one_begun() -> None:
    web = await web_of(*pages(6), policy=Policy(bundle_bytes=1), delay=10.0)
    await web.passing(web.worker().work())
    assert len([info async for info in web.blobs.list("bundles/")]) == 6
    for url in pages(6):
        (capture,) = await web.captures(url)
        assert (await web.archive.read(capture))[1] == f"page {url}".encode()


@awaited
async def test_a_lost_lease_costs_its_own_visit_only(monkeypatch: pytest.MonkeyPatch) -> None:
    web = await web_of(*hosts(3))
    web.wire.seconds = 5.0
    for url in hosts(3):
        web.serve(url, links("/", "a"))
        web.serve(url + "a", "page")
    ledger = Ledger(web, monkeypatch)
    worker, stolen = web.worker(), hosts(3)[1]
    steal = web.frontier._hosts["h1.example"].release
    watch(web, lambda ended: steal() if len(ended) == 3 else None)
    assert await web.passing(worker.work()) is Ending.FINISHED
    assert set((await web.states()).values()) == {"done"}
    fetched = {url: web.asked().count(url) for url in web.asked()}
    assert fetched.pop(stolen) == 2, "what was not settled is fetched again"
    assert set(fetched.values()) == {1}
    assert stolen + "a" in fetched, "links of the lost visit were not taken for known"
    assert sum(ledger.sizes) == 6
    for url in hosts(3):
        (capture,) = await web.captures(url)
        assert (await web.archive.read(capture))[1] == links("/", "a").encode()


@awaited
async def test_when_all_leases_are_lost_nothing_is_recorded_and_the_work_is_done_again() -> None:
    web = await web_of(*pages(4))
    worker = web.worker()
    watch(web, lambda ended: web.clock.advance(1e4) if len(ended) == 2 else None)  # a closed laptop
    assert await web.passing(worker.work()) is Ending.FINISHED
    assert set((await web.states()).values()) == {"done"}
    assert {len(await web.captures(url)) for url in pages(4)} == {1}


# ---------------------------------------------------------------------- leases


@awaited
async def test_leases_are_renewed_as_long_as_a_visit_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    web = await web_of(*pages(20), policy=Policy(limits=QUICK, lease_seconds=60.0), delay=15.0)
    ledger = Ledger(web, monkeypatch)
    began = web.clock.now()
    assert await web.passing(web.worker().work()) is Ending.FINISHED
    assert web.clock.now() > began + 300.0
    assert len({each.token for _, settlements, _ in ledger.settled for each in settlements}) == 1, "one visit"


@awaited
async def test_a_visit_whose_lease_cannot_be_renewed_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    web = await web_of(*pages(9), policy=Policy(limits=QUICK, lease_seconds=60.0), delay=15.0)
    monkeypatch.setattr(Worker, "_commit_is_due", lambda worker: all(visit.ended for visit in worker._visits.values()))
    steal = web.frontier._hosts["stadt.example"].release
    watch(web, lambda ended: steal() if len(ended) == 1 else None)
    worker = web.worker()
    stop_after(web, worker, 3)
    await web.passing(worker.work())
    assert web.asked() == [pages(1)[0], pages(1)[0], pages(2)[1]], "noticed before the second request"


@awaited
async def test_what_another_worker_holds_is_waited_for() -> None:
    web = await web_of(HOME)
    await web.frontier.lease(["run"], "another", hosts=1, batch=1, seconds=400.0)
    began = web.clock.now()
    assert await web.passing(web.worker().work()) is Ending.FINISHED
    assert web.clock.now() >= began + 400.0, "longer than the patience, because somebody is at work"
    assert await web.states() == {HOME: "done"}


# ---------------------------------------------------------------------- endings


@awaited
async def test_deferred_work_is_waited_for_with_patience() -> None:
    web = await web_of(*pages(2))
    web.serve(pages(2)[0], TimedOut("total"), "page")
    assert await web.passing(web.worker().work()) is Ending.FINISHED
    assert set((await web.states()).values()) == {"done"}


@awaited
async def test_what_is_deferred_for_longer_than_the_patience_is_left_for_another_day() -> None:
    web = await web_of(*hosts(2))
    web.serve(hosts(2)[0], reply(status=503, retry_after="3600"))
    began = web.clock.now()
    assert await web.passing(web.worker().work()) is Ending.WAITING
    assert web.clock.now() < began + 60.0
    assert await web.states() == {hosts(2)[0]: "deferred http 503", hosts(2)[1]: "done"}


@awaited
async def test_nothing_to_do_is_finished_at_once() -> None:
    web = SmallWeb()
    await web.begin()
    assert await web.passing(web.worker().work()) is Ending.FINISHED


@awaited
async def test_a_stopped_worker_commits_what_it_has_and_leaves_the_rest() -> None:
    web = await web_of(*pages(9), *pages(9, hosts(1)[0]), delay=2.0)
    worker = web.worker()
    stop_after(web, worker, 4)
    assert await web.passing(worker.work()) is Ending.STOPPED
    counts = await web.frontier.counts("run")
    assert (counts.done, counts.pending, counts.leased) == (4, 14, 0)
    assert len(web.asked()) == 4
    assert await web.frontier.marks() == {}, "the bundle is sealed"
    assert await web.frontier.abandon(HOLDER) == 0, "no lease is left"


@awaited
async def test_a_stopped_worker_lets_requests_end_but_not_for_long() -> None:
    web = await web_of(*hosts(2))
    web.wire.seconds = 1.0
    worker = web.worker()
    stop_after(web, worker, 1)
    assert await web.passing(worker.work()) is Ending.STOPPED
    assert (await web.frontier.counts("run")).done == 2, "the other one was under way"

    web = await web_of(*hosts(2))
    web.wire.longer[hosts(2)[1]] = 100.0
    worker = web.worker()
    stop_after(web, worker, 1)
    began = web.clock.now()
    assert await web.passing(worker.work()) is Ending.STOPPED
    assert web.clock.now() <= began + GRACE_SECONDS + 3.0
    assert await web.states() == {hosts(2)[0]: "done", hosts(2)[1]: "pending"}


@awaited
async def test_a_worker_stopped_before_it_began_does_nothing() -> None:
    web = await web_of(HOME)
    worker = web.worker()
    worker.stop()
    assert await web.passing(worker.work()) is Ending.STOPPED
    assert web.wire.calls == []


@awaited
async def test_hosts_leased_while_somebody_says_stop_are_not_visited(monkeypatch: pytest.MonkeyPatch) -> None:
    web = await web_of(HOME)
    worker = web.worker()
    lease = web.frontier.lease

    async def late(*args: object, **options: object) -> object:
        worker.stop()
        return await lease(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(web.frontier, "lease", late)
    assert await web.passing(worker.work()) is Ending.STOPPED
    assert web.wire.calls == []
    assert (await web.frontier.counts("run")).pending == 1


# ---------------------------------------------------------------------- mistakes


@awaited
async def test_a_page_that_breaks_us_fails_alone() -> None:
    web = await web_of(*pages(4))
    web.serve(pages(4)[1], lambda _: ZeroDivisionError("a mistake of ours"))
    assert await web.passing(web.worker().work()) is Ending.FINISHED
    states = await web.states()
    assert states.pop(pages(4)[1]) == "failed defect: ZeroDivisionError: a mistake of ours"
    assert set(states.values()) == {"done"}


@awaited
async def test_an_error_of_ours_ends_the_work_as_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    web = await web_of(*hosts(3))

    async def full(*_: object, **__: object) -> None:
        raise DiskFull("no space left")

    monkeypatch.setattr(web.archive, "append", full)
    with pytest.raises(DiskFull, match="no space left"):
        await web.passing(web.worker().work())


@awaited
async def test_an_error_of_ours_inside_a_visit_ends_the_work_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    web = await web_of(*hosts(3))
    web.serve(hosts(3)[1], reply(b"%PDF-1.7\n", content_type="application/pdf"))

    async def full(*_: object, **__: object) -> None:
        raise DiskFull("no space left")

    monkeypatch.setattr(web.blobs, "put", full)
    with pytest.raises(DiskFull):
        await web.passing(web.worker().work())
