"""The report of a run: what did not work, kept for ever, because the live rows belong to the next run."""

import json

from isal import isal_zlib

from kiebitz.deploy.backends import Backend
from kiebitz.model.request import RequestQuery, RequestRecord, State

PAGE = 1000
GZIP = 31
STATES = (State.FAILED, State.SKIPPED, State.DEFERRED)


def report_key(run_id: str) -> str:
    return f"runs/{run_id}/report.jsonl.gz"


async def write_report(backend: Backend, run_id: str) -> None:
    """One line of JSON per request, packed page by page: a run may have millions of them."""
    packer = isal_zlib.compressobj(1, wbits=GZIP)
    packed = []
    query = RequestQuery(run=run_id, states=STATES, limit=PAGE)
    while True:
        rows = await backend.state.frontier.read(query)
        packed.append(packer.compress("".join(_line(row) for _, row in rows).encode()))
        if len(rows) < PAGE:
            break
        query = query._replace(after=rows[-1][0])
    await backend.blobs.put(report_key(run_id), b"".join([*packed, packer.flush()]))


def _line(row: RequestRecord) -> str:
    fields = {"url": row.url, "state": row.state.label, "reason": row.reason, "status": row.status, "depth": row.depth}
    return json.dumps(fields, ensure_ascii=False) + "\n"
