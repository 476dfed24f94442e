"""How far a crawl goes: depth, number, patterns and scope, compared with the truth of the graph."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz.lab.graph import SpotKind
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests.acceptance.conftest import program_for
from tests.program import Program

FETCHED = ("done", "unchanged")


def asked(lab: RunningLab) -> set[str]:
    return {entry.url for entry in lab.log() if entry.target != "/robots.txt"}


def crawled(program: Program, *args: str) -> dict[str, int]:
    done = program("crawl", *args, "--json")
    assert done.code == 0, done.err + done.out
    result: dict[str, int] = done.json
    return result


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_depth_counts_links_from_a_seed(lab: RunningLab, program: Program, depth: int) -> None:
    crawled(program, lab.graph.start, "--scope", "any", "--depth", str(depth))
    assert asked(lab) == lab.graph.visited(lab.graph.start, depth=depth)


def test_a_run_ends_at_its_number_of_pages_and_says_what_it_left(lab: RunningLab, program: Program) -> None:
    result = crawled(program, lab.graph.start, "--scope", "any", "--max-pages", "10")
    assert result["pages"] + result["documents"] == 10
    left = [row for row in program("urls", "--json", "--state", "skipped").lines if row["reason"] != "robots"]
    assert left
    assert {row["reason"] for row in left} == {"limit"}


def test_no_host_gives_more_pages_than_its_limit(lab: RunningLab, program: Program) -> None:
    crawled(program, lab.graph.start, "--scope", "any", "--max-per-host", "3")
    found = Counter(row["url"].split("/")[2] for row in program("urls", "--json", "--state", ",".join(FETCHED)).lines)
    assert found == dict.fromkeys(lab.graph.hosts, 3)


def test_limits_of_zero_and_a_depth_of_minus_one_are_none(lab: RunningLab, program: Program) -> None:
    limits = ("--depth", "-1", "--max-pages", "0", "--max-per-host", "0", "--delay", "0")
    crawled(program, lab.graph.start, "--scope", "any", *limits)
    assert asked(lab) == lab.graph.visited(lab.graph.start)


def test_links_must_match_an_include_and_no_exclude_but_seeds_need_not(lab: RunningLab, program: Program) -> None:
    patterns = ("--include", r"h000[12]\.example/seite-", "--include", r"/ordner/", "--exclude", r"ordner/unter")
    crawled(program, lab.graph.start, "--scope", "any", *patterns)
    links = asked(lab) - {lab.graph.start}
    assert all(re.search(r"h000[12]\.example/seite-|/ordner/", url) for url in links)
    assert not any("ordner/unter" in url for url in links)
    wanted = {url for url in lab.graph.urls(SpotKind.PAGE) if url.startswith("http://h0001.example/seite-")}
    assert wanted <= links


def test_scope_host_stays_on_the_hosts_of_the_seeds(lab: RunningLab, program: Program) -> None:
    hosts = ("h0001.example", "h0003.example")
    crawled(program, *(f"http://{host}/" for host in hosts), "--scope", "host", "--depth", "-1")
    expected = set().union(*(lab.graph.visited(f"http://{host}/", hosts=hosts) for host in hosts))
    assert asked(lab) == expected


def test_scope_list_fetches_exactly_the_seeds(lab: RunningLab, program: Program) -> None:
    seeds = {lab.graph.start, "http://h0002.example/seite-1.html"}
    crawled(program, *seeds, "--scope", "list")
    assert asked(lab) == seeds


def test_scope_domain_includes_the_other_hosts_of_a_registrable_domain(tmp_path: Path) -> None:
    """Lindenau links to its neighbours, one of which is www.birkenfelde.example."""
    seeds = ("http://rathaus.lindenau.example/", "http://birkenfelde.example/")
    with running_lab(Blueprint(demo=True)) as towns:
        program = program_for(towns, tmp_path / "home")
        for scope, more in (("host", set[str]()), ("domain", {"www.birkenfelde.example"})):
            towns.reset()
            crawled(program, *seeds, "--scope", scope, "--depth", "1", "--include", "birkenfelde")
            assert {entry.host for entry in towns.log()} == {"rathaus.lindenau.example", "birkenfelde.example"} | more


@pytest.fixture(scope="module")
def winding() -> Iterator[RunningLab]:
    """Large enough for redirects to other hosts."""
    with running_lab(Blueprint(hosts=3, pages=36)) as lab:
        yield lab


def test_a_redirected_seed_widens_the_scope(winding: RunningLab, tmp_path: Path) -> None:
    truth = winding.graph
    seed = next(
        url for url in sorted(truth.urls(SpotKind.REDIRECT)) if truth.redirect(url).split("/")[2] != url.split("/")[2]
    )
    hosts = {seed.split("/")[2], truth.redirect(seed).split("/")[2]}
    program = program_for(winding, tmp_path / "home")
    crawl = (seed, "--scope", "host", "--depth", "1")
    crawled(program, *crawl)
    assert asked(winding) == truth.visited(seed, depth=1, hosts=hosts)
    assert len(asked(winding)) > 2
    winding.reset()
    crawled(program, *crawl, "--recrawl")
    assert asked(winding) == truth.visited(seed, depth=1, hosts=hosts)


def test_of_a_list_a_redirected_seed_is_followed(winding: RunningLab, tmp_path: Path) -> None:
    winding.reset()
    seed = min(winding.graph.urls(SpotKind.REDIRECT))
    program = program_for(winding, tmp_path / "home")
    crawled(program, seed, "--scope", "list")
    assert asked(winding) == winding.graph.visited(seed, depth=0)
