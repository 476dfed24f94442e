"""How well our search ranks, and how well compounds are taken apart, on the judged sets in tests/data/search.

nDCG@10 (gain 2^grade - 1) of our search beside plain BM25 without our analysis, on both halves; precision and recall of the splitter
as tests/data/search/README.md says. The `held` halves are measured, never looked at: nothing here prints their queries or words.

    python bench/relevance.py [--index memory|tantivy] [--each] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import tempfile
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import Any

from kiebitz.adapters.memory.index import MemoryIndex
from kiebitz.model.hit import PageText, Paper
from kiebitz.model.query import Search
from kiebitz.ports.index import Index
from kiebitz.search.compounds import Splitter
from kiebitz.search.leaves import Leaves
from kiebitz.search.parse import parse

DATA = Path(__file__).parents[1] / "tests" / "data" / "search"
TODAY = date(2026, 11, 16)
HALVES = ("tune", "held")
_LINKS = ("en", "er", "es", "e", "n", "s")


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines() if line]


def papers() -> list[Paper]:
    return [
        Paper(
            id=row["id"], url=row["url"], title=row["title"], pages=(PageText(0, row["text"]),), source=row["source"],
            kind=row["kind"], language=row["language"], published=date.fromisoformat(row["published"]) if row["published"] else None,
        )
        for row in lines("corpus.jsonl")
    ]  # fmt: skip


def ndcg(ranked: list[str], grades: dict[str, int], depth: int = 10) -> float:
    gains = [2 ** grades.get(key, 0) - 1 for key in ranked[:depth]]
    ideal = sorted((2**grade - 1 for grade in grades.values()), reverse=True)[:depth]
    best = sum(gain / math.log2(place + 2) for place, gain in enumerate(ideal))
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains)) / best if best else 1.0


async def relevance(index: Index, half: str) -> dict[str, tuple[str, str, float]]:
    """By query: form, text, nDCG@10."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for row in lines(f"judgements_{half}.jsonl"):
        grades[row["query"]][row["document"]] = row["grade"]
    found = {}
    for query in lines(f"queries_{half}.jsonl"):
        results = await index.search(Search(parse(query["query"], TODAY), limit=10))
        found[query["id"]] = (
            query["form"],
            query["query"],
            ndcg([hit.id for hit in results.hits], grades[query["id"]]),
        )
    return found


def without_link(part: str) -> str:
    return next((part[: -len(link)] for link in _LINKS if part.endswith(link)), part)


def splitting(splitter: Splitter, half: str) -> tuple[float, float]:
    """Precision and recall, strict: all parts of a word right, or it is wrong."""
    split = compounds = right = 0
    for line in (DATA / f"compounds_{half}.tsv").read_text("utf-8").splitlines()[1:]:
        word, parts = line.split("\t")[:2]
        wanted = [without_link(part) for part in parts.split("+")]
        found = [without_link(part) for part in splitter.parts(word)]
        split += len(found) > 1
        compounds += len(wanted) > 1
        right += len(found) > 1 and found == wanted
    return right / split, right / compounds


def opened(kind: str, folder: Path, *, analysis: bool = True) -> Index:
    if kind == "memory" or not analysis:
        return MemoryIndex(Leaves(analysis=analysis))
    from kiebitz.adapters.tantivy.index import TantivyIndex

    return TantivyIndex(folder)


async def filled(index: Index) -> Index:
    await index.add(papers())
    await index.commit(1)
    return index


def mean(found: dict[str, tuple[str, str, float]]) -> float:
    return sum(score for _, _, score in found.values()) / len(found)


async def measured(kind: str) -> dict[str, Any]:
    splitter = Splitter.shipped()
    report: dict[str, Any] = {"index": kind}
    with tempfile.TemporaryDirectory() as folder:
        ours = await filled(opened(kind, Path(folder)))
        plain = await filled(opened(kind, Path(folder), analysis=False))
        for half in HALVES:
            report[half] = {"ours": await relevance(ours, half), "plain": await relevance(plain, half)}
            report[half]["splitting"] = splitting(splitter, half)
        await ours.close()
        await plain.close()
    return report


def table(report: dict[str, Any], *, each: bool) -> None:
    for half in HALVES:
        ours, plain = report[half]["ours"], report[half]["plain"]
        precision, recall = report[half]["splitting"]
        print(f"{half}: nDCG@10 {mean(ours):.3f}, plain BM25 {mean(plain):.3f}, {len(ours)} queries")
        print(f"{half}: compounds precision {precision:.3f}, recall {recall:.3f}")
        forms: dict[str, list[float]] = defaultdict(list)
        for form, _, score in ours.values():
            forms[form].append(score)
        print("   " + ", ".join(f"{form} {sum(found) / len(found):.2f}" for form, found in sorted(forms.items())))
    if each:
        for key, (form, text, score) in sorted(report["tune"]["ours"].items(), key=lambda item: item[1][2]):
            print(f"   {score:.2f} (plain {report['tune']['plain'][key][2]:.2f}) {form}: {text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", choices=("memory", "tantivy"), default="memory")
    parser.add_argument("--each", action="store_true", help="every query of the tune half")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    report = asyncio.run(measured(arguments.index))
    if not arguments.json:
        table(report, each=arguments.each)
        return
    held = report["held"]
    print(
        json.dumps(
            {
                "index": report["index"],
                "ndcg10": round(mean(held["ours"]), 4),
                "ndcg10_plain": round(mean(held["plain"]), 4),
                "split_precision": round(held["splitting"][0], 4),
                "split_recall": round(held["splitting"][1], 4),
                "ndcg10_tune": round(mean(report["tune"]["ours"]), 4),
                "split_precision_tune": round(report["tune"]["splitting"][0], 4),
                "split_recall_tune": round(report["tune"]["splitting"][1], 4),
            }
        )
    )


if __name__ == "__main__":
    main()
