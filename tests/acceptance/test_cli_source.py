"""What is watched, from the command line: added, listed, changed, taken over from files, planned. And what is refused."""

import json
from pathlib import Path

import pytest

from tests.program import Done, Program

URL = "https://www.stadt.example/amtsblatt"
BOMB = """<?xml version="1.0"?>
<!DOCTYPE opml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<opml><body><outline text="&b;" xmlUrl="https://a.example/"/></body></opml>"""


@pytest.fixture
def bare(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def complaint(done: Done) -> str:
    """What people read: one line with the message, one with the next step."""
    assert done.out == ""
    message, hint = done.err.splitlines()
    assert message.startswith("kiebitz: ")
    assert hint.startswith("  next: ")
    return f"{message} {hint}"


def test_a_source_is_added_shown_changed_and_removed(bare: Program) -> None:
    done = bare("source", "add", "www.stadt.example/amtsblatt#top", "--label", "state=Brandenburg", "--delay", "2")
    assert (done.code, done.err) == (0, "")
    assert f"added stadt.example: {URL}" in done.out
    shown = bare("source", "show", "stadt.example", "--json").json
    assert shown["entry_urls"] == [URL]
    assert (shown["labels"], shown["delay"], shown["focus"]) == ({"state": "BB"}, 2.0, "documents")
    assert (shown["schedule"], shown["why"]) == ("0 13 * * 0 Europe/Berlin", "never crawled")
    assert (shown["last_crawled"], shown["last_change"], shown["last_error"]) == (None, None, "")
    edit = ("source", "edit", shown["id"], "--name", "Stadt", "--schedule", "every 6h", "--disable", "--delay", "")
    rules = (
        "--rule",
        "leave pattern /formulare/",
        "--rule",
        f"take link {URL}/1",
        "--label",
        "state=",
        "--label",
        "a=b",
    )
    changed = bare(*edit, *rules, "--json").json
    assert (changed["id"], changed["name"], changed["schedule"]) == (shown["id"], "Stadt", "every 6 hours")
    assert (changed["delay"], changed["labels"], changed["enabled"]) == (None, {"a": "b"}, False)
    assert changed["rules"] == ["leave pattern /formulare/", f"take link {URL}/1"]
    dropped = bare("source", "edit", "Stadt", "--drop-rule", "leave pattern /formulare/").out
    assert dropped.startswith(f"Stadt: changed\nits rules, the first that fits decides:\n  1. take link {URL}/1\n")
    text = bare("source", "show", "Stadt").out
    assert f"rule     1. take link {URL}/1" in text
    assert "formulare" not in text
    assert "next     never (disabled)" in text
    assert "--yes" in complaint(bare("source", "remove", "Stadt"))
    assert bare("source", "remove", "Stadt", "--yes", "--json").json["removed"] == "Stadt"
    assert bare("source", "list", "--json").lines == []


def test_sources_come_from_the_catalogue(bare: Program) -> None:
    offers = bare("source", "catalogue", "--state", "BB", "--json").lines
    assert {offer["state"] for offer in offers} == {"BB"}
    assert not bare.home.exists()
    added = bare("source", "add", "--from-catalogue", "eberswalde", "--schedule", "auto", "--json").json
    assert added["name"] == "Eberswalde"
    assert added["labels"] == {"ags": "12060052", "kind": "gazette", "municipality": "Eberswalde", "state": "BB"}
    assert bare("source", "add", "--from-catalogue", "Leipzig").code == 0
    assert [each["name"] for each in bare("source", "list", "--json").lines] == ["Eberswalde", "Leipzig"]
    assert [each["name"] for each in bare("source", "list", "--state", "sn", "--json").lines] == ["Leipzig"]
    assert bare("source", "list").out.splitlines()[1].startswith("Eberswalde\tBB\tdocuments\tauto\tyes\t")
    unknown = bare("source", "add", "--from-catalogue", "Luebben")
    assert unknown.code == 4
    assert "Lübben (Spreewald)" in complaint(unknown)


@pytest.mark.parametrize("kind", ["csv", "json", "opml"])
def test_sources_go_into_a_file_and_come_back(bare: Program, tmp_path: Path, kind: str) -> None:
    assert bare("source", "add", URL, f"{URL}/archiv", "--name", "Stadt „A“", "--disabled", "--budget", "7").code == 0
    assert bare("source", "add", "--from-catalogue", "Leipzig").code == 0
    file = tmp_path / f"sources.{kind}"
    assert bare("source", "export", str(file)).out == f"2 sources written to {file}\n"
    assert bare("source", "export", "--format", kind).raw == file.read_bytes()
    other = bare.at(tmp_path / "other")
    assert other("source", "import", str(file)).out == "2 added, 0 updated, 0 as they were, 0 refused\n"
    assert other("source", "export", "--format", kind).raw == file.read_bytes()
    again = other("source", "import", str(file), "--json")
    assert again.json == {"added": [], "updated": [], "unchanged": ["Leipzig", "Stadt „A“"], "refused": []}


def test_a_list_with_bad_rows_is_taken_over_but_for_these(bare: Program, tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("name;url;schedule\nA;https://a.example/;\nB;b;\nA;https://c.example/;\nD;d.example/x;61 * * * *\n")
    done = bare("source", "import", str(file))
    assert (done.code, done.err) == (3, "")
    first, *refused = done.out.splitlines()
    assert first == "1 added, 0 updated, 0 as they were, 3 refused"
    assert [line.split(":")[0].strip() for line in refused] == ["line 3", "line 4", "line 5"]
    assert "not a URL" in refused[0]
    assert "another source is named 'A'" in refused[1]
    assert "minute '61'" in refused[2]
    assert [each["name"] for each in bare("source", "list", "--json").lines] == ["A"]


def test_the_plan_says_who_is_next_when_and_why(bare: Program) -> None:
    for name, schedule in (("weekly", "0 13 * * 0"), ("learning", "auto"), ("often", "every 6h")):
        assert bare("source", "add", f"https://{name}.example/", "--name", name, "--schedule", schedule).code == 0
    assert bare("source", "add", URL, "--name", "asleep", "--disabled").code == 0
    plan = bare("schedule", "--json").lines
    assert [(each["source"], each["due"], each["reason"]) for each in plan] == [
        ("weekly", True, "never crawled"),
        ("learning", True, "never crawled"),
        ("often", True, "never crawled"),
        ("asleep", False, "disabled"),
    ]
    assert plan[0]["schedule"] == "0 13 * * 0 Europe/Berlin"
    assert plan[0]["at"].endswith("Z")
    assert plan[-1]["at"] is None
    assert bare("schedule").out.splitlines()[-1] == "never\t\tasleep\tdisabled"


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("add",), 3, "give a URL"),
        (("add", URL, "--from-catalogue", "Leipzig"), 3, "not both"),
        (("add", "not a url"), 3, "not a URL"),
        (("add", "ftp://stadt.example/"), 3, "unknown scheme 'ftp'"),
        (("add", URL, "--schedule", "61 * * * *"), 3, "minute '61' is not between 0 and 59"),
        (("add", URL, "--schedule", "0 0 30 2 *"), 3, "no such day"),
        (("add", URL, "--schedule", "0 0 * * * Europe/Berln"), 3, "Europe/Berlin"),
        (("add", URL, "--schedule", "sometimes"), 3, "every 6h"),
        (("add", URL, "--label", "state"), 3, "KEY=VALUE"),
        (("add", URL, "--label", "state=XX"), 3, "unknown state 'XX'"),
        (("add", URL, "--name", " "), 3, "bad name"),
        (("add", URL, "--delay", "-1"), 3, "bad delay"),
        (("add", "--from-catalogue", "Xyzzy"), 4, "kiebitz source catalogue"),
        (("catalogue", "--state", "Prussia"), 3, "unknown state"),
        (("edit", "nobody"), 3, "nothing to change"),
        (("edit", "nobody", "--enable", "--disable"), 3, "not both"),
        (("import", "/nowhere.csv"), 4, "there is no file"),
        (("import", "/"), 3, "cannot read"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_written(
    bare: Program, args: tuple[str, ...], code: int, message: str
) -> None:
    done = bare("source", *args)
    assert message in complaint(done)
    assert done.code == code
    assert not bare.home.exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.opml", BOMB, "line 2: a DOCTYPE is not allowed"),
        ("a.opml", "<opml><body>", "line 1: not XML"),
        ("a.csv", 'name,url\nA,"https://a.example/\n', "line 2: not CSV"),
        ("a.csv", "town\nA\n", "no column entry_urls"),
        ("a.json", '[{"url": "https://a.example/"}', "the array does not end"),
    ],
)
def test_a_list_that_is_broken_is_refused_as_a_whole(
    bare: Program, tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content)
    done = bare("source", "import", str(tmp_path / name))
    assert done.code == 3
    assert message in complaint(done)
    assert not bare.home.exists()


def test_names_and_pages_are_taken_once(bare: Program) -> None:
    assert bare("source", "add", URL, "--name", "Stadt").code == 0
    same_page = bare("source", "add", f"{URL}#x", "--name", "Other")
    assert same_page.code == 5
    assert "watched already, as 'Stadt'" in complaint(same_page)
    same_name = bare("source", "add", "https://b.example/", "--name", "Stadt")
    assert same_name.code == 5
    assert "--name" in complaint(same_name)
    assert bare("source", "add", "https://b.example/", "--name", "Dorf").code == 0
    assert bare("source", "edit", "Dorf", "--name", "Stadt").code == 5
    unknown = bare("source", "show", "Stade", "--json")
    assert unknown.code == 4
    assert json.loads(unknown.out)["error"]["hint"] == "did you mean 'Stadt'?"
