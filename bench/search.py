#!/usr/bin/env python3
"""What does indexing and searching cost, beside Whoosh-reloaded and SQLite FTS5, on 50,000 short documents?

CPU time of whole processes for indexing, CPU time per query for searching (the ten best, with marked passages). Whoosh takes
ten minutes for all of them; with fewer (``--whoosh 5000``) its queries run on a smaller index, which is in its favour.
``index_ratio_whoosh`` is our documents per CPU-second over Whoosh's, ``p99_ratio_whoosh`` our CPU of a term query at the
99th percentile over Whoosh's: more and less is better.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import report
from bench.search_corpus import build, questions

ENGINES = Path(__file__).with_name("search_engines.py")
QUERIES = 100


def cache_of(arguments: argparse.Namespace) -> Path:
    chosen = arguments.cache or os.environ.get("KIEBITZ_BENCH_CACHE")
    return Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "kiebitz-bench"


def measured(engine: str, python: Path, corpus: Path, limit: int, queries: Path) -> dict[str, Any] | None:
    with tempfile.TemporaryDirectory() as folder:
        command = [str(python), str(ENGINES), engine, str(corpus), str(limit), str(queries), f"{folder}/index"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{engine}: failed\n{done.stderr[-2_000:]}", file=sys.stderr)
        return None
    values: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return values


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> int:
    options = report.parser(__doc__ or "")
    options.add_argument("--docs", type=int, default=50_000)
    options.add_argument("--whoosh", type=int, default=50_000, help="documents that Whoosh indexes; 0 leaves it out")
    options.add_argument("--queries", type=int, default=QUERIES, help="of each kind")
    arguments = options.parse_args()
    cache = cache_of(arguments)
    corpus = build(cache, arguments.docs)
    queries = cache / "search" / "queries.json"
    queries.write_text(json.dumps(questions(corpus, 5_000, arguments.queries)))
    whoosh = cache / "whoosh" / "bin" / "python"
    runs: dict[str, dict[str, Any] | None] = {
        "kiebitz": measured("kiebitz", Path(sys.executable), corpus, arguments.docs, queries),
        "fts5": measured("fts5", Path(sys.executable), corpus, arguments.docs, queries),
    }
    if arguments.whoosh and whoosh.exists():
        runs["whoosh"] = measured("whoosh", whoosh, corpus, arguments.whoosh, queries)
    elif arguments.whoosh:
        print("whoosh: not there; bench/peers/setup whoosh installs it", file=sys.stderr)
    done = {name: run for name, run in runs.items() if run}
    if "kiebitz" not in done:
        return 1
    print_tables(done)
    if arguments.json:
        print(report.json_line(figures(done)))
    shutil.rmtree(cache / "search" / "index", ignore_errors=True)
    return 0


def print_tables(done: dict[str, dict[str, Any]]) -> None:
    header = ["engine", "documents", "MB of text", "documents per CPU-s", "MB per CPU-s", "index : text"]
    rows = [
        [
            name,
            f"{run['docs']:,}",
            f"{run['text'] / 1e6:.1f}",
            f"{run['docs'] / run['cpu']:,.0f}",
            f"{run['text'] / 1e6 / run['cpu']:.2f}",
            f"{run['bytes'] / run['text']:.2f}",
        ]
        for name, run in done.items()
    ]
    print(report.table(header, rows))
    kinds = list(done["kiebitz"]["ms"])
    header = ["CPU-ms a query: median / p99 (found)", *done]
    print("\n" + report.table(header, [[kind, *(cell(run, kind) for run in done.values())] for kind in kinds]))


def cell(run: dict[str, Any], kind: str) -> str:
    costs = run["ms"].get(kind)
    if not costs:
        return "–"
    return f"{median(costs):.2f} / {percentile(costs, 0.99):.2f} ({run['found'][kind]})"


def figures(done: dict[str, dict[str, Any]]) -> dict[str, object]:
    ours, theirs = done["kiebitz"], done.get("whoosh")
    speed = ours["docs"] / ours["cpu"]
    slowest = percentile(ours["ms"]["term"], 0.99)
    return {
        "docs": ours["docs"],
        "index_ratio_whoosh": speed / (theirs["docs"] / theirs["cpu"]) if theirs else None,
        "p99_ratio_whoosh": slowest / percentile(theirs["ms"]["term"], 0.99) if theirs else None,
        "docs_per_cpu_s": speed,
        "index_to_text": ours["bytes"] / ours["text"],
        "mb_per_cpu_s": ours["text"] / 1e6 / ours["cpu"],
    }


if __name__ == "__main__":
    raise SystemExit(main())
