"""What goes through the pipes between the sandbox and its children: four bytes of length, then as many bytes."""

import struct
from typing import BinaryIO

LENGTH = struct.Struct(">I")
LONGEST = 0xFFFFFFFF


def write_frame(pipe: BinaryIO, content: bytes) -> None:
    pipe.write(LENGTH.pack(len(content)))
    pipe.write(content)
    pipe.flush()


def read_frame(pipe: BinaryIO) -> bytes | None:
    """None at the end of the pipe, also in the middle of a frame: then the other side is gone."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    content = pipe.read(length)
    return content if len(content) == length else None
