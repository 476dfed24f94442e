"""The documentation is tested: generated parts are up to date, links lead somewhere, examples hold."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from docs import generate

from kiebitz.cli.crawl import INTERRUPTED, NOTHING_FETCHED
from kiebitz.cli.doctor import UNSOUND
from kiebitz.cli.main import VERBS
from kiebitz.errors import BadUrl
from kiebitz.model.request import State
from kiebitz.model.response import Response
from kiebitz.settings import NOT_SETTINGS, Settings, reference, variable
from kiebitz.standards import url, warc

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
SOURCE = ROOT / "src" / "kiebitz"
FOR_USERS = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted(DOCS.rglob("*.md"))]


def everywhere() -> list[Path]:
    """Every Markdown file of the repository; what was installed into it is not ours."""
    found = list(ROOT.glob("*.md"))
    for folder in ROOT.iterdir():
        if folder.is_dir() and not folder.name.startswith("."):
            found += (path for path in folder.rglob("*.md") if "node_modules" not in path.parts)
    return sorted(found)


def page(name: str) -> str:
    return (REFERENCE / name).read_text("utf-8")


def rows(text: str, header: str) -> list[list[str]]:
    """The cells of every table with this header, without backticks."""
    found = []
    for table in text.split(f"{header}\n")[1:]:
        for line in table.splitlines()[1:]:
            if not line.startswith("|"):
                break
            found.append([cell.strip().strip("`") for cell in line.strip("|").split(" | ")])
    assert found, header
    return found


# ---------------------------------------------------------------------- the generated reference


@pytest.mark.parametrize("name", generate.PAGES)
def test_the_generated_reference_is_up_to_date(name: str) -> None:
    assert page(name) == generate.PAGES[name](), "run: python docs/generate.py"


def test_every_verb_and_option_is_in_the_reference() -> None:
    text = page("cli.md")
    verbs = generate.verbs()
    assert {verb.name.split()[0] for verb in verbs} == set(VERBS)
    for verb in verbs:
        section = text.split(f"\n## {verb.name}\n")[1].split("\n## ")[0]
        assert verb.meaning in section
        for option in verb.options:
            assert f"| `{option.opts[0]}` |" in section, f"{verb.name} {option.opts[0]}"
            assert option.help, f"{verb.name} {option.opts[0]} says nothing"


def test_every_error_code_is_in_the_reference_with_its_exit_code() -> None:
    text = page("errors.md")
    written = set()
    for path in SOURCE.rglob("*.py"):
        written |= set(
            re.findall(r"^    code(?:: ClassVar\[str\])? = \"(.+)\"$", path.read_text("utf-8"), re.MULTILINE)
        )
    known = generate.error_classes()
    assert {error.code for error in known} == written
    for error in known:
        assert f"| `{error.code}` | {error.exit_code} |" in text
        assert generate.meaning_of(error)


def test_the_exit_codes_of_the_docs_are_those_of_the_program() -> None:
    documented = {int(row[0]): row[2] for row in rows(page("cli.md"), "| code | meaning | errors |")}
    assert list(documented) == list(generate.exit_codes())
    success, unexpected, wrong_usage = 0, 1, 2
    of_errors = {error.exit_code for error in generate.error_classes()}
    own = {success, unexpected, wrong_usage, UNSOUND, NOTHING_FETCHED, INTERRUPTED}
    assert set(documented) == of_errors | own
    for error in generate.error_classes():
        assert f"`{error.code}`" in f"`{documented[error.exit_code]}`"


def test_every_port_and_call_is_in_the_reference() -> None:
    text = page("ports.md")
    for path in (SOURCE / "ports").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Protocol" for base in node.bases):
                section = text.split(f"\n## {node.name}\n")[1].split("\n## ")[0]
                calls = [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
                assert all(f"{call.name}(" in section for call in calls)


def test_every_setting_is_in_the_reference() -> None:
    text = page("settings.md")
    assert text == reference(), "run: python -m kiebitz.settings > docs/reference/settings.md"
    for setting in Settings().explain():
        assert f"| `{setting.name}` | `{setting.variable}` |" in text


# ---------------------------------------------------------------------- states and reasons

# What makes a reason: the call, which of its arguments, and what becomes of it before it is stored.
REASONS = {
    "Unreachable": (0, "{}"),
    "TimedOut": (0, "{}"),
    "FetchError": (0, "{}"),
    "LimitExceeded": (0, "limit: {}"),
    "RobotsClosed": (0, "robots.txt: {}"),
    "Answer": (1, "{}"),
    "_end": (2, "{}"),
    "Finish": (0, "{}"),
}
DECIDING = {"_judge", "refusal"}  # functions that answer with a reason
PLACES = ("crawl/*.py", "fetch/*.py", "adapters/http/*.py", "adapters/local/resolver.py", "deploy/crawling.py")


def texts(node: ast.expr, tree: ast.Module) -> Iterator[str]:
    """The texts an expression may stand for; of a formatted one its beginning."""
    match node:
        case ast.Constant(value=str(value)):
            yield value
        case ast.IfExp(body=first, orelse=second):
            yield from texts(first, tree)
            yield from texts(second, tree)
        case ast.JoinedStr(values=[ast.Constant(value=str(value)), *_]):
            yield value
        case ast.Subscript(value=inner):
            yield from texts(inner, tree)
        case ast.Name(id=name):
            for each in ast.walk(tree):
                if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == name:
                    yield from texts(each.value, tree)


def reasons_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            position, form = REASONS.get(name, (99, ""))
            for argument in node.args[position : position + 1]:
                yield from (form.format(text) for text in texts(argument, tree))
        elif isinstance(node, ast.FunctionDef) and node.name in DECIDING:
            answers = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value]
            yield from (text for answer in answers for text in texts(answer, tree))
        elif isinstance(node, ast.Tuple) and len(node.elts) == 5 and ast.unparse(node.elts[3]) == "None":
            yield from texts(node.elts[4], tree)  # a link
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("trap: "):
            yield node.value


def reasons() -> set[str]:
    files = (path for pattern in PLACES for path in SOURCE.glob(pattern))
    return {reason for path in files for reason in reasons_in(ast.parse(path.read_text("utf-8")))} - {""}


def test_every_reason_a_request_may_end_with_is_explained() -> None:
    found = reasons()
    assert {
        "robots",
        "address",
        "limit",
        "limit: ratio",
        "first byte",
        "http ",
        "trap: calendar",
        "redirect loop",
    } <= found
    text = page("states.md")
    missing = [reason for reason in sorted(found) if f"| `{reason}{'' if reason[-1] == ' ' else '`'}" not in text]
    assert not missing


def test_every_state_is_explained() -> None:
    documented = [row[0] for row in rows(page("states.md"), "| state | meaning | what happens next |")]
    assert documented == [state.label for state in State]


# ---------------------------------------------------------------------- URLs


def test_the_examples_of_canonical_urls_hold() -> None:
    text = page("urls.md")
    for given, remembered in rows(text, "| you give | Kiebitz remembers |"):
        assert url.canonical(url.from_user(given)) == remembered
        assert url.canonical(remembered) == remembered
    for this, that in rows(text, "| this | and this |"):
        assert this != that
        assert [url.canonical(this), url.canonical(that)] == [this, that]
    for given, message in rows(text, "| refused | with the message |"):
        with pytest.raises(BadUrl, match=f"^{re.escape(message)}$"):
            url.canonical(url.from_user(given))


def test_the_examples_of_links_hold() -> None:
    text = page("urls.md")
    (base,) = re.findall(r"On `(.+)`:\n", text)
    for href, target in rows(text, "| link | leads to |"):
        assert (url.join(base, href) or "nowhere") == target


def test_every_parameter_that_is_dropped_is_listed() -> None:
    dropped = {*url.TRACKING, *url.SESSIONS, *url.MAYBE_SESSIONS, *url.PREFIXES}
    assert not dropped - set(re.findall(r"`(\w+)`", page("urls.md")))


# ---------------------------------------------------------------------- what people read and type


def anchors(path: Path) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_relative_link_leads_somewhere() -> None:
    broken = []
    for path in everywhere():
        for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            there = path.parent / name if name else path
            if not there.exists() or (anchor and anchor not in anchors(there)):
                broken.append(f"{path.relative_to(ROOT)}: {target}")
    assert not broken


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "README.md").read_text("utf-8")
    pages = [str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md") if path.name != "README.md"]
    assert not [name for name in pages if f"]({name})" not in index]


def commands(path: Path, program: str) -> Iterator[list[str]]:
    """The words after a program's name, wherever it is called in the code of a page."""
    text = re.sub(r"\$\([^)]*\)", "URL", path.read_text("utf-8"))
    for line in re.findall(r"^(?: {4}|\t).*$", text, re.MULTILINE) + re.findall(r"`[^`\n]+`", text):
        yield from (call.split() for call in re.findall(rf"(?:\.venv/bin/|(?<![\w./-])){program} ([^#|>)`]+)", line))


