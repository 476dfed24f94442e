"""A lab that is open: its sites at their addresses, its control port, until the context ends."""

import asyncio
import json
import os
import ssl
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from socket import socket

from kiebitz.lab.addresses import Seat, listen, listening, numbered, resolve_setting, spread
from kiebitz.lab.certificates import Authority
from kiebitz.lab.connection import Connection, Door
from kiebitz.lab.control import Control
from kiebitz.lab.log import AccessLog
from kiebitz.lab.misbehaviour.tls import CERTIFIED
from kiebitz.lab.world import Blueprint, Stranger, World


@dataclass(frozen=True, slots=True)
class Info:
    """What a client must know. ``resolve`` is the value for ``KIEBITZ_RESOLVE``; ``authority`` is a PEM file, or empty."""

    resolve: str
    control: int
    port: int
    seeds: list[str]
    authority: str
    pid: int

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Info":
        return cls(**json.loads(text))


@dataclass(frozen=True, slots=True)
class Ports:
    """0: any that is free."""

    web: int = 0
    control: int = 0


@dataclass(frozen=True, slots=True)
class House:
    """All that one open lab consists of. ``homes`` says at which address a name lives; ``sockets`` listen there."""

    world: World
    log: AccessLog
    homes: dict[str, str]
    sockets: dict[str, socket]
    control: socket
    authority: Authority | None

    def place(self, address: str) -> Seat:
        return Seat(*self.sockets[address].getsockname()[:2])

    def info(self) -> Info:
        places = {name: self.place(address) for name, address in self.homes.items()}
        stranger = self.place(numbered(1))
        return Info(
            resolve=resolve_setting(places, stranger),
            control=self.control.getsockname()[1],
            port=stranger.port,
            seeds=self.world.seeds,
            authority=str(self.authority.file) if self.authority else "",
            pid=os.getpid(),
        )


@asynccontextmanager
async def open_lab(
    blueprint: Blueprint, *, ports: Ports | None = None, log_file: Path | None = None
) -> AsyncIterator[Info]:
    """Serve the blueprint's web while the block runs."""
    with _house(blueprint, ports or Ports(), log_file) as house:
        async with asyncio.TaskGroup() as tasks, _serving(house, tasks):
            yield house.info()


@contextmanager
def _house(blueprint: Blueprint, ports: Ports, log_file: Path | None) -> Iterator[House]:
    world = World(blueprint)
    with ExitStack() as opened:
        folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="kiebitz-lab-"))
        log = opened.enter_context(closing(AccessLog(log_file)))
        control = opened.enter_context(listening("127.0.0.1", ports.control))
        world.canary.port = control.getsockname()[1]
        homes = spread(list(world.sites), world.certified)
        sockets = listen([numbered(1), *homes.values()], ports.web)
        for sock in sockets.values():
            opened.enter_context(sock)
        yield House(world, log, homes, sockets, control, Authority(Path(folder)) if world.certified else None)


@asynccontextmanager
async def _serving(house: House, tasks: asyncio.TaskGroup) -> AsyncIterator[None]:
    world, stranger = house.world, Stranger()
    doors = {address: Door(address, world.sites, stranger, house.log, tasks) for address in house.sockets}
    back = Door("127.0.0.1", {}, Control(world, house.log), AccessLog(), tasks)
    contexts = _contexts(house)
    servers = [await _open(doors[address], sock, contexts.get(address)) for address, sock in house.sockets.items()]
    servers.append(await _open(back, house.control, None))
    try:
        yield
    finally:
        for server in servers:
            server.close()
        for connection in [connection for door in [*doors.values(), back] for connection in door.open]:
            connection.abort()
        # every connection learns that it is lost, and cancels its script, in the next turns of the loop
        await asyncio.sleep(0.01)


def _contexts(house: House) -> dict[str, ssl.SSLContext]:
    """How to speak TLS, for the addresses where it is spoken."""
    if house.authority is None:
        return {}
    return {house.homes[name]: house.authority.context(name, CERTIFIED[name]) for name in house.world.certified}


async def _open(door: Door, sock: socket, context: ssl.SSLContext | None) -> asyncio.Server:
    return await asyncio.get_running_loop().create_server(lambda: Connection(door), sock=sock, ssl=context)
