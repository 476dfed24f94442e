"""The archive: pages as WARC bundles."""

from datetime import datetime
from typing import Protocol

from kiebitz.model.request import Capture
from kiebitz.model.visit import BundleMark


def bundle_name(begun: datetime, number: int, holder: str) -> str:
    """Sorts by age and ends with its writer: ``20261115T120000-0001-HOLDER.warc.gz``."""
    return f"{begun:%Y%m%dT%H%M%S}-{number:04d}{bundle_ending(holder)}"


def bundle_ending(holder: str) -> str:
    """How the names of a writer's bundles end."""
    return f"-{holder}.warc.gz"


def bundle_key(name: str) -> str:
    """Where a sealed bundle lies in the blobs; those of a day lie together: ``bundles/20261115/NAME``."""
    return f"bundles/{name[:8]}/{name}"


class Archive(Protocol):
    """One writer's open bundle, and every bundle for reading.

    The order is append, settle with the mark, ``settled``. What was appended and never settled is overwritten by the next
    append and cut off by ``seal`` or ``recover``: a bundle never holds a page that no row refers to.
    """

    async def append(self, records: list[bytes]) -> tuple[BundleMark, list[tuple[str, int, int]]]:
        """Write records behind what was settled, durably; returns the mark to settle with, and (bundle, offset, length) each."""
        ...

    def settled(self, mark: BundleMark) -> None:
        """The frontier has recorded this mark."""
        ...

    async def roll(self, *, max_bytes: int, max_seconds: float) -> None:
        """Seal the open bundle if it is large or old."""
        ...

    async def seal(self) -> None:
        """Bring the open bundle into the blobs; the next append begins another one."""
        ...

    async def recover(self, holder: str) -> None:
        """Seal what a dead writer left behind. Idempotent."""
        ...

    async def read(self, capture: Capture) -> tuple[bytes, bytes]:
        """Head and raw body of a stored response, with one seek, also from a bundle still open. Raises NotFound."""
        ...
