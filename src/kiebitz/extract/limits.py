"""How much one document may cost. Every reader counts against these; the sandbox enforces what a reader cannot."""

from typing import NamedTuple

MEGABYTE = 1_000_000


class ReadLimits(NamedTuple):
    input_bytes: int = 200 * MEGABYTE
    memory: int = 1_200 * MEGABYTE  # address space of the child, the interpreter and the libraries included
    cpu_seconds: int = 60
    wall_seconds: float = 120.0
    output_bytes: int = 64 * MEGABYTE
    characters: int = 20_000_000  # of the text of one document
    pages: int = 1_000
    ocr_seconds: float = 60.0  # for all pages of a document; 0 reads no picture
    ocr_page_seconds: float = 30.0


DEFAULT = ReadLimits()
