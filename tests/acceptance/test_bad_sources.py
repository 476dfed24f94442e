"""Sources that are no good: bounded work, a clear reason and the next step, never quietly healthy and empty."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.acceptance.bad_cases import CASES, ENTRY, HARMFUL, NO_DOCUMENTS, host_of_case, sites, url_of
from tests.acceptance.bad_sources import DOMAIN, Ask, Reply, Web, issues, page, served
from tests.program import Done, Program
from tests.raw_server import make_certificates

QUICK = {
    "KIEBITZ_DELAY": "0",
    "KIEBITZ_RETRY_DELAY": "0.05",
    "KIEBITZ_PATIENCE": "5",
    "KIEBITZ_FIRST_BYTE_SECONDS": "5",
}
TRIAL_REQUESTS = 12
TRIAL_SECONDS = 20
LARGE = ("tenthousand", "manyitems", "years")  # a page that was begun is read to its end, however busy the machine is
MEMORY = 500 << 10  # KiB
# A small process in between: what a child is said to have used begins with the size of who started it.
MEASURED = (
    sys.executable,
    "-c",
    """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)
""",
)
TERMINAL = ("\x1b", "\x07", "\x9b", "\u202e", "\u202c")


class Ran(NamedTuple):
    web: Web
    program: Program
    run: dict[str, Any]
    coverage: dict[str, Any]
    shown: dict[str, Any]


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with served(sites()) as made:
        yield made


@pytest.fixture
def program(web: Web, tmp_path: Path) -> Program:
    return Program(tmp_path / "home", {**QUICK, "KIEBITZ_RESOLVE": web.resolve}, MEASURED)


@pytest.fixture(scope="module")
def ran(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """All bad sources at once, in one home: they do not disturb each other."""
    home = tmp_path_factory.mktemp("bad") / "home"
    program = Program(home, {**QUICK, "KIEBITZ_RESOLVE": web.resolve})
    rows = [f"{name};{url_of(name)};{case.budget or 10_000}" for name, case in CASES.items()]
    table = home.parent / "sources.csv"
    table.write_text("\n".join(("name;url;budget", *rows)))
    assert program("source", "import", str(table)).code == 0
    web.log.clear()
    with program.running("run", "--all", "--json") as running:
        done = running.wait(200)
    assert done.code == 0, done.err
    shown = {line["name"]: line for line in program("source", "list", "--json").lines}
    coverage = {line["source"]: line for line in program("coverage", "--json").lines}
    return Ran(web, program, {line["source"]: line for line in done.lines}, coverage, shown)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", CASES)
def test_a_run_ends_with_bounded_work_and_says_why(ran: Ran, name: str) -> None:
    case = CASES[name]
    seen = ran.web.seen(host_of_case(name), robots=True)
    assert 0 < len(seen) <= case.requests
    assert sum(entry.sent for entry in seen) <= case.sent
    assert not [entry for entry in seen if entry.method != "GET"]
    state = (
        "broken" if ran.coverage[name]["state"] == "broken" else "healthy"
    )  # late or silent is a matter of today's date
    assert state == case.state, ran.coverage[name]["why"]
    if case.state == "broken":
        for told in (ran.run[name]["outcome"], ran.coverage[name]["why"], ran.shown[name]["last_error"]):
            assert (case.run_says or case.says) in told
        assert ran.shown[name]["last_error_at"] >= ran.shown[name]["last_crawled"]
    else:
        assert ran.coverage[name]["documents"]
        assert not ran.shown[name]["last_error"]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_broken_source_tells_people_what_to_do_next(ran: Ran) -> None:
    for name, step in (("login", "everybody may read"), ("gone", "--url"), ("pdf", "lists the issues")):
        people = ran.program("source", "show", name).out
        assert "next: " in people
        assert step in people
        assert step in ran.program("source", "show", name, "--json").json["advice"]
    assert ran.program("source", "show", "good", "--json").json["advice"] is None


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_nothing_of_a_page_reaches_the_terminal_as_a_command(ran: Ran) -> None:
    for args in (
        ("source", "try", url_of("escapes")),
        ("source", "try", url_of("escapes"), "--json"),
        ("source", "show", "escapes"),
        ("source", "verdicts", "escapes"),
        ("run", "escapes"),
        ("coverage", "escapes"),
        ("urls", "--host", host_of_case("escapes")),
    ):
        done = ran.program(*args)
        assert done.code == 0, done.err
        assert not [mark for mark in TERMINAL if mark in done.out + done.err], args


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_trial_keeps_to_its_requests_time_and_memory(web: Web, program: Program, name: str) -> None:
    case, before = CASES[name], len(web.log)
    done = program("source", "try", url_of(name), "--json")
    found = done.json
    assert (found["state"], done.code) == (case.tried, 7 if case.tried == "unreachable" else 0)
    assert case.says in found["reason"]
    assert found["next"]
    asked = web.log[before:]
    assert len(asked) <= found["requests"] <= TRIAL_REQUESTS
    assert found["seconds"] <= TRIAL_SECONDS or name in LARGE
    assert int(done.err.split()[-1]) < MEMORY
    assert not program.home.exists()


@pytest.mark.slow
def test_a_trial_does_not_wait_as_long_as_a_site_would_like(web: Web, program: Program) -> None:
    """Sixty seconds between two requests are more than a trial has."""
    host = f"slow.{DOMAIN}"
    web.sites[host] = _slow
    found = program("source", "try", f"http://{host}{ENTRY}", "--json").json
    assert found["seconds"] <= TRIAL_SECONDS
    assert found["state"] == "documents"
    assert [stop["outcome"] for stop in found["follow"]] == ["time"]


def _slow(ask: Ask) -> Reply:
    if ask.path == "/robots.txt":
        return Reply("User-agent: *\nCrawl-delay: 60\n", "text/plain")
    return page(issues(2) + "<ul><li><a href='/amtsblatt/2025/'>Jahrgang 2025</a></li></ul>")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "Amtsblatt",
        "",
        "mailto:amt@stadt.example",
        "tel:+4933012345",
        "javascript:alert(1)",
        "data:text/html,x",
        "a b.c",
    ],
)
def test_what_is_no_web_address_is_refused_before_anything_is_asked_or_written(program: Program, text: str) -> None:
    for args in (("source", "try", text), ("source", "add", text)):
        refused = program(*args, "--json")
        assert refused.code in (3, 4)
        assert refused.json["error"]["hint"]
    assert not program.home.exists()


@pytest.mark.slow
def test_a_name_without_an_address_and_a_closed_port_say_so(program: Program) -> None:
    nobody = program("source", "try", "http://nirgends.invalid/amtsblatt/", "--json")
    assert (nobody.code, nobody.json["state"]) == (7, "unreachable")
    assert "dns" in nobody.json["reason"]
    assert nobody.json["explanation"] == "its name is unknown"
    assert "spelling" in nobody.json["next"]
    closed = program("source", "try", f"http://zu.{DOMAIN}/", "--json", resolve=f"zu.{DOMAIN}=127.3.0.1:1")
    assert (closed.code, closed.json["state"]) == (7, "unreachable")


@pytest.mark.slow
def test_a_certificate_of_somebody_else_is_no_page(tmp_path: Path) -> None:
    """The authority is ours, and nobody but the test knows it."""
    context = make_certificates(tmp_path, f"tls.{DOMAIN}").context()
    with served({f"tls.{DOMAIN}": CASES["good"].site}, context) as secure:
        program = Program(tmp_path / "home", {**QUICK, "KIEBITZ_RESOLVE": secure.resolve})
        tried = program("source", "try", f"https://tls.{DOMAIN}{ENTRY}", "--json")
        assert (tried.code, tried.json["state"]) == (7, "unreachable")
        assert program("source", "add", f"https://tls.{DOMAIN}{ENTRY}", "--name", "tls").code == 0
        assert "tls" in program("run", "tls", "--json").json["outcome"]
        assert program("coverage", "tls", "--json").json["state"] == "broken"
        assert "certificate" in program("source", "show", "tls").out
        assert not secure.log


@pytest.mark.slow
@pytest.mark.parametrize("name", HARMFUL)
def test_nothing_is_sent_that_changes_something(web: Web, program: Program, name: str) -> None:
    before = len(web.log)
    assert _watched(program, name).code == 0
    asked = [entry for entry in web.log[before:] if entry.host == host_of_case(name)]
    assert not [entry for entry in asked if entry.method == "POST"]
    assert not [entry.target for entry in asked if "delete" in entry.target or "logout" in entry.target]


@pytest.mark.slow
@pytest.mark.parametrize("name", NO_DOCUMENTS)
def test_documents_that_are_listed_but_cannot_be_had_are_an_error(program: Program, name: str) -> None:
    assert _watched(program, name).json["failed"] == 3
    assert program("coverage", name, "--json").json["state"] == "broken"


@pytest.mark.slow
def test_a_bad_look_leaves_the_documents_as_they_were(web: Web, tmp_path: Path) -> None:
    """Whatever the page turns into: what is held stays, and the source is broken until it works again."""
    host = f"wandel.{DOMAIN}"
    program = Program(tmp_path / "home", {**QUICK, "KIEBITZ_RESOLVE": web.resolve})
    web.sites[host] = CASES["good"].site
    assert program("source", "add", f"http://{host}{ENTRY}", "--name", "Wandel").code == 0
    assert program("run", "Wandel", "--json").json["new_documents"] == 3
    for name in ("login", "pdf", "empty", "laughs", "selffeed", "gone", "loop"):
        web.sites[host] = CASES[name].site
        assert program("run", "Wandel", "--json").code == 0
        held = program("coverage", "Wandel", "--json").json
        assert (held["state"], held["years"][0]["held"]) == ("broken", [1, 2, 3]), name
    web.sites[host] = CASES["good"].site
    assert program("run", "Wandel", "--json").json["outcome"] == "nothing new"
    assert program("coverage", "Wandel", "--json").json["state"] != "broken"
    assert "over" in program("source", "show", "Wandel").out


def _watched(program: Program, name: str) -> Done:
    plain = replace(program, within=())
    assert plain("source", "add", url_of(name), "--name", name).code == 0
    return plain("run", name, "--json")
