"""The demo web: twelve towns that do not exist, each with a small website and an archive of its gazette."""

from kiebitz.lab.demo.site import TownSite
from kiebitz.lab.demo.towns import TOWNS

__all__ = ["TOWNS", "TownSite", "demo_seeds"]


def demo_seeds() -> list[str]:
    return [f"http://{town.host}/" for town in TOWNS]
