"""Live progress of a crawl: a bar on a terminal, a line now and then elsewhere, nothing with --json."""

import sys
import time
from typing import Any, Self

from kiebitz.crawl.worker import Pulse
from kiebitz.model.run import Counts, Run

LINE_SECONDS = 10.0
RATE_SECONDS = 0.5


class Progress:
    """Draws what the publisher reports, once a second."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._live: Any = None
        self._task: Any = None
        self._last_line = time.monotonic()
        self._last = (time.monotonic(), 0)
        self._rate = 0.0
        self._runs: dict[str, tuple[Run, Counts]] = {}

    def __enter__(self) -> Self:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            self._live = Bar(
                SpinnerColumn(),
                BarColumn(bar_width=24),
                MofNCompleteColumn(),
                TextColumn("{task.description}"),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._live.add_task("starting", total=None)
            self._live.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._live:
            self._live.stop()

    def show(self, run: Run, counts: Counts, pulse: Pulse) -> None:
        """Several runs of one process are drawn as one."""
        if self._quiet:
            return
        self._runs[run.id] = (run, counts)
        figures = [each for _, each in self._runs.values()]
        now, ended = time.monotonic(), sum(each.known - each.open for each in figures)
        self._measure(now, ended)
        text = (
            f"{self._rate:.0f} pages/s · {pulse.hosts} hosts · {sum(each.documents for each in figures)} documents · "
            f"{sum(each.deferred for each in figures)} deferred · {sum(each.failed for each in figures)} failed · "
            f"{sum(each.skipped for each in figures)} skipped"
        )
        if self._live:
            total = sum(_total(*each) for each in self._runs.values())
            self._live.update(self._task, completed=ended, total=total, description=text)
        elif now - self._last_line >= LINE_SECONDS:
            self._last_line = now
            print(f"{ended} of {sum(each.known for each in figures)} known · {text}", file=sys.stderr)

    def _measure(self, now: float, ended: int) -> None:
        then, before = self._last
        if now - then >= RATE_SECONDS:
            self._rate, self._last = max(0.0, (ended - before) / (now - then)) if before else 0.0, (now, ended)


def _total(run: Run, counts: Counts) -> int:
    """What is known so far; a limit of the run makes it an honest end."""
    limit = run.plan.max_pages
    return min(counts.known, limit + counts.failed + counts.skipped) if limit else counts.known
