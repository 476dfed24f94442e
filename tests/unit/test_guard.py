"""The guard: where we may connect."""

import pytest

from kiebitz.fetch.guard import Guard
from kiebitz.ports.resolver import Endpoint
from kiebitz.standards.address import parse_networks


def test_the_public_internet_passes() -> None:
    assert Guard().check(Endpoint("8.8.8.8", 80)) == ""
    assert Guard().check(Endpoint("2606:4700::1111", 8443)) == ""


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254", "fe80::1%lo", "localhost", "127.1", "[::1]", ""],
)
def test_everything_else_is_refused(address: str) -> None:
    guard = Guard()
    assert guard.check(Endpoint(address, 80)) == "address"
    assert guard.check(Endpoint(address, 80)) == "address", "also when it is remembered"


def test_an_allowed_network_passes_and_its_neighbour_does_not() -> None:
    guard = Guard(parse_networks("127.1.0.0/16,::1/128"))
    assert guard.check(Endpoint("127.1.2.3", 80)) == ""
    assert guard.check(Endpoint("::ffff:127.1.2.3", 80)) == ""
    assert guard.check(Endpoint("::1", 80)) == ""
    assert guard.check(Endpoint("127.2.0.1", 80)) == "address"
    assert guard.check(Endpoint("127.1", 80)) == "address", "not a plain spelling"


def test_an_allowed_tunnel_does_not_allow_what_it_carries() -> None:
    guard = Guard(parse_networks("64:ff9b::/96"))
    assert guard.check(Endpoint("64:ff9b::8.8.8.8", 80)) == ""
    assert guard.check(Endpoint("64:ff9b::10.0.0.1", 80)) == "address"


def test_a_pinned_endpoint_passes_but_its_address_alone_does_not() -> None:
    guard = Guard()
    assert guard.check(Endpoint("127.0.0.1", 8901, pinned=True)) == ""
    assert guard.check(Endpoint("127.0.0.1", 8901)) == "address"


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://example.org/", "gopher://x/", "HTTP://x/", "", "httpx://x/"]
)
def test_only_http_and_https_pass(url: str) -> None:
    assert Guard().check_scheme(url) == "scheme"
    assert Guard().check_scheme("http://example.org/") == Guard().check_scheme("https://example.org/") == ""


def test_the_memory_of_verdicts_is_bounded() -> None:
    guard = Guard()
    for number in range(20_000):
        guard.check(Endpoint(f"10.0.{number >> 8}.{number & 255}", 80))
    assert len(guard._known) < 17_000
