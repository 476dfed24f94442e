"""Live progress of a crawl: a bar on a terminal, a line now and then elsewhere, nothing with --json."""

import sys
import time
from typing import Any, Self

from kiebitz.crawl.worker import Pulse
from kiebitz.model.run import Counts, Run

LINE_SECONDS = 10.0


class Progress:
    """Draws what the publisher reports, once a second."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._live: Any = None
        self._task: Any = None
        self._last_line = time.monotonic()
        self._last = (time.monotonic(), 0)
        self._rate = 0.0

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
        if self._quiet:
            return
        now, ended = time.monotonic(), counts.known - counts.open
        then, before = self._last
        if now > then:
            self._rate, self._last = (ended - before) / (now - then) if before else 0.0, (now, ended)
        text = (
            f"{self._rate:.0f} pages/s · {pulse.hosts} hosts · {counts.documents} documents · "
            f"{counts.deferred} deferred · {counts.failed} failed · {counts.skipped} skipped"
        )
        if self._live:
            total = _total(run, counts)
            self._live.update(self._task, completed=ended, total=total, description=text)
        elif now - self._last_line >= LINE_SECONDS:
            self._last_line = now
            print(f"{ended} of {counts.known} known · {text}", file=sys.stderr)


def _total(run: Run, counts: Counts) -> int:
    """What is known so far; a limit of the run makes it an honest end."""
    limit = run.plan.max_pages
    return min(counts.known, limit + counts.failed + counts.skipped) if limit else counts.known