def test_the_make_commands_of_the_docs_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert {"up", "test"} <= {words[0] for words in commands(ROOT / "README.md", "make")}
    for path in FOR_USERS:
        assert not [words for words in commands(path, "make") if words[0] not in targets], path.name


def test_the_kiebitz_commands_of_the_docs_have_known_verbs_and_options() -> None:
    known = {verb.name: {name for option in verb.options for name in option.opts} for verb in generate.verbs()}
    before = {"--home", "--version", "--help"}
    seen = 0
    for path in FOR_USERS:
        for words in commands(path, "kiebitz"):
            given = " ".join(words)
            options = {word.partition("=")[0] for word in words if word.startswith("--")}
            plain = [word for word in words[2 * ("--home" in words[:1]) :] if not word.startswith("-")]
            names = [" ".join(plain[:2]), *plain[:1]]
            verb = next((name for name in names if name in known), None)
            assert verb or plain[0].startswith("["), f"{path.name}: {given}"
            assert options <= before | known.get(verb or "", options), f"{path.name}: {given}"
            seen += 1
    assert seen > 50


def test_the_variables_of_the_docs_are_settings() -> None:
    known = {setting.variable for setting in Settings().explain()} | {variable("")}
    for path in FOR_USERS:
        named = set(re.findall(r"KIEBITZ_[A-Z_]*", path.read_text("utf-8")))
        assert not {name for name in named if not name.startswith(NOT_SETTINGS)} - known, path.name


def test_the_example_with_warcio_reads_our_bundles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    day = tmp_path / ".kiebitz" / "blobs" / "bundles" / "20261115"
    day.mkdir(parents=True)
    head, body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html", b"<p>Amtsblatt</p>"
    answer = Response("https://example.org/", 200, head, body, body, {}, b"GET / HTTP/1.1\r\n\r\n", "192.0.2.1", 0.1)
    record = warc.exchange(answer.url, 1.8e9, answer, warc.payload_digest(body))
    (day / "one.warc.gz").write_bytes(warc.opening("one.warc.gz", 1.8e9, "kiebitz") + record)
    monkeypatch.setenv("HOME", str(tmp_path))
    (example,) = re.findall(r"```python\n(.+?)```", (DOCS / "how-to" / "stored-pages.md").read_text("utf-8"), re.DOTALL)
    exec(compile(example, "stored-pages.md", "exec"), {})
    assert capsys.readouterr().out == f"200 https://example.org/ {len(body)}\n"
