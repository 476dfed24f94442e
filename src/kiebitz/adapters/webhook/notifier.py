"""Alerts as JSON, posted to a URL through the guarded client, signed as in Standard Webhooks (standardwebhooks.com).

The body of a delivery is the same, byte for byte, whenever it is sent; ``webhook-id`` and ``Idempotency-Key`` carry its id.
A redirect is not followed: whoever owns the receiver shall say where it is.
"""

import base64
import binascii
import hmac
import json
from hashlib import sha256

from kiebitz.errors import BadUrl, DeliveryFailed, DeliveryRefused, InputError
from kiebitz.model.alert import Match
from kiebitz.model.announcement import Announcement
from kiebitz.model.response import Call, Limits, Response
from kiebitz.ports.clock import Clock
from kiebitz.ports.fetcher import Fetcher
from kiebitz.standards.http_headers import retry_after
from kiebitz.standards.url import parse

LIMITS = Limits(max_bytes=64 << 10, first_byte_seconds=20.0, total_seconds=30.0)
MAY_PASS = frozenset((408, 425, 429))  # and whatever is the server's fault
PREFIX = "whsec_"


class WebhookNotifier:
    """Implements the Notifier port. The fetcher belongs to whoever opened it. Without a secret nothing is signed."""

    def __init__(self, fetcher: Fetcher, clock: Clock, secret: str = "") -> None:
        self._fetcher = fetcher
        self._clock = clock
        self._key = _key(secret)

    def check(self, channel: str) -> None:
        try:
            url = parse(channel)
        except BadUrl as error:
            raise InputError(
                f"not a webhook: {error}", hint="write it in full, as in https://example.org/hook"
            ) from None
        if "@" in url.partition("://")[2].partition("/")[0]:
            raise InputError(
                "a webhook cannot have a name and a password before its host", hint="put a token into its path"
            )

    async def send(self, channel: str, announcement: Announcement) -> None:
        body = json.dumps(_payload(announcement), ensure_ascii=True).encode()
        headers = (
            ("Content-Type", "application/json"),
            ("Accept", "*/*"),
            ("Idempotency-Key", announcement.id),
            *self._signature(announcement.id, body),
        )
        call = Call(parse(channel), "POST", headers, body, limits=LIMITS, truncate=True)
        _require_taken(await self._fetcher.fetch(call), self._clock.now())

    async def close(self) -> None:
        pass

    def _signature(self, name: str, body: bytes) -> tuple[tuple[str, str], ...]:
        if not self._key:
            return (("webhook-id", name),)
        at = str(int(self._clock.now()))
        signed = hmac.new(self._key, f"{name}.{at}.".encode() + body, sha256).digest()
        signature = f"v1,{base64.b64encode(signed).decode()}"
        return ("webhook-id", name), ("webhook-timestamp", at), ("webhook-signature", signature)


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error:
        raise InputError(
            "webhook_secret is not base64", hint=f"write {PREFIX} and 24 bytes or more as base64"
        ) from None


def _require_taken(response: Response, now: float) -> None:
    status = response.status
    if 200 <= status < 300:
        return
    if status in MAY_PASS or status >= 500:
        asked = retry_after(response.headers.get("retry-after", ""), now)
        raise DeliveryFailed(f"the webhook answered http {status}", wait=asked or 0.0)
    if 300 <= status < 400:
        raise DeliveryRefused(f"the webhook answered http {status}", hint="it has moved: give its new address")
    raise DeliveryRefused(f"the webhook answered http {status}", hint="check its address and its token")


def _payload(announcement: Announcement) -> dict[str, object]:
    search = announcement.search
    return {
        "id": announcement.id,
        "type": "alert.test" if announcement.rehearsal else "alert.matches",
        "timestamp": announcement.at.isoformat(),
        "search": {"id": search.id, "name": search.name, "query": search.query},
        "matches": [_object(match) for match in announcement.matches],
    }


def _object(match: Match) -> dict[str, object]:
    return {
        "id": match.id,
        "paper": match.paper,
        "version": match.version,
        "url": match.url,
        "title": match.title,
        "excerpt": match.excerpt,
        "source": match.source,
        "kind": match.kind,
        "published": match.published.isoformat() if match.published else None,
        "found_at": match.found_at.isoformat(),
    }
