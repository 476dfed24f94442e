"""What a sound saved search is: the one place that checks it, and finds one by its name."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from uuid import uuid4

from kiebitz.errors import InputError, NotFound
from kiebitz.model.alert import AT_ONCE, SavedSearch
from kiebitz.model.announcement import one_line
from kiebitz.model.query import FACETS
from kiebitz.ports.alerts import Alerts
from kiebitz.ports.notifier import Notifier
from kiebitz.standards.cron import cron

LONGEST_NAME = 200
LONGEST_QUERY = 2_000
MOST_CHANNELS = 20
MOST_VALUES = 100


def saved_search(
    name: str, query: str, filters: Mapping[str, Sequence[str]], channels: Sequence[str], digest: str, now: datetime
) -> SavedSearch:
    """A new one. Raises InputError. Its channels are checked by ``require_reachable``."""
    name, query = name.strip(), one_line(query, LONGEST_QUERY + 1)
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(f"bad name {name[:40]!r}", hint=f"up to {LONGEST_NAME} letters, on one line")
    if len(query) > LONGEST_QUERY:
        raise InputError("the query is too long", hint=f"{LONGEST_QUERY} characters are allowed")
    kept = tuple((facet, _values(facet, values)) for facet, values in filters.items() if values)
    if not query and not kept:
        raise InputError("the query is empty", hint="say what is searched for, or choose a --source or --kind")
    if len(channels) > MOST_CHANNELS:
        raise InputError(f"{len(channels)} channels", hint=f"{MOST_CHANNELS} are allowed")
    schedule = str(cron(digest)) if digest else AT_ONCE
    return SavedSearch(str(uuid4()), name, query, now, kept, tuple(dict.fromkeys(channels)), schedule)


def _values(facet: str, values: Sequence[str]) -> tuple[str, ...]:
    if facet not in FACETS or len(values) > MOST_VALUES or not all(map(str.isprintable, values)):
        raise InputError(f"cannot filter by {len(values)} of {facet!r}", hint=f"facets are {', '.join(FACETS)}")
    return tuple(dict.fromkeys(values))


def require_reachable(search: SavedSearch, notifier: Notifier) -> None:
    """Raises InputError, MissingExtra or AddressRefused for a channel to which nothing could ever be sent."""
    for channel in search.channels:
        notifier.check(channel)


async def named(alerts: Alerts, id_or_name: str) -> SavedSearch:
    """Raises NotFound, with names that look alike."""
    try:
        return await alerts.get(id_or_name)
    except NotFound as error:
        near = get_close_matches(id_or_name, [search.name for search in await alerts.searches()], 3)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "kiebitz alert list shows them"
        raise NotFound(str(error), hint=hint) from None
