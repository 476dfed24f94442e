#!/usr/bin/env python3
"""The thesis' experiment: are all gazettes of 50 municipalities collected, each once, and nothing else?

The lab serves 50 towns over every layout, with decoys. Each is given by its entry URL alone. After the first run come
re-runs, in which nothing is new. What the home holds is compared with the truth by content, what was asked for is counted
by the lab.
"""

import csv
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import report
from kiebitz.lab.log import Entry
from kiebitz.lab.municipalities.truth import TrueMunicipality
from kiebitz.lab.running import RunningLab, running_lab
from kiebitz.lab.world import Blueprint
from tests.program import COMMAND, environment

THESIS = {"sites": 50, "pdfs": 4140, "coverage": "100 %", "cost": "$0.45"}


class Round(NamedTuple):
    """One run over all sources, as the program and the lab saw it."""

    new: int
    errors: dict[str, str]
    requests: int
    downloads: int
    sent: int
    cpu: float
    seconds: float


class Holding(NamedTuple):
    """What the home holds, beside the truth; all but ``found`` by site."""

    found: int
    repeated: Counter[str]
    lacking: Counter[str]
    strange: Counter[str]


def kiebitz(lab: RunningLab, home: Path, *args: str) -> list[dict[str, Any]]:
    env = environment({"KIEBITZ_RESOLVE": lab.resolve, "KIEBITZ_DELAY": "0.005"})
    done = subprocess.run([*COMMAND, "--home", home, *args], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"kiebitz {' '.join(args)} ended with {done.returncode}: {done.stderr or done.stdout}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def name_of(town: TrueMunicipality) -> str:
    return f"{town.name} ({town.host})"


def add_sources(lab: RunningLab, home: Path, towns: Sequence[TrueMunicipality]) -> None:
    file = home.parent / "sources.csv"
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(("name", "entry_urls"))
        writer.writerows((name_of(town), " ".join(town.entry)) for town in towns)
    kiebitz(lab, home, "source", "import", str(file), "--json")


def run(lab: RunningLab, home: Path) -> Round:
    start = len(lab.log())
    lines = kiebitz(lab, home, "run", "--all", "--no-read", "--json")
    log = lab.log(start)
    return Round(
        sum(line["new_documents"] for line in lines),
        {line["source"]: line["error"] for line in lines if line["error"]},
        len(log),
        sum(is_download(entry) for entry in log),
        sum(entry.sent for entry in log),
        sum(line["cpu_seconds"] for line in lines),
        max(line["seconds"] for line in lines),
    )


def is_download(entry: Entry) -> bool:
    return entry.status == 200 and entry.target != "/robots.txt"


def compare(lab: RunningLab, home: Path, towns: Sequence[TrueMunicipality]) -> Holding:
    ids = {line["id"]: line["name"] for line in kiebitz(lab, home, "source", "list", "--json")}
    held = [(ids[line["source"]], line["sha256"]) for line in kiebitz(lab, home, "export", "jsonl")]
    truth = {(name_of(town), document.sha256) for town in towns for document in town.documents}
    count = Counter(held)
    return Holding(
        len(truth & count.keys()),
        Counter(name for (name, _), number in count.items() for _ in range(number - 1)),
        Counter(name for name, _ in truth - count.keys()),
        Counter(name for name, _ in count.keys() - truth),
    )


def main() -> int:
    options = report.parser(__doc__.splitlines()[0])
    options.add_argument("--sites", type=int, default=50, help="how many of the fifty")
    options.add_argument("--reruns", type=int, default=3)
    options.add_argument("--noise", action="store_true", help="every view of a page differs in what does not matter")
    given = options.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_lab(Blueprint(municipalities=given.sites, noise=given.noise)) as lab,
    ):
        home = Path(folder) / "home"
        towns = lab.truth()
        add_sources(lab, home, towns)
        rounds = [run(lab, home) for _ in range(1 + given.reruns)]
        holding = compare(lab, home, towns)
    return tell(towns, rounds, holding, as_json=given.json)


def tell(towns: Sequence[TrueMunicipality], rounds: Sequence[Round], holding: Holding, *, as_json: bool) -> int:
    pdfs = sum(len(town.documents) for town in towns)
    layouts = {name_of(town): town.layout for town in towns}
    for fault, names in (("lacking", holding.lacking), ("wrong", holding.strange), ("repeated", holding.repeated)):
        for name, number in names.items():
            print(f"{fault}: {number} of {name}, layout {layouts[name]}")
    for name, error in rounds[-1].errors.items():
        print(f"error: {name}: {error}")
    rows = [
        (f"run {number}", *(f"{value:,}" for value in (each.new, each.requests, each.downloads)), f"{each.sent / 1e6:.1f}",
         f"{each.cpu:.1f}", f"{each.seconds:.0f}")
        for number, each in enumerate(rounds, 1)
    ]  # fmt: skip
    print(report.table(("", "new PDFs", "requests", "downloads", "MB", "CPU-s", "s"), rows), end="\n\n")
    wrong, duplicates = sum(holding.strange.values()), sum(holding.repeated.values())
    coverage = holding.found / pdfs
    figures = (f"{len(towns)}", f"{pdfs:,}", f"{coverage:.1%}", f"{duplicates}", f"{wrong}")
    thesis = (str(THESIS["sites"]), f"{THESIS['pdfs']:,}", str(THESIS["coverage"]), "-", "-")
    print(
        report.table(
            ("", "sites", "PDFs", "coverage", "duplicates", "wrong"), [("kiebitz", *figures), ("thesis", *thesis)]
        )
    )
    reruns = rounds[1:] or rounds
    if as_json:
        print(report.json_line({
            "sites": len(towns),
            "pdfs": pdfs,
            "coverage": coverage,
            "duplicates": duplicates,
            "wrong": wrong,
            "requests_first": rounds[0].requests,
            "requests_rerun": sum(each.requests for each in reruns) / len(reruns),
            "bytes_rerun": sum(each.sent for each in reruns) / len(reruns),
        }))  # fmt: skip
    return 0 if holding.found == pdfs and not duplicates and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
