#!/usr/bin/env python3
"""Which links are gazette documents: how often is the verdict right, and how are the weights learned?

Cross-validated by site: the weights that judge a page were learned without any page of its site. Figures are over links
(all links of all pages count alike) and over pages (all pages count alike). ``--learn`` writes the weights of all pages.
``--forget 0.5`` asks how much hangs on our lists of unwanted words.
"""

import argparse
import math
import random
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import labelled, report
from bench.labelled import Page
from kiebitz.collect import marks, traits
from kiebitz.collect.classify import Weights, findings, weights
from kiebitz.collect.page import collect_page, read_page
from kiebitz.model.candidate import Candidate

WEIGHTS = Path(__file__).resolve().parents[1] / "src" / "kiebitz" / "collect" / "weights.toml"
AGAINST = frozenset(
    {
        "nowhere",
        "page",
        "other",
        "external_page",
        "unmarked",
        "odd",
        "foreign",
        "foreign_heading",
        "council",
        "nav",
        "furniture",
        "leads_on",
        "wordy",
        "unannounced",
        "attached",
    }
)
FOLDS = 8
SHOWN = 10  # faults of a page
STEPS = 600
RATE = 4.0
DECAY = 0.002  # how strongly the prior holds
MARGIN = 0.5  # positives must clear zero by as much as rounding and luck may cost
TODAY = date(2026, 5, 10)


@dataclass(frozen=True, slots=True)
class Sample:
    page: Page
    candidate: Candidate
    facts: frozenset[str]
    good: bool


@dataclass(frozen=True, slots=True)
class Score:
    page: Page
    right: int
    wrong: tuple[Sample, ...]
    missed: tuple[str, ...]

    @property
    def precision(self) -> float:
        found = self.right + len(self.wrong)
        return self.right / found if found else 1.0

    @property
    def recall(self) -> float:
        there = self.right + len(self.missed)
        return self.right / there if there else 1.0


def samples_of(page: Page) -> list[Sample]:
    outlook = read_page(page.url, page.content, page.content_type)
    return [
        Sample(page, candidate, frozenset(facts), candidate.url in page.expected)
        for candidate, (facts, _) in zip(outlook.candidates, findings(outlook), strict=True)
    ]


def learn(pages: Iterable[Sequence[Sample]]) -> tuple[float, dict[str, float]]:
    """Logistic regression by gradient descent; evidence for can only add, evidence against can only subtract."""
    cases: dict[frozenset[str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for samples in pages:
        sizes = {good: sum(sample.good is good for sample in samples) for good in (True, False)}
        for sample in samples:
            cases[sample.facts][sample.good] += 1 / math.sqrt(sizes[sample.good])
    total = sum(map(sum, cases.values()))
    first, prior = priors()
    start, points = first, dict(prior)
    for _ in range(STEPS):
        slope = 0.0
        slopes = dict.fromkeys(points, 0.0)
        for facts, (bad, good) in cases.items():
            score = start + sum(points[name] for name in facts)
            error = bad * _logistic(score + MARGIN) - good * _logistic(MARGIN - score)
            slope += error
            for name in facts:
                slopes[name] += error
        start -= RATE * (slope / total + DECAY * (start - first))
        for name, old in points.items():
            value = old - RATE * (slopes[name] / total + DECAY * (old - prior[name]))
            points[name] = min(value, 0.0) if name in AGAINST else max(value, 0.0)
    return round(start, 1), {name: round(value, 1) for name, value in points.items()}


def priors() -> tuple[float, dict[str, float]]:
    table = tomllib.loads(WEIGHTS.read_text("utf-8"))
    return float(table["start"]["prior"]), {name: float(entry["prior"]) for name, entry in table["evidence"].items()}


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))


def judge(samples: Sequence[Sample], page: Page, start: float, points: dict[str, float]) -> Score:
    found = [sample for sample in samples if start + sum(points[name] for name in sample.facts) > 0]
    right = {sample.candidate.url for sample in found if sample.good}
    wrong = tuple(sample for sample in found if not sample.good)
    return Score(page, len(right), wrong, tuple(sorted(page.expected - right)))


def cross_validated(by_page: dict[str, list[Sample]], pages: Sequence[Page]) -> list[Score]:
    """Each page judged by weights from other sites only."""
    sites = sorted({page.site for page in pages})
    scores = []
    for fold in range(FOLDS):
        held = set(sites[fold::FOLDS])
        start, points = learn(by_page[page.name] for page in pages if page.site not in held)
        scores += [judge(by_page[page.name], page, start, points) for page in pages if page.site in held]
    return scores


