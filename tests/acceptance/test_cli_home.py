"""A home that cannot be used: the program says so and what to do, changes nothing, and goes on when it is mended."""

import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests.acceptance.conftest import program_for
from tests.program import Done, Program
from tests.small_disk import SmallDisk, small_disk, unavailable

OPENED_LATE = "jobs.db"  # when the first document is there: what was fetched until then is fetched again
DATABASES = ("frontier.db", "records.db", OPENED_LATE)


def crawl_of(lab: RunningLab) -> tuple[str, ...]:
    return ("crawl", lab.graph.start, "--scope", "any", "--depth", "-1", "--delay", "0")


def refused(done: Done, code: str, named: Path | str) -> None:
    """By exit code 6, with a message that names the thing and the next step."""
    assert done.code == 6, done.out + done.err
    if done.out:
        found = done.json["error"]
        assert (found["code"], done.err) == (code, "")
        assert str(named) in found["message"]
        assert found["hint"]
    else:
        message, hint = done.err.splitlines()
        assert message.startswith("kiebitz: ")
        assert str(named) in message
        assert hint.startswith("  next: ")


def everything_is_there(lab: RunningLab, program: Program) -> None:
    done = program(*crawl_of(lab), "--json")
    assert done.code == 0, done.out + done.err
    assert done.json["state"] == "finished"
    found = {row["url"] for row in program("urls", "--json", "--state", "done,unchanged").lines}
    assert lab.graph.reachable(lab.graph.start) <= found
    doctor = program("doctor")
    assert doctor.code == 0, doctor.out


def contents(home: Path) -> dict[Path, bytes]:
    """What databases keep beside them for their readers is not content."""
    return {path: path.read_bytes() for path in home.rglob("*") if path.is_file() and not path.name.endswith("-shm")}


@pytest.fixture
def copy(kept: Program, tmp_path: Path) -> Program:
    """On a copy of a home in which the graph was crawled."""
    shutil.copytree(kept.home, tmp_path / "copy")
    return kept.at(tmp_path / "copy")


# ------------------------------------------------------------------ a disk that is full, or cannot be written


@pytest.fixture
def disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SmallDisk]:
    if reason := unavailable():
        pytest.skip(f"needs a mount namespace: {reason}")
    with small_disk(tmp_path / "disk", request.param) as disk:
        yield disk


@pytest.fixture(scope="module")
def larger() -> Iterator[RunningLab]:
    """Enough pages to fill the disks below."""
    with running_lab(Blueprint(hosts=6, pages=40)) as lab:
        yield lab


@pytest.mark.parametrize("disk", ["100k", "300k", "450k", "600k"], indirect=True)
def test_on_a_full_disk_nothing_is_lost_and_the_crawl_goes_on_when_there_is_room(
    larger: RunningLab, disk: SmallDisk
) -> None:
    """The sizes are too small for the databases, for the first pages, for some, and for many of them."""
    program = replace(program_for(larger, disk.folder / "home"), within=disk.within)
    refused(program(*crawl_of(larger)), "disk-full", program.home)
    done = program(*crawl_of(larger), "--json")
    refused(done, "disk-full", program.home)
    assert done.json["error"]["retryable"] is True
    doctor = program("doctor")
    assert doctor.code == 6
    assert "FAIL  space" in doctor.out
    disk.resize("200m")
    everything_is_there(larger, program)


@pytest.mark.parametrize("disk", ["20m"], indirect=True)
def test_a_read_only_home_is_refused_and_left_as_it_is(lab: RunningLab, disk: SmallDisk) -> None:
    program = replace(program_for(lab, disk.folder / "home"), within=disk.within)
    disk.make_read_only()
    refused(program(*crawl_of(lab)), "home-unwritable", program.home)
    disk.resize("200m")
    everything_is_there(lab, program)
    before = disk.contents(program.home)
    lab.reset()
    disk.make_read_only()
    for command in ((*crawl_of(lab), "--recrawl"), ("submit", lab.graph.start), ("up",), ("retry", "--json")):
        refused(program(*command), "home-unwritable", program.home)
    doctor = program("doctor")
    assert doctor.code == 6
    assert f"FAIL  home         {program.home} cannot be written" in doctor.out
    assert doctor.out.count("FAIL") == 1, "the databases are sound"
    assert lab.log() == []
    assert disk.contents(program.home) == before
    disk.make_writable()
    everything_is_there(lab, program)


