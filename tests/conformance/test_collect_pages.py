"""Real gazette pages: what is collected from them, judged by weights that never saw their site (``bench/collect.py``)."""

from collections.abc import Sequence

import pytest

from bench import collect, labelled
from bench.collect import Score
from kiebitz.collect.classify import weights
from tests.shared_data import SHARED, needs_shared

pytestmark = needs_shared

FLOOR = 0.98


@pytest.fixture(scope="module")
def scores() -> list[Score]:
    assert labelled.DATA.parent == SHARED
    pages = [*labelled.shared_pages(), *labelled.made_pages()]
    return collect.cross_validated({page.name: collect.samples_of(page) for page in pages}, pages)


def of_kind(scores: Sequence[Score], *kinds: str) -> list[Score]:
    return [score for score in scores if score.page.kind in kinds]


@pytest.mark.parametrize("kind", ["authentic", "reconstructed", "made"])
def test_documents_are_found_and_decoys_are_not(scores: list[Score], kind: str) -> None:
    figures = collect.figures(of_kind(scores, kind))
    assert min(figures.values()) >= FLOOR, figures


def test_pages_without_documents_yield_nothing(scores: list[Score]) -> None:
    negative = [score for score in scores if not score.page.expected]
    assert len(negative) > 8
    assert not [score.page.name for score in negative if score.wrong]


def test_the_shipped_weights_do_as_well_through_the_entry_point() -> None:
    figures = collect.figures(collect.shipped(labelled.shared_pages()))
    assert min(figures.values()) >= FLOOR, figures


def test_the_shipped_weights_are_those_that_are_learned() -> None:
    pages = [*labelled.shared_pages(), *labelled.made_pages()]
    start, points = collect.learn(collect.samples_of(page) for page in pages)
    assert start == pytest.approx(weights().start, abs=0.11)
    assert points == pytest.approx(dict(weights().points), abs=0.11)
