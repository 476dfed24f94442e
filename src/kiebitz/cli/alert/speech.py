"""How the verbs of ``kiebitz alert`` speak of a saved search."""

import re

from kiebitz.model.alert import Delivery, SavedSearch


def object_of(search: SavedSearch) -> dict[str, object]:
    return {
        "id": search.id,
        "name": search.name,
        "query": search.query,
        "filters": {facet: list(values) for facet, values in search.filters},
        "channels": [masked(channel) for channel in search.channels],
        "digest": search.schedule or None,
        "enabled": search.enabled,
        "created_at": search.created_at,
    }


def delivery_object(delivery: Delivery) -> dict[str, object]:
    return {
        "id": delivery.id,
        "channel": masked(delivery.channel),
        "matches": delivery.matches,
        "state": delivery.state.value,
        "tries": delivery.tries,
        "created_at": delivery.created_at,
        "next_at": delivery.next_at,
        "error": delivery.error,
    }


def masked(channel: str) -> str:
    """Whoever knows the path of a webhook or a token of a service may post there: neither is shown."""
    if channel.startswith("mailto:") and not channel.startswith("mailto://"):
        return channel
    found = re.match(r"(https?://[^/?#]+/?)(.*)", channel, re.DOTALL)
    if found:
        return found[1] + ("…" if found[2] else "")
    return channel.partition(":")[0] + "://…"


def filters_of(search: SavedSearch) -> str:
    return "; ".join(f"{facet}: {', '.join(values)}" for facet, values in search.filters)


def schedule_of(search: SavedSearch) -> str:
    return search.schedule or "at once"