def test_a_home_that_is_no_folder_is_refused(lab: RunningLab, program: Program) -> None:
    program.home.write_text("a file")
    for command in (crawl_of(lab), ("status", "--json"), ("up",)):
        refused(program(*command), "home-unwritable", program.home)
    doctor = program("doctor")
    assert doctor.code == 6
    assert f"FAIL  home         {program.home} is not a folder" in doctor.out
    assert program.home.read_text() == "a file"
    refused(program.at(Path("/proc/kiebitz"))("status"), "home-unwritable", "/proc/kiebitz")
    assert lab.log() == []


# ------------------------------------------------------------------ databases that cannot be read


@pytest.mark.parametrize("name", DATABASES)
def test_a_file_that_is_no_database_is_reported_and_left_alone(lab: RunningLab, copy: Program, name: str) -> None:
    path = copy.home / name
    good = path.read_bytes()
    path.write_bytes(b"\xde\xad\xbe\xef" * 25 + good[100:])
    before = contents(copy.home)
    lab.reset()
    refused(copy("status"), "home-corrupt", path)
    refused(copy(*crawl_of(lab), "--recrawl", "--json"), "home-corrupt", path)
    doctor = copy("doctor", "--json")
    assert doctor.code == 6
    (finding,) = (finding for finding in doctor.lines if not finding["ok"])
    assert finding["subject"] == name
    assert str(path) in finding["hint"]
    assert lab.log() == [] or name == OPENED_LATE
    assert path.read_bytes() == before[path]
    path.write_bytes(good)
    everything_is_there(lab, copy)


def test_a_damaged_page_of_the_frontier_is_reported(lab: RunningLab, copy: Program) -> None:
    path = copy.home / "frontier.db"
    good = path.read_bytes()
    path.write_bytes(good[:8192] + b"\xff" * (len(good) - 8192))
    refused(copy("urls"), "home-corrupt", path)
    refused(copy(*crawl_of(lab), "--recrawl", "--json"), "home-corrupt", path)
    doctor = copy("doctor")
    assert doctor.code == 6
    assert "FAIL  frontier.db" in doctor.out
    path.write_bytes(good)
    for rest in copy.home.glob("frontier.db-*"):
        rest.unlink()
    done = copy(*crawl_of(lab), "--recrawl", "--json")
    assert (done.code, done.json["state"]) == (0, "finished")


def test_a_damaged_page_or_document_is_found_by_the_doctor(copy: Program) -> None:
    (bundle,) = (copy.home / "blobs" / "bundles").rglob("*.warc.gz")
    good = bundle.read_bytes()
    bundle.write_bytes(good[:400] + bytes(len(good) - 400))
    shown = copy("show", "http://h0002.example/", "--body")
    assert (shown.code, shown.raw) == (6, b"")
    doctor = copy("doctor")
    assert doctor.code == 6
    assert "FAIL  pages" in doctor.out
    bundle.write_bytes(good)
    document = next(path for path in (copy.home / "blobs" / "documents").rglob("*") if path.is_file())
    document.write_bytes(b"")
    doctor = copy("doctor")
    assert doctor.code == 6
    assert "FAIL  documents" in doctor.out


@pytest.mark.parametrize("name", DATABASES)
def test_a_home_of_a_newer_version_is_refused_and_left_alone(lab: RunningLab, copy: Program, name: str) -> None:
    path = copy.home / name
    version = _version(path, 999)
    before = contents(copy.home)
    lab.reset()
    refused(copy("status", "--json"), "home-newer", name)
    refused(copy(*crawl_of(lab), "--recrawl"), "home-newer", name)
    doctor = copy("doctor")
    assert doctor.code == 6
    assert f"FAIL  {name}" in doctor.out
    assert "upgrade kiebitz" in doctor.out
    assert lab.log() == [] or name == OPENED_LATE
    assert path.read_bytes() == before[path]
    assert _version(path, version) == 999
    everything_is_there(lab, copy)


def _version(path: Path, new: int) -> int:
    sql = sqlite3.connect(path)
    try:
        (old,) = sql.execute("pragma user_version").fetchone()
        sql.execute(f"pragma user_version = {new}")
        sql.execute("pragma wal_checkpoint(truncate)")
        return int(old)
    finally:
        sql.close()
