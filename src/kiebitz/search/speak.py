"""A tree of the query model as text that is parsed to the same tree: for corrections, saved searches and feeds."""

from __future__ import annotations

from datetime import date

from kiebitz.model.query import Between, Either, Every, Everything, Fuzzy, Node, Not, Phrase, Prefix, Within, Word


def speak(node: Node) -> str:
    if isinstance(node, Every):
        return " ".join(f"({speak(inner)})" if isinstance(inner, Every) else speak(inner) for inner in node.nodes)
    if isinstance(node, Either):
        return "(" + " OR ".join(_operand(inner) for inner in node.nodes) + ")"
    if isinstance(node, Not):
        return f"-{_operand(node.node)}" if isinstance(node.node, Word | Phrase) else f"NOT {_operand(node.node)}"
    if isinstance(node, Within):
        return f"{node.field}:{_operand(node.node)}"
    return _leaf(node)


def _operand(node: Node) -> str:
    return f"({speak(node)})" if isinstance(node, Every) else speak(node)


def _leaf(node: Word | Phrase | Prefix | Fuzzy | Between | Everything | Every | Either | Not | Within) -> str:
    if isinstance(node, Phrase):
        return f'"{node.text}"'
    if isinstance(node, Prefix):
        return f"{node.text}*"
    if isinstance(node, Fuzzy):
        return f"{node.text}~{node.distance}"
    if isinstance(node, Between):
        return f"{_day(node.first)}..{_day(node.last)}"
    return f'"{node.text}"' if isinstance(node, Word) and not node.text.isalnum() else getattr(node, "text", "")


def _day(when: date | None) -> str:
    return when.isoformat() if when else ""
