"""Who is alive is what the kernel says: tested with processes that are killed."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kiebitz.adapters.local.presence import Presence

PROGRAM = """
import sys, time
from pathlib import Path
from kiebitz.adapters.local.presence import Presence
presence = Presence(Path(sys.argv[1]))
print(presence.holder, flush=True)
time.sleep(60)
"""


@contextmanager
def process(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Another process that is present in the folder, and its name."""
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as started:
        try:
            assert started.stdout is not None
            yield started, started.stdout.readline().strip()
        finally:
            started.kill()


@contextmanager
def present(folder: Path, *, clean: bool = True) -> Iterator[Presence]:
    presence = Presence(folder)
    try:
        yield presence
    finally:
        presence.close(clean=clean)


def clean_up_on_a_full_disk(here: Presence) -> None:
    for _ in here.dead():
        raise OSError("the disk is full")


def names(folder: Path) -> set[str]:
    return {path.stem for path in folder.iterdir()}


def test_a_killed_process_is_found_dead_and_then_forgotten(tmp_path: Path) -> None:
    with present(tmp_path) as here, process(tmp_path) as (other, holder):
        assert Presence.alive(tmp_path) == 2
        assert list(here.dead()) == []
        other.kill()
        other.wait()
        assert Presence.alive(tmp_path) == 1
        assert list(here.dead()) == [holder]
        assert list(here.dead()) == []
        assert names(tmp_path) == {here.holder}


def test_the_folder_is_made_and_everybody_has_a_name_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "workers"
    with present(folder) as one, present(folder) as two:
        assert one.holder != two.holder
        assert names(folder) == {one.holder, two.holder}
        assert list(one.dead()) == list(two.dead()) == []
        assert Presence.alive(folder) == 2


def test_who_leaves_cleanly_leaves_nothing_behind(tmp_path: Path) -> None:
    with present(tmp_path):
        pass
    assert names(tmp_path) == set()
    assert Presence.alive(tmp_path) == 0


def test_who_leaves_a_mess_is_cleaned_up_after_as_if_killed(tmp_path: Path) -> None:
    with present(tmp_path, clean=False) as messy:
        pass
    with present(tmp_path) as here:
        assert list(here.dead()) == [messy.holder]


def test_leaving_twice_is_leaving(tmp_path: Path) -> None:
    presence = Presence(tmp_path)
    presence.close(clean=False)
    presence.close(clean=True)
    assert names(tmp_path) == {presence.holder}, "what was not put away stays known"


def test_a_clean_up_that_fails_is_done_again_by_the_next(tmp_path: Path) -> None:
    with present(tmp_path, clean=False) as messy:
        pass
    with present(tmp_path) as here:
        with pytest.raises(OSError, match="the disk is full"):
            clean_up_on_a_full_disk(here)
        assert list(here.dead()) == [messy.holder]


def test_only_one_cleans_up_after_the_dead(tmp_path: Path) -> None:
    with present(tmp_path, clean=False) as messy:
        pass
    with present(tmp_path) as one, present(tmp_path) as two:
        cleaning = one.dead()
        assert next(cleaning) == messy.holder
        assert list(two.dead()) == []
        assert list(cleaning) == []
        assert list(two.dead()) == []


def test_a_name_that_somebody_holds_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = ["aaaaaaaaaaaa", "aaaaaaaaaaaa", "bbbbbbbbbbbb"]
    monkeypatch.setattr("secrets.token_hex", lambda _: drawn.pop(0))
    with present(tmp_path) as first, present(tmp_path) as second:
        assert [first.holder, second.holder] == ["aaaaaaaaaaaa", "bbbbbbbbbbbb"]


def test_nobody_is_alive_where_nobody_ever_was(tmp_path: Path) -> None:
    assert Presence.alive(tmp_path / "nowhere") == 0
