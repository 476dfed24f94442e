"""XML in a ZIP, as office programs write it, from strangers: nothing expands without bound.

A member is unpacked up to a limit and never by what its header claims. The parser is expat, told to refuse any document
type, and with it every entity; it reports elements one by one, so no tree is built and depth costs nothing.
"""

import io
import zipfile
import zlib
from collections.abc import Callable, Mapping
from xml.parsers import expat

MEMBER_BYTES = 100_000_000
MOST_MEMBERS = 20_000
DEEPEST = 1_000
_CHUNK = 1 << 16

Attributes = Mapping[str, str]


class PackageError(ValueError):
    """Has the state's name it leads to as its first argument."""


class Package:
    """Raises PackageError for what is no ZIP, is damaged, or is larger than allowed."""

    def __init__(self, content: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
            self.names = frozenset(self._zip.namelist())
        except (zipfile.BadZipFile, ValueError, RuntimeError, EOFError, OSError) as error:
            raise PackageError("damaged", f"not a package: {error}") from None
        if len(self.names) > MOST_MEMBERS:
            raise PackageError("too-large", f"more than {MOST_MEMBERS:,} members")

    def member(self, name: str) -> bytes:
        if name not in self.names:
            return b""
        info = self._zip.getinfo(name)
        if info.flag_bits & 1:
            raise PackageError("encrypted", "the package asks for a password")
        try:
            with self._zip.open(info) as packed:
                content = packed.read(MEMBER_BYTES + 1)
        except (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, EOFError, OSError) as error:
            raise PackageError("damaged", f"{name} cannot be unpacked: {error}") from None
        if len(content) > MEMBER_BYTES:
            raise PackageError("too-large", f"{name} unpacks to more than {MEMBER_BYTES:,} bytes")
        return content


def walk(
    content: bytes,
    opened: Callable[[str, Attributes], None],
    closed: Callable[[str], None],
    text: Callable[[str], None],
) -> None:
    """Reports elements and text. Names are without their namespace. Raises PackageError."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def start(name: str, attributes: Attributes) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise PackageError("too-large", "the document is nested without end")
        opened(name.rpartition(" ")[2], attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        closed(name.rpartition(" ")[2])

    def refuse(*_: object) -> None:
        raise PackageError("too-large", "the document has a document type of its own, which could expand without end")

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        for at in range(0, len(content), _CHUNK):
            parser.Parse(content[at : at + _CHUNK], False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise PackageError("damaged", f"the document is not well-formed: {error}") from None


def attribute(attributes: Attributes, name: str) -> str:
    """By its local name, in whichever namespace."""
    return next((value for key, value in attributes.items() if key.rpartition(" ")[2] == name), "")
