"""A source is a website that is watched again and again."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Focus(StrEnum):
    DOCUMENTS = "documents"
    PAGES = "pages"


@dataclass(frozen=True, slots=True)
class Source:
    id: str
    name: str
    entry_urls: tuple[str, ...]
    labels: dict[str, str] = field(default_factory=dict)
    focus: Focus = Focus.DOCUMENTS
    schedule: str = "0 13 * * 0 Europe/Berlin"
    enabled: bool = True
    created_at: datetime | None = None
    last_crawled: datetime | None = None
    last_change: datetime | None = None
    last_error: str = ""
    last_error_at: datetime | None = None
