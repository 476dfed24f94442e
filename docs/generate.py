"""Write what the code says about itself into docs/reference/: the verbs, the errors, the ports.

Run by ``python docs/generate.py``; a test fails when a file is out of date. Nothing here asks for the width of a terminal
or draws with Rich, so the files are the same on every machine. (settings.md is made by ``python -m kiebitz.settings``.)
"""

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from kiebitz import errors
from kiebitz.cli import main as cli
from kiebitz.errors import KiebitzError

SOURCE = Path(cli.__file__).parents[1]
REFERENCE = Path(__file__).parent / "reference"
MADE = "Made by `python docs/generate.py`; do not edit."


def main() -> None:
    for name, write in PAGES.items():
        (REFERENCE / name).write_text(write(), "utf-8")


def table(columns: str, rows: Sequence[tuple[str, ...]]) -> str:
    """A Markdown table; ``columns`` has the titles with ``|`` between."""
    titles = columns.split("|")
    lines = [titles, ["---"] * len(titles), *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text: str) -> str:
    return f"`{text}`" if text else ""


# ---------------------------------------------------------------------- verbs


class Verb(NamedTuple):
    """A command that does something: ``name`` is what follows ``kiebitz``."""

    name: str
    meaning: str
    arguments: list[Any]
    options: list[Any]


def root() -> Any:
    import typer

    return typer.main.get_command(cli.app)


@cache
def verbs() -> list[Verb]:
    return list(_verbs(root(), ""))


def parameters(command: Any, kind: str) -> list[Any]:
    """Arguments or options of a command, without those that only concern the shell (completion)."""
    return [each for each in command.params if each.param_type_name == kind and each.expose_value and not each.hidden]


def _verbs(group: Any, path: str) -> Iterator[Verb]:
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        full = f"{path}{name}"
        if hasattr(command, "list_commands"):
            yield from _verbs(command, f"{full} ")
        else:
            yield Verb(full, command.help, parameters(command, "argument"), parameters(command, "option"))


def cli_page() -> str:
    known = verbs()
    index = [(f"[`{verb.name}`](#{verb.name.replace(' ', '-')})", verb.meaning) for verb in known]
    exits = [(str(number), meaning, _codes_with(number)) for number, meaning in exit_codes().items()]
    return f"""# The command line

{MADE}

    kiebitz [--home FOLDER] VERB [OPTIONS]

{table("verb|does", index)}
## Before the verb

{table("option|value|default|meaning", _options(parameters(root(), "option")))}
`-h` and `--help` work here and after every verb. Other settings than the home have no option here: see [settings.md](settings.md).

## Output

Answers go to standard output; progress, warnings and errors go to standard error. On a terminal a list is a table. Elsewhere it is lines with tabs between the fields, the first one with their names.

With `--json` there is no progress. An error is then one object on standard output: see [errors.md](errors.md). Wrong usage (exit code 2) is text on standard error all the same.

## Exit codes

{table("code|meaning|errors", exits)}
Wrong usage has no error code. `crawl` and `up` end with 7 if the run has fetched nothing at all, and with 130 if it was interrupted (Ctrl-C). `doctor` ends with 6 if something is not sound.

{"".join(_verb_section(verb) for verb in known).rstrip()}
"""


def exit_codes() -> dict[int, str]:
    """As the docstring of cli/main.py lists them."""
    _, _, listed = " ".join((cli.__doc__ or "").split()).partition("Exit codes: ")
    return {int(number): meaning.strip() for number, meaning in re.findall(r"(\d+) ([^·.]+)", listed)}


def _codes_with(number: int) -> str:
    return ", ".join(code(each.code) for each in error_classes() if each.exit_code == number)


def _verb_section(verb: Verb) -> str:
    usage = " ".join(["kiebitz", verb.name, *map(_usage, verb.arguments), *(["[OPTIONS]"] if verb.options else [])])
    arguments = [(code(_name(each)), _value(each), _default(each), each.help or "") for each in verb.arguments]
    tables = [table("argument|value|default|meaning", arguments)] if arguments else []
    tables += [table("option|value|default|meaning", _options(verb.options))] if verb.options else []
    return f"## {verb.name}\n\n{verb.meaning}\n\n    {usage}\n\n" + "\n".join(tables) + "\n"


def _options(options: list[Any]) -> list[tuple[str, ...]]:
    return [(code(", ".join(each.opts)), _value(each), _default(each), each.help or "") for each in options]


def _name(argument: Any) -> str:
    return str(argument.name).upper().rstrip("S" if argument.nargs == -1 else "")


def _usage(argument: Any) -> str:
    text = _name(argument) + ("..." if argument.nargs == -1 else "")
    return text if argument.required else f"[{text}]"


def _value(parameter: Any) -> str:
    """What kind of value it takes; nothing for a flag."""
    kind = parameter.type
    if getattr(parameter, "is_flag", False):
        return ""
    choices = getattr(kind, "choices", None)
    if choices:
        *first, last = (code(str(getattr(each, "value", each))) for each in choices)
        return f"{', '.join(first)} or {last}"
    words = {
        "integer": "whole number",
        "int": "whole number",
        "float": "number",
        "text": "text",
        "str": "text",
        "path": "path",
    }
    least = f", at least {kind.min}" if getattr(kind, "min", None) is not None else ""
    many = parameter.nargs == -1 or getattr(parameter, "multiple", False)
    return words[kind.name.removesuffix(" range")] + least + (", any number of them" if many else "")


