"""How many letters are wrong: insertions, deletions, changes, and two neighbours swapped (optimal string alignment)."""

from __future__ import annotations


def within(first: str, second: str, most: int) -> int | None:
    """The distance, or None if it is larger than ``most``. Time is the length of one times the width of the band."""
    if abs(len(first) - len(second)) > most:
        return None
    if first == second:
        return 0
    before: list[int] = []
    row = [column if column <= most else most + 1 for column in range(len(second) + 1)]
    for at, letter in enumerate(first, 1):
        before, row, last = row, [most + 1] * (len(second) + 1), before
        if at <= most:
            row[0] = at
        for column in range(max(1, at - most), min(len(second), at + most) + 1):
            change = before[column - 1] + (letter != second[column - 1])
            best = min(change, before[column] + 1, row[column - 1] + 1)
            if at > 1 and column > 1 and letter == second[column - 2] and first[at - 2] == second[column - 1]:
                best = min(best, last[column - 2] + 1)
            row[column] = best
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None
