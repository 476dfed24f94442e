"""A fetcher whose web is a table: tests own the answers and read the calls."""

import asyncio
from collections.abc import Callable

from kiebitz.errors import Unreachable
from kiebitz.model.response import Call, Response
from kiebitz.standards.http_headers import parse_head

Answer = Response | Exception | Callable[[Call], "Response | Exception"]


class TableFetcher:
    """Implements the Fetcher port. A URL that is not in the table cannot be reached; the judge is asked as on the wire."""

    def __init__(self, table: dict[str, Answer] | None = None) -> None:
        self.table: dict[str, Answer] = dict(table or {})
        self.calls: list[Call] = []
        self.closed = False

    async def fetch(self, call: Call) -> Response:
        self.calls.append(call)
        await asyncio.sleep(0)  # as on the wire, others run meanwhile
        answer = self.table.get(call.url, Unreachable("dns", f"{call.url} is not in the table"))
        if not isinstance(answer, Response | Exception):
            answer = answer(call)
        if isinstance(answer, Exception):
            raise answer
        return _judged(call, answer)

    async def close(self) -> None:
        self.closed = True


def answer(url: str, content: bytes = b"", *, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    """A response as the fetcher would bring it, with the given header fields."""
    fields = headers if any(name.lower() == "content-type" for name, _ in headers) else (*headers, HTML)
    lines = [
        f"HTTP/1.1 {status} Test",
        *(f"{name}: {value}" for name, value in fields),
        f"Content-Length: {len(content)}",
    ]
    head = "\r\n".join(lines).encode("latin-1")
    return Response(
        url=url,
        status=status,
        head=head,
        raw=content,
        content=content,
        headers=parse_head(head)[1],
        request_head=b"GET / HTTP/1.1\r\n\r\n",
        address="192.0.2.1",
        seconds=0.0,
    )


HTML = ("Content-Type", "text/html; charset=utf-8")


def _judged(call: Call, found: Response) -> Response:
    if call.judge is None:
        return found
    stopped = call.judge(found.status, found.headers.get("content-type", ""), len(found.raw))
    if not stopped:
        return found
    return Response(
        url=found.url,
        status=found.status,
        head=found.head,
        raw=b"",
        content=b"",
        headers=found.headers,
        request_head=found.request_head,
        address=found.address,
        seconds=found.seconds,
        stopped=stopped,
    )
