"""Fifty municipalities over every layout of a gazette, with decoys, noise, events, and known truth."""

from kiebitz.lab.municipalities.places import MUNICIPALITIES, SCRIPTED
from kiebitz.lab.municipalities.region import Region

__all__ = ["MUNICIPALITIES", "SCRIPTED", "Region"]
