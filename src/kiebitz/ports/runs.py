"""Runs: what was asked for and how far it is."""

from datetime import datetime
from typing import Protocol

from kiebitz.model.run import Counts, Plan, Run, RunState, Sample


class Runs(Protocol):
    """Records of runs. Counters are published as absolute values; nothing here adds. Durable when a call returns."""

    async def create(self, plan: Plan, *, at: datetime, source: str = "") -> Run:
        """A new running run, with an id that sorts by creation."""
        ...

    async def get(self, run_id: str) -> Run:
        """Raises NotFound. An unambiguous beginning of an id is enough."""
        ...

    async def latest(self, *, plan_key: str = "", states: tuple[RunState, ...] = ()) -> Run | None:
        """The newest run with this plan key and one of these states (empty: any)."""
        ...

    async def series(self, run_id: str) -> list[Sample]:
        """How the run went, oldest first: at most 500 samples, and the longer it takes the further they are apart.

        A sample is what was published, so a crash loses the seconds since. Of several within one step the last
        published stays; so the newest sample is always among them. Takes a whole id; empty if nothing was published.
        """
        ...

    async def list(self, *, before: str = "", limit: int = 100) -> list[Run]:
        """Newest first; ``before`` is the last id of the page before."""
        ...

    async def publish(self, run_id: str, counts: Counts, *, seconds: float, cpu_seconds: float, at: datetime) -> None:
        """Replace the run's figures, and add them to its series. Raises NotFound."""
        ...

    async def mark(self, run_id: str, state: RunState, *, at: datetime) -> Run:
        """Change the state; ``finished_at`` is set with FINISHED and cleared by RUNNING. Raises NotFound."""
        ...

    async def close(self) -> None: ...
