#!/usr/bin/env python3
"""How well and how fast are documents read: columns in every order of drawing, and a real gazette of 92 pages?

``recall`` is the share of the truth's shingles of 40 characters that were read, ``order`` the longest increasing
subsequence of the lines' positions over the lines: both as the worst of the made documents. ``pages_per_cpu_s`` is that of
the real gazette, or of the made ones where it is missing.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pypdfium2

from bench import report
from kiebitz.extract.duplicates import signature
from kiebitz.extract.html import read_html
from kiebitz.extract.language import language_of
from kiebitz.extract.limits import ReadLimits
from kiebitz.extract.pdf import read_pdf
from tests.pdf_pages import Drawing, Setting, columns, order, recall
from tests.shared_data import SHARED

GAZETTE = SHARED / "documents" / "berlin-amtsblatt-2021-28.pdf"
PAGES = SHARED / "gazettes" / "pages"
MANY = 300
LIMITS = ReadLimits(ocr_seconds=0)
SETTINGS = {
    "justified": Setting(),
    "narrow gutter": Setting(gap=9),
    "ragged, not level": Setting(ragged=True, staggered=True),
    "word by word": Setting(words=1),
}


class Row(NamedTuple):
    name: str
    drawing: str
    recall: float
    order: float
    plain_recall: float
    pages_per_cpu_s: float


def cpu_of(work: Callable[[], object], rounds: int) -> float:
    """The cheapest of some rounds: neighbours on the machine make it dearer, never cheaper."""
    costs = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        costs.append(time.process_time() - start)
    return min(costs)


def plain(content: bytes) -> str:
    """What pdfium gives without any ordering of ours."""
    document = pypdfium2.PdfDocument(content)
    return "\n".join(document[number].get_textpage().get_text_range() for number in range(len(document)))


def made(pages: int, rounds: int) -> list[Row]:
    rows = []
    for name, setting in SETTINGS.items():
        for count in (1, 2, 3):
            for drawing in Drawing:
                document = columns(count, drawing, setting, pages=pages)
                text = read_pdf(document.content, LIMITS)
                cost = cpu_of(lambda content=document.content: read_pdf(content, LIMITS), rounds)  # type: ignore[misc]
                unordered = recall(document.words, plain(document.content).replace("\ufffe", ""))
                label = f"{count} column{'s' if count > 1 else ''}, {name}"
                read, ordered = recall(document.words, text.plain), order(document.lines, text.plain)
                rows.append(Row(label, drawing, read, ordered, unordered, pages / cost))
    return rows


def others(rounds: int) -> list[tuple[str, str]]:
    found = []
    if PAGES.is_dir():
        pages = [path.read_bytes() for path in sorted(PAGES.glob("*.html"))]
        size = sum(map(len, pages)) / len(pages) / 1000
        cost = cpu_of(lambda: [read_html(page, "text/html", "https://stadt.example/") for page in pages], rounds)
        found.append(
            (f"HTML pages per CPU-second ({len(pages)} real ones, {size:.1f} KB each)", f"{len(pages) / cost:,.0f}")
        )
    text = " ".join(columns(1, Drawing.COLUMNS, pages=1).words)[:2_800]
    found.append(
        (
            "languages per CPU-second (2.8 KB)",
            f"{MANY / cpu_of(lambda: [language_of(text) for _ in range(MANY)], rounds):,.0f}",
        )
    )
    found.append(
        (
            "signatures per CPU-second (2.8 KB)",
            f"{MANY / cpu_of(lambda: [signature(text) for _ in range(MANY)], rounds):,.0f}",
        )
    )
    return found


def main() -> int:
    options = report.parser(__doc__ or "")
    options.add_argument("--pages", type=int, default=6, help="of each made document")
    options.add_argument("--rounds", type=int, default=3, help="of each measurement; the cheapest counts")
    arguments: argparse.Namespace = options.parse_args()
    rows = made(arguments.pages, arguments.rounds)
    speed = min(row.pages_per_cpu_s for row in rows)
    header = ["made document", "drawn by", "recall", "order", "recall of plain pdfium", "pages per CPU-s"]
    cells = [
        [
            row.name,
            row.drawing,
            f"{row.recall:.4f}",
            f"{row.order:.4f}",
            f"{row.plain_recall:.2f}",
            f"{row.pages_per_cpu_s:.0f}",
        ]
        for row in rows
    ]
    print(report.table(header, cells))
    if GAZETTE.is_file():
        content = GAZETTE.read_bytes()
        count = read_pdf(content, LIMITS).pages
        speed = count / cpu_of(lambda: read_pdf(content, LIMITS), arguments.rounds)
        raw = count / cpu_of(lambda: plain(content), arguments.rounds)
        print(f"\nreal gazette, {count} pages: {speed:.0f} pages per CPU-second; pdfium without ordering {raw:.0f}")
    print("\n" + "\n".join(f"{name}: {figure}" for name, figure in others(arguments.rounds)))
    worst = {"recall": min(row.recall for row in rows), "order": min(row.order for row in rows)}
    if arguments.json:
        print(report.json_line({**worst, "pages_per_cpu_s": speed}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
