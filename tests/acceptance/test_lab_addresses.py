import errno
import ipaddress
import socket
from collections import Counter
from http.client import HTTPConnection

import pytest

from kiebitz.errors import InputError
from kiebitz.lab import addresses
from kiebitz.lab.addresses import Seat, listen, numbered, resolve_setting, spread
from kiebitz.lab.running import threaded_lab
from kiebitz.lab.world import Blueprint

NAMES = [f"h{number:04d}.example" for number in range(1, 601)]


def test_hosts_are_spread_and_some_share_on_purpose() -> None:
    homes = spread(NAMES)
    assert list(homes) == NAMES
    assert all(ipaddress.ip_address(home) in ipaddress.ip_network("127.1.0.0/16") for home in homes.values())
    shared = Counter(homes.values())
    assert set(shared.values()) == {1, 3}
    assert homes[NAMES[7]] == homes[NAMES[8]] == homes[NAMES[9]]


def test_those_who_must_live_alone_share_with_nobody() -> None:
    homes = spread(NAMES[:20], alone=[NAMES[8]])
    assert list(homes.values()).count(homes[NAMES[8]]) == 1


def test_numbered_addresses_avoid_the_ends_of_their_net() -> None:
    assert numbered(1) == "127.1.0.1"
    assert numbered(250) == "127.1.0.250"
    assert numbered(251) == "127.1.1.1"


def test_all_addresses_listen_on_one_port() -> None:
    sockets = listen(["127.1.0.1", "127.1.0.2", "127.1.0.1"])
    try:
        names = [sock.getsockname() for sock in sockets.values()]
        assert [name[0] for name in names] == ["127.1.0.1", "127.1.0.2"]
        assert len({name[1] for name in names}) == 1
        with pytest.raises(InputError, match="in use"):
            listen(["127.1.0.1"], names[0][1])
    finally:
        for sock in sockets.values():
            sock.close()


def test_where_only_127_0_0_1_exists_each_address_is_a_port_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = addresses.listening

    def listening(address: str, port: int) -> socket.socket:
        if address != "127.0.0.1":
            raise OSError(errno.EADDRNOTAVAIL, "no such address")
        return real(address, port)

    monkeypatch.setattr(addresses, "listening", listening)
    sockets = listen(["127.1.0.1", "127.1.0.2"])
    try:
        assert list(sockets) == ["127.1.0.1", "127.1.0.2"]
        assert len({sock.getsockname() for sock in sockets.values()}) == 2
    finally:
        for sock in sockets.values():
            sock.close()


def test_the_setting_names_every_host_and_catches_the_rest() -> None:
    seats = {"a.example": Seat("127.1.0.1", 8901), "b.example": Seat("127.1.0.2", 8901)}
    setting = resolve_setting(seats, Seat("127.1.0.1", 8901))
    assert setting == "a.example=127.1.0.1:8901,b.example=127.1.0.2:8901,*.example=127.1.0.1:8901"


def test_even_very_many_hosts_fit_into_one_environment_variable() -> None:
    names = [f"h{number:05d}.example" for number in range(20_000)]
    homes = spread(names, alone=[names[-1]])
    seats = {name: Seat(home, 65535) for name, home in homes.items()}
    setting = resolve_setting(seats, Seat("127.1.0.1", 65535))
    assert len(setting) < 128 << 10
    told = dict(pair.split("=") for pair in setting.split(","))
    for name in names[::111] + names[-2:]:
        assert told.get(name, told["*.example"]) == f"{homes[name]}:65535"


def test_a_whole_lab_lives_on_the_ports_of_127_0_0_1_if_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    real = addresses.listening

    def listening(address: str, port: int) -> socket.socket:
        if address != "127.0.0.1":
            raise OSError(errno.EADDRNOTAVAIL, "no such address")
        return real(address, port)

    monkeypatch.setattr(addresses, "listening", listening)
    with threaded_lab(Blueprint(hosts=4, pages=3)) as lab:
        told = dict(pair.split("=") for pair in lab.resolve.split(","))
        assert len(set(told.values())) == 4
        for host in lab.graph.hosts:
            address, port = told[host].split(":")
            assert address == "127.0.0.1"
            connection = HTTPConnection(address, int(port), timeout=10)
            connection.request("GET", "/", headers={"Host": host})
            assert connection.getresponse().read() == lab.graph.page(host, "/")
            connection.close()