def figures(scores: Sequence[Score]) -> dict[str, float]:
    right = sum(score.right for score in scores)
    wrong = sum(len(score.wrong) for score in scores)
    missed = sum(len(score.missed) for score in scores)
    count = max(1, len(scores))
    return {
        "precision": right / (right + wrong) if right + wrong else 1.0,
        "recall": right / (right + missed) if right + missed else 1.0,
        "precision_pages": sum(score.precision for score in scores) / count,
        "recall_pages": sum(score.recall for score in scores) / count,
    }


def write_weights(start: float, points: dict[str, float]) -> None:
    """The file keeps its order and its reasons; only the numbers change."""
    text = re.sub(r"(\[start\]\npoints = ).*", rf"\g<1>{start}", WEIGHTS.read_text("utf-8"))
    for name, value in points.items():
        text = re.sub(rf"(\[evidence\.{name}\]\npoints = ).*", rf"\g<1>{value}", text)
    WEIGHTS.write_text(text, "utf-8")


def show(scores: Sequence[Score], seen: dict[str, list[Sample]]) -> None:
    rows = []
    for kind in ("authentic", "reconstructed", "made"):
        part = [score for score in scores if score.page.kind == kind]
        links = sum(score.right + len(score.missed) for score in part)
        shown = [f"{value:.4f}" for value in figures(part).values()]
        perfect = sum(not score.wrong and not score.missed for score in part)
        rows.append([kind, str(len(part)), str(perfect), str(links), *shown])
    print(
        report.table(
            ["pages", "n", "without fault", "documents", "precision", "recall", "precision/page", "recall/page"], rows
        )
    )
    for score in scores:
        for sample in score.wrong[:SHOWN]:
            print(
                f"  wrong   {score.page.name}: {sample.candidate.text[:60]!r} {sample.candidate.url[-60:]} {' '.join(sorted(sample.facts))}"
            )
        for url in score.missed[:SHOWN]:
            facts = next(
                (" ".join(sorted(s.facts)) for s in seen.get(score.page.name, ()) if s.candidate.url == url), "not seen"
            )
            print(f"  missed  {score.page.name}: {url[-60:]} {facts}")


def shipped(pages: Sequence[Page]) -> list[Score]:
    """The same figures for the weights as they ship, through the entry point itself."""
    scale: Weights = weights()
    scores = []
    for page in pages:
        found = collect_page(page.url, page.content, page.content_type, TODAY, scale).documents
        urls = {verdict.candidate.url for verdict in found}
        wrong = tuple(
            Sample(page, v.candidate, frozenset(), good=False) for v in found if v.candidate.url not in page.expected
        )
        scores.append(Score(page, len(urls & page.expected), wrong, tuple(sorted(page.expected - urls))))
    return scores


def forget(share: float) -> None:
    """Take words against a link away, as if the decoys were of kinds that nobody thought of."""
    dice, known = random.Random(1), marks.words()
    against = ("foreign", "council", "attachment", "ordinary", "besides")
    kept: dict[str, Any] = {
        name: tuple(word for word in getattr(known, name) if dice.random() >= share) for name in against
    }
    vars(traits)["words"] = lambda: known._replace(**kept)


def main() -> int:
    options = report.parser(__doc__ or "")
    options.add_argument("--learn", action="store_true", help="write weights.toml")
    options.add_argument("--shipped", action="store_true", help="judge with the weights that ship, not cross-validated")
    options.add_argument(
        "--forget", type=float, default=0.0, help="judge without this share of the words against a link"
    )
    arguments: argparse.Namespace = options.parse_args()
    if not labelled.DATA.is_dir():
        print(
            f"no labelled pages at {labelled.DATA}: they are shared data, not part of the repository", file=sys.stderr
        )
        return 2
    forget(arguments.forget)
    pages = [*labelled.shared_pages(), *labelled.made_pages()]
    by_page = {page.name: samples_of(page) for page in pages}
    if arguments.shipped:
        scores = shipped(pages)
    else:
        if arguments.learn:
            write_weights(*learn(by_page[page.name] for page in pages))
        scores = cross_validated(by_page, pages)
    show(scores, by_page)
    if arguments.json:
        shared = [score for score in scores if score.page.kind != "made"]
        authentic = [score for score in shared if score.page.kind == "authentic"]
        print(report.json_line({**figures(shared), "authentic": {**figures(authentic), "pages": len(authentic)}}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
