"""Small examples of the things the stores hold."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

from kiebitz.model.document import Document, document_id

DAY = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)


def day(number: float) -> datetime:
    return DAY + timedelta(days=number)


def document(url: str, *, content: str = "first", day: float = 0, source: str = "aachen", tries: int = 1) -> Document:
    """As a worker makes it: downloaded and visited on a day, nothing known of what was before."""
    at = DAY + timedelta(days=day)
    return Document(
        id=document_id(url),
        url=url,
        parent_url="https://stadt.example/amtsblatt",
        link_text="Amtsblatt Nr. 5 „März“",
        source=source,
        valid=True,
        first_seen=at,
        visited_on=at,
        downloaded_on=at,
        tries=tries,
        status=200,
        content_type="application/pdf",
        bytes=len(content),
        sha256=sha256(content.encode()).hexdigest(),
    )
