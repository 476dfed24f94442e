"""How every measurement reports: a Markdown table for people and, with --json, one last line for programs."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median


def parser(question: str) -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(description=question, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    options.add_argument("--json", action="store_true", help="end with one line of JSON with the figures")
    options.add_argument("--cache", type=Path, help="folder of peers and results (KIEBITZ_BENCH_CACHE)")
    return options


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table that is readable unrendered too; numbers to the right."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    lines = [_line(header, widths), "|" + "|".join("-" * (width + 1) + ":" for width in widths) + "|"]
    lines[1] = lines[1].replace("-:", "--", 1)
    return "\n".join([*lines, *(_line(row, widths) for row in rows)])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [f" {cell:>{width}} " for cell, width in zip(cells, widths, strict=True)]
    padded[0] = f" {cells[0]:<{widths[0]}} "
    return "|" + "|".join(padded) + "|"


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Median and range: `1.02 (0.98–1.10)`."""
    return f"{median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"


def json_line(figures: dict[str, object]) -> str:
    rounded = {name: round(value, 4) if isinstance(value, float) else value for name, value in figures.items()}
    return json.dumps(rounded, ensure_ascii=False)
