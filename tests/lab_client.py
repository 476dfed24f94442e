"""A client of the lab that reads bytes: what a server really sent, not what a library makes of it."""

import socket
import time

from kiebitz.lab.running import RunningLab


def connect(lab: RunningLab, host: str) -> socket.socket:
    places = dict(pair.split("=") for pair in lab.resolve.split(","))
    address, port = places.get(host, places["*.example"]).split(":")
    return socket.create_connection((address, int(port)), timeout=10)


def request(host: str, path: str, *, keep: bool = False) -> bytes:
    manner = "keep-alive" if keep else "close"
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: {manner}\r\n\r\n".encode()


def read(lab: RunningLab, host: str, path: str, *, at_most: int = 1 << 25, seconds: float = 10.0) -> bytes:
    """All bytes of the answer until the end of the connection, of the time, or of our patience."""
    found = bytearray()
    deadline = time.monotonic() + seconds
    with connect(lab, host) as sock:
        sock.sendall(request(host, path))
        while len(found) < at_most and (left := deadline - time.monotonic()) > 0:
            sock.settimeout(left)
            try:
                data = sock.recv(1 << 16)
            except TimeoutError:
                break
            if not data:
                break
            found += data
    return bytes(found)


def get(lab: RunningLab, host: str, path: str) -> tuple[int, dict[str, str], bytes]:
    """A well-formed answer with a length."""
    head, _, rest = read_exactly(lab, host, path).partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split(" ")[1]), fields, rest


def read_exactly(lab: RunningLab, host: str, path: str) -> bytes:
    with connect(lab, host) as sock:
        sock.sendall(request(host, path))
        found = b""
        while b"\r\n\r\n" not in found:
            found += sock.recv(1 << 16)
        head, _, rest = found.partition(b"\r\n\r\n")
        lines = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        length = int(lines[0].split(b":")[1]) if lines else 0
        while len(rest) < length:
            data = sock.recv(1 << 16)
            assert data, "the answer ended early"
            rest += data
        return head + b"\r\n\r\n" + rest
