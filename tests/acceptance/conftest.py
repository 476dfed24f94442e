"""Webs to crawl, and the program on a home of its own. A worker of pytest has one of each web, for all its tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests.program import Program

QUICK = {"KIEBITZ_DELAY": "0.01", "KIEBITZ_RETRY_DELAY": "0.02", "KIEBITZ_PATIENCE": "5"}


def program_for(lab: RunningLab, home: Path) -> Program:
    return Program(home, {**QUICK, "KIEBITZ_RESOLVE": lab.resolve})


@pytest.fixture(scope="session")
def graph_lab() -> Iterator[RunningLab]:
    with running_lab(Blueprint(hosts=6, pages=12)) as lab:
        yield lab


@pytest.fixture
def lab(graph_lab: RunningLab) -> RunningLab:
    """A link graph of six hosts, with an empty log."""
    graph_lab.reset()
    return graph_lab


@pytest.fixture(scope="session")
def bad_lab() -> Iterator[RunningLab]:
    with running_lab(Blueprint(misbehaving=True)) as lab:
        yield lab


@pytest.fixture
def rascals(bad_lab: RunningLab) -> RunningLab:
    """Hosts with bad manners, which have forgotten everybody."""
    bad_lab.reset()
    return bad_lab


@pytest.fixture
def program(lab: RunningLab, tmp_path: Path) -> Program:
    """On an empty home, with the graph for a web."""
    return program_for(lab, tmp_path / "home")


@pytest.fixture(scope="module")
def kept(graph_lab: RunningLab, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """On a home in which the whole graph was crawled: only to be read."""
    made = program_for(graph_lab, tmp_path_factory.mktemp("kept") / "home")
    done = made("crawl", graph_lab.graph.start, "--scope", "any", "--depth", "-1", "--json")
    assert done.code == 0, done.err
    return made
