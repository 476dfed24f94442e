"""How a crawl behaves: every number that the worker and its visits obey."""

from typing import NamedTuple

from kiebitz.model.response import Limits


class Policy(NamedTuple):
    agent: str = "kiebitz"  # the product token that robots.txt may name
    limits: Limits = Limits()
    max_page_bytes: int = 10 << 20
    max_hops: int = 10
    max_tries: int = 3
    retry_seconds: float = 10.0  # before the second try; four times as long before each further one
    hosts: int = 256  # visits held at once
    batch: int = 50  # requests per visit
    lease_seconds: float = 180.0
    patience: float = 120.0  # how long to wait for deferred work when nothing else is left
    commit_pages: int = 250
    commit_seconds: float = 0.25
    bundle_bytes: int = 32 << 20
    bundle_seconds: float = 3600.0
