"""No false alarms: fifty days of noise on twenty sources, and every real change is told."""

import asyncio
from pathlib import Path

import pytest

from bench.alarms import tally
from kiebitz.lab.running import running_lab
from kiebitz.lab.world import Blueprint

SOURCES, DAYS = 20, 50


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_change_is_told_when_and_only_when_something_has_changed(tmp_path: Path) -> None:
    with running_lab(Blueprint(municipalities=50, noise=True)) as lab:
        found = asyncio.run(tally(lab, tmp_path / "home", SOURCES, DAYS))
    assert found.told == ()
    assert found.looks == SOURCES * DAYS
    assert found.real > 50
