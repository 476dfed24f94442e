"""What a receiver is told of a saved search, and how it reads as plain text.

Titles and excerpts are crawled, so hostile: no control character and no second line gets through, and lengths are bounded.
"""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from kiebitz.model.alert import Match, SavedSearch

LONGEST_TITLE = 300
LONGEST_SUBJECT = 150


class Announcement(NamedTuple):
    """``id`` is the same when it is told again."""

    id: str
    search: SavedSearch
    matches: tuple[Match, ...]
    at: datetime
    rehearsal: bool = False  # ``kiebitz alert test``

    @property
    def subject(self) -> str:
        count = len(self.matches)
        news = f"{count} new {'document' if count == 1 else 'documents'}"
        return one_line(f"{self.search.name}: {'this is a test' if self.rehearsal else news}", LONGEST_SUBJECT)

    @property
    def text(self) -> str:
        asked = f'The saved search "{one_line(self.search.name)}" ({one_line(self.search.query) or "everything"})'
        if self.rehearsal:
            return f"{asked} can reach you here. This is a test; nothing was found.\n"
        blocks = "\n".join(_block(match) for match in self.matches)
        at = self.at.astimezone(UTC)
        return f"{asked} has found:\n\n{blocks}\n-- \nKiebitz, {at:%Y-%m-%d %H:%M} UTC, delivery {self.id}\n"


def _block(match: Match) -> str:
    facts = (match.source, match.kind, match.published.isoformat() if match.published else "")
    lines = (
        one_line(match.title, LONGEST_TITLE) or "(no title)",
        one_line(" · ".join(filter(None, facts)), LONGEST_TITLE),
        one_line(match.excerpt, 2 * LONGEST_TITLE),
        match.url if match.url.isprintable() else "",
    )
    return "".join(f"{line}\n" for line in lines if line)


def one_line(text: str, longest: int = LONGEST_TITLE) -> str:
    """Printable, on one line, at most so long."""
    plain = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * longest]).split())
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"
