"""A host with bad manners: a table from paths to answers, an index of them at ``/``, and the truth about each."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape

from kiebitz.lab.exchange import PLAIN, Answer, Ask, Reply, Script, Wire, missing
from kiebitz.lab.misbehaviour.case import Case, Trap

# Given the request and how often this target was asked for before.
Answerer = Callable[[Ask, int], Answer]


class BadHost:
    """``others`` answers for paths that are not in the table. robots.txt allows everything unless it is in the table."""

    def __init__(
        self,
        name: str,
        table: Mapping[str, Answerer],
        cases: Sequence[Case] = (),
        *,
        traps: Sequence[Trap] = (),
        others: Answerer | None = None,
    ) -> None:
        self.name = name
        self.cases = tuple(cases)
        self.traps = tuple(traps)
        self._others = others
        self._asked: Counter[str] = Counter()
        self._table: dict[str, Answerer] = {"/robots.txt": always(missing()), "/": always(self._index()), **table}

    @property
    def seed(self) -> str:
        """Where to begin to see all of it; empty for a host that only helps another."""
        if self.traps:
            return self.traps[0].start
        return self.cases[0].url.split("/")[0] + f"//{self.name}/" if self.cases else ""

    def answer(self, ask: Ask) -> Answer:
        answerer = self._table.get(ask.target) or self._table.get(ask.path) or self._others
        if answerer is None:
            return missing()
        before = self._asked[ask.target]
        self._asked[ask.target] += 1
        return answerer(ask, before)

    def forget(self) -> None:
        self._asked.clear()

    def _index(self) -> Reply:
        urls = [case.url for case in self.cases if case.host == self.name and case.state] + [
            url for trap in self.traps for url in trap.wanted
        ]
        return page(self.name, "Alles, was es hier gibt.", dict.fromkeys(urls))


def always(answer: Answer) -> Answerer:
    return lambda _ask, _before: answer


def html(title: str, text: str = "", links: Sequence[str] | dict[str, None] = ()) -> str:
    items = "".join(f'<li><a href="{escape(link)}">{escape(link)}</a></li>' for link in links)
    return (
        f'<!doctype html><html lang="de"><head><meta charset="utf-8"><title>{escape(title)}</title></head>'
        f"<body><h1>{escape(title)}</h1><p>{escape(text)}</p><ul>{items}</ul></body></html>"
    )


def page(title: str, text: str = "", links: Sequence[str] | dict[str, None] = ()) -> Reply:
    return Reply(html(title, text, links).encode())


def rules(*lines: str) -> Answerer:
    """A robots.txt."""
    return always(Reply("\n".join([*lines, ""]).encode(), content_type=PLAIN))


def raw(status: int, *pieces: bytes, pause: float = 0.0, end: str = "close") -> Answerer:
    """Exactly these bytes, with a pause between them; then the connection is closed, reset or kept."""

    async def play(wire: Wire) -> None:
        for number, piece in enumerate(pieces):
            if number and pause:
                await wire.pause(pause)
            await wire.send(piece)
        if end == "reset":
            await wire.pause(0.05)  # the peer shall have seen the beginning
            wire.abort()
        elif end == "close":
            wire.close()

    return always(Script(status, play))
