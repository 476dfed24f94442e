"""How much each field and each kind of match counts: the numbers of weights.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Scale(NamedTuple):
    fields: dict[str, float]
    forms: dict[str, float]
    k1: float
    b: float


@cache
def weights() -> Scale:
    table = tomllib.loads((files("kiebitz.search") / "weights.toml").read_text("utf-8"))
    return Scale(table["fields"], table["forms"], table["saturation"]["k1"], table["saturation"]["b"])
