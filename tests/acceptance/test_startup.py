"""Start-up is part of the price of every crawl: the first request leaves before 250 CPU-ms are spent."""

import compileall
import subprocess
import sys
from pathlib import Path

import pytest

import kiebitz as kiebitz_package
from bench.programs import kiebitz
from bench.startup import BUDGET_MS, start_once

TRIES = 12  # CPU time grows when neighbours share the core; one quiet start is the truth


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads CPU clocks of other processes from /proc")
def test_the_first_request_leaves_within_the_budget(tmp_path: Path) -> None:
    assert compileall.compile_dir(str(Path(kiebitz_package.__file__).parent), quiet=1)  # as make install does
    program = kiebitz()
    best = float("inf")
    for _ in range(TRIES):
        best = min(best, start_once(program, tmp_path).cpu)
        if best <= BUDGET_MS:
            return
    pytest.fail(f"{best:.0f} CPU-ms until the first request, at most {BUDGET_MS} wanted")


@pytest.mark.slow
def test_what_a_crawl_does_not_need_is_not_imported() -> None:
    """Seen in the modules, not in the time: these cost more than the whole budget together."""
    heavy = ("rich", "pydantic", "sqlalchemy", "fastapi", "publicsuffixlist", "kiebitz.lab", "brotli", "zstandard")
    script = (
        "import sys, kiebitz.cli.main, kiebitz.cli.crawl, kiebitz.deploy.crawling, kiebitz.deploy.outfit;"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert found.strip() == "[]"
