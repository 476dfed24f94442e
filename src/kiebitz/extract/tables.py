"""Tables: read row by row, and a cell of several lines as a whole."""

from itertools import pairwise

from kiebitz.extract.glyphs import GlyphRun
from kiebitz.extract.rows import TextRow


def table_lines(rows: list[TextRow]) -> list[list[GlyphRun]]:
    """Row by row; the lines of one band of the table (closer together than bands are) cell by cell."""
    lines: list[list[GlyphRun]] = []
    for band in _bands(rows):
        lines += [row.words for row in band] if len(band) == 1 else _cells(band)
    return lines


def _bands(rows: list[TextRow]) -> list[list[TextRow]]:
    """A row continues the band above it if it is close and has fewer cells: if all began anew, it is one of its own."""
    pitches = [after.top - before.top for before, after in pairwise(rows)]
    tight = min((pitch for pitch in pitches if pitch > 2), default=0.0)
    bands = [[rows[0]]]
    widest = len(rows[0].segments)
    for row, pitch in zip(rows[1:], pitches, strict=True):
        cells = len(row.segments)
        if pitch < 1.25 * tight and (cells < widest or cells == 1):
            bands[-1].append(row)
            widest = max(widest, cells)
        else:
            bands.append([row])
            widest = cells
    return bands


def _cells(band: list[TextRow]) -> list[list[GlyphRun]]:
    starts = sorted({segment.left for segment in max(band, key=lambda row: len(row.segments)).segments})
    cells: list[list[list[GlyphRun]]] = [[] for _ in starts]
    for row in band:
        for segment in row.segments:
            nearest = max((n for n, start in enumerate(starts) if start <= segment.left + 6), default=0)
            cells[nearest].append(segment.words)
    if len(cells) == 2:  # a label and its value: the first lines of both belong together
        label, value = cells
        joined = [[*label[0], *value[0]]] if label and value and abs(label[0][0].top - value[0][0].top) < 4 else []
        rest = label[1:] + value[1:] if joined else label + value
        return joined + rest
    return [line for cell in cells for line in cell]
