"""Runs in memory."""

import secrets
from dataclasses import replace
from datetime import datetime

from kiebitz.errors import NotFound
from kiebitz.model.run import NOISE_BITS, Counts, Plan, Run, RunState, Sample, run_id, thinned


class MemoryRuns:
    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}  # in order of creation, which is the order of ids
        self._series: dict[str, list[Sample]] = {}

    async def create(self, plan: Plan, *, at: datetime, source: str = "") -> Run:
        newest = next(reversed(self._runs), "")
        run = Run(run_id(at, secrets.randbits(NOISE_BITS), newest), plan, RunState.RUNNING, at, at, source=source)
        self._runs[run.id] = run
        return run

    async def get(self, run_id: str) -> Run:
        if run_id in self._runs:
            return self._runs[run_id]
        found = [run for run in self._runs.values() if run_id and run.id.startswith(run_id)]
        if not found:
            raise NotFound(f"there is no run {run_id!r}")
        if len(found) > 1:
            raise NotFound(f"several runs begin with {run_id!r}", hint="give more of the id")
        return found[0]

    async def latest(self, *, plan_key: str = "", states: tuple[RunState, ...] = ()) -> Run | None:
        for run in reversed(self._runs.values()):
            if (not plan_key or run.plan.key == plan_key) and (not states or run.state in states):
                return run
        return None

    async def publish(self, run_id: str, counts: Counts, *, seconds: float, cpu_seconds: float, at: datetime) -> None:
        run = self._exactly(run_id)
        self._runs[run_id] = replace(run, counts=counts, seconds=seconds, cpu_seconds=cpu_seconds, updated_at=at)
        sample = Sample(seconds, counts.fetched, counts.hosts, counts.open)
        self._series[run_id] = thinned([*self._series.get(run_id, ()), sample])

    async def series(self, run_id: str) -> list[Sample]:
        return [*self._series.get(run_id, ())]

    async def mark(self, run_id: str, state: RunState, *, at: datetime) -> Run:
        run = self._exactly(run_id)
        ends = {RunState.FINISHED: at, RunState.RUNNING: None}
        marked = replace(run, state=state, updated_at=at, finished_at=ends.get(state, run.finished_at))
        self._runs[run_id] = marked
        return marked

    def _exactly(self, run_id: str) -> Run:
        if run_id not in self._runs:
            raise NotFound(f"there is no run {run_id!r}")
        return self._runs[run_id]

    async def list(self, *, before: str = "", limit: int = 100) -> list[Run]:
        found = [run for run in reversed(self._runs.values()) if not before or run.id < before]
        return found[:limit]

    async def close(self) -> None:
        pass
