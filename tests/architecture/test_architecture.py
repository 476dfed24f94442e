"""The architecture is visible, and stays so: layers, sizes, names, one definition per type."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "kiebitz"
FILES = sorted(SOURCE.rglob("*.py"))

# Imports go downwards: a layer may import those named before it, and itself.
LAYERS = [
    {"__init__", "errors"},
    {"model"},
    {"standards"},
    {"extract"},
    {"ports"},
    {"sources"},
    {"settings"},
    {"fetch"},
    {"collect"},
    {"watch"},
    {"search"},
    {"crawl"},
    {"adapters"},
    {"lab"},
    {"deploy"},
    {"cli"},
]
VAGUE = re.compile(r"^(utils?|helpers?|common|misc|base|managers?|tools?|stuff)$")
MAX_LINES = 320
MAX_FUNCTION = 60
MAX_PUBLIC_METHODS = 13  # the frontier, the widest port


def layer_of(module: str) -> int:
    part = module.split(".")[1] if "." in module else "__init__"
    return next(number for number, names in enumerate(LAYERS) if part in names)


def module_of(path: Path) -> str:
    return ".".join(("kiebitz", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


def imports_of(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name == "kiebitz" or name.startswith("kiebitz.")}


def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text()) for path in FILES}


def test_imports_go_downwards() -> None:
    wrong = []
    for path, tree in trees().items():
        module = module_of(path)
        for name in imports_of(tree):
            if name == "kiebitz" or name.split(".")[1] not in {part for layer in LAYERS for part in layer}:
                continue
            if layer_of(name) > layer_of(module):
                wrong.append(f"{module} imports {name}")
    assert not wrong


def test_adapters_are_known_to_deploy_and_cli_only() -> None:
    """One technology may share code within its folder; ports never lead back to an adapter."""
    wrong = []
    for path, tree in trees().items():
        module = module_of(path)
        if module.split(".")[1:2] in (["deploy"], ["cli"]):
            continue
        own = ".".join(module.split(".")[:3])
        for name in imports_of(tree):
            shared = own.startswith("kiebitz.adapters") and (
                name == "kiebitz.adapters.local" or name.startswith("kiebitz.adapters.local.disk")
            )
            if name.startswith("kiebitz.adapters.") and not name.startswith(own) and not shared:
                wrong.append(f"{module} imports {name}")
    assert not wrong


def test_every_package_has_its_layer() -> None:
    parts = {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in FILES}
    assert parts == {part for layer in LAYERS for part in layer} & parts
    assert not parts - {part for layer in LAYERS for part in layer}


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_files_and_functions_can_be_read_in_one_go(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= MAX_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno <= MAX_FUNCTION, node.name
        if isinstance(node, ast.ClassDef):
            public = [
                item.name
                for item in node.body
                if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and not item.name.startswith("_")
            ]
            assert len(public) <= MAX_PUBLIC_METHODS, node.name


def test_names_are_nouns_of_the_domain() -> None:
    vague = [str(p.relative_to(ROOT)) for p in (ROOT / "src").rglob("*") if VAGUE.match(p.name.removesuffix(".py"))]
    vague += [str(p.relative_to(ROOT)) for p in (ROOT / "tests").rglob("*") if VAGUE.match(p.name.removesuffix(".py"))]
    assert not vague


def test_a_type_is_defined_once() -> None:
    places = defaultdict(list)
    for path, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module_of(path))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_every_module_says_what_it_is() -> None:
    silent = [module_of(path) for path, tree in trees().items() if not ast.get_docstring(tree)]
    assert not silent


def test_nothing_is_left_open() -> None:
    pattern = re.compile(r"\b(TODO|FIXME|XXX)\b|NotImplementedError")
    left = [module_of(path) for path in FILES if pattern.search(path.read_text())]
    assert not left


def test_every_adapter_file_is_named_after_its_port() -> None:
    """``ls adapters/*`` is the matrix; what only supports a technology is named here."""
    ports = {path.stem for path in (SOURCE / "ports").glob("*.py")} - {"__init__"}
    supporting = {
        "database", "rows", "disk", "presence", "frontier_rows",
        "failure", "multi", "request_head", "sockets", "transfer",
        "admission", "chromium", "drawing", "traffic",
    }  # fmt: skip
    for folder in (SOURCE / "adapters").iterdir():
        if folder.is_dir() and not folder.name.startswith("__"):
            names = {p.name.removesuffix(".py") for p in folder.iterdir() if not p.name.startswith("__")}
            assert names - ports - supporting - {"schema"} == set(), folder.name
