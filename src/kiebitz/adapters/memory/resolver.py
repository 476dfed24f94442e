"""A resolver whose answers are a table: tests own the names, and may change them while the program runs."""

from collections.abc import Iterable

from kiebitz.errors import Unreachable
from kiebitz.ports.resolver import Endpoint


class TableResolver:
    """Values are addresses (the port is the URL's), endpoints, or lists of them; ``asked`` counts the lookups.

    ``then`` gives a name several answers, one per lookup, of which the last one stays: that is rebinding.
    """

    def __init__(self, table: "dict[str, Answer] | None" = None) -> None:
        self._table: dict[str, list[Answer]] = {name: [answer] for name, answer in (table or {}).items()}
        self.asked: list[str] = []

    def set(self, name: str, answer: "Answer") -> None:
        self._table[name] = [answer]

    def then(self, name: str, *answers: "Answer") -> None:
        self._table.setdefault(name, []).extend(answers)

    async def resolve(self, host: str, port: int) -> list[Endpoint]:
        self.asked.append(host)
        answers = self._table.get(host) or ([host.strip("[]")] if host[-1:] in "0123456789]" else [])
        if not answers:
            raise Unreachable("dns", f"{host} has no address")
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        parts: Iterable[str | Endpoint] = [answer] if isinstance(answer, str | Endpoint) else answer
        return [Endpoint(part, port) if isinstance(part, str) else part for part in parts]


Answer = str | Endpoint | list[str | Endpoint]