def _default(parameter: Any) -> str:
    if isinstance(parameter.show_default, str):
        return code(parameter.show_default)
    value = parameter.default
    if value is None or value is False:
        return "must be given" if parameter.required else ""
    return code(str(value.value if isinstance(value, Enum) else value))


# ---------------------------------------------------------------------- errors


@cache
def error_classes() -> list[type[KiebitzError]]:
    """The tree from the root down, also the branches that stand beside the code that raises them."""
    for path in sorted(SOURCE.rglob("*.py")):
        if re.search(r"^    code = \"", path.read_text("utf-8"), re.MULTILINE):
            import_module(".".join(("kiebitz", *path.relative_to(SOURCE).with_suffix("").parts)))
    return list(_branch(KiebitzError))


def _branch(error: type[KiebitzError]) -> Iterator[type[KiebitzError]]:
    yield error
    for each in sorted(error.__subclasses__(), key=_place):
        if each.__module__.startswith("kiebitz."):
            yield from _branch(each)


def _place(error: type[KiebitzError]) -> tuple[int, int, str]:
    lines = inspect.getsource(errors).find(f"class {error.__name__}(")
    return (lines < 0, lines, error.__name__)


def meaning_of(error: type[KiebitzError]) -> str:
    """From the tree in the docstring of errors.py, or else the docstring of the class."""
    drawn = dict(re.findall(r"[├└]── (\w+) +(.+)", errors.__doc__ or ""))
    own = "" if error is KiebitzError else error.__doc__
    return str(drawn.get(error.__name__) or (own or "whatever has no code of its own").splitlines()[0].rstrip("."))


def errors_page() -> str:
    rows = [
        (code(each.code), str(each.exit_code), "yes" if each.retryable else "no", *_class(each), meaning_of(each))
        for each in error_classes()
    ]
    return f"""# Errors

{MADE}

An error has a code, which stays the same, a message, which may change, and most often a hint: the next step. People see

    kiebitz: no run is running
      next: kiebitz runs lists them

and programs that gave `--json` see one object on standard output:

    {{"error": {{"code": "not-found", "message": "no run is running", "hint": "kiebitz runs lists them", "retryable": false}}}}

*Retryable* says whether the same call may work later without a change. The exit codes are explained in [cli.md](cli.md#exit-codes).

{table("code|exit code|retryable|class|is a|meaning", rows)}
The errors below `fetch` concern one request. A crawl does not end with them: they become the reason of the request. See [states.md](states.md).
"""


def _class(error: type[KiebitzError]) -> tuple[str, str]:
    parent = error.__bases__[0]
    return code(error.__name__), code(parent.__name__) if issubclass(parent, KiebitzError) else ""


# ---------------------------------------------------------------------- ports


class Port(NamedTuple):
    """A Protocol and the file it stands in."""

    name: str
    file: Path
    module: ast.Module
    node: ast.ClassDef


def ports() -> list[Port]:
    found = []
    for path in sorted((SOURCE / "ports").glob("*.py")):
        module = ast.parse(path.read_text("utf-8"))
        found += [Port(each.name, path, module, each) for each in _classes(module, "Protocol")]
    return found


def ports_page() -> str:
    known = ports()
    index = [(f"[`{p.name}`](#{p.name.lower()})", _prose(p.module), ", ".join(map(code, _adapters(p)))) for p in known]
    return f"""# Ports

{MADE}

A port is what the crawler needs from the outside, as a small Protocol. Its text is its contract: every adapter keeps it, and one suite under `tests/contract/` checks them all. [CONTRIBUTING.md](../../CONTRIBUTING.md) says how to add an adapter.

{table("port|what|adapters", index)}
{"".join(map(_port_section, known)).rstrip()}
"""


def _port_section(port: Port) -> str:
    stem = port.file.name
    parts = [f"## {port.name}", f"In [`ports/{stem}`](../../src/kiebitz/ports/{stem}).", _prose(port.node)]
    parts += [f"`{each.name}` has {_fields(each)}." for each in _classes(port.module, "NamedTuple")]
    for node in port.node.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            parts += [f"### `{_signature(node)}`", _prose(node)]
    return "\n\n".join(filter(None, parts)) + "\n\n"


def _adapters(port: Port) -> list[str]:
    """Technologies with a file (or folder) of the port's name."""
    folders = sorted(path for path in (SOURCE / "adapters").iterdir() if path.is_dir())
    stem = port.file.stem
    return [each.name for each in folders if (each / f"{stem}.py").exists() or (each / stem / "__init__.py").exists()]


def _classes(module: ast.Module, base: str) -> list[ast.ClassDef]:
    return [
        node
        for node in module.body
        if isinstance(node, ast.ClassDef) and any(ast.unparse(each) == base for each in node.bases)
    ]


def _fields(node: ast.ClassDef) -> str:
    return ", ".join(code(ast.unparse(each)) for each in node.body if isinstance(each, ast.AnnAssign))


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    arguments = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    kind = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    return f"{kind}{node.name}({arguments}){returns}"


def _prose(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """A docstring as Markdown: one line per paragraph."""
    paragraphs = (ast.get_docstring(node) or "").split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs).replace("``", "`")


PAGES = {"cli.md": cli_page, "errors.md": errors_page, "ports.md": ports_page}

if __name__ == "__main__":
    main()
