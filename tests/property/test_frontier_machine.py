"""Frontiers against the model: the one in memory, and the one in a file, to which worse can happen.

A file is used through two connections at once; its process may die, and its machine: then the log ends anywhere after
the last ``sync``, and what is left must be what some call since then had left, whole.
"""

import os
import shutil
from bisect import bisect_right
from copy import deepcopy
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from kiebitz.adapters.sqlite.frontier import SqliteFrontier
from kiebitz.ports.frontier import Frontier
from tests.property.frontier_machine import PER_ADDRESS, FrontierMachine
from tests.property.frontier_model import Model

FAULTS = os.environ.get("KIEBITZ_FAULTS") == "1"
FATES = ("sync", "close", "process dies", "machine dies", "machine dies", "machine dies")
LOG_HEADER = 32

# Without KIEBITZ_FAULTS the same examples each time: a failure there is a change, not chance.
PROFILE = settings(
    max_examples=1000 if FAULTS else 60,
    stateful_step_count=60 if FAULTS else 40,
    derandomize=not FAULTS,
    deadline=None,
    database=None,
    print_blob=True,
    report_multiple_bugs=False,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


class DurableMachine(FrontierMachine):
    """Remembers how long the log was when each call since the last ``sync`` returned, and what the model was then."""

    def __init__(self) -> None:
        self.home = Path(mkdtemp(prefix="kiebitz-frontier-"))
        self.lives = 0
        self.lengths: list[int] = []
        self.snapshots: list[Model] = []
        self.origin = (b"", 0)
        super().__init__()

    @property
    def folder(self) -> Path:
        return self.home / str(self.lives)

    @property
    def log(self) -> Path:
        return self.folder / "frontier.db-wal"

    def open_doors(self) -> list[Frontier]:
        doors: list[Frontier] = [SqliteFrontier(self.folder / "frontier.db", self.clock, PER_ADDRESS) for _ in range(2)]
        self.forget()
        return doors

    def forget(self) -> None:
        """Whatever happens now, we do not fall behind this moment."""
        self.lengths = [self.log.stat().st_size]
        self.snapshots = [deepcopy(self.model)] if hasattr(self, "model") else [Model()]
        self.origin = self.fingerprint()

    def fingerprint(self) -> tuple[bytes, int]:
        """Changes when the log was brought into the file or begun anew: then its length says nothing."""
        with self.log.open("rb") as log:
            return log.read(LOG_HEADER), (self.folder / "frontier.db").stat().st_mtime_ns

    def returned(self) -> None:
        super().returned()
        header, written = self.fingerprint()
        if written != self.origin[1] or (self.origin[0] and header != self.origin[0]):
            self.forget()
            return
        self.origin = (header, written)
        self.lengths.append(self.log.stat().st_size)
        self.snapshots.append(deepcopy(self.model))

    @precondition(lambda self: len(self.lengths) > 5)  # or it would do little but die
    @rule(what=st.sampled_from(FATES), where=st.integers(0, 1 << 16))
    def fate(self, what: str, where: int) -> None:
        """A dead machine leaves the log up to somewhere in what a call wrote, or in what the next one did."""
        if what == "sync":
            self.call(self.door.sync())
            self.forget()
            return
        if what == "close":
            self.close_doors()
            self.doors = self.open_doors()
        else:
            call = where % len(self.lengths) if what == "machine dies" else len(self.lengths) - 1
            start, end = (*self.lengths, self.lengths[-1])[call : call + 2]
            left = start + (end - start) * (where % 16) // 16
            self.model = self.snapshots[bisect_right(self.lengths, left) - 1]
            self.die(left)
        self.compare_captures()

    def die(self, left: int) -> None:
        """Go on with what the dead left: the file, and this much of its log."""
        remains = self.home / str(self.lives + 1)
        remains.mkdir()
        shutil.copy(self.folder / "frontier.db", remains)
        (remains / self.log.name).write_bytes(self.log.read_bytes()[:left])
        self.close_doors()
        self.lives += 1
        self.doors = self.open_doors()

    def teardown(self) -> None:
        try:
            super().teardown()
        finally:
            shutil.rmtree(self.home)


# A failure may take five minutes to be made small; a timeout before that would hide it.
pytestmark = [pytest.mark.timeout(3600 if FAULTS else 480), pytest.mark.slow]


def test_the_frontier_in_memory_does_what_the_model_says() -> None:
    run_state_machine_as_test(FrontierMachine, settings=PROFILE)


def test_the_frontier_in_a_file_does_what_the_model_says_and_a_crash_leaves_an_earlier_call_whole() -> None:
    run_state_machine_as_test(DurableMachine, settings=PROFILE)
