"""The machine's resolver, its memory, and the operator's mapping before it."""

import asyncio
import threading

import pytest

from kiebitz.adapters.local import resolver as module
from kiebitz.adapters.local.resolver import SystemResolver, parse_mapping
from kiebitz.adapters.memory.clock import ManualClock
from kiebitz.adapters.memory.resolver import TableResolver
from kiebitz.errors import InputError, Unreachable
from kiebitz.ports.resolver import Endpoint, Resolver
from tests.raw_server import run


class Names:
    """A name server that counts; it answers when ``gate`` is open."""

    def __init__(self, **table: list[str]) -> None:
        self.table = table
        self.asked: list[str] = []
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, host: str) -> list[str]:
        self.asked.append(host)
        self.gate.wait(5)
        if host not in self.table:
            raise OSError("no such name")
        return self.table[host]


def test_a_name_is_looked_up_once_and_asked_again_when_it_is_old() -> None:
    names, clock = Names(a=["192.0.2.1", "2001:db8::1"]), ManualClock()

    async def main() -> None:
        resolver = SystemResolver(clock=clock, lookup=names)
        for port in (80, 443):
            assert await resolver.resolve("a", port) == [Endpoint("192.0.2.1", port), Endpoint("2001:db8::1", port)]
        assert names.asked == ["a"]
        clock.advance(301)
        await resolver.resolve("a", 80)
        assert names.asked == ["a", "a"]
        await resolver.close()

    run(main())


def test_a_failure_is_remembered_for_a_shorter_time() -> None:
    names, clock = Names(), ManualClock()

    async def main() -> None:
        resolver = SystemResolver(clock=clock, lookup=names)
        for _ in range(3):
            with pytest.raises(Unreachable) as caught:
                await resolver.resolve("b", 80)
            assert caught.value.reason == "dns"
        assert names.asked == ["b"]
        clock.advance(31)
        names.table["b"] = ["192.0.2.9"]
        assert await resolver.resolve("b", 80) == [Endpoint("192.0.2.9", 80)]
        await resolver.close()

    run(main())


def test_lookups_of_one_name_at_one_time_are_one_even_if_one_gives_up() -> None:
    names = Names(a=["192.0.2.1"])
    names.gate.clear()

    async def main() -> None:
        resolver = SystemResolver(lookup=names)
        async with asyncio.TaskGroup() as group:
            waiting = [group.create_task(resolver.resolve("a", 80)) for _ in range(5)]
            await asyncio.sleep(0.05)
            waiting[0].cancel()
            await asyncio.sleep(0.01)
            names.gate.set()
        assert [task.result() for task in waiting[1:]] == [[Endpoint("192.0.2.1", 80)]] * 4
        assert names.asked == ["a"]
        await resolver.close()

    run(main())


def test_a_silent_name_server_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOKUP_SECONDS", 0.05)
    names = Names(a=["192.0.2.1"])
    names.gate.clear()

    async def main() -> None:
        resolver = SystemResolver(lookup=names)
        with pytest.raises(Unreachable, match="no answer"):
            await resolver.resolve("a", 80)
        names.gate.set()
        await resolver.close()

    run(main())


def test_the_memory_is_bounded_and_forgets_what_was_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEEP_NAMES", 3)
    names = Names(**{name: ["192.0.2.1"] for name in "abcd"})

    async def main() -> None:
        resolver = SystemResolver(lookup=names)
        for name in "abcacda":
            await resolver.resolve(name, 80)
        assert names.asked == ["a", "b", "c", "d"]
        await resolver.resolve("b", 80)
        assert names.asked[-1] == "b"
        await resolver.close()

    run(main())


@pytest.mark.parametrize(
    ("host", "address"), [("192.0.2.1", "192.0.2.1"), ("[2001:db8:0::1]", "2001:db8::1"), ("::1", "::1")]
)
def test_an_address_answers_at_once(host: str, address: str) -> None:
    names = Names()
    assert run(SystemResolver(lookup=names).resolve(host, 80)) == [Endpoint(address, 80)]
    assert names.asked == []


def test_the_system_knows_localhost_and_rejects_names_that_are_none() -> None:
    async def main() -> None:
        resolver = SystemResolver()
        found = await resolver.resolve("localhost", 80)
        assert {endpoint.address for endpoint in found} <= {"127.0.0.1", "::1"}
        for host in ("a" * 70, "ä", "bad..name"):
            with pytest.raises(Unreachable):
                await resolver.resolve(host, 80)
        await resolver.close()

    run(main())


def test_the_exact_name_wins_then_the_longest_suffix_then_the_rest() -> None:
    mapping = parse_mapping(
        "*.example=127.1.0.1:8901, foo.test=127.0.0.1:80, *.b.example=[::1]:81, *=127.0.0.9:9, b.example=127.0.0.2:82"
    )
    resolver = SystemResolver(mapping)
    expected = {
        "foo.test": Endpoint("127.0.0.1", 80, pinned=True),
        "a.example": Endpoint("127.1.0.1", 8901, pinned=True),
        "x.a.example": Endpoint("127.1.0.1", 8901, pinned=True),
        "a.b.example": Endpoint("::1", 81, pinned=True),
        "b.example": Endpoint("127.0.0.2", 82, pinned=True),
        "example": Endpoint("127.0.0.9", 9, pinned=True),
        "notexample": Endpoint("127.0.0.9", 9, pinned=True),
    }
    for host, endpoint in expected.items():
        assert run(resolver.resolve(host, 443)) == [endpoint]


def test_a_wildcard_does_not_catch_addresses() -> None:
    resolver = SystemResolver(parse_mapping("*=127.0.0.9:9,10.0.0.1=127.0.0.1:80"))
    assert run(resolver.resolve("192.0.2.1", 80)) == [Endpoint("192.0.2.1", 80)]
    assert run(resolver.resolve("10.0.0.1", 80)) == [Endpoint("127.0.0.1", 80, pinned=True)]


@pytest.mark.parametrize(
    "text",
    [
        "a.example", "a.example=", "a.example=127.0.0.1", "a.example=127.0.0.1:", "a.example=127.0.0.1:0",
        "a.example=127.0.0.1:65536", "a.example=localhost:80", "=127.0.0.1:80", "*a=127.0.0.1:80", "a.*=127.0.0.1:80",
        "*.=127.0.0.1:80", "**=127.0.0.1:80", "a.example=127.1:80",
    ],
)  # fmt: skip
def test_a_bad_mapping_is_named_with_a_hint(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_mapping(f"good.example=127.0.0.1:80,{text}")
    assert text in str(caught.value)
    assert "name=address:port" in caught.value.hint


def test_an_empty_mapping_maps_nothing() -> None:
    assert not parse_mapping(" , ")


def test_the_table_answers_by_turns_and_can_be_changed() -> None:
    table = TableResolver({"a": "192.0.2.1"})
    resolver: Resolver = table
    table.then("a", ["192.0.2.2", Endpoint("192.0.2.3", 81)])
    assert run(resolver.resolve("a", 80)) == [Endpoint("192.0.2.1", 80)]
    for _ in range(2):
        assert run(resolver.resolve("a", 80)) == [Endpoint("192.0.2.2", 80), Endpoint("192.0.2.3", 81)]
    table.set("a", Endpoint("127.0.0.1", 1, pinned=True))
    assert run(resolver.resolve("a", 80)) == [Endpoint("127.0.0.1", 1, pinned=True)]
    with pytest.raises(Unreachable):
        run(resolver.resolve("b", 80))
    assert table.asked == ["a"] * 4 + ["b"]
