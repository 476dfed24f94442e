"""What people type, as a tree of the query model.

Words side by side must all be found. OR binds the two beside it, AND the two beside it more tightly, NOT and - what follows:
``Bauantrag Berlin OR Potsdam`` is a Bauantrag in one of the two. Brackets nest a few levels; deeper ones are not there.
"""

from __future__ import annotations

from datetime import date

from kiebitz.model.query import FACETS, FIELDS, Between, Either, Every, Everything, Node, Not, Within
from kiebitz.search.scan import Sign, signs

DEEPEST = 6


def parse(text: str, today: date) -> Node:
    """Never raises, whatever the text is; in time linear in its first thousand characters."""
    return _Grammar(signs(text, today)).read()


class _Grammar:
    def __init__(self, found: list[Sign]) -> None:
        self._signs = found
        self._at = 0

    def read(self) -> Node:
        nodes: list[Node] = []
        while self._at < len(self._signs):
            nodes += self._row(0)
            self._at += 1  # a bracket that closes nothing
        return _joined(nodes) or Everything()

    def _row(self, depth: int) -> list[Node]:
        """Terms side by side, up to the closing bracket or the end."""
        nodes = []
        while self._kind() not in ("", "close"):
            node = self._choice(depth)
            if node is not None:
                nodes.append(node)
        return nodes

    def _choice(self, depth: int) -> Node | None:
        nodes = [self._chain(depth)]
        while self._kind() == "or":
            self._at += 1
            nodes.append(self._chain(depth))
        present = tuple(node for node in nodes if node is not None)
        return Either(present) if len(present) > 1 else (present[0] if present else None)

    def _chain(self, depth: int) -> Node | None:
        nodes = [self._single(depth)]
        while self._kind() == "and":
            self._at += 1
            nodes.append(self._single(depth))
        return _joined([node for node in nodes if node is not None])

    def _single(self, depth: int) -> Node | None:
        """A term with what stands before it. Several NOT in a row are one: nobody means two."""
        negated, field = False, ""
        while self._kind() in ("not", "field"):
            negated = negated or self._kind() == "not"
            field = self._signs[self._at].name or field
            self._at += 1
        node = self._operand(depth)
        if node is None:
            return None
        if field:
            node = _within(field, node)
        return Not(node) if negated and not isinstance(node, Not) else node

    def _operand(self, depth: int) -> Node | None:
        kind = self._kind()
        if kind == "term":
            self._at += 1
            return self._signs[self._at - 1].node
        if kind != "open":
            return None  # an operator without an operand; the caller reads it
        self._at += 1
        if depth >= DEEPEST:
            return None
        node = _joined(self._row(depth + 1))
        if self._kind() == "close":
            self._at += 1
        return node

    def _kind(self) -> str:
        return self._signs[self._at].kind if self._at < len(self._signs) else ""


def _joined(nodes: list[Node]) -> Node | None:
    flat: list[Node] = []
    for node in nodes:
        flat += node.nodes if isinstance(node, Every) else [node]
    return Every(tuple(flat)) if len(flat) > 1 else (flat[0] if flat else None)


def _within(field: str, node: Node) -> Node:
    if isinstance(node, Between) or field == "date":
        return node  # a span of time is of the day of publication, whichever field was named
    if isinstance(node, Within):
        return node
    if isinstance(node, Not | Every | Either):
        return _pushed(field, node)
    assert field in FIELDS or field in FACETS
    return Within(field, node)


def _pushed(field: str, node: Not | Every | Either) -> Node:
    """Down to the terms, so that an index need not know fields of groups."""
    if isinstance(node, Not):
        return Not(_within(field, node.node))
    nodes = tuple(_within(field, inner) for inner in node.nodes)
    return Every(nodes) if isinstance(node, Every) else Either(nodes)
