"""Which addresses are public: the tables of IANA, and what hides inside other addresses."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiebitz.errors import InputError
from kiebitz.standards.address import is_public, layers, parse_networks


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2a00:1450:4001:82a::200e", "2606:4700::1111", "::ffff:8.8.8.8"]
)
def test_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.255",
        "168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1",
        "192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    ],
)  # fmt: skip
def test_special_ipv4_is_not_public_in_any_wrapping(address: str) -> None:
    number = int(ipaddress.IPv4Address(address))
    high, low = number >> 16, number & 0xFFFF
    assert not is_public(address)
    assert not is_public(f"::ffff:{address}")
    assert not is_public(f"::{address}")
    assert not is_public(f"::ffff:0:{address}")
    assert not is_public(f"64:ff9b::{address}")
    assert not is_public(f"64:ff9b:1::{address}")
    assert not is_public(f"2002:{high:x}:{low:x}::1")
    assert not is_public(f"2a00:1450::5efe:{high:x}:{low:x}"), "ISATAP"
    assert not is_public(f"2001:0:808:808::{high ^ 0xFFFF:x}:{low ^ 0xFFFF:x}"), "Teredo"


@pytest.mark.parametrize(
    "address",
    [
        "::", "::1", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "fd20:ce::254", "ff02::1",
        "100::1", "2001::1", "2001:10::1", "2001:db8::1", "3fff::1", "5f00::1", "64:ff9b::8.8.8.8", "2002:808:808::1",
        "4000::1",
    ],
)  # fmt: skip
def test_special_ipv6_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "text",
    [
        "", "localhost", "example.org", "127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "8.8.8.8 ", " 8.8.8.8",
        "8.8.8.8\0", "8.8.8", "8.8.8.8:80", "[2606:4700::1111]", "2606:4700::1111%eth0", "8.8.8.8%eth0", "٨.8.8.8",
    ],
)  # fmt: skip
def test_what_is_not_plainly_an_address_is_not_public(text: str) -> None:
    assert not is_public(text)
    assert layers(text) == ()


def test_layers_name_what_an_address_carries() -> None:
    assert layers("8.8.8.8") == ("8.8.8.8",)
    assert layers("::ffff:10.0.0.1") == ("10.0.0.1",)
    assert layers("64:ff9b::10.0.0.1") == ("64:ff9b::a00:1", "10.0.0.1")
    assert layers("2002:a00:1::") == ("2002:a00:1::", "10.0.0.1")
    assert layers("2001:0:102:304::f5ff:fffe") == ("2001:0:102:304::f5ff:fffe", "1.2.3.4", "10.0.0.1")
    assert layers("::1") == ("::1",)


@given(st.ip_addresses())
def test_nothing_is_public_that_python_calls_private(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    meant = address.ipv4_mapped or address if isinstance(address, ipaddress.IPv6Address) else address
    private = meant.is_private or meant.is_multicast or meant.is_reserved or meant.is_link_local
    assert not (private and is_public(str(address)))


def test_networks_are_read_from_a_list() -> None:
    assert parse_networks("") == ()
    assert [str(network) for network in parse_networks("127.0.0.0/8, fd00::/8,10.1.2.3")] == [
        "127.0.0.0/8",
        "fd00::/8",
        "10.1.2.3/32",
    ]


@pytest.mark.parametrize("text", ["10.0.0.1/8", "localhost", "10.0.0.0/33", "10.0.0.0/8;::1"])
def test_a_bad_network_is_named(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_networks(f"127.0.0.0/8,{text}")
    assert text in str(caught.value)
    assert caught.value.hint
