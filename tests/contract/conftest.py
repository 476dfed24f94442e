"""The desk at which every adapter of the frontier is tried; a suite of another port has its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.frontier_desk import ADAPTERS, Desk, Opener, desk_for


@pytest.fixture(params=ADAPTERS, ids=lambda opener: opener.__name__)
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    opener: Opener = request.param
    with desk_for(opener, tmp_path) as desk:
        yield desk
