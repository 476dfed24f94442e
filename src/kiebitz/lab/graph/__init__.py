"""A web of N hosts with M pages each, made from a seed, whose truth is known without crawling it."""

from kiebitz.lab.graph.layout import SpotKind
from kiebitz.lab.graph.truth import Graph

__all__ = ["Graph", "SpotKind"]
