"""What has happened to a site since it was built: redesigned, moved, renumbered, corrected, closed. Events change it."""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum

from kiebitz.errors import InputError
from kiebitz.lab.calendars import FIRST_DAY, noon

Key = tuple[int, int]


class Happening(StrEnum):
    """An event of a site."""

    REDESIGN = "redesign"  # another layout, other addresses of pages; the files stay where they are
    MOVE = "move"  # the same, and the files move too
    RENUMBER = "renumber"  # all issues are counted from one more
    WITHDRAW = "withdraw"  # the newest document is gone: no link, and 410
    CORRECT = "correct"  # the newest document changes, and its label says so
    REPLACE = "replace"  # it changes, and nothing says so
    EMPTY = "empty"  # the pages stay, all documents vanish
    LOGIN = "login"  # the gazette asks for a password
    DOWN = "down"  # 503 for everything
    UP = "up"  # neither down nor behind a login any more
    RESTORE = "restore"  # as if nothing had happened


def happening(name: str) -> Happening:
    """Raises InputError for what is no event."""
    try:
        return Happening(name)
    except ValueError:
        kinds = ", ".join(Happening)
        raise InputError(f"a site has no event {name!r}", hint=f"one of: {kinds}") from None


@dataclass
class Condition:
    """``designs`` and ``moves`` count; ``changed`` is the day of the last event, ``events`` their number."""

    designs: int = 0
    moves: int = 0
    shift: int = 0
    withdrawn: set[Key] = field(default_factory=set)
    corrected: set[Key] = field(default_factory=set)
    versions: dict[Key, int] = field(default_factory=dict)
    replaced_on: dict[Key, datetime] = field(default_factory=dict)
    is_empty: bool = False
    asks_password: bool = False
    is_down: bool = False
    changed: date = FIRST_DAY
    events: int = 0

    def happen(self, kind: Happening, newest: Key | None, today: date) -> None:
        """``newest``: the document that is concerned, if there is one. To restore is to begin with a new condition."""
        self.events += 1
        self.changed = today
        if kind in (Happening.REDESIGN, Happening.MOVE):
            self.designs += 1
            self.moves += kind is Happening.MOVE
        elif kind is Happening.RENUMBER:
            self.shift += 1
        elif kind is Happening.EMPTY:
            self.is_empty = True
        elif kind in (Happening.DOWN, Happening.UP, Happening.LOGIN):
            self.is_down = kind is Happening.DOWN
            self.asks_password = kind is Happening.LOGIN
        elif kind is not Happening.RESTORE and newest is not None:
            self._concern(kind, newest)

    @property
    def moment(self) -> datetime:
        """When the last event was: two events of one day differ."""
        return noon(self.changed) + timedelta(seconds=self.events)

    def _concern(self, kind: Happening, newest: Key) -> None:
        if kind is Happening.WITHDRAW:
            self.withdrawn.add(newest)
            return
        self.versions[newest] = self.versions.get(newest, 0) + 1
        self.replaced_on[newest] = self.moment
        if kind is Happening.CORRECT:
            self.corrected.add(newest)
