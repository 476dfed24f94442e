"""Every statement of the SQLite adapters goes by an index: what a call costs does not grow with the table."""

import asyncio
import re
from pathlib import Path

import pytest

from kiebitz.adapters.sqlite import documents, events, jobs, leases, runs, sources
from tests.contract.stores import opened

# The first counts everything, which is the length of an index; the second walks over what it keeps.
MAY_WALK_AN_INDEX = {documents.COUNT, events.TRIM}
TABLE_SCAN = re.compile(r"SCAN (job|source|plan|run|document|event|lease)\b")

STATEMENTS = [
    pytest.param(schema, statement, id=f"{module.__name__.rpartition('.')[2]}.{name}")
    for schema, modules in (("jobs", [jobs]), ("records", [sources, runs, documents, events, leases]))
    for module in modules
    for name, statement in vars(module).items()
    if name.isupper() and isinstance(statement, str)
]


def plan(folder: Path, schema: str, statement: str) -> list[str]:
    values = dict.fromkeys(re.findall(r":(\w+)", statement), "1")
    with opened(folder, schema) as database:
        explained = database.run(lambda sql: sql.execute(f"explain query plan {statement}", values).fetchall())
        return [step[3] for step in asyncio.run(explained)]


@pytest.mark.parametrize(("schema", "statement"), STATEMENTS)
def test_a_statement_neither_scans_nor_sorts(tmp_path: Path, schema: str, statement: str) -> None:
    steps = plan(tmp_path, schema, statement)
    assert statement in MAY_WALK_AN_INDEX or not [step for step in steps if TABLE_SCAN.match(step)]
    assert not [step for step in steps if "TEMP B-TREE" in step]


@pytest.mark.parametrize(
    ("schema", "statement"),
    [("jobs", jobs.DEPTH), ("records", documents.COUNT), ("records", documents.COUNT_OF_SOURCE)],
)
def test_counting_reads_an_index_and_no_row(tmp_path: Path, schema: str, statement: str) -> None:
    reads = [step for step in plan(tmp_path, schema, statement) if step.startswith("SEARCH") or TABLE_SCAN.match(step)]
    assert reads
    assert all("COVERING INDEX" in step for step in reads)
