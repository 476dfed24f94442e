"""What cannot work is refused with the next step, before anything is written; what cannot be reached is said so."""

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from kiebitz.lab.running import RunningLab
from tests.program import Done, Program

URL = "http://h0001.example/"


def complaint(done: Done) -> str:
    """What people read: one line with the message, one with the next step."""
    assert done.out == ""
    message, hint = done.err.splitlines()
    assert message.startswith("kiebitz: ")
    assert hint.startswith("  next: ")
    assert len(hint) > len("  next: ")
    return message


def error(done: Done) -> dict[str, object]:
    """What programs read."""
    assert done.err == ""
    (line,) = done.lines
    found: dict[str, object] = line["error"]
    assert list(found) == ["code", "message", "hint", "retryable"]
    assert found["hint"]
    return found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a URL: ''"),
        ("not a url", "not a URL: 'not a url'"),
        ("/etc/passwd", "not a URL: '/etc/passwd'"),
        ("http://", "no valid host in 'http://'"),
        ("http://h0001.example:99999/", "no valid host in"),
        ("ftp://h0001.example/file", "unknown scheme 'ftp'"),
        ("file:///etc/passwd", "unknown scheme 'file'"),
    ],
)
def test_what_is_no_url_is_refused(program: Program, text: str, message: str) -> None:
    done = program("crawl", URL, text)
    assert done.code == 3
    assert message in complaint(done)
    assert not program.home.exists()


@pytest.mark.parametrize("verb", ["crawl", "submit", "show", "retry"])
def test_every_verb_refuses_what_is_no_url(program: Program, verb: str) -> None:
    done = program(verb, "gopher://h0001.example/", "--json")
    assert done.code == 3
    assert error(done)["code"] == "bad-url"


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--include", "(", "--include '(' is no regular expression"),
        ("--exclude", "*", "--exclude '*' is no regular expression"),
        ("--depth", "-2", "--depth -2 is below -1"),
        ("--max-pages", "-1", "--max-pages -1 is below 0"),
        ("--max-per-host", "-1", "--max-per-host -1 is below 0"),
        ("--delay", "-1", "--delay is '-1.0'"),
    ],
)
def test_options_that_cannot_work_are_refused(program: Program, option: str, value: str, message: str) -> None:
    assert message in complaint(program("crawl", URL, option, value))
    done = program("crawl", URL, option, value, "--json")
    assert done.code == 3
    found = error(done)
    assert (found["code"], found["retryable"]) == ("input", False)
    assert message in str(found["message"])
    assert not program.home.exists()


@pytest.mark.parametrize(
    ("variable", "value"),
    [("KIEBITZ_MAX_TRIES", "many"), ("KIEBITZ_RESOLVE", "nonsense"), ("KIEBITZ_STATE", "oracle://db")],
)
def test_a_setting_that_cannot_work_is_refused_where_it_stands(program: Program, variable: str, value: str) -> None:
    done = Program(program.home, {variable: value})("status")
    assert done.code == 3
    assert variable in complaint(done)
    assert not program.home.exists()


def test_a_mapping_that_cannot_work_is_refused_also_by_up(program: Program) -> None:
    assert program("submit", URL).code == 0
    done = Program(program.home, {"KIEBITZ_RESOLVE": "h0001.example=127.0.0.1:99999"})("up", "--json")
    assert done.code == 3
    assert "99999" in str(error(done)["message"])


def test_an_unknown_state_is_refused_with_those_there_are(program: Program) -> None:
    for verb in ("urls", "retry"):
        done = program(verb, "--state", "failed,broken")
        assert done.code == 3
        assert "no such state: broken" in complaint(done)
        assert "skipped" in done.err
    assert program("retry", "--state", "pending").code == 3


@pytest.mark.parametrize(
    "command", [("urls", "--run", "zz"), ("stop", "zz"), ("retry", "--run", "zz"), ("submit", URL, "--run", "zz")]
)
def test_an_unknown_run_is_not_found(program: Program, command: tuple[str, ...]) -> None:
    assert "there is no run 'zz'" in complaint(program(*command))
    done = program(*command, "--json")
    assert done.code == 4
    assert error(done)["code"] == "not-found"


def test_in_an_empty_home_there_is_nothing_to_stop_retry_or_crawl(program: Program) -> None:
    codes = {verb: program(verb) for verb in ("stop", "retry", "crawl")}
    assert {verb: done.code for verb, done in codes.items()} == {"stop": 4, "retry": 4, "crawl": 3}
    for done in codes.values():
        complaint(done)


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address and port at which nobody listens; it is ours, so nobody will."""
    with closing(socket.socket()) as ours:
        ours.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{ours.getsockname()[1]}"


def test_a_host_that_cannot_be_reached_is_tried_again_and_then_said_to_be_so(
    lab: RunningLab, program: Program, nobody: str
) -> None:
    away = Program(program.home, {**program.env, "KIEBITZ_RESOLVE": f"*.example={nobody}"})
    crawl = ("crawl", lab.graph.start, "--depth", "0")
    done = away(*crawl)
    assert done.code == 7
    assert f"{URL}: failed (robots.txt: refused)" in done.out
    assert "next: check the address and the network" in done.out
    (row,) = away("urls", "--json").lines
    assert (row["state"], row["reason"], row["tries"]) == ("failed", "robots.txt: refused", 3)
    again = program(*crawl)
    assert "Nothing to do" in again.out
    assert f"next: kiebitz --home {program.home} retry" in again.out
    assert program("retry", "--json").json["retried"] == 1
    assert program(*crawl, "--json").json["pages"] == 1


def test_a_name_that_nobody_has_is_said_to_be_so(program: Program) -> None:
    """Reserved for this by RFC 6761; no answer comes from far away."""
    quick = Program(program.home, {**program.env, "RES_OPTIONS": "attempts:1 timeout:1", "KIEBITZ_MAX_TRIES": "1"})
    done = quick("crawl", "http://nobody.invalid/")
    assert done.code == 7
    assert "http://nobody.invalid/: failed (dns)" in done.out
    again = quick("crawl", "http://nobody.invalid/", "--recrawl", "--json")
    assert (again.code, again.json["failed"], again.json["pages"]) == (7, 1, 0)


def test_private_addresses_are_not_asked_unless_the_operator_allows_them(program: Program, nobody: str) -> None:
    plain = Program(program.home, {**program.env, "KIEBITZ_RESOLVE": ""})
    done = plain("crawl", f"http://{nobody}/")
    assert done.code == 7
    assert f"http://{nobody}/: skipped (address)" in done.out
    allowed = plain("crawl", f"http://{nobody}/", "--recrawl", allow_networks="127.0.0.0/8", max_tries="1")
    assert f"http://{nobody}/: failed (robots.txt: refused)" in allowed.out
