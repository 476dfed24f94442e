"""Things happen to a source that is watched: each is told as what it is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kiebitz.lab.municipalities.truth import TrueMunicipality
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests.program import kiebitz


class Watch:
    """One town, watched from a home of its own in a lab of its own."""

    def __init__(self, lab: RunningLab, home: Path, layout: str) -> None:
        self.lab = lab
        self.home = home
        self.host = next(town.host for town in lab.truth() if town.layout == layout)
        self.run("source", "add", self.town.entry[0], "--name", "Ort")

    @property
    def town(self) -> TrueMunicipality:
        return self.lab.truth(self.host)[0]

    def run(self, *args: str) -> Any:
        env = {"KIEBITZ_RESOLVE": self.lab.resolve, "KIEBITZ_DELAY": "0.005", "KIEBITZ_RETRY_DELAY": "0.05"}
        done = kiebitz(self.home, *args, "--json", env=env)
        assert done.code == 0, done.err
        return done.json if done.out else None

    def look(self) -> Any:
        return self.run("run", "Ort", "--no-read")

    def happens(self, kind: str) -> Any:
        """What the look after an event tells."""
        self.lab.event(self.host, kind)
        return self.look()

    @property
    def state(self) -> str:
        return str(self.run("coverage", "Ort")["state"])


@pytest.fixture
def watch(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watch]:
    with running_lab(Blueprint(municipalities=50, noise=True)) as lab:
        yield Watch(lab, tmp_path / "home", getattr(request, "param", "flat"))


def labels(change: dict[str, Any], kind: str) -> list[str]:
    return [item["label"] for item in change[kind] if item["kind"] == "document"]


@pytest.mark.slow
def test_a_new_issue_a_withdrawn_and_a_corrected_one_are_told_apart(watch: Watch) -> None:
    watch.look()
    before = watch.town
    while watch.town.documents == before.documents:
        watch.lab.advance(1)
    published = watch.look()
    assert published["new_documents"] == len(watch.town.documents) - len(before.documents)
    assert len(labels(published["change"], "new")) == published["new_documents"]
    corrected = watch.happens("correct")
    assert corrected["new_documents"] == 1
    assert [pair["to"]["kind"] for pair in corrected["change"]["changed"]] == ["document"]
    withdrawn = watch.happens("withdraw")
    assert (withdrawn["new_documents"], len(labels(withdrawn["change"], "gone"))) == (0, 1)
    assert watch.state == "healthy"
    history = watch.run("changes", "Ort", "--limit", "1")
    assert history["gone"] == withdrawn["change"]["gone"]
    shown = watch.run("source", "show", "Ort")
    assert shown["fingerprint"] == history["after"] != shown["previous_fingerprint"] == history["before"]
    assert shown["last_change"]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "told"), [("empty", "vanished"), ("login", "password"), ("down", "http 503")])
def test_a_source_that_stops_yielding_is_broken_until_it_is_mended(watch: Watch, kind: str, told: str) -> None:
    watch.look()
    for _ in range(2):
        broken = watch.happens(kind)
        assert told in broken["error"]
        assert watch.state == "broken"
    assert not watch.happens("up" if kind == "down" else "restore")["error"]
    assert watch.state == "healthy"
    assert watch.run("status")["documents"] == len(watch.town.documents)


@pytest.mark.slow
@pytest.mark.parametrize("watch", ["years", "table", "pages"], indirect=True)
def test_a_redesign_loses_no_document_and_takes_none_twice(watch: Watch) -> None:
    watch.look()
    held = watch.run("status")["documents"]
    redesigned = watch.happens("redesign")
    if redesigned["error"]:  # its address is no longer there, and that is said
        assert watch.state == "broken"
        watch.run("source", "edit", "Ort", "--url", watch.town.page)
        redesigned = watch.look()
    assert redesigned["new_documents"] == 0
    assert not labels(redesigned["change"] or {"gone": []}, "gone")
    assert watch.run("status")["documents"] == held
    assert watch.state == "healthy"


@pytest.mark.slow
def test_every_verdict_is_kept_with_its_reasons(watch: Watch) -> None:
    watch.look()
    env = {"KIEBITZ_RESOLVE": watch.lab.resolve}
    lines = kiebitz(watch.home, "source", "verdicts", "Ort", "--json", env=env).lines
    taken = [line for line in lines if line["verdict"] == "taken"]
    assert len(taken) == len(watch.town.documents)
    assert all(line["reasons"] and line["page"] and line["seen_at"] for line in lines)
    assert any("Formular" in line["title"] or "Antrag" in line["title"] for line in lines if line["verdict"] == "left")
    only = kiebitz(watch.home, "source", "verdicts", "Ort", "--left", "--json", env=env).lines
    assert {line["verdict"] for line in only} == {"left"}
