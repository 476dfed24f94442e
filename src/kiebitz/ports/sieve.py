"""The sieve: new papers, held for a moment, that saved searches are asked about."""

from collections.abc import Sequence
from typing import Protocol

from kiebitz.model.query import Search


class Sieve(Protocol):
    """A few hundred papers in memory. It answers as the index would, by the same analysis, but strictly: what people search
    for may be widened when little is found, and an alert must not be.
    """

    def matching(self, search: Search) -> Sequence[str]:
        """The ids of all papers that fit the query and its filters, in no order. Sort, limit and cursor mean nothing here.
        Never raises for any search that the parser made.
        """
        ...
